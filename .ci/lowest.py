"""Prints every direct dependency at its lower bound, for pip: what `make test-lowest` installs."""

import re
import tomllib
from pathlib import Path


def lowest(project: dict) -> list[str]:
    """The requirements of the [project] table, extras included, each as NAME==LOWER_BOUND. Raises SystemExit."""
    own = project["name"]
    extras = [line for lines in project["optional-dependencies"].values() for line in lines]
    pins = []
    for requirement in [*project["dependencies"], *extras]:
        if requirement.startswith(f"{own}["):  # an extra that holds other extras
            continue
        found = re.match(r"([\w.-]+(?:\[\w+\])?)>=([\w.]+)", requirement)
        if not found:
            raise SystemExit(f"pyproject.toml: {requirement!r} has no lower bound; write NAME>=VERSION")
        pins.append("==".join(found.groups()))
    return pins


if __name__ == "__main__":
    text = (Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8")
    print(*lowest(tomllib.loads(text)["project"]))
