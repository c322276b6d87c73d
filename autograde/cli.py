"""The ``autograde`` command. Exit codes: 0 all graded, 1 something is not gradable or a proof failed, 2 wrong usage."""

import argparse
import sys
from pathlib import Path


def main(argv: list[str] | None = None) -> int:
    parser = _parser()
    arguments = parser.parse_args(argv)
    try:
        return arguments.run(arguments)
    except UsageError as error:
        print(f"autograde: {error}", file=sys.stderr)
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
    release = command("release", _release, "build solutions and learners' notebooks from the scripts")
    release.add_argument("--lesson", action="append", metavar="NAME", help="only this lesson (may be repeated)")
    release.add_argument("--check", action="store_true", help="build nothing, say what is stale")
    return parser


def _positive(text: str) -> int:
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"expected a whole number of 1 or more, found {text!r}")
    return int(text)


def _lessons(arguments) -> list[str]:
    from .exercises import LESSONS, UnknownLesson, in_lesson

    for name in arguments.lesson or ():
        try:
            in_lesson(name)
        except UnknownLesson as error:
            raise UsageError(str(error)) from None
    return arguments.lesson or list(LESSONS)


def _list(arguments) -> int:
    from .exercises import LESSONS, in_lesson

    for number, lesson in enumerate(LESSONS, start=1):
        records = in_lesson(lesson)
        print(f"{number}  {lesson}  ({sum(r.points for r in records):g} points)")
        for record in records:
            print(f"     {record.name:<34}{record.points:>3}")
    return 0


def _verify(arguments) -> int:
    from .exercises import in_lesson
    from .verify import confusion_matrix, prove
    from .verify_notebooks import disagreements

    misses = 0
    for lesson in _lessons(arguments):
        print(f"\n== {lesson}")
        for exercise in in_lesson(lesson):
            proof = prove(exercise, arguments.seeds)
            misses += len(proof.misses)
            print(f"\n{exercise.name}: {'holds' if not proof.misses else 'DOES NOT HOLD'} ({arguments.seeds} seeds)")
            if proof.named:
                print(confusion_matrix(proof))
            for miss in proof.misses:
                print(f"  MISS {miss}")
        for found in disagreements(lesson, Path.cwd()):
            misses += 1
            print(f"  MISS {found}")
    print(f"\n{'every proof holds' if not misses else f'{misses} proofs failed'}")
    return 1 if misses else 0


def _release(arguments) -> int:
    from . import release

    lessons = _lessons(arguments)
    if arguments.check:
        found = release.stale(lessons)
        for line in found:
            print(line)
        return 1 if found else 0
    for line in release.build(lessons):
        print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
