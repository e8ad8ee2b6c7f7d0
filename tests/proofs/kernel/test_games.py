from collections import Counter
from itertools import combinations

import chess
import pytest

from proofs.games.game import ProofGame, Recorder, check_game
from proofs.kernel.games import GameError, _position_key

FOOLS_MATE = ("f2f3", "e7e5", "g2g4", "d8h4")
SHUFFLE = ("g1f3", "g8f6", "f3g1", "f6g8")
SLOW_OPENING = ("e2e4", "g7g5", "a2a3", "f7f6", "d2d4")


def game(san: str, ply: int, moves: tuple[str, ...] = FOOLS_MATE, colour: str = "") -> ProofGame:
    return ProofGame(san, colour or ("white", "black")[ply % 2], ply, moves)


def line(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def replay(moves: tuple[str, ...]) -> chess.Board:
    board = chess.Board()
    for uci in moves:
        board.push_uci(uci)
    return board


def wander(opening: tuple[str, ...], plies: int, squares: chess.Bitboard) -> tuple[str, ...]:
    """The opening, and then moves of queenside men back and forth, seldom to the same position."""
    board = replay(opening)
    seen = Counter([board.board_fen()])

    def visits(move: chess.Move) -> int:
        board.push(move)
        fen = board.board_fen()
        board.pop()
        return seen[fen]

    for _ in range(plies):
        moves = board.generate_legal_moves(squares & ~board.pawns, squares & ~board.occupied)
        board.push(min(moves, key=lambda move: (visits(move), move.uci())))
        seen[board.board_fen()] += 1
    assert max(seen.values()) < 5
    return tuple(move.uci() for move in board.move_stack)


QUEENSIDE = chess.BB_FILE_A | chess.BB_FILE_B | chess.BB_FILE_C


@pytest.mark.parametrize(("san", "ply"), [("f3", 0), ("e5", 1), ("g4", 2), ("Qh4#", 3)])
def test_every_move_of_a_game_can_be_shown(san: str, ply: int) -> None:
    checked = check_game(game(san, ply))
    assert checked.game == game(san, ply)
    assert checked.sans == ("f3", "e5", "g4", "Qh4#")
    assert checked.before_fen == replay(FOOLS_MATE[:ply]).fen()
    assert checked.uci == FOOLS_MATE[ply]
    assert checked.after_fen == replay(FOOLS_MATE[: ply + 1]).fen()


def test_a_game_may_be_written_in_san() -> None:
    written = ProofGame("g4", "white", 2, ("f3", "e5", "g4", "Qh4#"))
    checked = Recorder(in_san=True).check(written)
    assert checked[1:] == check_game(game("g4", 2))[1:]


@pytest.mark.parametrize("wrong", ["Q8h4#", "Qh4", "Qh4+", "d8h4", "Qh5#", "--", "", "0000", "e6"])
def test_a_move_that_is_not_its_canonical_san(wrong: str) -> None:
    written = ProofGame("f3", "white", 0, ("f3", "e5", "g4", wrong))
    with pytest.raises(GameError, match="ply 4: "):
        Recorder(in_san=True).check(written)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (game("Qh4", 3), "python-chess writes the move as Qh4#"),
        (game("f4", 0), "python-chess writes the move as f3"),
        (game("f3", 0, colour="black"), "the move is not black's"),
        (game("e5", 1, colour="white"), "the move is not white's"),
        (game("Qh4#", 4, colour="white"), "the game has 4 plies"),
        (game("Qh4#", -1, colour="black"), "the game has 4 plies"),
        (game("f3", 0, ()), "the game has 0 plies"),
    ],
)
def test_a_wrong_string(wrong: ProofGame, message: str) -> None:
    with pytest.raises(GameError, match=message) as caught:
        check_game(wrong)
    assert f"{wrong.colour}'s {wrong.san}, ply {wrong.ply + 1}:" in str(caught.value)


@pytest.mark.parametrize(
    ("moves", "ply"),
    [
        (("f2f5", *FOOLS_MATE[1:]), 1),
        (("f2f3", "e2e4", *FOOLS_MATE[2:]), 2),
        ((*FOOLS_MATE[:3], "d8h5"), 4),
        ((*FOOLS_MATE[:3], "d8h4q"), 4),
        (("0000", *FOOLS_MATE[1:]), 1),
        (("e1g1", *FOOLS_MATE[1:]), 1),
        (("e2e4", "a7a6", "d1h5", "f7f6"), 4),  # the pawn is pinned
        (("e2e4", "f7f6", "d1h5", "a7a6"), 4),  # the king is in check
    ],
)
def test_an_illegal_move(moves: tuple[str, ...], ply: int) -> None:
    with pytest.raises(GameError, match=rf"ply {ply}: {moves[ply - 1]} is not legal in \S+"):
        check_game(game("Qh4#", 3, moves))


@pytest.mark.parametrize("uci", ["", "f3", "f2f9", "f2-f3", "Qh4#"])
def test_a_move_that_cannot_be_read(uci: str) -> None:
    with pytest.raises(GameError, match="ply 1: "):
        check_game(game("Qh4#", 3, (uci, *FOOLS_MATE[1:])))


def test_play_after_mate() -> None:
    with pytest.raises(GameError, match="ply 5: a2a3 is not legal"):
        check_game(game("Qh4#", 3, (*FOOLS_MATE, "a2a3")))


@pytest.mark.parametrize("plies", [1, 2, 3])
def test_a_game_that_stops_before_mate(plies: int) -> None:
    with pytest.raises(GameError, match="does not end in checkmate"):
        check_game(game("f3", 0, FOOLS_MATE[:plies]))


def test_a_game_to_a_dead_position() -> None:
    """Every move is legal, but nobody can show that the game was not over before."""
    board = replay(TO_BARE_KINGS)
    assert chess.popcount(board.occupied) == 2
    with pytest.raises(GameError, match="does not end in checkmate"):
        check_game(game("Nh3", 0, TO_BARE_KINGS))


def test_a_game_to_stalemate() -> None:
    moves = line(
        "e2e3 a7a5 d1h5 a8a6 h5a5 h7h5 h2h4 a6h6 a5c7 f7f6 c7d7 e8f7 d7b7 d8d3 b7b8 d3h7 "
        "b8c8 f7g6 c8e6"
    )
    assert replay(moves).is_stalemate()
    with pytest.raises(GameError, match="does not end in checkmate"):
        check_game(game("e3", 0, moves))


def test_a_game_to_a_check() -> None:
    moves = ("e2e4", "f7f6", "d1h5")
    assert replay(moves).is_check()
    with pytest.raises(GameError, match="does not end in checkmate"):
        check_game(game("e4", 0, moves))


def test_fivefold_repetition() -> None:
    fourfold = (*SHUFFLE * 3, *FOOLS_MATE)
    check_game(game("Qh4#", 15, fourfold))
    fivefold = (*SHUFFLE * 4, *FOOLS_MATE)
    with pytest.raises(GameError, match="ply 17: the game is drawn by fivefold repetition"):
        check_game(game("Qh4#", 19, fivefold))


def test_positions_with_other_rights_are_not_the_same() -> None:
    """The first time, somebody could still castle: that is another position (FIDE 9.2.3.2)."""
    opening = ("e2e4", "e7e5", "g1f3", "g8f6", "f1e2", "f8e7")
    kings = ("e1f1", "e8f8", "f1e1", "f8e8")
    moves = (*opening, *kings * 4)
    board = replay(moves)
    assert board.board_fen() == replay(opening).board_fen()
    check_game(game("e4", 0, (*moves, *mating_moves(board))))
    again = (*moves, *kings)
    with pytest.raises(GameError, match="fivefold repetition"):
        check_game(game("e4", 0, (*again, *mating_moves(replay(again)))))


BLACK_SHUFFLE = ("g8f6", "g1f3", "f6g8", "f3g1")
BLACK_MATES = ("e7e5", "f2f3", "h7h6", "g2g4", "d8h4")


def test_a_pawn_that_may_be_taken_in_passing_makes_another_position() -> None:
    opening = ("g1f3", "b7b5", "f3g1", "b5b4", "a2a4")
    assert replay(opening).has_legal_en_passant()
    check_game(game("a4", 4, (*opening, *BLACK_SHUFFLE * 4, *BLACK_MATES)))
    with pytest.raises(GameError, match="fivefold repetition"):
        check_game(game("a4", 4, (*opening, *BLACK_SHUFFLE * 5, *BLACK_MATES)))


def test_a_pawn_that_nobody_can_take_in_passing_does_not() -> None:
    with pytest.raises(GameError, match="fivefold repetition"):
        check_game(game("a4", 0, ("a2a4", *BLACK_SHUFFLE * 4, *BLACK_MATES)))


def test_with_the_other_player_to_move_it_is_another_position() -> None:
    """White's queen goes a triangle while a knight goes to and fro."""
    opening = ("c2c3", "a7a6", *SHUFFLE * 3)
    lost_tempo = (*opening, "d1c2", "g8f6", "c2b3", "f6g8", "b3d1")
    assert replay(lost_tempo).board_fen() == replay(opening).board_fen()
    check_game(game("c3", 0, (*lost_tempo, *BLACK_SHUFFLE * 3, *BLACK_MATES)))
    with pytest.raises(GameError, match="fivefold repetition"):
        check_game(game("c3", 0, (*lost_tempo, *BLACK_SHUFFLE * 4, *BLACK_MATES)))


@pytest.mark.parametrize(("a", "b"), list(combinations(["", *"PNBRQKpnbrqk"], 2)))
def test_positions_with_two_men_exchanged_are_not_the_same(a: str, b: str) -> None:
    """Or with one man on another square, on boards that are otherwise alike."""
    boards = [chess.Board("7k/8/8/8/8/8/8/7K w - - 0 1") for _ in range(2)]
    for board, men in zip(boards, ((a, b), (b, a)), strict=True):
        for square, symbol in zip((chess.C5, chess.F5), men, strict=True):
            board.set_piece_at(square, chess.Piece.from_symbol(symbol) if symbol else None)
    first, second = map(_position_key, boards)
    assert first != second


def mating_moves(board: chess.Board) -> tuple[str, ...]:
    """From the position with the kings at home: White's queen mates on f7."""
    moves = ("f3d4", "f6g8", "d4f5", "e7b4", "e2c4", "a7a6", "d1h5", "a6a5", "h5f7")
    for uci in moves:
        board.push_uci(uci)
    assert board.is_checkmate()
    return moves


@pytest.mark.parametrize("plies", [145, 149])
def test_mate_before_or_at_75_moves(plies: int) -> None:
    """Mate on the last of the 150 plies comes before the draw (FIDE 9.6.2)."""
    moves = (*wander(SLOW_OPENING, plies, QUEENSIDE), "d1h5")
    check_game(game("Qh5#", len(moves) - 1, moves))


@pytest.mark.parametrize("plies", [151, 153])
def test_a_draw_by_75_moves(plies: int) -> None:
    moves = (*wander(SLOW_OPENING, plies, QUEENSIDE), "d1h5")
    drawn = len(SLOW_OPENING) + 151
    with pytest.raises(GameError, match=f"ply {drawn}: the game is drawn by 75 moves"):
        check_game(game("Qh5#", len(moves) - 1, moves))


def test_what_games_share_is_replayed_once_and_right() -> None:
    checker = Recorder()
    other = ("f2f3", "e7e6", "g2g4", "d8h4")
    from_the_first = ("f2f4", *FOOLS_MATE[1:])
    for _ in range(2):
        for ply, san in enumerate(("f4", "e5", "g4", "Qh4#")):
            shown = game(san, ply, from_the_first)
            assert checker.check(shown) == check_game(shown)
        assert checker.check(game("e5", 1)) == check_game(game("e5", 1))
        assert checker.check(game("e6", 1, other)) == check_game(game("e6", 1, other))
        assert checker.check(game("Qh4#", 3)) == check_game(game("Qh4#", 3))
        for wrong in (
            game("Qh4#", 3, (*FOOLS_MATE[:3], "d8h5")),
            game("Qh4#", 3, (*FOOLS_MATE, "a2a3")),
            game("f3", 0, FOOLS_MATE[:2]),
            game("Qh4#", 19, (*SHUFFLE * 4, *FOOLS_MATE)),
        ):
            with pytest.raises(GameError):
                checker.check(wrong)


TO_BARE_KINGS = line(
    "g1h3 g7g5 h3g5 b7b5 g5h7 h8h7 a2a4 h7h2 a4b5 h2g2 a1a7 g2f2 a7c7 f2f1 h1f1 d8c7 "
    "f1f7 c7c2 f7e7 g8e7 d1c2 b8c6 c2c6 d7c6 b5c6 e7c6 b2b4 f8b4 b1a3 b4d2 e1d2 a8a3 "
    "c1a3 c6b4 a3b4 c8a6 d2d1 a6e2 d1e2 e8f7 b4e7 f7e7"
)
