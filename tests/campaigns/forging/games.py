"""Forged games: against the Laws of Chess, and against the form of a line."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import cycle, islice
from random import Random
from typing import Final

import chess

from sanproof.proofs.kernel.files import GAMES
from tests.campaigns.forging.model import Files, Forgery, Kind, text_of, with_text
from tests.campaigns.forging.parts import (
    Game,
    is_as_good,
    is_sound,
    read_games,
    replay,
    write_games,
)

Games = list[Game]
Lie = Callable[[Games, Random], Iterable[Game]]

SHUFFLE: Final = ("g1f3", "g8f6", "f3g1", "f6g8")
SLOW_OPENING: Final = ("e2e4", "g7g5", "a2a3", "f7f6", "d2d4")
QUEENSIDE: Final = chess.BB_FILE_A | chess.BB_FILE_B | chess.BB_FILE_C
STALEMATE: Final = (
    *("e2e3", "a7a5", "d1h5", "a8a6", "h5a5", "h7h5", "h2h4", "a6h6", "a5c7", "f7f6"),
    *("c7d7", "e8f7", "d7b7", "d8d3", "b7b8", "d3h7", "b8c8", "f7g6", "c8e6"),
)
WHITE_TOUR: Final = ("b1a3", "a3c4", "c4e3", "e3d5", "d5c3", "c3b1")
BLACK_TOUR: Final = (
    *("g8h6", "h6f5", "f5h4", "h4g6", "g6f4"),
    *("f4h5", "h5g3", "g3e4", "e4f6", "f6g8"),
)
"""Two knights' ways back to where they began: both are there again after 30 moves each."""
CASTLED: Final[dict[str, str]] = {
    "after the king moved": "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1e2 a7a6 e2e1 a6a5 e1g1",
    "after the rook moved": "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 h1g1 a7a6 g1h1 a6a5 e1g1",
    "with the bishop between": "e2e4 e7e5 g1f3 b8c6 e1g1",
    "without the rook": "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 h2h4 a7a6 h1h3 a6a5 e1g1",
    "out of check": "e2e4 e7e5 g1f3 c7c6 f1e2 a7a6 d2d3 d8a5 e1g1",
    "through check": "e2e4 b7b6 g1f3 c8a6 g2g3 e7e6 f1h3 b8c6 d2d3 h7h6 d3d4 h6h5 e1g1",
    "into check": "e2e4 e7e5 f2f4 f8c5 g1f3 g8h6 f1e2 h6g4 f4e5 a7a6 e1g1",
}


@cache
def wander(opening: Sequence[str], plies: int, squares: chess.Bitboard) -> tuple[str, ...]:
    """Return the opening, then moves of pieces back and forth, seldom to the same position."""
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


# --- Lies about one game, or about all ---


def of_one_game(change: Callable[[Game, Random], Game]) -> Lie:
    """Change one of the games."""

    def changed(games: Games, random: Random) -> Games:
        at = random.randrange(len(games))
        return [*games[:at], change(games[at], random), *games[at + 1 :]]

    return changed


def one_player_missing(games: Games, random: Random) -> Games:
    parity = random.randrange(2)
    return [game for game in games if game.ply % 2 == parity]


def another_way(games: Games, random: Random) -> Games:
    """Return a second game for a string that has one already: true, and padding."""
    return [*games, random.choice(games).after(SHUFFLE)]


def another_legal_move(game: Game, random: Random) -> Game:
    at = random.randrange(len(game.moves))
    return game.with_move(at, random.choice(list(replay(game.moves[:at]).legal_moves)).uci())


def an_illegal_move(game: Game, random: Random) -> Game:
    at = random.randrange(len(game.moves))
    legal = {move.uci() for move in replay(game.moves[:at]).legal_moves}
    a, b = random.sample(chess.SQUARE_NAMES, 2)
    strange = ["0000", "e1e1", "a9a1", "e4", "N@e4", "e2e4e5", "x" * 80, a + b, *game.moves]
    return game.with_move(at, random.choice([text for text in strange if text not in legal]))


def not_canonical(game: Game, random: Random) -> Game:
    """Return a move written as any reader understands it, and as UCI does not."""
    at = random.randrange(len(game.moves))
    text = game.moves[at]
    san = replay(game.moves[:at]).san(chess.Move.from_uci(text))
    spellings = [text.upper(), f"{text[:2]}-{text[2:]}", f"{text[:2]}x{text[2:]}", f"{text}q", san]
    return game.with_move(at, random.choice(spellings))


def pawn_left_on_the_last_rank(game: Game, random: Random) -> Game:
    promotions = [i for i, text in enumerate(game.moves) if len(text) == 5]
    at = random.choice(promotions or [0])
    return game.with_move(at, game.moves[at][:4] + random.choice(("", "k", "p")))


def no_mate(game: Game, random: Random) -> Game:
    if game.ply == len(game.moves):
        return game._replace(moves=game.moves[:-1])
    return game._replace(moves=game.moves[: random.randrange(game.ply, len(game.moves))])


def on_after_mate(game: Game, random: Random) -> Game:
    more = random.choice((game.moves, ("a7a6",), ("e8e7",), ("e1e2",), game.moves[-1:]))
    return game._replace(moves=(*game.moves, *more))


def drawn_by_75_moves(game: Game, _: Random) -> Game:
    tours = zip(cycle(WHITE_TOUR), cycle(BLACK_TOUR), strict=False)
    return game.after([move for pair in islice(tours, 90) for move in pair])


OWN: Final[dict[str, Lie]] = {
    "one player's missing": one_player_missing,
    "a second game": another_way,
    "another legal move": of_one_game(another_legal_move),
    "an illegal move": of_one_game(an_illegal_move),
    "not canonical": of_one_game(not_canonical),
    "a pawn on the last rank": of_one_game(pawn_left_on_the_last_rank),
    "no mate": of_one_game(no_mate),
    "on after mate": of_one_game(on_after_mate),
    "drawn by repetition": of_one_game(lambda game, _: game.after(SHUFFLE * 4)),
    "drawn by 75 moves": of_one_game(drawn_by_75_moves),
}


def until_false(lie: Lie, games: Games, random: Random) -> Games:
    """Return what the lie makes of the games; it is told again while it changes nothing."""
    while True:
        told = sorted(lie(games, random), key=str)
        is_alike = len(set(told)) == len(told) == len(games)
        if not (is_alike and all(map(is_sound, set(told).difference(games)))):
            return told


def lying(lie: Lie) -> Kind:
    """Tell a lie in the file that the kernel reads; its lines are sorted."""

    def forge(files: Files, random: Random) -> Forgery:
        old = text_of(files, GAMES)
        text = write_games(until_false(lie, read_games(old), random))
        return Forgery(with_text(files, GAMES, text), is_as_good(GAMES, old, text))

    return forge


EVIDENCE: Final[dict[str, Kind]] = {f"games: {name}": lying(lie) for name, lie in OWN.items()}
