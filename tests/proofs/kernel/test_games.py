"""Games against the Laws of Chess, and against python-chess's own judgement of a game."""

from collections.abc import Sequence
from itertools import count

import chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sanproof.proofs.kernel.files import EvidenceError
from sanproof.proofs.kernel.games import GameError, Push, Replay, Shown, check_games
from sanproof.proofs.rules.cubes import exchanged_ranks
from tests.campaigns.forging.games import (
    CASTLED,
    QUEENSIDE,
    SHUFFLE,
    SLOW_OPENING,
    STALEMATE,
    wander,
)
from tests.campaigns.forging.parts import Game, read_games, replay
from tests.examples import examples
from tests.proofs.kernel.evidence import part, published

FOOLS_MATE = ("f2f3", "e7e5", "g2g4", "d8h4")
BLACK_SHUFFLE = ("g8f6", "g1f3", "f6g8", "f3g1")
BLACK_MATES = ("e7e5", "f2f3", "h7h6", "g2g4", "d8h4")


def check(moves: Sequence[str], ply: int, san: str) -> Shown:
    return Replay().check(moves, ply, san)


def oracle(moves: Sequence[str], ply: int, san: str) -> Shown | None:
    """By python-chess's own rule for when a game is over, and its list of legal moves."""
    board = chess.Board()
    shown = None
    for number, uci in zip(count(1), moves, strict=False):
        legal = {move.uci(): move for move in board.legal_moves}
        if board.outcome() is not None and not board.is_insufficient_material():
            return None
        if uci not in legal:
            return None
        if number == ply and board.san(legal[uci]) == san:
            shown = Shown(san, white=board.turn)
        board.push(legal[uci])
    return shown if board.is_checkmate() else None


@st.composite
def played(draw: st.DrawFn) -> Game:
    """A game of the published ones, some ply of it, and what is played there."""
    game = draw(st.sampled_from(read_games(part().games)))
    ply = draw(st.integers(1, len(game.moves)))
    board = replay(game.moves[: ply - 1])
    return Game(game.moves, ply, board.san(chess.Move.from_uci(game.moves[ply - 1])))


@st.composite
def changed(draw: st.DrawFn) -> Game:
    """A game like that, with a change of a move, of the ply or of the string."""
    game = draw(played())
    at = draw(st.integers(0, len(game.moves) - 1))
    board = replay(game.moves[:at])
    moves = [move.uci() for move in (*board.legal_moves, *board.pseudo_legal_moves)]
    other = draw(st.sampled_from(moves))
    return draw(
        st.sampled_from(
            [
                game.with_move(at, other),
                game._replace(moves=(*game.moves[:at], *game.moves[at + 1 :])),
                game._replace(moves=(*game.moves[:at], game.moves[at], *game.moves[at:])),
                game._replace(moves=game.moves[:at]),
                game._replace(ply=at + 1),
                game._replace(san=game.san.rstrip("+#")),
                game.after(SHUFFLE),
            ]
        )
    )


@settings(max_examples=examples(60))
@given(played())
def test_a_published_game_shows_each_of_its_moves(game: Game) -> None:
    shown = check(*game)
    assert shown == Shown(game.san, white=game.white)
    assert shown == oracle(*game)


@settings(max_examples=examples(150))
@given(changed())
def test_a_changed_game_holds_exactly_if_the_oracle_says_so(game: Game) -> None:
    expected = oracle(*game)
    if expected is not None:
        assert check(*game) == expected
        return
    with pytest.raises(GameError, match=r"^game of ") as caught:
        check(*game)
    assert str(caught.value).isprintable()


@pytest.mark.parametrize(
    ("ply", "san", "white"),
    [(1, "f3", True), (2, "e5", False), (3, "g4", True), (4, "Qh4#", False)],
)
def test_every_move_of_a_game_can_be_shown(ply: int, san: str, white: bool) -> None:
    assert check(FOOLS_MATE, ply, san) == Shown(san, white)


@pytest.mark.parametrize(
    ("ply", "san", "message"),
    [
        (4, "Qh4", "game of Qh4: python-chess writes its move as Qh4#"),
        (1, "f4", "game of f4: python-chess writes its move as f3"),
        (5, "Qh4#", "game of Qh4#: ply 5 is none of its 4"),
        (0, "Qh4#", "game of Qh4#: ply 0 is none of its 4"),
        (-1, "g4", "game of g4: ply -1 is none of its 4"),
    ],
)
def test_a_wrong_string_or_ply(ply: int, san: str, message: str) -> None:
    with pytest.raises(GameError, match=rf"^{message}$"):
        check(FOOLS_MATE, ply, san)


def test_a_game_without_moves() -> None:
    with pytest.raises(GameError, match="ply 1 is none of its 0"):
        check([], 1, "f3")


ILLEGAL: dict[str, tuple[Sequence[str], int]] = {
    "no such piece": (("f2f5", *FOOLS_MATE[1:]), 1),
    "the other player's": (("f2f3", "e2e4", *FOOLS_MATE[2:]), 2),
    "another way": ((*FOOLS_MATE[:3], "d8h5"), 4),
    "a queen that promotes": ((*FOOLS_MATE[:3], "d8h4q"), 4),
    "a null move": (("0000", *FOOLS_MATE[1:]), 1),
    "a piece dropped": (("N@e4", *FOOLS_MATE[1:]), 1),
    "castling at once": (("e1g1", *FOOLS_MATE[1:]), 1),
    "a pinned pawn": (("e2e4", "a7a6", "d1h5", "f7f6"), 4),
    "the king stays in check": (("e2e4", "f7f6", "d1h5", "a7a6"), 4),
    "after mate": ((*FOOLS_MATE, "a2a3"), 5),
    "after stalemate": ((*STALEMATE, "a2a3"), len(STALEMATE) + 1),
    "in passing, too late": (("e2e4", "a7a6", "e4e5", "d7d5", "a2a3", "a6a5", "e5d6"), 7),
    "in passing, after a single step": (
        ("e2e4", "d7d6", "e4e5", "a7a6", "a2a3", "d6d5", "e5d6"),
        7,
    ),
    **{f"castling {how}": (moves.split(), len(moves.split())) for how, moves in CASTLED.items()},
}


@pytest.mark.parametrize(("moves", "ply"), ILLEGAL.values(), ids=ILLEGAL)
@pytest.mark.parametrize("shown", [1, None])
def test_an_illegal_move(moves: Sequence[str], ply: int, shown: int | None) -> None:
    """Before, at or after the move that is shown."""
    with pytest.raises(GameError, match=rf", ply {ply}: {moves[ply - 1]} is not legal in \S+"):
        check(moves, shown or len(moves), "f3")


@pytest.mark.parametrize("uci", ["", "f3", "f2f9", "f2-f3", "Qh4#", "f2f2", "F2F3", "x" * 9999])
def test_a_move_that_cannot_be_read(uci: str) -> None:
    with pytest.raises(GameError, match=r", ply 1: '.{0,20}' is not a move$"):
        check((uci, *FOOLS_MATE[1:]), 4, "Qh4#")


UNFINISHED: dict[str, Sequence[str]] = {
    "one ply": FOOLS_MATE[:1],
    "before mate": FOOLS_MATE[:3],
    "check": ("f2f3", "e7e5", "a2a3", "d8h4"),
    "stalemate": STALEMATE,
}


@pytest.mark.parametrize("moves", UNFINISHED.values(), ids=UNFINISHED)
def test_a_game_that_does_not_end_in_mate(moves: Sequence[str]) -> None:
    san = chess.Board().san(chess.Move.from_uci(moves[0]))
    with pytest.raises(GameError, match=rf"^game of {san}: it does not end in checkmate$"):
        check(moves, 1, san)


def test_a_check_that_is_shown_at_the_end_does_not_mate() -> None:
    with pytest.raises(GameError, match=r"^game of Qh4\+: it does not end in checkmate$"):
        check(UNFINISHED["check"], 4, "Qh4+")


# --- Fivefold repetition ---


@pytest.mark.parametrize("times", [0, 1, 2, 3])
def test_four_occurrences_are_no_draw(times: int) -> None:
    moves = (*SHUFFLE * times, *FOOLS_MATE)
    assert check(moves, len(moves), "Qh4#") == oracle(moves, len(moves), "Qh4#") is not None


@pytest.mark.parametrize("times", [4, 5, 6])
def test_the_fifth_occurrence_is_a_draw(times: int) -> None:
    moves = (*SHUFFLE * times, *FOOLS_MATE)
    assert oracle(moves, len(moves), "Qh4#") is None
    with pytest.raises(GameError, match=r", ply 17: the game is drawn by fivefold repetition$"):
        check(moves, len(moves), "Qh4#")


@pytest.mark.parametrize("ply", [1, 16, 17, 18])
def test_a_draw_is_noticed_before_at_and_after_the_move_shown(ply: int) -> None:
    moves = (*SHUFFLE * 4, *FOOLS_MATE)
    with pytest.raises(GameError, match=r", ply 17: the game is drawn by fivefold repetition$"):
        check(moves, ply, "Nf3")


def test_occurrences_that_a_game_shares_with_the_one_before_count() -> None:
    games = Replay()
    for times in (2, 3):
        moves = (*SHUFFLE * times, *FOOLS_MATE)
        assert games.check(moves, len(moves), "Qh4#").san == "Qh4#"
    moves = (*SHUFFLE * 4, *FOOLS_MATE)
    with pytest.raises(GameError, match="fivefold repetition"):
        games.check(moves, len(moves), "Qh4#")


def test_a_fifth_occurrence_after_a_capture_and_more() -> None:
    """The first of the five is not the first position of the game."""
    opening = ("e2e4", "d7d5", "e4d5", "g8f6")
    quiet = ("g1f3", "f6g8", "f3g1", "g8f6")
    for times, drawn in ((3, False), (4, True)):
        moves = (*opening, *quiet * times, "f2f3", "e7e5", "g2g4", "a7a6", "a2a3", "f6g8", "a3a4")
        board = replay(opening)
        assert board.halfmove_clock == 1
        with pytest.raises(GameError, match="fivefold" if drawn else "does not end in checkmate"):
            check(moves, 1, "e4")


def mating_moves(board: chess.Board) -> tuple[str, ...]:
    """From the position with the kings at home: White's queen mates on f7."""
    moves = ("f3d4", "f6g8", "d4f5", "e7b4", "e2c4", "a7a6", "d1h5", "a6a5", "h5f7")
    for uci in moves:
        board.push_uci(uci)
    assert board.is_checkmate()
    return moves


def test_positions_with_other_rights_are_not_the_same() -> None:
    """The first time, somebody could still castle: that is another position (FIDE 9.2.3.2)."""
    opening = ("e2e4", "e7e5", "g1f3", "g8f6", "f1e2", "f8e7")
    kings = ("e1f1", "e8f8", "f1e1", "f8e8")
    moves = (*opening, *kings * 4)
    board = replay(moves)
    assert board.board_fen() == replay(opening).board_fen()
    check((*moves, *mating_moves(board)), 1, "e4")
    again = (*moves, *kings)
    with pytest.raises(GameError, match="fivefold repetition"):
        check((*again, *mating_moves(replay(again))), 1, "e4")


def test_a_pawn_that_may_be_taken_in_passing_makes_another_position() -> None:
    opening = ("g1f3", "b7b5", "f3g1", "b5b4", "a2a4")
    assert replay(opening).has_legal_en_passant()
    check((*opening, *BLACK_SHUFFLE * 4, *BLACK_MATES), 5, "a4")
    with pytest.raises(GameError, match="fivefold repetition"):
        check((*opening, *BLACK_SHUFFLE * 5, *BLACK_MATES), 5, "a4")


def test_a_pawn_that_nobody_can_take_in_passing_does_not() -> None:
    check(("a2a4", *BLACK_SHUFFLE * 3, *BLACK_MATES), 1, "a4")
    with pytest.raises(GameError, match="fivefold repetition"):
        check(("a2a4", *BLACK_SHUFFLE * 4, *BLACK_MATES), 1, "a4")


# --- 75 moves ---


@pytest.mark.parametrize("plies", [145, 147, 149])
def test_mate_on_the_150th_ply_or_before(plies: int) -> None:
    """Mate on the last of the 150 plies comes before the draw (FIDE 9.6.2)."""
    moves = (*wander(SLOW_OPENING, plies, QUEENSIDE), "d1h5")
    assert replay(moves).halfmove_clock == plies + 1
    assert check(moves, len(moves), "Qh5#") == oracle(moves, len(moves), "Qh5#") is not None
    assert check(moves, 3, "a3") == Shown("a3", white=True)


@pytest.mark.parametrize("plies", [151, 153])
def test_a_draw_by_75_moves(plies: int) -> None:
    moves = (*wander(SLOW_OPENING, plies, QUEENSIDE), "d1h5")
    drawn = len(SLOW_OPENING) + 151
    assert oracle(moves, len(moves), "Qh5#") is None
    for ply, san in ((len(moves), "Qh5#"), (3, "a3")):
        with pytest.raises(GameError, match=f", ply {drawn}: the game is drawn by 75 moves"):
            check(moves, ply, san)


# --- Several games ---


def test_what_games_share_is_replayed_once_and_right() -> None:
    replayed = Replay()
    other = ("f2f3", "e7e6", "g2g4", "d8h4")
    from_the_first = ("f2f4", *FOOLS_MATE[1:])
    for _ in range(2):
        for ply, san in enumerate(("f4", "e5", "g4", "Qh4#"), 1):
            assert replayed.check(from_the_first, ply, san) == check(from_the_first, ply, san)
            assert replayed.board.fen() == replay(from_the_first).fen()
        for moves, ply, san in ((FOOLS_MATE, 2, "e5"), (other, 2, "e6"), (FOOLS_MATE, 4, "Qh4#")):
            assert replayed.check(moves, ply, san) == check(moves, ply, san)
            assert replayed.board.fen() == replay(moves).fen()
        wrong: list[tuple[Sequence[str], int, str]] = [
            ((*FOOLS_MATE[:3], "d8h5"), 4, "Qh4#"),
            ((*FOOLS_MATE, "a2a3"), 4, "Qh4#"),
            (FOOLS_MATE[:2], 1, "f3"),
            ((*SHUFFLE * 4, *FOOLS_MATE), 20, "Qh4#"),
            (("f2f3", "f2f3", "g2g4", "d8h4"), 4, "Qh4#"),
        ]
        for game in wrong:
            with pytest.raises(GameError):
                replayed.check(*game)


class Counting(Replay):
    """Counts how many moves it plays."""

    def __init__(self) -> None:
        super().__init__()
        self.played = 0

    def _push(self, move: chess.Move, text: str, push: Push) -> str | None:
        self.played += 1
        return super()._push(move, text, push)


def test_moves_that_two_games_share_are_played_once() -> None:
    counting = Counting()
    counting.check(FOOLS_MATE, 4, "Qh4#")
    assert counting.played == 4
    counting.check((*FOOLS_MATE[:3], "d8h4"), 4, "Qh4#")
    assert counting.played == 5
    counting.check(("f2f3", "e7e6", "g2g4", "d8h4"), 4, "Qh4#")
    assert counting.played == 8


def test_published_games_in_a_row() -> None:
    found = read_games(part().games)
    lines = [str(game) for game in found]
    assert check_games(lines) == [Shown(game.san, game.white) for game in found]
    assert check_games([]) == []


# --- The same moves with the colours exchanged ---

SHARED = ["g1f3", "f7f6", "f1d3", "g7g5", "e1g1", "a5a4", "f3d4", "a4a3", "d1h5"]
CASTLES = ("e2e3", "a7a5", *SHARED)
BLACK_CASTLES = ("a2a3", "e7e6", "a3a4", *map(exchanged_ranks, SHARED))
TRIANGLE = ("d1c2", "b8a6", "c2b3", "a6b8", "b3d1")


def test_a_game_that_ends_as_the_last_one_is_not_played() -> None:
    counting = Counting()
    for played, other in ((CASTLES, BLACK_CASTLES), (BLACK_CASTLES, CASTLES)):
        for ply in range(3, len(CASTLES) + 1):
            at = {CASTLES: ply, BLACK_CASTLES: ply + 1}
            board = replay(CASTLES[: ply - 1])
            san = board.san(chess.Move.from_uci(CASTLES[ply - 1]))
            sans = {CASTLES: san, BLACK_CASTLES: exchanged_ranks(san)}
            counting.check(played, at[played], sans[played])
            before = counting.played
            shown = counting.check_exchanged(other, at[other], sans[other])
            assert counting.played == before
            assert shown == check(other, at[other], sans[other])
            assert counting.check_exchanged(played, at[played], sans[played]) is None
            for wrong in ((at[other] - 1, sans[other]), (at[other], "Nf3+"), (99, sans[other])):
                assert counting.check_exchanged(other, *wrong) is None


def test_there_must_be_a_last_game_that_holds() -> None:
    replayed = Replay()
    assert replayed.check_exchanged(BLACK_CASTLES, 8, "O-O") is None
    replayed.check(CASTLES, 7, "O-O")
    with pytest.raises(GameError):
        replayed.check(CASTLES, 7, "O-O+")
    assert replayed.check_exchanged(BLACK_CASTLES, 8, "O-O") is None


def test_what_is_before_must_be_shown_by_itself() -> None:
    """A string that is written before the moves that two games share."""
    replayed = Replay()
    for ply, san, exchanged in ((1, "e3", "e6"), (2, "a5", "a4")):
        replayed.check(CASTLES, ply, san)
        assert replayed.check_exchanged(BLACK_CASTLES, ply + 1, exchanged) is None


UNEQUAL: dict[str, tuple[Sequence[str], Sequence[str], str]] = {
    "an illegal move before": (CASTLES, ("a2a3", "e7e6", "a3a5", *BLACK_CASTLES[3:]), "legal"),
    "another man": (CASTLES, ("a2a3", "e7e6", "b2b4", *BLACK_CASTLES[3:]), "a4a5 is not"),
    "a king that has moved": (
        CASTLES,
        ("a2a3", "e7e6", "g1f3", "e8e7", "f3g1", "e7e8", *BLACK_CASTLES[2:]),
        "e8g8 is not legal",
    ),
    "another end": (CASTLES, (*BLACK_CASTLES[:-1], "d8g5"), "writes its move as Qg5"),
    "a move between": (CASTLES, (*BLACK_CASTLES[:-2], "b2b3", "b7b6", *BLACK_CASTLES[-2:]), ""),
    "four occurrences before": (
        ("c2c3", "c7c6", *SHUFFLE * 2, "f2f3", "e7e6", "g2g4", "d8h4"),
        (
            *("c2c3", "c7c6", *TRIANGLE, *BLACK_SHUFFLE * 2),
            *map(exchanged_ranks, SHUFFLE * 2),
            *("f7f6", "e2e3", "g7g5", "d1h5"),
        ),
        "fivefold",
    ),
}


@pytest.mark.parametrize(("moves", "other", "said"), UNEQUAL.values(), ids=UNEQUAL)
def test_a_game_that_is_not_the_same_is_played(
    moves: Sequence[str], other: Sequence[str], said: str
) -> None:
    board = replay(moves[:-1])
    san = board.san(chess.Move.from_uci(moves[-1]))
    ply, exchanged = len(other), exchanged_ranks(san)
    replayed = Replay()
    replayed.check(moves, len(moves), san)
    if said:
        assert replayed.check_exchanged(other, ply, exchanged) is None
        assert oracle(other, ply, exchanged) is None
        with pytest.raises(GameError, match=said):
            replayed.check(other, ply, exchanged)
    else:
        shown = replayed.check_exchanged(other, ply, exchanged)
        assert (shown or check(other, ply, exchanged)) == oracle(other, ply, exchanged)


def test_what_was_played_before_must_be_forgotten() -> None:
    """The queen loses a move: the same men, but moves that count for a draw went before."""
    moves = ("c2c3", "c7c6", "f2f3", "e7e6", "g2g4", "d8h4")
    other = (*moves[:2], *TRIANGLE, *map(exchanged_ranks, moves[2:]))
    replayed = Replay()
    replayed.check(moves, 6, "Qh4#")
    assert replayed.check_exchanged(other, 11, "Qh5#") is None
    assert replayed.check(other, 11, "Qh5#") == oracle(other, 11, "Qh5#") is not None


@settings(max_examples=examples(60))
@given(changed())
def test_a_game_after_its_like_holds_exactly_if_the_oracle_says_so(game: Game) -> None:
    """After the published game of the other player's, which most of its moves come from."""
    like = next((g for g in read_games(part().games) if g.san == exchanged_ranks(game.san)), None)
    lines = [str(like)] * (like is not None) + [str(game)]
    expected = oracle(*game)
    if expected is not None:
        assert check_games(lines)[-1] == expected
        return
    with pytest.raises(EvidenceError):
        check_games(lines)


# --- Spelling ---

CASTLINGS = {
    "e1g1": ("e2e4 e7e5 g1f3 b8c6 f1c4 f8c5", "e1h1"),
    "e1c1": ("d2d4 d7d5 c1f4 c8f5 b1c3 b8c6 d1d2 d8d7", "e1a1"),
    "e8g8": ("e2e4 e7e5 g1f3 g8f6 f1c4 f8c5 b1c3", "e8h8"),
    "e8c8": ("d2d4 d7d5 c1f4 c8f5 b1c3 b8c6 d1d2 d8d7 g1f3", "e8a8"),
}


@pytest.mark.parametrize(("uci", "start", "other"), [(u, *x) for u, x in CASTLINGS.items()])
def test_castling_is_the_kings_move(uci: str, start: str, other: str) -> None:
    """python-chess takes the king's move onto its rook as well."""
    with pytest.raises(GameError, match="does not end in checkmate"):
        check([*start.split(), uci], 1, chess.Board().san(chess.Move.from_uci(start[:4])))
    assert replay(start.split()).is_legal(chess.Move.from_uci(other))
    with pytest.raises(GameError, match=f"{other} is written {uci} in UCI"):
        check([*start.split(), other], 1, chess.Board().san(chess.Move.from_uci(start[:4])))


# --- Lines ---

LINE = "f2f3 e7e5 g2g4 d8h4 4 Qh4#"


def test_a_line_is_read() -> None:
    assert check_games([LINE, LINE.replace("4 Qh4#", "3 g4")]) == [
        Shown("Qh4#", white=False),
        Shown("g4", white=True),
    ]


END = {
    "no string": "f2f3 e7e5 g2g4 d8h4 4",
    "no ply": "f2f3 e7e5 g2g4 d8h4 Qh4#",
    "a space at the end": LINE + " ",
    "two spaces before the string": LINE.replace(" Q", "  Q"),
    "a negative ply": LINE.replace("4 Q", "-4 Q"),
    "a ply with a sign": LINE.replace("4 Q", "+4 Q"),
    "a ply with a leading zero": LINE.replace("4 Q", "0004 Q"),
    "ply zero": LINE.replace("4 Q", "0 Q"),
    "a ply of five digits": LINE.replace("4 Q", "00004 Q"),
    "a ply of many digits": LINE.replace("4 Q", "4" * 5000 + " Q"),
    "a ply in words": LINE.replace("4 Q", "four Q"),
    "a superscript ply": LINE.replace("4 Q", "\xb2 Q"),
    "nothing": "",
    "one word": "Qh4#",
    "a very long line": "x" * 60_000,
}


@pytest.mark.parametrize("line", END.values(), ids=END)
def test_no_other_end_of_a_line_is_read(line: str) -> None:
    with pytest.raises(
        EvidenceError, match=r"^games.txt.xz: '.{0,80}' does not end a game's line$"
    ):
        check_games([LINE, line])


WRONG = {
    "a ply beyond the game": (LINE.replace("4 Q", "9999 Q"), "ply 9999 is none of its 4"),
    "two spaces between moves": (LINE.replace(" g", "  g"), "ply 3: '' is not a move"),
    "a space in front": (" " + LINE, "ply 1: '' is not a move"),
    "no moves": ("1 f3", "ply 1: '' is not a move"),
    "another string": (LINE.replace("Qh4#", "Qh4"), "python-chess writes its move as Qh4#"),
    "another player": (LINE.replace("4 Qh4#", "3 Qh4#"), "python-chess writes its move as g4"),
}


@pytest.mark.parametrize(("line", "said"), WRONG.values(), ids=WRONG)
def test_a_wrong_line_is_named(line: str, said: str) -> None:
    with pytest.raises(EvidenceError, match=rf"^games.txt.xz: game of .*{said}$"):
        check_games([LINE, line])


def test_a_string_of_any_length_makes_a_short_sentence() -> None:
    with pytest.raises(EvidenceError) as caught:
        check_games([LINE.replace("Qh4#", "Q" * 50_000)])
    assert len(str(caught.value)) <= 300


@pytest.mark.slow
def test_every_published_game_holds_when_it_is_played_whole() -> None:
    """Also those of which the kernel plays the beginning only."""
    lines = read_games(published().games)
    assert len(lines) > len(published().strings.split("\n"))
    replayed = Replay()
    for game in lines:
        assert replayed.check(*game) == Shown(game.san, game.white)
