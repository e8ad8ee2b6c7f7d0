"""Games against the Laws of Chess, and against python-chess's own judgement of a game."""

from collections import Counter

import chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sanproof.proofs.kernel.files import EvidenceError
from sanproof.proofs.kernel.games import GameError, Replay, Shown, check_games
from sanproof.proofs.rules.cubes import exchanged_ranks
from tests.examples import examples
from tests.proofs.kernel.evidence import Game, games_of, part, published, replay, shows, written

SHUFFLE = "g1f3 g8f6 f3g1 f6g8 "


def oracle(game: Game) -> Shown | None:
    return Shown(game.san, game.white) if shows(*game) else None


def check(moves: str, ply: int, san: str) -> Shown:
    return Replay().check(moves.split(), ply, san)


@st.composite
def games(draw: st.DrawFn) -> Game:
    """Return a published game, some ply of it, and what is played there; or a change of it."""
    moves = draw(st.sampled_from(games_of(part()))).moves
    ply = draw(st.integers(1, len(moves)))
    san = replay(moves[: ply - 1]).san(chess.Move.from_uci(moves[ply - 1]))
    at = draw(st.integers(0, len(moves) - 1))
    board = replay(moves[:at])
    others = [move.uci() for move in (*board.legal_moves, *board.pseudo_legal_moves)]
    changes = [
        Game(moves, ply, san),
        Game((*moves[:at], draw(st.sampled_from(others)), *moves[at + 1 :]), ply, san),
        Game((*moves[:at], *moves[at + 1 :]), ply, san),
        Game((*moves[:at], moves[at], *moves[at:]), ply, san),
        Game(moves[:at], ply, san),
        Game(moves, at + 1, san),
        Game(moves, ply, san.rstrip("+#")),
        Game((*SHUFFLE.split(), *moves), ply + 4, san),
    ]
    return draw(st.sampled_from([changes[0], *changes]))


@settings(max_examples=examples(200))
@given(st.lists(games(), min_size=1, max_size=4), st.booleans())
def test_games_in_a_row_hold_exactly_if_the_oracle_says_so(found: list[Game], like: bool) -> None:
    """Also after one that is wrong, and after the other player's, which most moves come from."""
    replayed, by_san = Replay(), {game.san: game for game in games_of(part())}
    for game in found:
        before = by_san.get(exchanged_ranks(game.san)) if like else None
        for one in filter(None, (before, game)):
            said = "game of "
            try:
                shown = replayed.check_exchanged(*one) or replayed.check(*one)
            except GameError as error:
                shown, said = None, str(error)
            assert shown == oracle(one)
            assert said.startswith("game of ")
            assert said.isprintable()


# --- Known games, and what is wrong with them ---

ILLEGAL = "is not legal in "
UNFINISHED = "it does not end in checkmate"
FIVEFOLD = "the game is drawn by fivefold repetition"
FOOLS_MATE = "f2f3 e7e5 g2g4 d8h4"
STALEMATE = (
    "e2e3 a7a5 d1h5 a8a6 h5a5 h7h5 h2h4 a6h6 a5c7 f7f6 c7d7 e8f7 d7b7 d8d3 b7b8 d3h7 b8c8 f7g6 c8e6"
)
ILLEGAL_GAMES = {
    "no such piece": "f2f5 e7e5 g2g4 d8h4",
    "the other player's": "f2f3 e2e4 g2g4 d8h4",
    "a queen that promotes": "f2f3 e7e5 g2g4 d8h4q",
    "a null move": "0000 e7e5 g2g4 d8h4",
    "a pinned pawn": "e2e4 a7a6 d1h5 f7f6",
    "the king stays in check": "e2e4 f7f6 d1h5 a7a6",
    "after mate": f"{FOOLS_MATE} a2a3",
    "after stalemate": f"{STALEMATE} a2a3",
    "in passing, late": "e2e4 a7a6 e4e5 d7d5 a2a3 a6a5 e5d6",
    "castling with the bishop between": "e2e4 e7e5 g1f3 b8c6 e1g1",
    "castling through check": "e2e4 b7b6 g1f3 c8a6 g2g3 e7e6 f1h3 b8c6 d2d3 h7h6 d3d4 h6h5 e1g1",
}
OPENED = "e2e4 e7e5 g1f3 g8f6 f1e2 f8e7 "
KINGS = "e1f1 e8f8 f1e1 f8e8 "
MATES = "f3d4 f6g8 d4f5 e7b4 e2c4 a7a6 d1h5 a6a5 h5f7"
BLACK_SHUFFLE = "g8f6 g1f3 f6g8 f3g1 "
BLACK_MATES = "e7e5 f2f3 h7h6 g2g4 d8h4"
PASSED = "g1f3 b7b5 f3g1 b5b4 a2a4 "
TAKEN, QUIET = "e2e4 d7d5 e4d5 g8f6 ", "g1f3 f6g8 f3g1 g8f6 "
TAKEN_MATES = "f2f3 e7e5 g2g4 a7a6 a2a3 f6g8 a3a4"


def quiet_plies(plies: int) -> str:
    """Return a game with moves of pieces back and forth, seldom to the same position, then mate."""
    squares = chess.BB_FILE_A | chess.BB_FILE_B | chess.BB_FILE_C
    board = replay(["e2e4", "g7g5", "a2a3", "f7f6", "d2d4"])
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
    return " ".join([*(move.uci() for move in board.move_stack), "d1h5"])


WHOLE = {
    **{name: (moves, ILLEGAL) for name, moves in ILLEGAL_GAMES.items()},
    "one ply": ("f2f3", UNFINISHED),
    "before mate": ("f2f3 e7e5 g2g4", UNFINISHED),
    "check": ("f2f3 e7e5 a2a3 d8h4", UNFINISHED),
    "stalemate": (STALEMATE, UNFINISHED),
    **{
        f"{n + 1} occurrences": (SHUFFLE * n + FOOLS_MATE, FIVEFOLD if n > 3 else "")
        for n in range(7)
    },
    # The first of the occurrences is not the first position of the game.
    "four after a capture": (TAKEN + QUIET * 3 + TAKEN_MATES, UNFINISHED),
    "five after a capture": (TAKEN + QUIET * 4 + TAKEN_MATES, FIVEFOLD),
    # The first time, a side could still castle: that is another position (FIDE 9.2.3.2).
    "other rights": (OPENED + KINGS * 4 + MATES, ""),
    "the same rights": (OPENED + KINGS * 5 + MATES, FIVEFOLD),
    "a pawn that may be taken": (PASSED + BLACK_SHUFFLE * 4 + BLACK_MATES, ""),
    "one that may not": (PASSED + BLACK_SHUFFLE * 5 + BLACK_MATES, FIVEFOLD),
    "a pawn that nobody can take": ("a2a4 " + BLACK_SHUFFLE * 3 + BLACK_MATES, ""),
    "and once more": ("a2a4 " + BLACK_SHUFFLE * 4 + BLACK_MATES, FIVEFOLD),
    # Mate on the last of the 150 plies comes before the draw (FIDE 9.6.2).
    **{
        f"{n + 1} quiet plies": (quiet_plies(n), "drawn by 75 moves" if n > 149 else "")
        for n in (147, 149, 151)
    },
}
"""Moves, and what is wrong with them, if anything."""


@pytest.mark.parametrize(("line", "said"), WHOLE.values(), ids=WHOLE)
def test_a_whole_game_holds_exactly_if_the_oracle_says_so(line: str, said: str) -> None:
    """Whatever ply is shown: before, at or after the move that is wrong."""
    moves = tuple(line.split())
    sans, mates = written(moves)
    assert mates == (not said)
    wrong = f", ply {len(sans) + 1}" if len(sans) < len(moves) else ""
    for ply in {1, 2, len(sans), len(sans) + 1, len(moves)} & {*range(1, len(moves) + 1)}:
        san = sans[ply - 1] if ply <= len(sans) else "f3"
        if mates:
            assert check(line, ply, san) == Shown(san, ply % 2 == 1)
            continue
        with pytest.raises(GameError) as caught:
            check(line, ply, san)
        assert str(caught.value).startswith(f"game of {san}{wrong}: ")
        assert said in str(caught.value)


@pytest.mark.parametrize("ply", [-1, 0, 5])
def test_a_ply_is_one_of_the_game(ply: int) -> None:
    with pytest.raises(GameError, match=rf"^game of Qh4#: ply {ply} is none of its 4$"):
        check(FOOLS_MATE, ply, "Qh4#")


CASTLINGS = {
    "e1g1": ("e2e4 e7e5 g1f3 b8c6 f1c4 f8c5", "e1h1"),
    "e1c1": ("d2d4 d7d5 c1f4 c8f5 b1c3 b8c6 d1d2 d8d7", "e1a1"),
    "e8g8": ("e2e4 e7e5 g1f3 g8f6 f1c4 f8c5 b1c3", "e8h8"),
    "e8c8": ("d2d4 d7d5 c1f4 c8f5 b1c3 b8c6 d1d2 d8d7 g1f3", "e8a8"),
}


def test_castling_is_the_kings_move() -> None:
    """python-chess takes the king's move onto its rook as well."""
    for uci, (start, other) in CASTLINGS.items():
        with pytest.raises(GameError, match=UNFINISHED):
            check(f"{start} {uci}", 1, start[2:4])
        assert replay(start.split()).is_legal(chess.Move.from_uci(other))
        with pytest.raises(GameError, match=f"{other} is written {uci} in UCI"):
            check(f"{start} {other}", 1, start[2:4])


# --- What a game shares with the one before ---


def counting() -> tuple[Replay, list[object]]:
    """Return a replay, and the moves that it plays."""
    moves: list[object] = []
    return Replay(lambda _, move: moves.append(move)), moves


def test_shared_moves_are_played_once_and_others_taken_back() -> None:
    replayed, played = counting()
    games = (FOOLS_MATE, FOOLS_MATE, "f2f3 e7e6 g2g4 d8h4", SHUFFLE * 3 + FOOLS_MATE)
    for line, so_far in zip(games, (4, 5, 8, 24), strict=True):
        moves = line.split()
        assert replayed.check(moves, len(moves), "Qh4#") == Shown("Qh4#", white=False)
        assert replayed.board.fen() == replay(moves).fen()
        assert len(played) == so_far


SHARED = "g1f3 f7f6 f1d3 g7g5 e1g1 a5a4 f3d4 a4a3 d1h5"
CASTLES = f"e2e3 a7a5 {SHARED}".split()
BLACK_CASTLES = f"a2a3 e7e6 a3a4 {exchanged_ranks(SHARED)}".split()


def test_a_game_that_ends_as_the_last_one_is_not_played() -> None:
    replayed, moves = counting()
    sans, _ = written(tuple(CASTLES))
    for ply, san in list(enumerate(sans, 1))[2:]:
        ours = CASTLES, ply, san
        theirs = BLACK_CASTLES, ply + 1, exchanged_ranks(san)
        for played, other in ((ours, theirs), (theirs, ours)):
            replayed.check(*played)
            before = len(moves)
            shown = replayed.check_exchanged(*other)
            assert len(moves) == before
            assert shown == Replay().check(*other)
            assert replayed.check_exchanged(*played) is None
            line, at, exchanged = other
            for wrong in ((at - 1, exchanged), (at, "Nf3+"), (99, exchanged)):
                assert replayed.check_exchanged(line, *wrong) is None


def test_the_last_game_must_hold_and_share_the_move_that_is_shown() -> None:
    replayed = Replay()
    assert replayed.check_exchanged(BLACK_CASTLES, 8, "O-O") is None
    replayed.check(CASTLES, 7, "O-O")
    with pytest.raises(GameError):
        replayed.check(CASTLES, 7, "O-O+")
    assert replayed.check_exchanged(BLACK_CASTLES, 8, "O-O") is None
    for ply, san, exchanged in ((1, "e3", "e6"), (2, "a5", "a4")):
        replayed.check(CASTLES, ply, san)
        assert replayed.check_exchanged(BLACK_CASTLES, ply + 1, exchanged) is None


OURS, THEIRS = " ".join(CASTLES), " ".join(BLACK_CASTLES)
TRIANGLE, WHITE_MATES = "d1c2 b8a6 c2b3 a6b8 b3d1", "f7f6 e2e3 g7g5 d1h5"
UNEQUAL = {
    "an illegal move before": (OURS, THEIRS.replace("a3a4", "a3a5"), "legal"),
    "another man": (OURS, THEIRS.replace("a3a4", "b2b4"), "a4a5 is not"),
    "a king that has moved": (
        OURS,
        THEIRS.replace("a3a4", "g1f3 e8e7 f3g1 e7e8 a3a4", 1),
        "e8g8 is not legal",
    ),
    "another end": (OURS, THEIRS.replace("d8h4", "d8g5"), "writes its move as Qg5"),
    "a move between": (OURS, THEIRS.replace("a5a6 d8h4", "b2b3 b7b6 a5a6 d8h4"), ""),
    "moves before that count for a draw": (  # the queen loses a move
        "c2c3 c7c6 f2f3 e7e6 g2g4 d8h4",
        f"c2c3 c7c6 {TRIANGLE} {WHITE_MATES}",
        "",
    ),
    "four occurrences before": (
        f"c2c3 c7c6 {SHUFFLE * 2}f2f3 e7e6 g2g4 d8h4",
        f"c2c3 c7c6 {TRIANGLE} {BLACK_SHUFFLE * 2}{exchanged_ranks(SHUFFLE * 2)}{WHITE_MATES}",
        "fivefold",
    ),
}


@pytest.mark.parametrize(("line", "other", "said"), UNEQUAL.values(), ids=UNEQUAL)
def test_a_game_that_is_not_the_same_is_played(line: str, other: str, said: str) -> None:
    moves, others = line.split(), tuple(other.split())
    assert other != THEIRS
    san = written(tuple(moves))[0][-1]
    asked = Game(others, len(others), exchanged_ranks(san))
    replayed = Replay()
    replayed.check(moves, len(moves), san)
    assert replayed.check_exchanged(*asked) is None
    if said:
        with pytest.raises(GameError, match=said):
            replayed.check(*asked)
        assert oracle(asked) is None
    else:
        assert replayed.check(*asked) == oracle(asked) is not None


# --- Lines ---

LINE = f"{FOOLS_MATE} 4 Qh4#"


def test_lines_are_read_in_their_order() -> None:
    games = games_of(part())
    lines = [LINE, LINE, *map(str, games)]
    shown = [Shown(game.san, game.white) for game in games]
    assert check_games(lines) == [*[Shown("Qh4#", white=False)] * 2, *shown]


PLIES = ("-4", "+4", "0004", "0", "00004", "four", "\xb2", "4" * 5000)
NO_LINES = [
    *("", "Qh4#", f"{FOOLS_MATE} 4", f"{FOOLS_MATE} Qh4#", LINE + " ", "x" * 60_000),
    *(LINE.replace(" Q", "  Q"), *(LINE.replace("4 Q", f"{ply} Q") for ply in PLIES)),
]
NO_MOVES = ["", "f3", "f2f9", "f2-f3", "Qh4#", "f2f2", "F2F3", "x" * 9999]
WRONG = {
    **dict.fromkeys(NO_LINES, "'.{0,80}' does not end a game's line"),
    **{LINE.replace("f2f3", uci): "ply 1: '.{0,20}' is not a move" for uci in NO_MOVES},
    LINE.replace("4 Q", "9999 Q"): "ply 9999 is none of its 4",
    LINE.replace(" g", "  g"): "ply 3: '' is not a move",
    "1 f3": "ply 1: '' is not a move",
    LINE.replace("Qh4#", "Qh4"): "python-chess writes its move as Qh4#",
    LINE.replace("4 Qh4#", "3 Qh4#"): "python-chess writes its move as g4",
}


@pytest.mark.parametrize(("line", "said"), WRONG.items(), ids=range(len(WRONG)))
def test_a_wrong_line_is_named(line: str, said: str) -> None:
    with pytest.raises(EvidenceError, match=rf"^games.txt.xz: (game of .*)?{said}$"):
        check_games([LINE, line])


@pytest.mark.slow
def test_every_published_game_holds_when_it_is_played_whole() -> None:
    """Also those of which the kernel plays the beginning only."""
    lines = games_of(published())
    assert len(lines) > len(published().strings.split("\n"))
    replayed = Replay()
    for game in lines:
        assert replayed.check(*game) == Shown(game.san, game.white)
