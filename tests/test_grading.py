"""Grading many: verdicts, statuses, resumption, and that nothing is ever lost."""

import contextlib
import hashlib
import io
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import make_class
import pytest
from dying_sandbox import Dies, NeverStarts
from test_notebook import mutate

from autograde import grading, marking, results
from autograde.exercises import folder, in_lesson
from autograde.marking import mark
from autograde.pool import Pool
from autograde.sandbox import Limits, Nursery
from autograde.submissions import Job, Submission, prepared

MANGLED = Path(__file__).parent / "data" / "mangled"
LESSON = "word_vectors"
POINTS = sum(record.points for record in in_lesson(LESSON))


@pytest.fixture(scope="module")
def nursery():
    with Nursery() as nursery:
        yield nursery


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """A class of thirty, graded once by two workers: (submitted, out, exit code, what was said)."""
    home = tmp_path_factory.mktemp("class")
    make_class.make(home / "submitted", LESSON, 30, seed=4)
    said = io.StringIO()
    code = grading.grade(home / "submitted", home / "out", jobs=2, seed=11, stream=said)
    return home / "submitted", home / "out", code, said.getvalue()


def hand_in(submitted, student, data, lesson=LESSON, name=None):
    home = submitted / student / folder(lesson)
    home.mkdir(parents=True, exist_ok=True)
    if data is not None:
        (home / (name or f"{lesson}.ipynb")).write_bytes(data)


def notebook(answers, lesson=LESSON):
    return json.dumps(make_class.filled(lesson, answers)).encode()


def all_right(lesson=LESSON):
    return {record.name: make_class.right(record)[0] for record in in_lesson(lesson)}


def marks(nursery, answers=(), cells=(), lesson=LESSON):
    """The result of a submission with some answers written in, and cells of its own before them."""
    sources = [cell["source"] for cell in make_class.filled(lesson, dict(answers))["cells"] if cell["cell_type"] == "code"]
    job = Job(Submission("ada", lesson, None), (*cells, *sources), (), "0" * 64, 11)
    found = mark(job, nursery)
    assert found.result is not None, found.failure
    return {answer["name"]: answer for answer in found.result["answers"]}, found.result


def tree(out):
    """Every result byte: the log of events and the lock are not results."""
    return {path.relative_to(out).as_posix(): path.read_bytes() for path in sorted(out.rglob("*"))
            if path.is_file() and path.name not in ("events.log", ".lock")}


def test_fields_are_the_contract(graded):
    _, out, _, _ = graded
    one = json.loads((out / "student_00001" / f"{LESSON}.json").read_text())
    assert list(one) == ["student", "lesson", "status", "score", "points", "answers", "notices", "sandbox", "seed",
                         "submission_sha256", "exercises_version"]
    assert list(one["answers"][0]) == ["name", "status", "score", "points", "diagnosis", "checks", "reason"]
    assert one["points"] == POINTS and one["seed"] == 11 and "seccomp" in one["sandbox"]


def test_every_submission_has_one_result_and_a_sound_status(graded):
    submitted, out, code, _ = graded
    found = {result["student"]: result for result in results.everything(out)}
    assert sorted(found) == sorted(path.name for path in submitted.iterdir())
    for result in found.values():
        unknown = result["status"] in ("not gradable", "not submitted")
        assert (result["score"] is None) == unknown
        assert all(answer["reason"] for answer in result["answers"] if answer["status"] == "not gradable")
    assert code == int(any(result["status"] == "not gradable" for result in found.values()))


def test_right_answers_written_differently_get_all_points(graded):
    """The class's makers chose from the ``accepted`` answers: who has only right ones has every point."""
    _, out, _, _ = graded
    rng, whole = random.Random(4), 0
    for number in range(1, 31):
        kind = rng.choices(list(make_class.KINDS), list(make_class.KINDS.values()))[0]
        bank = {record.name: (make_class.right(record), make_class.wrong(record)) for record in in_lesson(LESSON)}
        if kind != "nothing":
            make_class.submission(LESSON, bank, kind, rng)  # draws the same numbers again
        result = results.load(out / f"student_{number:05d}" / f"{LESSON}.json")
        if kind == "right":
            assert result["score"] == POINTS
            whole += 1
        if kind == "blank":
            assert result["status"] == "not attempted" and result["score"] == 0
    assert whole > 5


def test_a_second_run_does_nothing(graded):
    submitted, out, code, _ = graded
    before = {path: (path.stat().st_mtime_ns, path.stat().st_ino) for path in out.rglob("*.json")}
    said = io.StringIO()
    assert grading.grade(submitted, out, jobs=2, stream=said) == code
    assert {path: (path.stat().st_mtime_ns, path.stat().st_ino) for path in out.rglob("*.json")} == before
    assert "a second" not in said.getvalue()  # no line for anything marked anew


def test_the_summary_names_every_answer_without_a_score(graded):
    _, out, _, said = graded
    summary = said[said.index("30 submissions"):]
    for result in results.everything(out):
        if result["status"] == "not gradable":
            assert f"{result['student']} {LESSON}" in summary


def test_one_worker_gives_the_same_bytes(graded, tmp_path):
    submitted, out, _, _ = graded
    grading.grade(submitted, tmp_path / "out", jobs=1, seed=11, stream=io.StringIO())
    assert tree(tmp_path / "out") == tree(out)


def test_another_seed_is_graded_anew(graded, tmp_path):
    submitted, _, _, _ = graded
    shutil.copytree(submitted / "student_00001", tmp_path / "submitted" / "student_00001")
    grading.grade(tmp_path / "submitted", tmp_path / "out", jobs=1, seed=1, stream=io.StringIO())
    grading.grade(tmp_path / "submitted", tmp_path / "out", jobs=1, seed=2, stream=io.StringIO())
    assert json.loads((tmp_path / "out" / "student_00001" / f"{LESSON}.json").read_text())["seed"] == 2


def test_the_seed_is_drawn_once_for_a_folder(tmp_path):
    first = results.seed_of(tmp_path, None)
    assert results.seed_of(tmp_path, None) == first
    assert results.seed_of(tmp_path / "other", None) != first
    assert results.seed_of(tmp_path, 7) == 7 == results.seed_of(tmp_path, None)
    (tmp_path / "run.json").write_text("{")  # a new seed would grade everybody anew without a word
    with pytest.raises(results.Refused, match="give the seed"):
        results.seed_of(tmp_path, None)


# ---- statuses


def test_nothing_filled_in_is_not_attempted(nursery):
    answers, result = marks(nursery)
    assert result["status"] == "not attempted" and result["score"] == 0
    assert {answer["status"] for answer in answers.values()} == {"not attempted"}


def test_a_wrong_answer_loses_its_own_points_and_is_named(nursery):
    wrong = make_class.source_as("one_hot", next(m.function for m in in_lesson(LESSON)[0].misconceptions
                                                 if m.id == "columns-for-words"))
    wrong = wrong or "def one_hot(ids, vocab_size):\n    return np.eye(vocab_size)[ids].T"
    answers, result = marks(nursery, all_right() | {"one_hot": wrong})
    assert answers["one_hot"]["diagnosis"]["id"] == "columns-for-words"
    assert result["score"] == POINTS - 5 + answers["one_hot"]["score"] and result["status"] == "scored"


def test_code_that_does_not_compile_scores_zero_with_its_line(nursery):
    answers, _ = marks(nursery, all_right() | {"one_hot": "def one_hot(ids, vocab_size):\n    return np.eye(vocab_size"})
    assert answers["one_hot"]["status"] == "scored" and answers["one_hot"]["score"] == 0
    assert "SyntaxError" in answers["one_hot"]["reason"] and "line 2" in answers["one_hot"]["reason"]
    assert answers["embed"]["score"] == 5


def test_a_module_that_grading_lacks_is_not_the_learners_fault(nursery):
    answers, result = marks(nursery, all_right() | {"one_hot": "import pandas_of_my_own\n" + all_right()["one_hot"]})
    assert answers["one_hot"]["status"] == "not gradable" and answers["one_hot"]["score"] is None
    assert "pandas_of_my_own" in answers["one_hot"]["reason"] and "line 1" in answers["one_hot"]["reason"]
    assert answers["embed"]["score"] == 5 and result["score"] is None and result["status"] == "not gradable"


def test_a_deleted_answer_is_not_attempted(nursery):
    sources = [cell["source"] for cell in make_class.filled(LESSON, all_right())["cells"] if cell["cell_type"] == "code"]
    job = Job(Submission("ada", LESSON, None), tuple(s for s in sources if "def embed(" not in s), (), "0", 11)
    answers = {answer["name"]: answer for answer in mark(job, nursery).result["answers"]}
    assert answers["embed"]["status"] == "not attempted" and answers["one_hot"]["score"] == 5


def test_an_endless_loop_loses_that_answer_only():
    with Nursery(Limits(call=0.5)) as nursery:
        answers, result = marks(nursery, all_right() | {"embed": "def embed(ids, E):\n    while True:\n        pass"})
    assert result["score"] == POINTS - 5 and answers["embed"]["score"] == 0
    assert "seconds" in answers["embed"]["checks"][0]["message"]


def test_the_judges_own_failure_is_nobodys_zero(nursery, monkeypatch):
    whole = marking.judge

    def broken(record, answer, seed=0):
        if record.name == "embed":
            raise ImportError("a test of ours is broken")
        return whole(record, answer, seed)

    monkeypatch.setattr(marking, "judge", broken)
    answers, result = marks(nursery, all_right())
    assert answers["embed"]["status"] == "not gradable" and "the grader failed" in answers["embed"]["reason"]
    assert answers["one_hot"]["score"] == 5 and result["score"] is None


def test_no_expected_value_and_no_traceback_stands_in_a_result(graded):
    _, out, _, _ = graded
    for path in out.glob("*/*.json"):
        assert "Traceback" not in path.read_text() and "site-packages" not in path.read_text()


# ---- files and folders


MANGLED_SCORES = {
    "00_clean_control": (2, 0), "01_colab_metadata_gone": (2, 2), "03_vscode_copied_cell_duplicate_ids": (2, 1),
    "04_kernelspec_conda_env": (2, 0), "05_no_kernelspec_no_language_info": (2, 0), "06_bom_and_crlf": (2, 2),
    "07_split_and_merged_cells": (2, 0), "08_cell_types_changed": (2, 1), "09_magics_and_deleted_test": (2, None),
    "10_widget_state_key_missing": (2, 0), "14_nbformat3_worksheets": (2, 1), "15_schema_invalid_but_readable": (2, 0),
    "Copy of attention (1)": (2, 1),
}
needs_lesson_2 = pytest.mark.skipif(not in_lesson("embedding_space"), reason="the mangled files are of lesson 2")


@needs_lesson_2
def test_the_mangled_class(tmp_path):
    """Every file of the set under its own student: both answers right wherever the file can be read."""
    for path in MANGLED.glob("*.ipynb"):
        name = path.name if path.name.startswith("Copy") else None
        hand_in(tmp_path / "submitted", path.stem, path.read_bytes(), "embedding_space", name)
    said = io.StringIO()
    assert grading.grade(tmp_path / "submitted", tmp_path / "out", jobs=2, stream=said) == 1
    for name, (right, notices) in MANGLED_SCORES.items():
        result = results.load(tmp_path / "out" / name / "embedding_space.json")
        full = [answer["name"] for answer in result["answers"] if answer["score"] == answer["points"]]
        assert full == ["softmax", "cross_entropy"], (name, result)
        assert len(full) == right and (notices is None or len(result["notices"]) == notices), (name, result["notices"])
    for name in ("11_zero_bytes", "12_truncated", "13_git_conflict_markers", "16_html_page_saved_as_ipynb"):
        result = results.load(tmp_path / "out" / name / "embedding_space.json")
        assert result["status"] == "not gradable" and result["score"] is None
        assert f"  {name} embedding_space, all answers: {result['answers'][0]['reason']}" in said.getvalue()


def test_folders_of_every_kind(tmp_path):
    submitted = tmp_path / "submitted"
    right = notebook(all_right())
    hand_in(submitted, "a-control", right)
    hand_in(submitted, "b-empty-folder", None)
    (submitted / "c-nothing").mkdir()
    hand_in(submitted, "d-renamed", right, name="Copy of lesson (1).ipynb")
    hand_in(submitted, "e-two", right, name="one.ipynb")
    hand_in(submitted, "e-two", right, name="two.ipynb")
    hand_in(submitted, "f-link", None)
    (submitted / "f-link" / folder(LESSON) / f"{LESSON}.ipynb").symlink_to("/etc/passwd")
    hand_in(submitted, "g-other-lesson", json.dumps({"cells": [{"cell_type": "code", "source": "x = 1"}]}).encode())
    hand_in(submitted, "Zoë Ångström 007", right)
    (submitted / "h-no-number" / LESSON).mkdir(parents=True)
    (submitted / "h-no-number" / LESSON / f"{LESSON}.ipynb").write_bytes(right)
    hand_in(submitted, os.fsdecode(b"no-text-\xff"), right)
    (submitted / "notes.txt").write_text("not a student")
    before = {path: hashlib.sha256(path.read_bytes()).hexdigest() for path in submitted.rglob("*.ipynb") if path.is_file()}
    said = io.StringIO()
    assert grading.grade(submitted, tmp_path / "out", jobs=1, stream=said) == 1
    found = {result["student"]: result for result in results.everything(tmp_path / "out")}
    assert {student: result["status"] for student, result in found.items()} == {
        "a-control": "scored", "b-empty-folder": "not submitted", "c-nothing": "not submitted", "d-renamed": "scored",
        "e-two": "not gradable", "f-link": "not gradable", "g-other-lesson": "not gradable", "Zoë Ångström 007": "scored",
        "h-no-number": "scored", os.fsdecode(b"no-text-\xff"): "scored"}
    assert "one.ipynb, two.ipynb" in found["e-two"]["answers"][0]["reason"]
    assert "symbolic link" in found["f-link"]["answers"][0]["reason"]
    assert "right file" in found["g-other-lesson"]["answers"][0]["reason"]
    assert "expected was word_vectors.ipynb" in found["d-renamed"]["notices"][0]
    assert "b-empty-folder word_vectors: not submitted" in said.getvalue()
    assert {path: hashlib.sha256(path.read_bytes()).hexdigest() for path in before} == before


@pytest.mark.parametrize("make, words", [
    (lambda home: None, "there is no folder"),
    (lambda home: (home / "submitted").mkdir(), "holds no folders of students"),
])
def test_wrong_usage_is_told_and_ends_with_2(tmp_path, capsys, make, words):
    make(tmp_path)
    assert grading.grade(tmp_path / "submitted", tmp_path / "out") == 2
    assert words in capsys.readouterr().err


def test_an_output_folder_that_cannot_be_written(tmp_path, capsys):
    hand_in(tmp_path / "submitted", "ada", notebook({}))
    (tmp_path / "out").write_text("a file")
    assert grading.grade(tmp_path / "submitted", tmp_path / "out") == 2
    assert "cannot be written" in capsys.readouterr().err


def test_two_runs_never_share_a_folder(tmp_path, capsys):
    hand_in(tmp_path / "submitted", "ada", notebook({}))
    with grading._owned(tmp_path / "out"):
        assert grading.grade(tmp_path / "submitted", tmp_path / "out") == 2
    assert "another run is grading" in capsys.readouterr().err


# ---- an earlier, better result


def test_a_lower_result_waits_for_confirmation(tmp_path):
    submitted, out = tmp_path / "submitted", tmp_path / "out"

    def grade(**more):
        said = io.StringIO()
        return grading.grade(submitted, out, jobs=1, stream=said, **more), said.getvalue()

    def score():
        return json.loads((out / "ada" / f"{LESSON}.json").read_text())["score"]

    hand_in(submitted, "ada", notebook(all_right()))
    assert grade()[0] == 0 and score() == POINTS
    hand_in(submitted, "ada", notebook({}))  # overwritten by an empty copy
    for _ in range(2):  # the second run marks nothing and says it again
        code, said = grade()
        assert code == 1 and score() == POINTS and f"was {POINTS} of {POINTS}, would now be 0" in said
    assert grade(accept_lower=True)[0] == 0 and score() == 0
    assert not (out / "ada" / f"{LESSON}.lower.json").exists()
    hand_in(submitted, "ada", notebook(all_right()))  # better than before is simply taken
    assert grade()[0] == 0 and score() == POINTS


def test_unreadable_never_replaces_a_score(tmp_path):
    submitted, out = tmp_path / "submitted", tmp_path / "out"
    hand_in(submitted, "ada", notebook(all_right()))
    grading.grade(submitted, out, jobs=1, stream=io.StringIO())
    hand_in(submitted, "ada", b"")
    assert grading.grade(submitted, out, jobs=1, stream=io.StringIO()) == 1
    assert json.loads((out / "ada" / f"{LESSON}.json").read_text())["score"] == POINTS


def test_what_hit_a_limit_is_tried_once_more_alone(tmp_path, monkeypatch):
    """The first verdict came from a busy machine; the second, with nothing beside it, is the one that counts."""
    calls = []

    class Busy:
        def __enter__(self):
            return self

        def __exit__(self, *exception):
            pass

        def results(self, jobs):
            batch = list(jobs)
            calls.append([job.submission.student for job in batch])
            for job in batch:
                late = len(calls) == 1 and job.submission.student != "bob"
                yield job, marking.Marked(judged(job, 0.0 if late else 5.0), limited=late or job.submission.student == "eve")

    def judged(job, score):
        answers = [answer | {"score": score, "status": "scored"} for answer in results.unknown(in_lesson(LESSON)[:1], "")]
        return results.result(job.submission.student, LESSON, answers, seed=job.seed, sha256=job.sha256)

    monkeypatch.setattr(grading, "_backend", lambda *_: Busy())
    for student in ("ada", "bob", "eve"):
        hand_in(tmp_path / "submitted", student, notebook({}))
    grading.grade(tmp_path / "submitted", tmp_path / "out", stream=io.StringIO())
    assert calls == [["ada", "bob", "eve"], ["ada"], ["eve"]]
    assert {result["student"]: result["score"] for result in results.everything(tmp_path / "out")} == dict.fromkeys(
        ("ada", "bob", "eve"), 5.0)


# ---- the pool


def test_a_dead_worker_loses_nothing(tmp_path):
    cells = ["die" if number in (3, 4, 11) else f"x = {number}" for number in range(20)]
    jobs = [Job(Submission(str(number), LESSON, None), (cell,), (), "0", 1) for number, cell in enumerate(cells)]
    with Pool(2, Dies) as pool:
        done = {job.submission.student: marked for job, marked in pool.results(jobs)}
    assert sorted(done, key=int) == [str(number) for number in range(20)]
    failed = {student for student, marked in done.items() if marked.result is None}
    assert failed == {"3", "4", "11"}
    assert "ended by SIGKILL" in done["3"].failure and "not the learner's fault" in done["3"].failure


def test_workers_that_do_not_start_end_the_run_in_words(tmp_path, monkeypatch, capfd):
    """Not one failed worker after another, and every submission charged with it."""
    monkeypatch.setattr(grading, "_backend", lambda *_: Pool(2, NeverStarts))
    hand_in(tmp_path / "submitted", "ada", notebook({}))
    assert grading.grade(tmp_path / "submitted", tmp_path / "out", stream=io.StringIO()) == 2
    assert "a worker did not start" in capfd.readouterr().err and not list((tmp_path / "out").glob("*/*.json"))


def test_a_script_without_a_guard_is_not_run_again_by_its_workers(graded, tmp_path):
    """multiprocessing would run the main module once more in every worker, and that would grade again."""
    submitted, out, code, _ = graded
    (tmp_path / "script.py").write_text(f"print('begin')\n{RUN}\n")
    done = subprocess.run([sys.executable, "script.py", submitted, "out"], cwd=tmp_path, capture_output=True, text=True,
                          check=False)
    assert done.returncode == code and done.stdout.count("begin") == 1 and done.stderr == ""
    assert tree(tmp_path / "out") == tree(out)


def test_our_own_crash_is_tried_again_and_then_not_gradable(tmp_path, monkeypatch):
    monkeypatch.setattr(grading, "_backend", lambda *_: Pool(1, Dies))
    for student, cell in (("always", "die"), ("once", f"once {tmp_path / 'seen'}"), ("well", "one_hot = 1")):
        document = {"cells": [{"cell_type": "code", "source": f"{cell}"}, {"cell_type": "code", "source": "one_hot"}]}
        hand_in(tmp_path / "submitted", student, json.dumps(document).encode())
    assert grading.grade(tmp_path / "submitted", tmp_path / "out", stream=io.StringIO()) == 1
    found = {result["student"]: result["status"] for result in results.everything(tmp_path / "out")}
    assert found == {"always": "not gradable", "once": "not attempted", "well": "not attempted"}


# ---- killed and resumed


def test_mutated_notebooks_all_the_way(nursery):
    assert all_have_a_status(nursery, 40, random.Random(3)) > 5


@pytest.mark.soak
def test_two_thousand_mutated_notebooks_all_the_way(nursery):
    all_have_a_status(nursery, 2_000, random.Random(4))


def all_have_a_status(nursery, count, rng):
    """Right submissions with random faults in their bytes; how many could be scored."""
    scored, original = 0, notebook(all_right())
    for _ in range(count):
        found = prepared_bytes(mutate(original, rng))
        result = found if isinstance(found, dict) else mark(found, nursery).result
        assert result["status"] in ("scored", "not attempted", "not gradable")
        assert all(answer["reason"] for answer in result["answers"] if answer["score"] is None)
        scored += result["status"] == "scored"
    return scored


def prepared_bytes(data):
    with tempfile.TemporaryDirectory() as home:
        (Path(home) / f"{LESSON}.ipynb").write_bytes(data)
        return prepared(Submission("ada", LESSON, Path(home)), 11)


RUN = "import sys; from autograde.grading import grade; sys.exit(grade(sys.argv[1], sys.argv[2], jobs=2, seed=11))"


def killed_and_resumed(submitted, out, undisturbed, kills, rng):
    """Kills a run ``kills`` times at random moments; every time it goes on to the same bytes or begins anew."""
    hit, mark_of_ours = 0, f"killed-{os.getpid()}-{kills}"
    while hit < kills:
        run = subprocess.Popen([sys.executable, "-c", RUN, submitted, out], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                               start_new_session=True, env={**os.environ, "MARK_OF_OURS": mark_of_ours})
        for _ in range(rng.randrange(0, 6)):  # a run is killed after a few submissions, or before the first
            run.stdout.readline()
        time.sleep(rng.random() * 0.05)
        if run.poll() is None:
            hit += 1
            os.kill(run.pid, signal.SIGKILL) if rng.random() < 0.5 else os.killpg(run.pid, signal.SIGKILL)
        run.communicate()
        for path in out.glob("*/*.json"):
            assert path.read_bytes() == undisturbed[path.relative_to(out).as_posix()]  # whole, or not there
        if len(list(out.glob("*/*.json"))) == len(undisturbed) - 1:
            shutil.rmtree(out)
    subprocess.run([sys.executable, "-c", RUN, submitted, out], stdout=subprocess.DEVNULL, check=False)
    assert tree(out) == undisturbed
    deadline = time.monotonic() + 60
    while left := processes_with(f"MARK_OF_OURS={mark_of_ours}"):
        assert time.monotonic() < deadline, f"processes that outlive their run: {left}"
        time.sleep(0.2)


def processes_with(setting):
    """Processes that inherited the environment of a killed run (Linux; elsewhere none is found)."""
    found = []
    for path in Path("/proc").glob("[0-9]*/environ"):
        with contextlib.suppress(OSError):
            if setting.encode() in path.read_bytes():
                found.append(path.parent.name)
    return found


def test_killed_at_a_random_moment_a_dozen_times(graded, tmp_path):
    submitted, out, _, _ = graded
    killed_and_resumed(submitted, tmp_path / "out", tree(out), 12, random.Random(1))


@pytest.mark.soak
def test_killed_at_a_random_moment_a_hundred_times(graded, tmp_path):
    submitted, out, _, _ = graded
    killed_and_resumed(submitted, tmp_path / "out", tree(out), 100, random.Random(2))


# ---- what the run says


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_a_bar_on_a_terminal_and_lines_elsewhere(tmp_path):
    hand_in(tmp_path / "submitted", "ada", notebook({}))
    hand_in(tmp_path / "submitted", "bob", None)
    bar, lines = Terminal(), io.StringIO()
    grading.grade(tmp_path / "submitted", tmp_path / "one", jobs=1, stream=bar)
    grading.grade(tmp_path / "submitted", tmp_path / "two", jobs=1, stream=lines)
    assert "\r[##############################] 2/2" in bar.getvalue() and " left" in bar.getvalue()
    assert "/2 ada word_vectors: not attempted" in lines.getvalue() and "\r" not in lines.getvalue()
    assert "2 submissions: 1 not attempted, 1 not submitted" in lines.getvalue()


def test_prepared_reads_what_is_current_only_once(graded):
    submitted, out, _, _ = graded
    known = results.load(out / "student_00001" / f"{LESSON}.json")
    submission = Submission("student_00001", LESSON, submitted / "student_00001" / folder(LESSON))
    assert prepared(submission, 11, (known,)) is known
    assert isinstance(prepared(submission, 12, (known,)), Job)
    assert isinstance(prepared(submission, 11, (known | {"exercises_version": "old"},)), Job)


@pytest.mark.soak
def test_ten_thousand_in_flat_memory(tmp_path):
    """Every submission has its result, and the parent needs no more than for a hundred."""
    measure = RUN.replace("sys.exit(", "print(") + "; import resource as r; print(r.getrusage(r.RUSAGE_SELF).ru_maxrss)"
    memory = {}
    for count in (100, 10_000):
        make_class.make(tmp_path / f"s{count}", LESSON, count, seed=5)
        done = subprocess.run([sys.executable, "-c", measure, f"s{count}", f"o{count}"], cwd=tmp_path, capture_output=True,
                              text=True, check=True)
        memory[count] = int(done.stdout.split()[-1])
        assert len(list((tmp_path / f"o{count}").glob("*/*.json"))) == count
    assert memory[10_000] < 1.25 * memory[100], memory
