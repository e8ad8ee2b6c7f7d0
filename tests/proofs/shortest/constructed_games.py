"""A second program for the bounds: games that do on purpose what their clauses speak of.

In its games each player moves a few pieces only, likes to castle, to walk with his king and to
capture what never moved. At each position it asks for what is true there: some pieces on their
squares, some squares empty, a piece to be captured, the king on his square. The game itself says
how many moves that took, where each piece began and what was captured at home: the argument must
ask for no more, of either player.
"""

import random
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import chess

from sanproof.proofs.shortest.bounds import Filling, Scenario, fillings, own_moves, replies

PLANS = (
    (4, 5, 6, 7, 12),
    (4, 5, 6, 7, 14),
    (0, 1, 2, 3, 4, 11),
    (0, 1, 2, 3, 4, 9, 10),
    (3, 4, 11),
    (3, 4, 12),
    (4, 13),
    (0, 8),
    (2, 9),
    (1, 6),
    (10, 11),
)
"""Pieces, by their homes, that castle, walk, capture or promote together."""


class Played:
    """A game under way.

    Attributes:
        board: The position.
        origins: Where the piece on each square began.
        fresh: The pieces that have not moved.
        taken: For each player, how many pieces were captured that never moved.
    """

    def __init__(self) -> None:
        self.board = chess.Board()
        self.origins = {square: square for square in chess.SquareSet(self.board.occupied)}
        self.fresh = set(self.origins)
        self.taken = {chess.WHITE: 0, chess.BLACK: 0}

    def push(self, move: chess.Move) -> None:
        """Play a move."""
        board = self.board
        if move.to_square in self.fresh:
            self.taken[not board.turn] += 1
        self.fresh -= {move.from_square, move.to_square}
        self.origins[move.to_square] = self.origins.pop(move.from_square)
        if board.is_castling(move):
            short = move.to_square > move.from_square
            rook = move.from_square + (3 if short else -4)
            self.fresh.discard(rook)
            self.origins[move.from_square + (1 if short else -1)] = self.origins.pop(rook)
        board.push(move)


class Demand(NamedTuple):
    """What the argument asks of both players, and what they had, if that was less."""

    scenario: Scenario
    own: int
    theirs: int
    moves: tuple[int, int]


def too_much(sans: Sequence[str], seed: int = 0, tries: int = 3) -> list[Demand]:
    """Return what the argument asks too much of a game, in some true scenarios of each position."""
    rng = random.Random(seed)
    game = Played()
    found = []
    for ply, san in enumerate(sans, 1):
        game.push(game.board.parse_san(san))
        moves = ply // 2, (ply + 1) // 2
        lost, captured = game.taken[not game.board.turn], game.taken[game.board.turn]
        for scenario, filling in scenarios(game, rng, tries):
            own = own_moves(scenario, filling).needed(lost, captured)
            theirs = min(reply.needed(lost, captured) for reply in replies(scenario))
            if own > moves[0] or theirs > moves[1]:
                found.append(Demand(scenario, own, theirs, moves))
    return found


def scenarios(game: Played, rng: random.Random, tries: int) -> Iterator[tuple[Scenario, Filling]]:
    """Yield what is true of a position, seen by the player to move as White, and who is where."""
    turn = 0 if game.board.turn else 56
    board = game.board if game.board.turn else game.board.mirror()
    origins = {square ^ turn: origin ^ turn for square, origin in game.origins.items()}
    pieces = list(chess.SquareSet(board.occupied_co[chess.WHITE]))
    others = list(chess.SquareSet(board.occupied_co[chess.BLACK] & ~board.kings))
    empty = [square for square in chess.SQUARES if not board.piece_type_at(square)]
    king = board.king(chess.BLACK)
    moved = [square for square in pieces if origins[square] != square]
    for attempt in range(tries):
        chosen = rng.sample(pieces, min(len(pieces), rng.randrange(4)))
        if attempt % 2 and moved:
            chosen = rng.sample(moved, min(len(moved), rng.randrange(1, 4)))
        free = rng.sample(empty, min(len(empty), rng.randrange(10)))
        needs = tuple((board.piece_at(square).symbol(), square) for square in chosen)  # type: ignore[union-attr]
        captures = bool(others) and rng.random() < 0.5
        target = rng.choice(others) if captures else empty[0]
        scenario = Scenario(needs, frozenset(free), target, captures, king)
        yield scenario, filled(scenario, origins)


def filled(scenario: Scenario, origins: dict[int, int]) -> Filling:
    """Return how the scenario's places are filled: each piece from where it began."""
    wanted = {
        square: None if kind == "P" or origins[square] in range(8, 16) else origins[square]
        for kind, square in scenario.needs
    }
    (found,) = [
        filling
        for filling in fillings(scenario.needs)
        if {part.square: part.origin for part in filling.parts} == wanted
    ]
    return found


def construct(seed: int, plies: int) -> list[str]:
    """Play a game with few pieces, chosen by the seed."""
    rng = random.Random(seed)
    game = Played()
    few = {square for square in game.origins if rng.random() < 0.08}
    few |= set(rng.choice(PLANS)) | {square ^ 56 for square in rng.choice(PLANS)}
    walks = {colour: 2 * rng.random() ** 2 for colour in chess.COLORS}
    sans = []
    for _ in range(plies):
        moves = list(game.board.legal_moves)
        if not moves:
            break
        likings = [liking(game, move, few, walks[game.board.turn]) for move in moves]
        move = rng.choices(moves, likings)[0]
        sans.append(game.board.san(move))
        game.push(move)
    return sans


def liking(game: Played, move: chess.Move, few: set[int], walks: float) -> float:
    """Return how much a player likes a move."""
    board = game.board
    if board.is_castling(move):
        return 20
    bonus = 4.0 if move.to_square in game.fresh else 0.3 * board.is_capture(move)
    if board.piece_type_at(move.from_square) == chess.KING:
        corner = move.to_square in (chess.A1, chess.H1, chess.A8, chess.H8)
        return bonus + walks + 2 * corner
    return bonus + (1.0 if game.origins[move.from_square] in few else 0.01)
