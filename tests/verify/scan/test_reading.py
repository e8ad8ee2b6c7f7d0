"""Games of variants: read with their own rules, checked, and counted apart."""

import random

import chess
import chess.variant
import pytest

from sanproof.verify.scan.chunks import Chunk, ChunkResult
from sanproof.verify.scan.scanning import scan_chunk
from tests.verify.scan.pgn import game, options, scanned

VARIANTS = [
    *("Crazyhouse", "Atomic", "Antichess", "Horde", "King of the Hill", "Three-check"),
    "Racing Kings",
]


def found(text: str) -> ChunkResult:
    return scan_chunk(Chunk("a.pgn", text.encode()), options()._replace(fast=False))


def random_game(board: chess.Board, variant: str, seed: int) -> str:
    start, chosen = board.fen(), random.Random(seed)
    texts: list[str] = []
    while len(texts) < 40 and not board.is_game_over():
        move = chosen.choice(list(board.legal_moves))
        texts.append(board.san(move))
        board.push(move)
    return game(f"{' '.join(texts)} *", fen=start, Variant=variant)


@pytest.mark.parametrize("name", VARIANTS)
def test_a_game_of_a_variant_is_read_by_its_rules_and_counted_apart(name: str) -> None:
    variant = chess.variant.find_variant(name)
    result = found(random_game(variant(), name, 1) + game("1. Nd5 *", Variant=name))
    counts = result.counts
    assert (counts["games_read"], counts["games_stopped"]) == (1, 1)
    assert counts[f"variant {variant.uci_variant} moves"] > 10
    assert "moves" not in counts
    assert not result.seen
    assert not result.refuting
    assert [d.kind.split()[0] for d in result.deviations] == ["illegal"]


def test_a_game_that_may_be_in_several_languages_is_not_guessed() -> None:
    """R is the knight in Estonian and Finnish, and the king in French."""
    (row,) = found(game("1. Rf3 Tb8 *")).games
    assert row.outcome == "stopped"
    both = found(game("1. e4 e5 2. Ra3 Ta6 *"))
    assert both.counts.get("games_stopped") == 1


MATE = "1. f3 e5 2. g4 Qh4#"
STALEMATE = (
    "1. e3 a5 2. Qh5 Ra6 3. Qxa5 h5 4. h4 Rah6 5. Qxc7 f6 6. Qxd7+ Kf7 7. Qxb7 Qd3 8. Qxb8 Qh7 "
    "9. Qxc8 Kg6 10. Qe6"
)
DEAD = "4k3/8/8/8/8/8/4p3/4K3 w - - 0 1"


@pytest.mark.parametrize(
    ("movetext", "fen", "right"),
    [
        (MATE, "", "0-1"),
        (f"{MATE} {{White was winning}}", "", "0-1"),
        ("1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7#", "", "1-0"),
        (STALEMATE, "", "1/2-1/2"),
        ("1. Kxe2", DEAD, "1/2-1/2"),
    ],
)
def test_a_result_is_named_only_if_the_board_contradicts_it(
    movetext: str, fen: str, right: str
) -> None:
    for told in ("1-0", "0-1", "1/2-1/2", "*"):
        result = scanned(game(f"{movetext} {told}", fen=fen, Result=told).encode())
        kinds = [(d.written, d.kind) for d in result.deviations]
        assert kinds == ([] if told in {right, "*"} else [(told, "wrong-result")]), told
        if kinds:
            assert chess.Board(result.deviations[0].fen).outcome() is not None
    other = "1-0" if right != "1-0" else "0-1"
    (d,) = scanned(game(f"{movetext} {right}", fen=fen, Result=other).encode()).deviations
    assert d.kind == "wrong-result"
    assert d.written.startswith("[Result ")
