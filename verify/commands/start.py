"""The start and the end of a command: each outcome becomes an exit code, each error a sentence.

No library is needed for that, so that Ctrl-C is a sentence from the first moment on.
"""

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
"""The environment variable that has the place of an error printed as well."""

_MAX_MESSAGE: Final = 300


def main() -> NoReturn:
    """Run the command that ``sys.argv`` names, and end the process with its exit code."""

    def body() -> int:
        from sanproof.verify.commands.cli import run

        return run()

    run_to_end(body)


def run_to_end(body: Callable[[], int]) -> NoReturn:
    """Run a command's body and end the process with the exit code that it returns.

    An exception becomes a sentence, and the exit code that fits it.
    """
    try:
        signals.catch()
        sys.unraisablehook = lambda lost: tell_lost(lost.exc_value)
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
    """Say what ended the command, and return the exit code."""
    signal_number = signals.received()
    if signal_number is not None:
        own = isinstance(error, Interrupted)
        say(str(error) if own else signals.SENTENCES[signal_number])
        return SIGNALLED + signal_number
    sentence, code = _sentence(error)
    if sentence:
        say(sentence)
    return code


def _sentence(error: BaseException) -> tuple[str, int]:
    """Return what is said of an exception, if anything is, and the exit code."""
    match error:
        case SystemExit(__context__=BrokenPipeError()) | BrokenPipeError():
            return "", FAILED  # the reader of our output has had enough; the first is rich's
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
            from sanproof.proofs.search import SolverGaveUp

            if isinstance(error, SolverGaveUp):
                return f"Nothing was decided: {error}.", UNDECIDED
            return _bug(error), FAILED


def _bug(error: BaseException) -> str:
    """Return the sentence on an error in sanproof, and print its place if the user wants that."""
    if os.environ.get(TRACEBACK):
        import traceback

        with suppress(OSError):
            traceback.print_exception(error)
    message = f"{type(error).__name__}: {error}".rstrip(": .")
    if len(message) > _MAX_MESSAGE:
        message = f"{message[:_MAX_MESSAGE]} (cut)"
    return (
        f"An error in sanproof itself: {message}. Please report it, with the command that you "
        f"gave and what it prints when {TRACEBACK}=1 is set."
    )


def tell_lost(error: BaseException | None) -> None:
    """Say what was raised where no code can catch it: in a destructor, or in a thread."""
    if not isinstance(error, None | BrokenPipeError | KeyboardInterrupt):
        say(_bug(error))


def say(message: str) -> None:
    """Write a sentence to standard error, unless that is full or gone."""
    from sanproof.reports.escaping import plain

    text = f"sanproof: {plain(message)}"
    with suppress(OSError, ValueError):
        if sys.stderr.isatty():
            from sanproof.verify.findings.width import fitted

            text = fitted(text, stream=sys.stderr)
        sys.stderr.write(f"{text}\n")
        sys.stderr.flush()
