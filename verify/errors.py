"""What can go wrong in a way that the user should read: one sentence, and an exit code."""

from typing import Final

ANSWER_NO: Final = 1
MISUSE: Final = 2
INTERRUPTED: Final = 130


class Failure(Exception):
    """Ends a command with a sentence that says what is the matter and what to do."""

    exit_code = MISUSE


class NegativeAnswer(Failure):
    """The command did its work and the answer is no."""

    exit_code = ANSWER_NO


class Interrupted(Failure):
    """The user stopped the command."""

    exit_code = INTERRUPTED
