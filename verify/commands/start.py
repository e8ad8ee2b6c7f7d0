"""The entry point of the command.

`generate` makes its lists, `explain` finds a string and `scan` reads a game in less time
than it takes to import a library for command lines, so their plain forms are run without one.
Everything else is for :mod:`verify.commands.cli`. So is what goes wrong here: it goes wrong there
once more, and ends with a sentence.

Before signals are caught it loads nothing that Python has not loaded by itself.
"""

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn


def main() -> "NoReturn":
    """Run the command that ``sys.argv`` names, and end the process with its exit code."""
    try:
        from sanproof.verify.work import signals

        signals.end_at_once()
    except KeyboardInterrupt:
        os.write(2, b"sanproof: Interrupted.\n")
        os._exit(130)
    from sanproof.verify.commands.ending import run_to_end

    run_to_end(_run)


def _run() -> int:
    code = _run_plain(sys.argv[1:])
    if code is None:
        from sanproof.verify.commands.cli import run

        return run()
    return code


def _run_plain(arguments: list[str]) -> int | None:
    """Run a plain form of `generate`, `explain` or `scan`.

    Returns:
        The exit code; None if click would read the arguments in another way, or something failed.
    """
    if "_SANPROOF_COMPLETE" in os.environ or any(
        text.startswith("-") or not text.isascii() for text in arguments[-1:]
    ):
        return None
    match arguments:
        case ["generate"]:
            return _generate(".")
        case ["generate", "--out", name] if os.path.normpath(name) == name:
            return _generate(name)
        case ["explain", san]:
            return _explain(san)
        case ["scan", "--check", name] | ["scan", name]:
            return _check(name)
        case _:
            return None


def _generate(directory: str) -> int | None:
    from sanproof.generator.files import write_published_files

    try:
        os.makedirs(directory, exist_ok=True)  # noqa: PTH103 - pathlib takes long to import
        paths = write_published_files(directory)
        sys.stdout.write("".join(f"{path}\n" for path in paths))
        sys.stdout.flush()
    except (OSError, MemoryError):
        return None
    return 0


def _check(name: str) -> int:
    import gc

    gc.disable()  # what is made here stays: there is no garbage in it to look for
    from sanproof.verify.scan.chunks import Options
    from sanproof.verify.scan.lint import lint

    options = Options.checked(None)
    gc.freeze()
    gc.enable()
    return lint([name], options)


def _explain(text: str) -> int | None:
    import gc

    gc.disable()  # a process as short as this one makes no garbage that is worth looking for
    from sanproof.proofs.board.malformed import MalformedSan
    from sanproof.reports.archive.door import ArchiveError, open_complete
    from sanproof.verify.explain.answers import look_up_earliest
    from sanproof.verify.explain.show import PUBLISHED, exit_code, to_text
    from sanproof.verify.findings.width import columns_of

    try:
        answer = look_up_earliest(open_complete(), text)
    except (MalformedSan, ArchiveError, MemoryError):
        return None
    sys.stdout.write(to_text(answer, PUBLISHED, columns_of(sys.stdout)) + "\n")
    return exit_code({answer.verdict})
