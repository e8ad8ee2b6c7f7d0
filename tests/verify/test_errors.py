"""The ends of a command: whose fault it was."""

import errno

import pytest

from sanproof.verify.errors import Failure, Unfinished, failure


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
