"""Where the command starts.

`generate` makes its lists, and `explain` finds a string, in less time than it takes to import a
library for command lines, so their plain forms are run without one. Everything else is for
:mod:`verify.commands.cli`. So is what goes wrong here: it goes wrong there once more, and ends with
a sentence.

Before signals are caught it loads nothing that Python has not loaded by itself.
"""

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import NoReturn


def main() -> "NoReturn":
    """Run the command that ``sys.argv`` names, and end the process with its exit code."""
    try:
        from sanproof.verify.work import signals

        signals.end_at_once()
    except KeyboardInterrupt:
        os.write(2, b"sanproof: Interrupted.\n")
        os._exit(130)
    body = plain(sys.argv[1:])
    if body is None:
        _run_any()
    else:
        from sanproof.verify.commands.ending import run_to_end

        run_to_end(body)


def plain(arguments: list[str]) -> "Callable[[], int] | None":
    """What the plain forms of `generate` and `explain` do, None for everything else.

    A form is plain if the library would change nothing about arguments and output.
    """
    if sys.stdout is None or "_SANPROOF_COMPLETE" in os.environ:
        return None
    if any(text.startswith("-") or not text.isascii() for text in arguments[-1:]):
        return None
    match arguments:
        case ["generate"]:
            return lambda: _generate(".")
        case ["generate", "--out", name] if os.path.normpath(name) == name:
            return lambda: _generate(name)
        case ["explain", san]:
            return lambda: _explain(san)
        case _:
            return None


def _run_any() -> "NoReturn":
    from sanproof.verify.commands.cli import main as main_of_all

    main_of_all()


def _generate(directory: str) -> int:
    """Write the lists and say where they are; what fails is left to the usual command."""
    try:
        from sanproof.generator.files import write_published_files

        os.makedirs(directory, exist_ok=True)  # noqa: PTH103 - pathlib takes long to import
        paths = write_published_files(directory)
        sys.stdout.write("".join(f"{path}\n" for path in paths))
        sys.stdout.flush()
    except (OSError, MemoryError):
        _run_any()
    return 0


def _explain(text: str) -> int:
    """Say of a string whether it can occur, and why; what fails is left to the usual command."""
    from sanproof.proofs.verdicts.malformed import MalformedSan
    from sanproof.reports.archive.door import ArchiveError, open_complete
    from sanproof.verify.explain.answers import look_up
    from sanproof.verify.explain.show import PUBLISHED, exit_code, to_text
    from sanproof.verify.findings.width import columns_of

    try:
        answer = look_up(open_complete(), text)
    except (MalformedSan, ArchiveError, MemoryError):
        _run_any()
    sys.stdout.write(to_text(answer, PUBLISHED, columns_of(sys.stdout)) + "\n")
    return exit_code({answer.verdict})
