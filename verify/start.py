"""Where the command starts.

`generate` makes its lists in less time than it takes to import a library for command lines, so its
plain forms are run without one. Everything else is for :mod:`verify.cli`. So is what goes wrong
here: it goes wrong there once more, and ends with a sentence.
"""

import sys


def main() -> None:
    """Run the command that ``sys.argv`` names, and end the process with its exit code."""
    directory = plainly_generates(sys.argv[1:])
    if directory is None or not _generate(directory):
        from verify.cli import main as main_of_all

        main_of_all()


def plainly_generates(arguments: list[str]) -> str | None:
    """The directory to which `generate` shall write, None for anything else."""
    match arguments:
        case ["generate"]:
            return "."
        case ["generate", "--out", directory] if directory and not directory.startswith("-"):
            return directory
        case _:
            return None


def _generate(directory: str) -> bool:
    """Write the lists; False if that failed."""
    from verify.generate_command import run_generate

    try:
        run_generate(directory)
    except (OSError, MemoryError):
        return False
    except KeyboardInterrupt:
        from verify.errors import INTERRUPTED

        sys.stderr.write("sanproof: Interrupted.\n")
        sys.exit(INTERRUPTED)
    return True
