from itertools import islice

import pytest
from hypothesis import example, given

from sanproof.proofs.rules.san import (
    San,
    list_order,
    parse_san,
    universe,
)
from tests.strings import MOVES, all_texts, is_derived, sans, strings, texts, universe_size


@given(strings)
@example("R1a3")
@example("a1b2")
@example("exd8=N#")
def test_the_parts_are_those_of_the_regular_expression(text: str) -> None:
    match = MOVES.fullmatch(text)
    if match:
        piece, file, rank, capture, to_file, to_rank, promotion, suffix = (
            part or "" for part in match.groups()
        )
        assert parse_san(text) == (piece, file, rank, capture, to_file + to_rank, promotion, suffix)
    else:
        castling, suffix = (text.rstrip("+#"), text[-1] if text[-1] in "+#" else "")
        assert parse_san(text) == (castling, "", "", "", "", "", suffix)


@given(sans)
def test_a_bare_string_differs_by_its_suffix_only(san: San) -> None:
    assert str(san.bare) + san.suffix == str(san)


def test_the_universe_is_the_language() -> None:
    texts = all_texts()
    # Each optional part counts one more than its letters; six castlings besides.
    assert len(texts) == (5 + 1) * (8 + 1) * (8 + 1) * 2 * 8 * 8 * (5 + 1) * 3 + 2 * 3
    assert len(texts) == len(set(texts)) == universe_size() == 1_119_750
    assert all(map(is_derived, texts))
    assert sum(text[-1] not in "+#" for text in texts) == 373_250


@pytest.mark.parametrize("each", [29, pytest.param(1, marks=pytest.mark.slow)])
def test_the_universe_is_read_back(each: int) -> None:
    assert all(parse_san(str(san)) == san for san in islice(universe(), None, None, each))


def test_lists_are_ordered_by_length_then_characters() -> None:
    texts = ["e4+", "Nf3", "O-O", "e4", "a1"]
    assert sorted(texts, key=list_order) == ["a1", "e4", "Nf3", "O-O", "e4+"]


@given(texts)
@example("")
@example("e4\n")
@example("O-O+x")
@example("0-0")
def test_a_text_is_read_exactly_if_it_is_of_the_language(text: str) -> None:
    if is_derived(text):
        assert str(parse_san(text)) == text
    else:
        with pytest.raises(ValueError, match="is not a SAN string"):
            parse_san(text)
