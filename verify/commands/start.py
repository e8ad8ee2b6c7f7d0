"""Where the command starts.

`generate` makes its lists in less time than it takes to import a library for command lines, so its
plain forms are run without one. Everything else is for :mod:`verify.commands.cli`. So is what goes
wrong here: it goes wrong there once more, and ends with a sentence.

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
    directory = plain_directory(sys.argv[1:])
    if directory is None:
        _run_any()
    else:
        from sanproof.verify.commands.ending import run_to_end

        run_to_end(lambda: _generate(directory))


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
