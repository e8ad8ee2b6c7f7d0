"""What ends a command: exit codes as the README has them, and who is at fault."""

import errno
import re
import signal

import pytest

from sanproof.verify import errors
from sanproof.verify.errors import Failure, Unfinished, failure, is_unfinished
from tests.verify.command import ROOT


def test_exit_codes_are_those_of_the_readme() -> None:
    (line,) = re.findall(r"Exit codes: 0 yes or done, (.*)\.", (ROOT / "README.md").read_text())
    codes = {words: int(code) for code, words in re.findall(r"(\d+) ([^,]+)", line)}
    assert codes == {
        "no": errors.NegativeAnswer.exit_code,
        "misuse": errors.Failure.exit_code,
        "undecided": errors.Undecided.exit_code,
        "could not finish": errors.Unfinished.exit_code,
        "a game refutes the theorem": errors.REFUTED,
        "interrupted": errors.Interrupted.exit_code,
    }
    assert errors.Interrupted.exit_code == errors.SIGNALLED + signal.SIGINT


def caused(number: int) -> Exception:
    """An error that the system's error led to."""
    error = ValueError("no rows")
    error.__cause__ = OSError(number, "")
    return error


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EIO, errno.EMFILE])
def test_the_machine_is_at_fault(number: int) -> None:
    for error in (OSError(number, ""), caused(number)):
        assert type(failure("It failed.", error)) is Unfinished
    assert is_unfinished(OSError(number, ""))


@pytest.mark.parametrize("number", [errno.ENOENT, errno.EACCES, errno.EISDIR])
def test_the_user_can_mend_it(number: int) -> None:
    for error in (OSError(number, ""), caused(number), ValueError(number)):
        ended = failure("It failed.", error)
        assert type(ended) is Failure
        assert str(ended) == "It failed."
    assert not is_unfinished(None)
