"""Numbers with their nouns, and texts that are printed in pieces or as a whole."""

from collections.abc import Iterator

import pytest

from verify.printing import number_of, print_pieces


@pytest.mark.parametrize(
    ("number", "text"), [(0, "0 games"), (1, "1 game"), (2, "2 games"), (1234, "1,234 games")]
)
def test_a_number_has_its_noun(number: int, text: str) -> None:
    assert number_of(number, "game") == text


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
