"""The table of threats names every kind of attack in the bank, and only tests that there are."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TABLE = (ROOT / "docs" / "architecture_threats.md").read_text(encoding="utf-8")


ATTACKS = TABLE.partition("## Attacks")[2].partition("## What is not held")[0]


def test_every_kind_of_attack_has_its_line_and_its_file_of_the_bank():
    banks = {path: tomllib.loads(path.read_text(encoding="utf-8")) for path in Path(__file__).parent.glob("hostile/*.toml")}
    bank = {(record["kind"], path.name) for path, each in banks.items() for record in each["submission"]}
    named = set()
    for line in ATTACKS.splitlines():
        kinds, files = re.findall(r"\*\*(.+?)\*\*", line), re.findall(r"hostile/(\w+\.toml)", line)
        named |= {(kind, file) for kind, file in bank if kind in kinds and file in files}
        assert all(kind in dict(bank) for kind in kinds), line
    assert named == bank


def test_every_test_that_is_named_is_there():
    named = set(re.findall(r"`(tests/[\w/.]+)`", TABLE))
    assert len(named) > 10 and [path for path in sorted(named) if not (ROOT / path).exists()] == []
