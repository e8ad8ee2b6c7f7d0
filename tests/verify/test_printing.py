"""Texts that are printed in pieces or as a whole."""

from collections.abc import Iterator

import pytest

from sanproof.verify.printing import print_pieces


def test_what_is_of_use_as_a_whole_is_printed_when_it_is_complete(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def broken() -> Iterator[str]:
        yield "first\n"
        raise ValueError("broken")

    for whole, printed in ((True, ""), (False, "first\n")):
        with pytest.raises(ValueError, match="broken"):
            print_pieces(broken(), whole=whole)
        assert capsys.readouterr().out == printed
    for whole in (True, False):
        print_pieces(["a", "b\n"], whole=whole)
        assert capsys.readouterr().out == "ab\n"
