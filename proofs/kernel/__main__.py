"""Establishes the theorem from a folder's three files: ``python -I -m sanproof.proofs.kernel DIR``.

The files are the list, the games and the certificates, such as in ``data``. It prints the version
of python-chess, the hash of each file and, after some seconds, what is proved.

Exit codes: 0 proved, 1 not proved, 2 wrong usage, 4 could not finish, 130 interrupted.
"""

import contextlib
import hashlib
import multiprocessing
import os
import sys
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

import chess

from sanproof.proofs.kernel.files import (
    CERTIFICATES,
    GAMES,
    STRINGS,
    EvidenceError,
    read_bytes,
    text_of,
)
from sanproof.proofs.kernel.theorem import establish
from sanproof.proofs.kernel.workers import begin

NAMES = (STRINGS, GAMES, CERTIFICATES)


def main(arguments: list[str]) -> int:
    """Read the files, establish and print the theorem, and return the exit code."""
    if len(arguments) != 1:
        return _say("Name one folder: python -I -m sanproof.proofs.kernel DIR", 2)
    folder = Path(arguments[0])
    context = multiprocessing.get_context("spawn")
    try:
        if arguments[0] in ("-h", "--help"):
            _print((__doc__ or "").strip())
            return 0
        if not folder.is_dir():
            return _say(f"There is no folder {folder}.", 2)
        _print(f"python-chess {chess.__version__}")
        strings, games, certificates = (_read(folder / name) for name in NAMES)
        executor = ProcessPoolExecutor(os.cpu_count(), context, begin)
        try:
            theorem = establish(strings, games, certificates, executor)
        finally:
            executor.shutdown(cancel_futures=True)
        _print(theorem.sentence())
    except EvidenceError as error:
        return _say(f"Not proved: {error}.", 1)
    except KeyboardInterrupt:
        return _say("Interrupted.", 130)
    except (BrokenProcessPool, MemoryError, OSError) as error:
        return _say(f"Could not finish ({type(error).__name__}: {error}).", 4)
    return 0


def _read(path: Path) -> str:
    """Return the text of a file; its hash is printed, so that it can be seen what was checked."""
    content = read_bytes(path)
    _print(f"{hashlib.sha256(content).hexdigest()}  {path.name}")
    return text_of(path.name, content)


def _print(line: str) -> None:
    """Print a line at once; an OSError if standard output is closed, full, or read no more."""
    if sys.stdout is None:
        raise OSError("standard output is closed")
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def _say(message: str, code: int) -> int:
    """Say what is wrong, if anybody hears it; the exit code says it too."""
    with contextlib.suppress(AttributeError, OSError):  # AttributeError: it is closed, so None
        sys.stderr.write(f"sanproof kernel: {message}\n")
    return code


if __name__ == "__main__":
    exit_code = main(sys.argv[1:])
    # All is printed, or cannot be. Python would try again, and end with 120 if it fails.
    sys.stdout = sys.stderr = None
    sys.exit(exit_code)
