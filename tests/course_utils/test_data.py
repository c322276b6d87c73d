"""Every file of the course's data is documented, unchanged, licensed, and goes into the package."""

import hashlib
import re
from fnmatch import fnmatch
from pathlib import Path

import numpy as np
import pytest
from paths import ROOT

DATA = ROOT / "course_utils" / "data"
README = (DATA / "README.md").read_text(encoding="utf-8")
SUMS = dict(re.findall(r"^([0-9a-f]{64})  (\S+)$", README, re.MULTILINE))
FILES = {path.name for path in DATA.iterdir() if path.suffix in (".npz", ".gz", ".json")}


def test_every_file_and_no_other_is_in_the_readme():
    assert set(SUMS.values()) == FILES
    assert set(re.findall(r"^\| `(\S+)` \|", README, re.MULTILINE)) == FILES


@pytest.mark.parametrize("total, name", SUMS.items(), ids=list(SUMS.values()))
def test_a_file_is_the_one_that_was_described(total, name):
    assert hashlib.sha256((DATA / name).read_bytes()).hexdigest() == total


def test_what_the_readme_links_to_is_there():
    links = re.findall(r"\]\(([^)]+)\)", README)
    assert len(links) >= 6
    assert all((DATA / link).exists() for link in links)
    assert {path.name for path in (DATA / "licences").iterdir()} == {
        Path(link).name for link in links if link.startswith("licences/")
    }


@pytest.mark.parametrize(
    "name, phrase",
    [
        ("Apache-2.0.txt", "Version 2.0, January 2004"),
        ("PDDL-1.0.txt", "Public Domain Dedication"),
        ("MIT-MiniLM.txt", "Copyright (c) Microsoft Corporation"),
        ("WordNet-3.0.txt", "Copyright 2006 by Princeton"),
    ],
)
def test_a_licence_is_its_text(name, phrase):
    assert phrase in (DATA / "licences" / name).read_text(encoding="utf-8")


def test_the_project_s_licence_leaves_every_file_its_own():
    lines = re.findall(r"^  (\S+) +(\S.*\.txt)$", (ROOT / "LICENSE").read_text(encoding="utf-8"), re.MULTILINE)
    texts = {path.name for path in (DATA / "licences").iterdir()}
    assert {text for _, named in lines for text in named.split(", ")} == texts
    assert [name for name in FILES if not any(fnmatch(name, pattern) for pattern, _ in lines)] == []


def test_every_recipe_is_named_and_says_what_it_makes():
    for path in (DATA / "recipes").glob("*.py"):
        assert f"`{path.name}`" in README
        assert path.read_text(encoding="utf-8").startswith('"""Makes ')


def test_versions_in_the_readme_are_those_of_the_stored_outputs():
    with np.load(DATA / "minilm_outputs.npz") as stored:
        for version in stored["versions"].tolist():
            assert version.removesuffix("+cpu") in README
