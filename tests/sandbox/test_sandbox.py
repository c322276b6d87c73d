"""The sandbox on honest submissions, on limits, and on the edges of its messages."""

import re
from pathlib import Path

import numpy as np
import pytest

import autograde
from autograde import judge
from autograde.engine.calling import Unsupported
from autograde.engine.exercise import Quiz, Rng
from autograde.exercises import in_lesson
from autograde.exercises.withheld import course_modules
from autograde.sandbox.host.sandbox import Limits, Sandbox
from autograde.submissions.notebook import read

QUICK = Limits(cell=0.5, call=0.5, submission=60.0, idle=1.0, memory=256 << 20)
NAMES = ("one_hot", "embed", "dot_products", "cosine_similarity", "cosine_matrix")
MODULES = course_modules("word_vectors")
RIGHT = """
import numpy as np

def embed(ids, E):
    return E[np.asarray(ids)]
"""


@pytest.fixture(scope="module")
def sandbox():
    with Sandbox(QUICK) as sandbox:
        yield sandbox


def call(sandbox, source, *args, name="embed"):
    with sandbox.open([source], NAMES) as submission:
        return submission.answer(name).call(args)


def echo(sandbox, value):
    """What a function that returns its argument gives back, made plain."""
    return call(sandbox, "def embed(x):\n    return x", value)


def test_an_answer_is_called_in_another_process(sandbox):
    import os

    outcome = call(sandbox, "import os\ndef embed():\n    return os.getpid()")
    assert outcome.failure is None and int(outcome.value) != os.getpid()


def test_the_last_definition_counts_and_a_missing_one_is_none(sandbox):
    with sandbox.open(["def embed(): return 1", "def embed(): return 2"], NAMES) as submission:
        assert submission.answer("embed").call(()).value == 2
        assert submission.answer("one_hot") is None


@pytest.mark.parametrize("dtype", ["?", "i1", "i4", "i8", "u2", "f2", "f4", "f8", ">f8"])
def test_arrays_cross_with_dtype_and_shape(sandbox, dtype):
    array = np.arange(6).reshape(2, 1, 3).astype(dtype)
    value = echo(sandbox, array).value
    assert value.shape == (2, 1, 3) and value.dtype == array.dtype.newbyteorder("=")
    assert np.array_equal(value, array)


@pytest.mark.parametrize(
    "value",
    [
        np.zeros((0, 3)),  # nothing inside, but a shape
        np.array(np.nan),  # no axis
        np.arange(12.0).reshape(3, 4).T,  # not contiguous
        np.array([np.inf, -np.inf, np.nan]),
    ],
)
def test_odd_arrays_cross(sandbox, value):
    back = echo(sandbox, value).value
    assert back.shape == value.shape and np.array_equal(back, value, equal_nan=True)


def test_nested_arguments_cross(sandbox):
    source = """
def embed(ids, model, rng, k, scale, mask):
    assert type(ids) is list and type(model["layers"]) is list and mask is None and type(k) is int
    assert type(scale).__name__ == "float32" and model[3] == "three" and type(model["pair"]) is tuple
    return model["layers"][1]["W"] * k + rng.standard_normal(2)
"""
    model = {"layers": [{"W": np.zeros(2)}, {"W": np.ones(2)}], 3: "three", "pair": (1, True)}
    outcome = call(sandbox, source, [1, 2], model, Rng(5), 10, np.float32(0.5), None)
    assert outcome.failure is None, outcome
    assert np.array_equal(outcome.value, 10 + np.random.default_rng(5).standard_normal(2))


def test_results_that_are_no_array(sandbox):
    assert call(sandbox, "def embed(): pass").value is None
    assert call(sandbox, "def embed(): return 'text'").value == Unsupported("a str")
    parts = call(sandbox, "import numpy as np\ndef embed(): return np.ones((2, 3)), [1, 2]").value
    assert type(parts) is tuple and parts[0].shape == (2, 3) and parts[1].tolist() == [1, 2]


def test_changed_arguments_and_own_errors_are_reported(sandbox):
    assert call(sandbox, "def embed(x, y):\n    y[0] = 7\n    return x", np.ones(2), np.ones(2)).changed == (1,)
    failure = call(sandbox, "def embed(x):\n    return x['a']", np.ones(2)).failure
    assert (failure.kind, failure.type, failure.line) == ("raised", "IndexError", "line 2: return x['a']")


def test_a_failing_cell_stops_neither_the_next_nor_the_names_before(sandbox):
    with sandbox.open(["def embed(): return 1\n1 / 0\ndef one_hot(): return 2", "def (", RIGHT], NAMES) as submission:
        assert submission.answer("embed").call(([1], np.eye(2))).value.tolist() == [[0, 1]]
        assert submission.answer("one_hot") is None
        assert submission.failures[1].line == "line 2: 1 / 0"
        assert submission.failures[2].type == "SyntaxError" and submission.failures[2].line == "line 1: def ("


NOTEBOOK_TALK = [
    "%matplotlib inline\n%load_ext autoreload\nimport numpy as np",
    "%%time\ndef one_hot(ids, vocab_size):\n    return np.eye(vocab_size)[np.asarray(ids)]",
    "!pip install something\nfiles = !ls\n?np.exp\nnp.exp?",
    "import asyncio\nawait asyncio.sleep(0)\nasync def later(): return 3\nthree = await later()",
    "name = input('your name? ')\nassert name == ''",
    "import matplotlib.pyplot as plt\nplt.plot([1, 2]); plt.title('a'); plt.savefig('figure.png'); plt.show()",
    "import ipywidgets as widgets\nfrom ipywidgets import interact, IntSlider\n"
    "slider = IntSlider(value=3)\nslider.observe(print, names='value')\ndisplay(widgets.VBox([slider]))\n"
    "@interact(x=(0, 3))\ndef shown(x): return x\nassert shown(2) == 2",
    "from autograde import check, hint, yours\ncheck('one_hot', one_hot); hint('one_hot')\n"
    "assert yours('one_hot', one_hot)([1], 2).tolist() == [[0, 1]]",
    "import warnings, sys\nwarnings.warn('old')\nprint('x' * 10, file=sys.stderr)\nnp.array([1.0]) / 0",
    "np.save('kept.npy', np.arange(3))\nassert np.load('kept.npy').tolist() == [0, 1, 2]",
    "with open('notes.txt', 'w') as file: file.write('a')\nassert open('notes.txt').read() == 'a'",
    "from course_utils.explorers import word_vectors as explore\nexplore.show(one_hot)",
    "from dataclasses import dataclass\n@dataclass\nclass Point:\n    x: float = 2.0\n"
    "def embed(ids, E): return Point().x * three",
    "import time\ntime.sleep(30)\nfrom concurrent.futures import ThreadPoolExecutor\n"
    "with ThreadPoolExecutor(2) as pool: assert list(pool.map(abs, [-1, -2])) == [1, 2]",
    "In = 1\n>>> pasted = 2",
]


def test_what_notebooks_hold_costs_nothing(sandbox):
    with sandbox.open(NOTEBOOK_TALK, NAMES, MODULES) as submission:
        assert submission.failures == {}
        assert submission.answer("one_hot").call(([1], 2)).value.tolist() == [[0, 1]]
        assert submission.answer("embed").call(([1], 2)).value == 6
        assert submission.notices == ("shell lines were not run",)


SOLVED = sorted(Path(autograde.__file__).parents[1].glob("solutions/*/*.ipynb"))


@pytest.mark.parametrize("path", SOLVED, ids=lambda path: path.stem)
def test_solved_lessons_score_in_full(path):
    """The cells that import or define something: the rest is demonstration, some of it long."""
    cells = [cell for cell in read(path).cells if re.search(r"^(import|from|def) |^answer_|= earlier\(", cell, re.MULTILINE)]
    records = in_lesson(path.stem)
    with Sandbox() as sandbox, sandbox.open(cells, [record.name for record in records], course_modules(path.stem)) as submission:
        reports = [
            judge(record, submission.value(record.name) if isinstance(record, Quiz) else submission.answer(record.name), seed=5)
            for record in records
        ]
    assert [report.name for report in reports if not report.passed] == []


def test_earlier_lessons_may_be_imported_and_this_and_later_ones_not(sandbox):
    cells = [
        "from course_utils.embedding_space import softmax\nimport numpy as np\n"
        "def attention_scores(Q, K): return softmax(np.zeros(4))",
        "from course_utils import query_key_value, multi_head, datasets\nfrom course_utils.figures import plots\n"
        "attention = query_key_value.attention\ncausal_mask = multi_head.split_heads",
        "from course_utils.scaling import scaled_dot_product_attention as project",
    ]
    names = ["attention_scores", "attention", "causal_mask", "project"]
    with sandbox.open(cells, names, course_modules("query_key_value")) as submission:
        assert submission.failures == {}
        assert submission.answer("attention_scores").call((1, 2)).value.tolist() == [0.25] * 4
        for name in names[1:]:
            assert submission.answer(name).call((1,)).failure.type == "ImportError"


def test_warnings_cost_nothing_whatever_a_cell_asked_for(sandbox):
    """As in the notebook, where a check calls with warnings and NumPy's errors switched off."""
    cells = [
        "import warnings, numpy as np\nwarnings.simplefilter('error')\nnp.seterr(all='raise')\n"
        "def embed(): return np.array([1.0]) / 0"
    ]
    with sandbox.open(cells, NAMES) as submission:
        assert submission.answer("embed").call(()).value.tolist() == [np.inf]


def test_course_data_and_figures_are_there(sandbox):
    cells = [
        "from course_utils import datasets\nfrom course_utils.figures import plots\nglove = datasets.load_glove(50)\n"
        "def embed(): return glove['dog']\nplots.arrows({'Dog': [2, 3]}, title='One')"
    ]
    with sandbox.open(cells, NAMES, MODULES) as submission:
        assert submission.failures == {} and submission.answer("embed").call(()).value.shape == (50,)


def test_a_quiz_is_a_plain_value(sandbox):
    with sandbox.open(["answer_dot = 'b'\nanswer_norm = ['b']\nanswer_near = None"], ["answer_dot"]) as submission:
        assert submission.value("answer_dot") == "b"
        assert submission.value("answer_norm") is None  # not among the names that were asked for


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("['b']", "['b']"),  # its text, which is no option
        ("3.0", 3.0),
        ("10**30", None),  # no answer of a quiz
        ("type('Sly', (), {'__str__': lambda self: 'b' * 10**6})()", "b" * 200),
    ],
)
def test_odd_values_for_a_quiz(sandbox, source, value):
    with sandbox.open([f"answer_dot = {source}", RIGHT], ["answer_dot", "embed"]) as submission:
        assert submission.value("answer_dot") == value
        assert submission.answer("embed").call(([1], np.eye(2))).value.tolist() == [[0, 1]]


def test_a_stub_is_empty(sandbox):
    with sandbox.open(["def embed(ids, E):\n    '''Rows.'''\n    # your code here\n    pass"], NAMES) as submission:
        assert submission.answer("embed").empty


def test_the_judge_gives_the_same_report_as_in_the_notebook(sandbox):
    wrong = "import numpy as np\ndef dot_products(X, y):\n    return X.sum(axis=1)"
    space = {}
    exec(wrong, space)
    with sandbox.open([wrong, RIGHT], NAMES) as submission:
        assert judge("embed", submission.answer("embed"), seed=3).passed
        assert judge("dot_products", submission.answer("dot_products"), seed=3) == judge(
            "dot_products", space["dot_products"], seed=3
        )


LIMITS = {
    "an endless loop": ("while True: pass", "time", "line 3: while True: pass"),
    "one that swallows everything": (
        "while True:\n        try:\n            while True: pass\n        except BaseException: pass",
        "time",
        "",
    ),
    "one inside compiled code": ("sum(range(10**12))", "time", ""),
    "waiting": ("import threading; threading.Event().wait()", "wall clock", ""),
    # in one go, and refused before a page of it is touched: taking it piece by piece may reach the limit of time first
    "memory": ("x = np.empty(10**8)", "memory", "line 3: x = np.empty(10**8)"),
    "leaving": ("import os; os._exit(3)", "died", ""),
    "a crash": ("import ctypes; ctypes.string_at(0)", "died", ""),
}


@pytest.mark.parametrize("what", LIMITS)
def test_a_limit_in_a_call_loses_that_call_only(sandbox, what):
    body, kind, line = LIMITS[what]
    source = f"{RIGHT}\nimport numpy as np"
    with sandbox.open([source, f"import numpy as np\ndef one_hot(*_):\n    {body}"], NAMES) as submission:
        failure = submission.answer("one_hot").call(([1], 2)).failure
        assert (failure.kind, failure.type) == ("limit", kind) and line in failure.line
        assert submission.answer("embed").call(([1], np.eye(2))).value.tolist() == [[0, 1]]


@pytest.mark.parametrize("what", LIMITS)
def test_a_limit_in_a_cell_loses_the_rest_of_that_cell_only(sandbox, what):
    body, kind, _ = LIMITS[what]
    cell = f"def one_hot(): return 1\nif True:\n    {body}\ndef dot_products(): return 2"
    with sandbox.open(["import numpy as np", cell, RIGHT], NAMES) as submission:
        assert (submission.failures[2].kind, submission.failures[2].type) == ("limit", kind)
        assert submission.answer("one_hot").call(()).value == 1
        assert submission.answer("dot_products") is None
        assert submission.answer("embed").call(([1], np.eye(2))).value.tolist() == [[0, 1]]
        assert "code cell 2" in submission.notices[0]


def test_a_limit_in_a_cell_is_not_met_again_in_a_replay(sandbox):
    with sandbox.open(["def one_hot(): return 1\nwhile True: pass", "import os\ndef embed(): os._exit(1)"], NAMES) as submission:
        assert submission.answer("embed").call(()).failure.type == "died"
        assert submission.answer("one_hot").call(()).value == 1
        assert submission.workers.replay.cuts == {1: 1} and submission.workers.restarts == 2


@pytest.mark.parametrize("seconds", [0.02, 0.4])
def test_a_worker_that_rests_in_each_call_and_then_answers_holds_no_place_for_long(seconds):
    """No call is idle for too long, none computes: only the time of the submission as a whole ends it."""
    source = f"import threading\ndef embed(x):\n    threading.Event().wait({seconds})\n    return x"
    with Sandbox(Limits(submission=2, idle=1)) as sandbox, sandbox.open([source], NAMES) as submission:
        answer, outcomes = submission.answer("embed"), []
        while not (outcomes and outcomes[-1].limited):
            outcomes += answer.calls([(1.0,)])
        assert len(outcomes) - 1 <= 2 / seconds
        assert "the submission" in outcomes[-1].failure.message and answer.call((1.0,)).limited


@pytest.mark.parametrize("body", ["while True: pass", "import threading; threading.Event().wait()"])
def test_a_submission_as_a_whole_has_a_limit_too(body):
    """Thirty calls that each stop short of nothing must not take thirty times as long."""
    names = [f"answer_{i}" for i in range(30)]
    cells = [f"def {name}():\n    {body}" for name in names]
    with Sandbox(Limits(cell=1, call=0.3, submission=1.5, idle=0.3)) as sandbox, sandbox.open(cells, names) as submission:
        failures = [submission.answer(name).call(()).failure for name in names]
        assert {failure.kind for failure in failures} == {"limit"}
        assert "the submission" in failures[-1].message and submission.workers.restarts < 15
