"""An import-linter contract by a list of what is allowed: import-linter's own say what is forbidden."""

import sys

import grimp
from importlinter import Contract, ContractCheck, fields, output


class OnlyImports(Contract):
    """``importers`` and what lies in them import each other, ``allowed`` packages, the standard library, and nothing else.

    Direct imports count: what an allowed module imports in its turn is bound by contracts of its own.
    """

    importers = fields.ListField(subfield=fields.ModuleField())
    allowed = fields.ListField(subfield=fields.ModuleField())

    def check(self, graph: grimp.ImportGraph, verbose: bool) -> ContractCheck:
        own = [module.name for module in self.importers]
        allowed = [*own, *(module.name for module in self.allowed)]
        wrong = [
            f"{importer} imports {imported}"
            for importer in sorted(module for module in graph.modules if _lies_in(module, own))
            for imported in sorted(graph.find_modules_directly_imported_by(importer))
            if imported not in sys.stdlib_module_names and not _lies_in(imported, allowed)
        ]
        return ContractCheck(kept=not wrong, metadata={"wrong": wrong})

    def render_broken_contract(self, check: ContractCheck) -> None:
        for line in check.metadata["wrong"]:
            output.print_error(line)


def _lies_in(module: str, packages: list[str]) -> bool:
    return any(module == package or module.startswith(f"{package}.") for package in packages)
