"""Failures that a command prints for the user: a sentence and an exit code each."""

import errno
from typing import Final

ANSWER_NO: Final = 1
"""The command did its work, and the answer is no."""
MISUSE: Final = 2
"""The command was called wrongly, or its input cannot be read."""
UNDECIDED: Final = 3
"""The search ended without an answer, so nothing follows."""
FAILED: Final = 4
"""The command could not finish: no memory, no room for its output, or an error in sanproof."""
REFUTED: Final = 5
"""A game has a legal move whose string is not among the proven ones."""
SIGNALLED: Final = 128
"""A signal ended the command. Its number is added to this, as a shell does."""
INTERRUPTED: Final = SIGNALLED + 2
"""Ctrl-C ended the command."""

_NO_RESOURCES: Final = {
    errno.EAGAIN,
    errno.EBADF,
    errno.EDQUOT,
    errno.EFBIG,
    errno.EIO,
    errno.EMFILE,
    errno.ENFILE,
    errno.ENOSPC,
    errno.EPIPE,
}
"""System errors of a command that was called correctly and cannot finish."""


class Failure(Exception):
    """An error that ends a command. The message says what is wrong, where, and what to do."""

    exit_code = MISUSE


class NegativeAnswer(Failure):
    """The command did its work and the answer is no."""

    exit_code = ANSWER_NO


class Undecided(Failure):
    """The search ended without an answer."""

    exit_code = UNDECIDED


class Unfinished(Failure):
    """The command was called correctly, but could not finish."""

    exit_code = FAILED


class Interrupted(Failure):
    """The user stopped the command."""

    exit_code = INTERRUPTED


def is_unfinished(error: BaseException | None) -> bool:
    """Check whether an error is due to the machine, such as a full or damaged disk, not the user.

    A file that is missing or may not be written is for the user to mend.
    """
    return isinstance(error, OSError) and error.errno in _NO_RESOURCES


def failure(sentence: str, error: BaseException) -> Failure:
    """Return the failure with this sentence, to end a command with.

    It is an :class:`Unfinished` if ``error``, or its cause, shows that the machine is at fault.
    Otherwise it is a Failure with the exit code for wrong usage.
    """
    unfinished = is_unfinished(error) or is_unfinished(error.__cause__)
    return (Unfinished if unfinished else Failure)(sentence)
