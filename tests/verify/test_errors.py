"""The ends of a command: exit codes as the README has them, and who is at fault."""

import errno
import re
import signal

import pytest

from sanproof.verify import errors
from sanproof.verify.errors import Failure, Unfinished, failure
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


@pytest.mark.parametrize(
    ("number", "kind"),
    [(errno.ENOSPC, Unfinished), (errno.EIO, Unfinished), (errno.EMFILE, Unfinished),
     (errno.ENOENT, Failure), (errno.EACCES, Failure), (errno.EISDIR, Failure)],
)  # fmt: skip
def test_the_machine_is_at_fault_or_the_user(number: int, kind: type[Failure]) -> None:
    caused = ValueError("no rows")
    caused.__cause__ = OSError(number, "")
    for error in (OSError(number, ""), caused):
        ended = failure("It failed.", error)
        assert type(ended) is kind
        assert str(ended) == "It failed."
    assert type(failure("It failed.", ValueError(number))) is Failure
