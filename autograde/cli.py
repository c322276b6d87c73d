"""The ``autograde`` command. Exit codes: 0 all graded, 1 something is not gradable or a proof failed, 2 wrong usage."""

import argparse
import io
import itertools
import re
import sys
from pathlib import Path


def main(argv: list[str] | None = None) -> int:
    from .grading.errors import GradingError

    for stream in (sys.stdout, sys.stderr):  # a name that the terminal cannot show is shown by its codes
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    arguments = _parser().parse_args(argv)
    try:
        return arguments.run(arguments)
    except (UsageError, GradingError) as error:
        print(f"autograde: {error}", file=sys.stderr)
        return 2
    except ModuleNotFoundError as error:
        if not error.name or error.name.startswith(("autograde", "course_utils")):
            raise
        where = 'python -m pip install -e ".[teach]" in the course\'s folder installs it'
        print(f"autograde: this command needs the package {error.name}, which is missing: {where}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("autograde: stopped. What is written is whole; the same command goes on from there.", file=sys.stderr)
        return 1
    except BrokenPipeError:  # the reader of our output, "head" for instance, has seen enough
        sys.stderr.close()
        return 1


class UsageError(Exception):
    """Something about the command's words is wrong; the text says what and what to do."""


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="autograde", description="Lists, proves, releases and grades the course's exercises.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def command(name, run, summary):
        sub = commands.add_parser(name, help=summary, description=summary)
        sub.set_defaults(run=run)
        return sub

    command("list", _list, "lessons, exercises and their points")
    verify = command("verify", _verify, "prove every exercise in both directions; print the confusion matrix")
    verify.add_argument("--lesson", action="append", metavar="NAME", help="only this lesson (may be repeated)")
    verify.add_argument("--seeds", type=_positive, default=5, metavar="N", help="how many seeds (default 5)")
    instead = verify.add_mutually_exclusive_group()
    instead.add_argument("--mutants", action="store_true", help="instead: change right answers in one place, judge those")
    instead.add_argument("--crossed", action="store_true", help="instead: judge every known mistake beside usual habits")
    check = command("check", _check, "check a learner's notebook in the terminal, in the words that the notebook uses")
    check.add_argument("notebook", type=Path, metavar="NOTEBOOK")
    grade = command("grade", _grade, "grade a folder of submissions: SUBMITTED/student/NN_lesson/lesson.ipynb")
    grade.add_argument("submitted", type=Path, metavar="SUBMITTED")
    grade.add_argument("--out", type=Path, default=Path("results"), metavar="DIR", help="result files (default results)")
    grade.add_argument("--lesson", action="append", metavar="NAME", help="only this lesson (may be repeated)")
    grade.add_argument("--jobs", type=_positive, metavar="N", help="workers (default: one per processor)")
    grade.add_argument("--seed", type=_seed_number, metavar="N", help="seed of the hidden cases (default: the folder's own)")
    grade.add_argument("--scheduler", metavar="URL", help="a Dask cluster, such as tcp://host:8786")
    grade.add_argument("--gradebook", metavar="URL", help="fill nbgrader's gradebook too, such as sqlite:///gradebook.db")
    grade.add_argument(
        "--keep",
        choices=("best", "last"),
        default="best",
        help="which of several attempts counts: best, the one with the most points before any penalty, of equals the last "
        "(the default); or last, whatever it scores",
    )
    grade.add_argument("--accept-lower", dest="keep", action="store_const", const="last", help=argparse.SUPPRESS)  # its old name
    grade.add_argument(
        "--unprotected", action="store_true", help="grade where the system cannot hold back hostile work (work that you trust)"
    )
    seed = command("seed", _seed, "make the course's secret seed of the hidden cases, once, in the folder of its gradebook")
    seed.add_argument("folder", type=Path, nargs="?", metavar="COURSE", help="the course's folder (default: this one)")
    report = command("report", _report, "a class page (HTML), and CSV files for Canvas, Moodle and plain use")
    report.add_argument("results", type=Path, metavar="RESULTS")
    report.add_argument("--roster", type=Path, metavar="CSV", help="the roster that Canvas exported, to be filled in")
    report.add_argument(
        "--gradebook", metavar="FILE", help="take the marks from nbgrader's gradebook: by hand and late penalties too"
    )
    export = command(
        "export",
        _export,
        "marks from nbgrader's gradebook (the grader's, by hand, late penalties) as CSV and for learning systems. What is not "
        "gradable, and where nothing was handed in, stays empty; a blank notebook that was handed in is 0; an answer in words "
        "that nobody has marked yet counts 0 and is told",
    )
    export.add_argument("gradebook", metavar="GRADEBOOK", help="a file, or a URL such as sqlite:///gradebook.db")
    export.add_argument("--lesson", action="append", metavar="NAME", help="only this lesson (may be repeated)")
    export.add_argument("--roster", type=Path, metavar="CSV", help="the roster that Canvas or Moodle exported, to be filled in")
    export.add_argument("--by", choices=("lesson", "exercise"), default="lesson", help="the roster's columns (default lesson)")
    export.add_argument("--gradescope", action="store_true", help="a results.json for each submission too, in gradescope/")
    export.add_argument("--to", type=Path, default=Path("export"), metavar="DIR", help="where to (default export)")
    sheets = command("sheets", _sheets, "all answers in own words to a question on one sheet: a page to read, CSV to mark in")
    sheets.add_argument("gradebook", metavar="GRADEBOOK", help="a file, or a URL such as sqlite:///gradebook.db")
    sheets.add_argument("--lesson", action="append", required=True, metavar="NAME", help="of this lesson (may be repeated)")
    sheets.add_argument("--to", type=Path, default=Path("sheets"), metavar="DIR", help="where to (default sheets)")
    marks = command(
        "marks", _marks, "marks and comments of a sheet into the gradebook: all are checked, then all or none written"
    )
    marks.add_argument("gradebook", metavar="GRADEBOOK", help="a file, or a URL such as sqlite:///gradebook.db")
    marks.add_argument("sheet", type=Path, metavar="CSV")
    release = command("release", _release, "build solutions and learners' notebooks from the scripts")
    release.add_argument("--lesson", action="append", metavar="NAME", help="only this lesson (may be repeated)")
    release.add_argument("--check", action="store_true", help="build nothing, say what is stale")
    return parser


def _positive(text: str) -> int:
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"expected a whole number of 1 or more, found {text!r}")
    return int(text)


def _seed_number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 20):
        raise argparse.ArgumentTypeError(f"expected a whole number of 0 or more, found {text!r}")
    return int(text)


def _lessons(arguments) -> list[str]:
    from .exercises import LESSONS, UnknownLesson, in_lesson

    names = [re.sub(r"^\d+_", "", name) for name in arguments.lesson or ()]  # the folders' names too
    for name in names:
        try:
            in_lesson(name)
        except UnknownLesson as error:
            raise UsageError(str(error)) from None
    return list(dict.fromkeys(names)) or list(LESSONS)


def _list(arguments) -> int:
    from .engine.report import counted
    from .exercises import LESSONS, in_lesson

    for number, lesson in enumerate(LESSONS, start=1):
        records = in_lesson(lesson)
        print(f"{number}  {lesson}  ({counted(sum(r.points for r in records), 'point')})")
        for record in records:
            print(f"     {record.name:<34}{record.points:>3}")
    return 0


def _verify(arguments) -> int:
    from .engine import proofs
    from .exercises import in_lesson
    from .release.verify_notebooks import disagreements

    misses = 0
    for lesson in _lessons(arguments):
        print(f"\n== {lesson}")
        records = in_lesson(lesson)
        if arguments.mutants:
            told = proofs.by_mutants(records)
        elif arguments.crossed:
            told = proofs.by_crossing(records)
        else:
            notebooks = (proofs.Told(found, missed=True) for found in disagreements(lesson, Path.cwd()))
            told = itertools.chain(proofs.by_known_answers(records, arguments.seeds), notebooks)
        for line in told:
            print(f"  MISS {line.text}" if line.missed else line.text, flush=True)
            misses += line.missed
    print(f"\n{'every proof holds' if not misses else f'{misses} proofs failed'}")
    return 1 if misses else 0


def _check(arguments) -> int:
    from .engine.exercise import Status
    from .engine.report import as_text, of_points
    from .grading.checking import check_file
    from .grading.marking import in_words
    from .sandbox.host.sandbox import SandboxError
    from .submissions.document import Unreadable

    path = arguments.notebook
    if not path.exists() and not path.is_symlink():
        raise UsageError(f"there is no file {path}")
    if path.is_dir() and not path.is_symlink():
        raise UsageError(f"{path} is a folder: give the notebook in it")
    try:
        found = check_file(path)
    except Unreadable as refused:
        print(f"{path}: {refused.reason}")
        return 1
    except SandboxError as error:
        print(f"{path}: {in_words(error)}")
        return 1
    notices = ["\n".join(f"note: {notice}" for notice in found.notices)] if found.notices else []
    total = of_points(sum(report.score for report in found.reports), sum(report.points for report in found.reports))
    print("\n\n".join([*notices, *map(as_text, found.reports), f"{found.lesson}: {total}"]))
    return int(any(report.status == Status.NOT_GRADABLE for report in found.reports))


def _grade(arguments) -> int:
    from .grading.progress import Progress
    from .grading.run import grade

    if arguments.gradebook:
        _prepare_gradebook(arguments)
    bar = sys.stdout.isatty()
    found = grade(
        arguments.submitted,
        arguments.out,
        lessons=_lessons(arguments) if arguments.lesson else (),
        jobs=arguments.jobs,
        seed=arguments.seed,
        scheduler=arguments.scheduler,
        keep=arguments.keep,
        unprotected=arguments.unprotected,
        progress=Progress(lambda text: print(text, end="", flush=True), bar),
    )
    print("\n" * bar + str(found), flush=True)
    if arguments.gradebook:
        _fill(arguments, found.lessons)
    return 0 if found.everything_graded else 1


def _prepare_gradebook(arguments) -> None:
    """Whatever is wrong with it is said before anybody is graded; and the course gets its secret seed."""
    from . import course_seed
    from .grading.errors import GradingError
    from .grading.run import lessons_of
    from .nbgrader_plugin.database import check, course_folder

    check(arguments.gradebook, _lessons(arguments) if arguments.lesson else lessons_of(arguments.submitted))
    try:
        course_seed.made(course_folder(arguments.gradebook), arguments.seed)
    except course_seed.SeedError as error:
        raise GradingError(str(error)) from None


def _fill(arguments, lessons) -> None:
    from .engine.report import counted
    from .nbgrader_plugin.gradebook import fill
    from .submissions.document import printable

    filled = fill(arguments.gradebook, arguments.out, arguments.submitted, lessons)
    print(f"{counted(filled.count, 'submission')} in the gradebook")
    for notice in filled.notices:
        print(printable(notice, 300))


def _seed(arguments) -> int:
    from . import course_seed

    folder = Path.cwd() if arguments.folder is None else arguments.folder
    if not folder.is_dir():
        raise UsageError(f"there is no folder {folder}")
    try:
        course_seed.made(folder)
    except (course_seed.SeedError, OSError) as error:
        raise UsageError(str(error)) from None
    print(f"the secret seed of the hidden cases is in {folder / course_seed.FILE}: hand it to nobody")
    return 0


def _report(arguments) -> int:
    from .classreport.write import write_reports

    if not (arguments.results / "run.json").is_file():
        raise UsageError(f"{arguments.results} holds no results: give the folder that autograde grade wrote to with --out")
    marks = None
    if arguments.gradebook:
        from .nbgrader_plugin.gradebook_marks import of_gradebook

        marks = of_gradebook(arguments.gradebook)
    written = write_reports(arguments.results, arguments.roster, marks)
    _say_written(written)
    if marks is None:
        print("The CSV files hold the grader's marks alone: marks by hand and late penalties come with --gradebook")
    return 1 if written.damaged else 0


def _say_written(written) -> None:
    many = [path for path in written.paths if path.parent.parent.name in ("gradescope", "learners")]
    shown = [f"wrote {path}" for path in written.paths if path not in set(many)]
    if many:
        shown.append(f"wrote {len(many)} files in {many[0].parents[1]}")
    for line in (*shown, *written.notices, *written.damaged):
        print(line)


def _export(arguments) -> int:
    from .classreport.write import write_export
    from .nbgrader_plugin.gradebook_marks import of_gradebook

    marks = of_gradebook(arguments.gradebook, _lessons(arguments) if arguments.lesson else ())
    by_exercise = arguments.by == "exercise"
    _say_written(write_export(arguments.to, marks, arguments.roster, by_exercise, arguments.gradescope))
    return 0


def _sheets(arguments) -> int:
    from .classreport.write import write_sheets
    from .nbgrader_plugin.hand_marking import questions

    for path in write_sheets(arguments.to, questions(arguments.gradebook, _lessons(arguments))):
        print(f"wrote {path}")
    return 0


def _marks(arguments) -> int:
    from .grading.hand_marks import read_marks
    from .nbgrader_plugin.hand_marking import write_marks

    marks = read_marks(arguments.sheet)
    print(f"{len(marks)} marks, {write_marks(arguments.gradebook, marks)} of them new or changed")
    return 0


def _release(arguments) -> int:
    from . import release

    lessons = _lessons(arguments)
    if arguments.check:
        found = release.stale(arguments.lesson or ())
        for line in found:
            print(line)
        return 1 if found else 0
    failed = 0
    for number, lesson in enumerate(lessons, start=1):
        print(f"{number} of {len(lessons)}  {lesson}", flush=True)
        try:
            for path in release.build([lesson]):
                print(f"  wrote {path}", flush=True)
        except release.ReleaseError as error:
            failed += 1
            print(f"  {error}", file=sys.stderr, flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
