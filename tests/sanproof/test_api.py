"""What a notebook's user calls."""

import doctest
from pathlib import Path

import chess
import pytest

import sanproof
from generator.strings import bare_strings, suffixed_strings
from tests.strings import universe_size

REACHABLE = sanproof.strings()


def test_the_examples_run() -> None:
    assert doctest.testmod(sanproof).attempted > 3
    assert doctest.testmod(sanproof).failed == 0


def test_strings_are_those_of_the_generator() -> None:
    assert suffixed_strings() == REACHABLE
    assert sanproof.strings(bare=True) == bare_strings()


def test_every_witness_is_written_so() -> None:
    rows = list(sanproof.witnesses())
    assert [row.san for row in rows] == REACHABLE
    for row in rows[::97]:
        board = chess.Board(row.before_fen)
        assert board.san_and_push(chess.Move.from_uci(row.uci)) == row.san
        assert board.fen() == row.after_fen


def test_reachable_and_impossible_make_up_the_universe() -> None:
    impossible = [san for san, _ in sanproof.impossible()]
    assert len({*impossible, *REACHABLE}) == len(impossible) + len(REACHABLE) == universe_size()


def test_each_published_reason_is_the_one_that_is_looked_up() -> None:
    for san, reason in list(sanproof.impossible())[::9973]:
        answer = sanproof.look_up(san)
        assert (answer.verdict, answer.reason) == (sanproof.Verdict.IMPOSSIBLE, reason)
        assert answer.sentence is not None
        assert not sanproof.is_reachable(san)


def test_a_reachable_string_is_looked_up_with_its_witness() -> None:
    answer = sanproof.look_up("Qb6e3#")
    assert answer.verdict is sanproof.Verdict.REACHABLE
    assert answer.witness is not None
    board = chess.Board(answer.witness.before_fen)
    assert board.san(board.parse_san("Qb6e3#")) == "Qb6e3#"
    assert sanproof.is_reachable("Qb6e3#")


@pytest.mark.parametrize("text", ["", "e9", "Nf3\n", "e4!"])
def test_what_is_no_san_string_is_refused(text: str) -> None:
    for ask in (sanproof.is_reachable, sanproof.look_up, sanproof.spoken):
        with pytest.raises(sanproof.MalformedSan):
            ask(text)


def test_gating_a_collection() -> None:
    assert sanproof.gate(set(REACHABLE)).exact
    assert sanproof.gate(reversed(sanproof.strings(bare=True))).exact
    report = sanproof.gate([*REACHABLE[1:], "Ba1b2+"])
    assert [missing.san for missing in report.missing] == REACHABLE[:1]
    assert [(extra.san, extra.place) for extra in report.too_many] == [("Ba1b2+", len(REACHABLE))]


def test_what_is_no_collection_of_strings_is_refused() -> None:
    with pytest.raises(TypeError, match="not one string"):
        sanproof.gate("e4")
    with pytest.raises(TypeError, match="7 is not a string"):
        sanproof.gate(["e4", 7])  # type: ignore[list-item]


def test_a_directory_that_is_no_run(tmp_path: Path) -> None:
    with pytest.raises(sanproof.ArchiveError, match="holds no finished run"):
        sanproof.strings(run=tmp_path)


def test_proving_afresh() -> None:
    assert sanproof.prove("Kae1").startswith("Kae1 is impossible (king-with-discriminator).")
