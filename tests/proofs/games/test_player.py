"""Games played in compiled code, against python-chess."""

from collections.abc import Iterator, Sequence
from itertools import islice, product
from typing import Any

import chess
import pytest

from sanproof.proofs.games.compiled import compiled
from sanproof.proofs.games.game import ProofGame, Recorder, check_game
from sanproof.proofs.games.pieces import read_setting
from sanproof.proofs.games.player import (
    play_game,
    play_on,
    read_position,
    record_cover,
    record_game,
)
from sanproof.proofs.kernel.games import GameError
from sanproof.proofs.rules.cubes import COLOURS, WHITE
from tests.proofs.encoding.positions import FAMILIES, first_boards
from tests.proofs.games.test_game import FOOLS_MATE

EVERY_MOVE = [
    a + b + promotion
    for a, b in product(chess.SQUARE_NAMES, chess.SQUARE_NAMES)
    for promotion in ("", *("nbrqkp" if b[1] in "18" else ""))
]
SHUFFLE = ("g1f3", "g8f6", "f3g1", "f6g8")


def both_sides(family: str) -> Iterator[chess.Board]:
    """Yield positions of a family, every other one with the colours exchanged."""
    for number, board in enumerate(first_boards(family)):
        if board.is_valid():
            yield board.mirror() if number % 2 else board


@pytest.mark.parametrize("family", FAMILIES)
def test_legal_moves_lead_where_python_chess_says_and_no_other_text_does(family: str) -> None:
    for number, board in enumerate(islice(both_sides(family), 12)):
        position = read_position(board.fen())
        assert position.fen == board.fen()
        assert position.setting == read_setting(board.board_fen())
        assert position.is_check == board.is_check()
        played = set()
        for text in EVERY_MOVE if number < 2 else [move.uci() for move in board.legal_moves]:
            try:
                after, sans = play_on(position, [text])
            except GameError:
                continue
            played.add(text)
            expected = board.copy(stack=False)
            san = expected.san_and_push(chess.Move.from_uci(text))
            assert (sans, after.fen) == ((san,), expected.fen())
            assert after.setting == read_setting(expected.board_fen())
            assert after.is_check == expected.is_check()
        assert played == {move.uci() for move in board.legal_moves}
        assert position.fen == board.fen()


def spoilt(moves: Sequence[str], ply: int, text: str) -> list[str]:
    return [*moves[:ply], text, *moves[ply + 1 :]]


@pytest.mark.parametrize("ply", range(4))
@pytest.mark.parametrize(
    "text", ["", "e2", "e2e9", "i2e4", "e2e4x", "e2e4qq", "a1a1", "\u0663", "e1"]
)
def test_what_is_no_move_is_refused(ply: int, text: str) -> None:
    moves = spoilt(FOOLS_MATE.moves, ply, text)
    with pytest.raises(GameError, match=f"game of f3, ply {ply + 1}: {text} is not legal"):
        play_game(" ".join(moves), 0, "f3")


MOVES = " ".join(FOOLS_MATE.moves)


@pytest.mark.parametrize(
    ("moves", "ply", "said"),
    [
        *((text, 0, "is not legal") for text in ("f2f3  e7e5", " f2f3", "f2f3 ", "f2f3\te7e5", "")),
        *((MOVES, ply, f"ply {ply + 1} is not among its 4") for ply in (-1, 4, 5, 10**30)),
        ("f2f3 e7e5 g2g4", 0, "does not end in checkmate"),
        ("e2e4 f7f5 d1h5", 0, "does not end in checkmate"),
    ],
)
def test_what_is_no_game_to_mate_is_refused(moves: str, ply: int, said: str) -> None:
    with pytest.raises(GameError, match=said):
        play_game(moves, ply, moves[2:4])


def test_the_move_is_written_as_the_string() -> None:
    assert record_game(FOOLS_MATE) == check_game(FOOLS_MATE)
    for san in ("Qh4", "Qh4+", "Qg4#"):
        with pytest.raises(GameError, match="its move is written Qh4#"):
            record_game(FOOLS_MATE._replace(san=san))
    with pytest.raises(GameError, match="is not white's"):
        record_game(FOOLS_MATE._replace(colour=WHITE))


OPEN, MATE = ("e2e4", "e7e5"), ("d1h5", "b8c6", "f1c4", "g8f6", "h5f7")
KINGS = ("e1e2", "e8e7", "e2e1", "e7e8")
"""Their first steps cost the rights, so the first position occurs one time less."""


@pytest.mark.parametrize(
    ("san", "moves", "again"),
    [
        ("Qh4#", FOOLS_MATE.moves, SHUFFLE * 3),
        ("Qxf7#", (*OPEN, *MATE), KINGS * 4),
    ],
)
def test_nothing_follows_a_fifth_occurrence(
    san: str, moves: tuple[str, ...], again: tuple[str, ...]
) -> None:
    """A position occurs once more than the pieces have gone to and fro."""
    start = len(moves) - len(MATE) if san == "Qxf7#" else 0
    for more, refused in ((again, False), (again + again[-4:], True)):
        played = (*moves[:start], *more, *moves[start:])
        game = ProofGame(san, COLOURS[(len(played) - 1) % 2], len(played) - 1, played)
        if not refused:
            assert record_game(game) == check_game(game)
            continue
        for play in (record_game, check_game):
            with pytest.raises(GameError, match="fivefold"):
                play(game)


@pytest.mark.parametrize(("clock", "refused"), [(149, False), (150, True)])
def test_nothing_follows_75_moves_without_progress(clock: int, refused: bool) -> None:
    position = read_position(f"4k3/8/8/8/8/8/P7/4K3 w - - {clock} 90")
    if refused:
        with pytest.raises(GameError, match="75 moves"):
            play_on(position, ["a2a3"])
    else:
        assert play_on(position, ["a2a3"])[0].fen == "4k3/8/8/8/8/P7/8/4K3 b - - 0 90"


def test_a_sample_of_the_cover_is_compared_with_python_chess(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert record_cover([FOOLS_MATE] * 3) == [check_game(FOOLS_MATE)] * 3
    wrong = check_game(FOOLS_MATE)._replace(after_fen="")
    monkeypatch.setattr(Recorder, "record", lambda *_: wrong)
    with pytest.raises(GameError, match="python-chess plays it otherwise"):
        record_cover([FOOLS_MATE])


@pytest.mark.parametrize(
    ("fen", "text"),
    [
        ("4k3/8/8/8/8/5r2/8/4K2R w K - 0 1", "e1g1"),  # through an attacked square
        ("4k3/8/8/8/8/3r4/8/R3K3 w Q - 0 1", "e1c1"),
        ("4k3/8/8/8/8/6r1/8/4K2R w K - 0 1", "e1g1"),  # onto one
        ("4k3/8/8/8/8/4r3/8/4K2R w K - 0 1", "e1g1"),  # out of one
        ("4k3/8/8/3pP3/8/4P3/8/4K3 w - d6 0 1", "e3d4"),  # passing on another rank
    ],
)
def test_what_looks_like_a_special_move_is_refused(fen: str, text: str) -> None:
    for board in (chess.Board(fen), chess.Board(fen).mirror()):
        move = chess.Move.from_uci(text)
        squares = (move.from_square, move.to_square)
        if not board.turn:
            move = chess.Move(*map(chess.square_mirror, squares))
        assert not board.is_legal(move)
        with pytest.raises(GameError, match="is not legal"):
            play_on(read_position(board.fen(en_passant="fen")), [move.uci()])


def test_what_cannot_be_kept_is_compiled_all_the_same() -> None:
    """As in an installation that is read only, without a home: numba finds no place for it."""
    names: dict[str, Any] = {}
    exec("def add(a, b): return a + b", names)
    assert compiled(names["add"])(2, 3) == 5
