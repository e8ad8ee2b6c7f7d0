"""The start and the end of a command: outcomes become exit codes, and errors become sentences.

It needs no library, so that Ctrl-C ends with a sentence from the first moment on.
"""

import gc
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Final, NoReturn

from sanproof.verify.errors import (
    FAILED,
    INTERRUPTED,
    MISUSE,
    SIGNALLED,
    UNDECIDED,
    Failure,
    Interrupted,
    is_unfinished,
)
from sanproof.verify.work import signals

TRACEBACK: Final = "SANPROOF_TRACEBACK"
"""The environment variable with which the traceback of an error is printed too."""


def main() -> NoReturn:
    """Run the command that ``sys.argv`` names, and end the process with its exit code."""

    def body() -> int:
        from sanproof.verify.commands.cli import run

        return run()

    # To look for garbage while modules load takes a twentieth of `explain`.
    gc.set_threshold(50_000)
    run_to_end(body)


def run_to_end(body: Callable[[], int]) -> NoReturn:
    """Run the body of a command, and end the process with the exit code that it returns.

    An exception is printed as a sentence, and ends the process with the exit code that fits it.
    """
    try:
        signals.catch()
        code = body()
        sys.stdout.flush()
    except BaseException as error:  # noqa: BLE001 - every exception becomes a sentence
        code = told(error)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):  # or Python fails once more as it ends, with exit code 120
            with suppress(OSError, ValueError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    sys.exit(code)


def told(error: BaseException) -> int:
    """Print why the command ended, and return the exit code."""
    if number := signals.received():
        own = isinstance(error, Interrupted)
        sentence, code = str(error) if own else signals.SENTENCES[number], SIGNALLED + number
    else:
        sentence, code = _sentence(error)
    if sentence:
        from sanproof.reports.escaping import plain
        from sanproof.verify.findings.width import fitted

        with suppress(OSError, ValueError):  # standard error is full or gone
            sys.stderr.write(f"{fitted(f'sanproof: {plain(sentence)}', stream=sys.stderr)}\n")
    return code


def _sentence(error: BaseException) -> tuple[str, int]:
    """Return what is said of an exception, if anything is, and the exit code."""
    match error:
        case BrokenPipeError():
            return "", FAILED  # the reader of our output has had enough
        case SystemExit():
            return "", error.code if isinstance(error.code, int) else MISUSE if error.code else 0
        case Failure():
            return str(error), error.exit_code
        case KeyboardInterrupt():  # a solver's library had taken over the signal
            return "Interrupted.", INTERRUPTED
        case _ if isinstance(error, MemoryError) or "out of memory" in str(error):  # as Z3 says
            return "There is not enough memory.", FAILED
        case OSError(filename=None):
            return f"The output cannot be written: {error.strerror}.", FAILED
        case OSError():
            code = FAILED if is_unfinished(error) else MISUSE
            return f"{os.fsdecode(error.filename)} cannot be used: {error.strerror}.", code
        case _:
            return _bug(error)


def _bug(error: BaseException) -> tuple[str, int]:
    """Return what is said of an error in sanproof; its place is printed if the user wants that."""
    from sanproof.proofs.search import SolverGaveUp

    if isinstance(error, SolverGaveUp):
        return f"Nothing was decided: {error}.", UNDECIDED
    if os.environ.get(TRACEBACK):
        import traceback

        with suppress(OSError):
            traceback.print_exception(error)
    message = f"{type(error).__name__}: {error}".rstrip(": .")[:300]
    report = f"Please report it, with the command and what it prints when {TRACEBACK}=1 is set."
    return f"An error in sanproof itself: {message}. {report}", FAILED
