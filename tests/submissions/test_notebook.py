"""The reader of submitted files: every fault that front ends are known for, and thousands at random."""

import json
import os
import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mutate_bytes import mutate
from paths import MANGLED

from autograde.submissions.notebook import Notebook, Unreadable, find, read

CONTROL = MANGLED / "00_clean_control.ipynb"
NAMES = ("softmax", "cross_entropy")


def notebook(*sources, kind="code", **more):
    cells = [{"cell_type": kind, "metadata": {"nbgrader": {}}, "source": source} for source in sources]
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5, **more}).encode()


def defined(cells):
    """The functions that the cells define when run in order, magics left out: an oracle by exec."""
    import numpy as np

    space = {"np": np, "check": lambda *args: 0.0}
    for cell in cells:
        lines = [line for line in cell.split("\n") if not line.lstrip().startswith(("%", "!", "?"))]
        exec("\n".join(lines), space)
    return space


READABLE = {
    "00_clean_control": [],
    "01_colab_metadata_gone": ["tags of nbgrader are gone"],
    "03_vscode_copied_cell_duplicate_ids": ["softmax is defined more than once (cells 2, 3)"],
    "04_kernelspec_conda_env": [],
    "05_no_kernelspec_no_language_info": [],
    "06_bom_and_crlf": ["byte order mark", "line ends of Windows"],
    "07_split_and_merged_cells": [],
    "08_cell_types_changed": ["cell 2 was not code (raw)"],
    "09_magics_and_deleted_test": [],
    "10_widget_state_key_missing": [],
    "14_nbformat3_worksheets": ["format 3"],
    "15_schema_invalid_but_readable": [],
    "Copy of attention (1)": [],
}


@pytest.mark.parametrize("name", READABLE)
def test_mangled_but_readable_keeps_both_answers(name):
    before = (MANGLED / f"{name}.ipynb").read_bytes()
    result = read(MANGLED / f"{name}.ipynb", NAMES)
    assert len(result.notices) == len(READABLE[name])
    for words, notice in zip(READABLE[name], result.notices):
        assert words in notice
    space = defined(result.cells)
    assert space["softmax"]([[0.0, 0.0], [0.0, 1e4]]).tolist() == [[0.5, 0.5], [0.0, 1.0]]
    assert "cross_entropy" in space
    assert (MANGLED / f"{name}.ipynb").read_bytes() == before


UNREADABLE = {
    "11_zero_bytes": ("unreadable: empty file", None),
    "12_truncated": ("unreadable: JSON ends early at line 90", 90),
    "13_git_conflict_markers": ("merge conflict, '<<<<<<< HEAD' at line 44", 44),
    "16_html_page_saved_as_ipynb": ("this is a web page, not a notebook: download it again", None),
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_unreadable_in_words_with_the_line(name):
    words, line = UNREADABLE[name]
    with pytest.raises(Unreadable) as caught:
        read(MANGLED / f"{name}.ipynb")
    assert words in caught.value.reason and caught.value.line == line


@pytest.mark.parametrize(
    "data, words",
    [
        (b"\0" * 4096, "only zero bytes"),  # a failed sync
        (b"PK\x03\x04rest", "a ZIP archive"),  # the whole folder, zipped and renamed
        (b"%PDF-1.7", "a PDF"),
        (b"version https://git-lfs.github.com/spec/v1\n", "Git LFS"),
        (b"import numpy as np\n\ndef softmax(x):\n    pass\n", "a Python script"),
        (b"[1, 2]", "JSON, but not a notebook"),
        (b'{"a": 1}', "no list of cells"),
        (b'{"cells": 3}', "no list of cells"),
        (b'{"cells": {"a": []}}', "no list of cells"),
        (b'{"worksheets": 3}', "no list of cells"),
        (b"[" * 200_000, "nested too deeply"),
        (b'{"cells": [tr', "JSON ends early at line 1"),  # cut in a literal
        (b'{"cells": [\n "\\ud8', "JSON ends early at line 2"),  # cut in an escape
        (b'{"cells": []\n}\n{}', r"a complete notebook, then more after its end \(line 3\)"),  # two files glued together
        (b'{"cells": [,]}', "damaged JSON at line 1"),
        (bytes(range(128, 256)), "not a notebook"),
    ],
)
def test_other_files_are_refused_in_words(data, words):
    with pytest.raises(Unreadable, match=words):
        read(data)


@pytest.mark.parametrize(
    "data, words",
    [
        (notebook("x = 'å'").decode().replace("\\u00e5", "å").encode("utf-16"), "utf-16"),
        (notebook("x = 'å'").decode().replace("\\u00e5", "å").encode("cp1252"), "code page 1252"),
        (notebook("x = 'å'") + b"\0\0\0\n", "zero bytes at the end"),
        (b'{"cells": [{"cell_type": "code", "metadata": {"nbgrader": {}}, "source": "x = \'\xc3\xa5\'\n"}]}', "control"),
    ],
)
def test_encodings_are_repaired(data, words):
    result = read(data)
    assert result.cells[0].strip() == "x = 'å'" and words in result.notices[0] and len(result.notices) == 1


@pytest.mark.parametrize(
    "source, cell, notices",
    [
        ("x = 1\ny = 2", "x = 1\ny = 2", 0),  # one string instead of a list
        (["x = 1\n", "y = 2"], "x = 1\ny = 2", 0),
        (["x = 1", "y = 2"], "x = 1\ny = 2", 1),  # line ends lost
        (["x = 1\n", 3, None, "y = 2"], "x = 1\ny = 2", 1),
        (["x = 1\r\n", "y = 2\r\n"], "x = 1\ny = 2\n", 1),
        ("x = 1\ry = 2", "x = 1\ny = 2", 1),  # line ends of an old Mac
        ("x = '\ud800'", "x = '\ufffd'", 1),  # half a character
        ("x = 1\0", "x = 1\ufffd", 1),
    ],
)
def test_sources_of_every_shape(source, cell, notices):
    result = read(notebook(source))
    assert result.cells == (cell,) and len(result.notices) == notices


def test_source_that_is_no_text_is_left_out():
    result = read(notebook({"a": 1}, None, 3.5, "x = 1"))
    assert result.cells == ("x = 1",) and len(result.notices) == 3


def test_text_cells_that_define_an_answer_are_code():
    answer = "%%time\n@njit\ndef softmax(x):\n    return x"
    for kind in ("raw", "markdown", "Code"):
        assert read(notebook(answer, kind=kind)).cells == (answer,)


@pytest.mark.parametrize(
    "text",
    [
        "We define softmax as follows:\n\ndef softmax(x): return x",  # prose and code
        "```python\ndef softmax(x):\n    return x\n```",
        "import the data first, then look",
        "# Softmax\n\nA def is a function",
    ],
)
def test_prose_is_not_code(text):
    assert read(notebook(text, kind="markdown")).cells == ()


def test_an_attempt_switched_off_as_raw_stays_off():
    """Right answer in a code cell, an old attempt below it turned to Raw on purpose: it must not win."""
    document = json.loads(notebook("def softmax(x):\n    return 1"))
    document["cells"].append({"cell_type": "raw", "metadata": {}, "source": "def softmax(x):\n    return 2"})
    assert len(read(json.dumps(document).encode()).cells) == 1


def test_outputs_of_fifty_megabytes_are_dropped_before_parsing(tmp_path):
    import tracemalloc

    document = json.loads(CONTROL.read_text())
    document["cells"][1]["outputs"] = [{"output_type": "stream", "text": ["x" * 5_000_000 + '"\\\n'] * 10}]
    big = tmp_path / "big.ipynb"
    big.write_text(json.dumps(document, indent=1))
    tracemalloc.start()
    result = read(big, NAMES)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert result.cells == read(CONTROL, NAMES).cells and "outputs were dropped" in result.notices[0]
    assert peak < 1.25 * big.stat().st_size  # the bytes of the file, once, and at most one text of it


def test_lines_of_faults_are_right_after_dropped_outputs(tmp_path):
    document = json.loads(CONTROL.read_text())
    document["cells"][1]["outputs"] = [{"text": ["x" * 100 + "\n"] * 20_000}]
    lines = json.dumps(document, indent=1).split("\n")
    lines[-3] = "<<<<<<< HEAD"
    with pytest.raises(Unreadable) as caught:
        read("\n".join(lines).encode())
    assert caught.value.line == len(lines) - 2


def test_too_large_without_outputs():
    with pytest.raises(Unreadable, match="too large: 9 MB even without its outputs"):
        read(notebook("#" * 10_000_000))


def test_deep_nesting_in_outputs_does_no_harm():
    deep = b"[" * 100_000 + b"]" * 100_000
    data = b'{"cells": [{"cell_type": "code", "metadata": {"nbgrader": {}}, "outputs": ' + deep + b', "source": "x = 1"}]}'
    assert read(data).cells == ("x = 1",)


def test_hostile_escapes_cost_linear_time():
    """Two million escaped quotes and no end: a careless pattern would start again at each."""
    with pytest.raises(Unreadable, match="ends early"):
        read(b'{"cells": ["' + b'\\"' * 2_000_000)


def test_numbers_of_every_kind():
    assert read(b'{"cells": [], "a": [NaN, -Infinity, 1e999, ' + b"9" * 5_000 + b"]}").cells == ()


def test_links_folders_and_pipes_are_refused(tmp_path):
    (tmp_path / "link.ipynb").symlink_to(CONTROL)
    (tmp_path / "folder.ipynb").mkdir()
    os.mkfifo(tmp_path / "pipe.ipynb")
    with pytest.raises(Unreadable, match="symbolic link"):
        read(tmp_path / "link.ipynb")
    for name in ("folder.ipynb", "pipe.ipynb"):
        with pytest.raises(Unreadable, match="not a file"):
            read(tmp_path / name)
    with pytest.raises(Unreadable, match="cannot be opened"):
        read(tmp_path / "nothing.ipynb")


def test_find_takes_one_and_names_several(tmp_path):
    assert find(tmp_path, "scaling.ipynb") == (None, "")
    (tmp_path / ".ipynb_checkpoints").mkdir()
    (tmp_path / ".ipynb_checkpoints" / "scaling-checkpoint.ipynb").touch()
    (tmp_path / "._scaling.ipynb").touch()  # macOS
    assert find(tmp_path, "scaling.ipynb") == (None, "")
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "scaling.ipynb").touch()  # an archive unpacked into a folder of its own
    assert find(tmp_path, "scaling.ipynb")[0] == tmp_path / "inner" / "scaling.ipynb"
    (tmp_path / "Copy of scaling (1).ipynb.txt").touch()
    path, notice = find(tmp_path, "scaling.ipynb")
    assert path.name == "Copy of scaling (1).ipynb.txt" and "expected was scaling.ipynb" in notice
    (tmp_path / "scaling_final.ipynb").touch()
    path, notice = find(tmp_path, "scaling.ipynb")
    assert path is None and "Copy of scaling (1).ipynb.txt, scaling_final.ipynb" in notice
    (tmp_path / "scaling.ipynb").touch()
    path, notice = find(tmp_path, "scaling.ipynb")
    assert path == tmp_path / "scaling.ipynb"
    assert notice == "only scaling.ipynb was graded; not looked at: Copy of scaling (1).ipynb.txt, scaling_final.ipynb"


def has_status(data):
    """Every file is either read into cells or refused with a sentence; nothing else may happen."""
    try:
        result = read(data, NAMES)
    except Unreadable as refused:
        assert refused.reason and "\n" not in refused.reason and len(refused.reason) < 300
        return
    assert isinstance(result, Notebook)
    for text in (*result.cells, *result.notices):
        text.encode()  # no half characters
        assert "\0" not in text and "\r" not in text


def test_thousands_of_mutated_files_each_have_a_status():
    rng = random.Random(1706)
    originals = [path.read_bytes() for path in sorted(MANGLED.glob("*.ipynb"))]
    for _ in range(4_000):
        has_status(mutate(rng.choice(originals), rng))


def mutate_value(value, rng):
    """The same one level up: a JSON value somewhere in the document replaced by another."""
    if rng.random() < 0.04 or not isinstance(value, (dict, list)):
        keep = isinstance(value, (dict, list)) is False and rng.random() < 0.9
        return value if keep else rng.choice((None, True, -1, 1.5, "", "\ud800\0\r", [], {}, [[]], {"cells": []}, "def f(:"))
    if isinstance(value, dict):
        return {key: mutate_value(item, rng) for key, item in value.items() if rng.random() > 0.03}
    return [mutate_value(item, rng) for item in value if rng.random() > 0.03]


def test_thousands_of_mutated_documents_each_have_a_status():
    rng = random.Random(2017)
    original = json.loads(CONTROL.read_text())
    for _ in range(2_000):
        has_status(json.dumps(mutate_value(original, rng)).encode())


json_values = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text() | st.sampled_from(["code", "markdown", "def softmax(x): pass"]),
    lambda inner: (
        st.lists(inner)
        | st.dictionaries(
            st.sampled_from(["cells", "worksheets", "source", "input", "cell_type", "metadata", "nbgrader"]) | st.text(), inner
        )
    ),
    max_leaves=20,
)


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(json_values, st.binary())
def test_any_json_and_any_bytes_have_a_status(value, data):
    has_status(json.dumps(value).encode())
    has_status(data)


@pytest.mark.parametrize("more", ['{"cells": []}', "}", "x", '\n"cells": []'])
def test_a_notebook_with_more_after_its_end_is_told_so(tmp_path, more):
    path = tmp_path / "twice.ipynb"
    path.write_text('{"cells": [],\n "nbformat": 4}' + more, encoding="utf-8")
    with pytest.raises(Unreadable, match="a complete notebook, then more after its end"):
        read(path)
