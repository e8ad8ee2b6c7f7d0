"""Failures that the user should read: each is one sentence, and an exit code."""

import errno
from typing import Final

ANSWER_NO: Final = 1
"""The command did its work, and the answer is no."""
MISUSE: Final = 2
"""The command was called wrongly, or what it was given cannot be read."""
UNDECIDED: Final = 3
"""The search ended without an answer; nothing follows from that."""
FAILED: Final = 4
"""The command could not finish: no memory, no room for its output, or an error in sanproof."""
REFUTED: Final = 5
"""A game holds a legal move whose string is not among the proven ones."""
SIGNALLED: Final = 128
"""A signal ended the command: its number is added, as a shell does."""
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
    """Ends a command with a sentence that says what is wrong, where, and what to do."""

    exit_code = MISUSE


class NegativeAnswer(Failure):
    """The command did its work and the answer is no."""

    exit_code = ANSWER_NO


class Undecided(Failure):
    """The search ended without an answer."""

    exit_code = UNDECIDED


class Unfinished(Failure):
    """The command was called rightly and could not finish."""

    exit_code = FAILED


class Interrupted(Failure):
    """The user stopped the command."""

    exit_code = INTERRUPTED


def is_unfinished(error: BaseException | None) -> bool:
    """Check whether the machine is at fault and not the user: no room, a damaged disk.

    What may not be written, or is not there, is for the user to mend.
    """
    return isinstance(error, OSError) and error.errno in _NO_RESOURCES


def failure(sentence: str, error: BaseException) -> Failure:
    """Return the failure with this sentence, to end a command with.

    It is :class:`Unfinished` if the system's error, or its cause, says that there was no room or
    the like; otherwise it is misuse.
    """
    unfinished = is_unfinished(error) or is_unfinished(error.__cause__)
    return (Unfinished if unfinished else Failure)(sentence)
