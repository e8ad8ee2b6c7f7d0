"""Where the command starts.

`generate` makes its lists in less time than it takes to import a library for command lines, so its
plain forms are run without one. Everything else is for :mod:`verify.commands.cli`. So is what goes
wrong here: it goes wrong there once more, and ends with a sentence.
"""

from __future__ import annotations

# Not signal, nor typing: they take as long to import as making the lists.
import _signal  # type: ignore[import-not-found]
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType
    from typing import NoReturn

INTERRUPTED = 130
"""As in verify.errors, which takes long to import."""


def main() -> None:
    """Run the command that ``sys.argv`` names, and end the process with its exit code.

    Before a command begins and after it has ended, nothing is to be put in order, and Python
    would print a traceback: Ctrl-C then ends the process at once. In between it is an exception.
    """
    interruptible = _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler
    if interruptible:  # and not ignored, as in what a shell starts in the background
        _signal.signal(_signal.SIGINT, _end_at_once)
    directory = plain_directory(sys.argv[1:])
    if directory is None:  # the import takes a large part of most commands' time
        import verify.commands.cli  # noqa: F401
    try:
        if interruptible:
            _signal.signal(_signal.SIGINT, _signal.default_int_handler)
        _run(directory)
    except KeyboardInterrupt:  # one more, while the first was being reported
        sys.exit(INTERRUPTED)
    finally:
        if interruptible:
            _signal.signal(_signal.SIGINT, _end_at_once)


def _run(directory: str | None) -> None:
    if directory is None or not _generate(directory):
        from verify.commands.cli import main as main_of_all

        main_of_all()


def _end_at_once(_: int, __: FrameType | None) -> NoReturn:
    try:
        os.write(2, b"\nsanproof: Interrupted.\n")
    finally:
        os._exit(INTERRUPTED)


def plain_directory(arguments: list[str]) -> str | None:
    """The directory to which `generate` shall write, None for all but the plain forms of it.

    A form is plain if the library would change nothing about names and output.
    """
    if sys.stdout is None or "_SANPROOF_COMPLETE" in os.environ:
        return None
    match arguments:
        case ["generate"]:
            return "."
        case ["generate", "--out", name] if name.isascii() and not name.startswith("-"):
            return name if os.path.normpath(name) == name else None
        case _:
            return None


def _generate(directory: str) -> bool:
    """Write the lists and say where they are; False if that failed."""
    try:
        from generator.files import write_published_files

        os.makedirs(directory, exist_ok=True)  # noqa: PTH103 - pathlib takes long to import
        paths = write_published_files(directory)
        sys.stdout.write("".join(f"{path}\n" for path in paths))
        sys.stdout.flush()
    except (OSError, MemoryError):
        return False
    except KeyboardInterrupt:
        from verify.commands.cli import end_interrupted

        end_interrupted()
    return True
