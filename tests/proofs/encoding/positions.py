"""Positions to try the encoding on: from games, and from the hardest families, made at random.

A *source* is an endless (for recorded games: finite) stream of positions, drawn with a given random
generator. Its positions are *plausible*: they break no rule that speaks of one move, though no game
may reach them.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import islice
from pathlib import Path
from random import Random
from typing import Final

import chess
import chess.pgn

from sanproof.proofs.numbering.plausible import PLAUSIBLE
from tests.examples import examples

Source = Callable[[Random], Iterator[chess.Board]]
Draw = Callable[[Random], chess.Board]
Area = Callable[[chess.Board], Sequence[int]]
"""The squares where a piece may be put, beside those that are there already."""
Step = tuple[str, int, int, Area | Sequence[int]]
"""Some of these pieces, each any number of times: how many at least and at most, and where."""

UNMODELLED: Final = (
    chess.STATUS_TOO_MANY_WHITE_PIECES
    | chess.STATUS_TOO_MANY_BLACK_PIECES
    | chess.STATUS_TOO_MANY_WHITE_PAWNS
    | chess.STATUS_TOO_MANY_BLACK_PAWNS
    | chess.STATUS_TOO_MANY_CHECKERS
    | chess.STATUS_IMPOSSIBLE_CHECK
)
"""The reasons from a game's history or material for which python-chess calls a position invalid.

The encoding speaks of one move. It limits no side's pieces, and does not ask how White came to be
in check; python-chess judges the legality of a move in such a position just the same.
"""

ANYWHERE: Final = chess.SQUARES
EDGE: Final = list(chess.SquareSet(chess.BB_RANK_8 | chess.BB_FILE_H))
RANKS: Final = [range(8 * rank, 8 * rank + 8) for rank in range(8)]
TRIES: Final = 60
ENDLESS: Final = 1 << 40


def is_plausible(board: chess.Board) -> bool:
    """Check whether nothing is wrong with a position but what the encoding does not speak of."""
    return not board.status() & ~UNMODELLED


# Where pieces are put


def around(colour: chess.Color, distance: int) -> Area:
    """Return the squares at most so many king's steps from a king."""
    return lambda board: [
        s for k in kings(board, colour) for s in ANYWHERE if chess.square_distance(s, k) <= distance
    ]


def in_line(colour: chess.Color) -> Area:
    """Return the squares on a line with a king."""
    return lambda board: [s for k in kings(board, colour) for s in ANYWHERE if chess.ray(s, k)]


def between(board: chess.Board) -> list[int]:
    """Return the squares between White's sliders and Black's king."""
    sliders = board.occupied_co[chess.WHITE] & (board.queens | board.rooks | board.bishops)
    ends = ((s, k) for k in kings(board, chess.BLACK) for s in chess.scan_forward(sliders))
    return [square for s, k in ends for square in chess.SquareSet.between(s, k)]


def kings(board: chess.Board, colour: chess.Color) -> Iterable[int]:
    """Return the square of a side's king, if it has one yet."""
    return chess.scan_forward(board.kings & board.occupied_co[colour])


def beside_pawn(steps: int) -> Area:
    """Return the squares beside where the pawn comes that goes so many squares, and one up."""
    return lambda board: [
        s + 8 * steps + side
        for s in chess.scan_forward(board.pawns)
        for side in (-1, 1)
        if 0 <= chess.square_file(s) + side < 8
    ]


def in_line_with_pawn(steps: int) -> Area:
    """Return the squares on a line with where the pawn comes that goes so many squares."""
    return lambda board: [
        s for p in chess.scan_forward(board.pawns) for s in ANYWHERE if chess.ray(s, p + 8 * steps)
    ]


def castled_file(board: chess.Board) -> list[int]:
    """Return the upper squares of the file to which White's rook castles."""
    return [s for s in range(16, 64) if chess.square_file(s) == (3 if board.rooks & 1 else 5)]


# How positions are drawn


def place(
    board: chess.Board, rng: Random, symbols: Iterable[str], squares: Sequence[int] = ANYWHERE
) -> None:
    """Put each piece on a free square, one of the given ones; leave it out where none is free."""
    for symbol in symbols:
        piece = chess.Piece.from_symbol(symbol)
        outer = chess.BB_BACKRANKS if piece.piece_type == chess.PAWN else chess.BB_EMPTY
        free = [s for s in squares if not (board.occupied | outer) & chess.BB_SQUARES[s]]
        if free:
            board.set_piece_at(rng.choice(free), piece)


def one_of(*choices: Sequence[Step]) -> Draw:
    """Return what draws by the steps of one of these, with every right that is not absurd.

    A black pawn on its fourth rank has just gone there.
    """

    def draw(rng: Random) -> chess.Board:
        board = chess.Board(None)
        for symbols, least, most, where in rng.choice(choices):
            squares = where(board) if callable(where) else where
            place(board, rng, rng.choices(symbols, k=rng.randint(least, most)), squares)
        for colour in (chess.BLACK, chess.WHITE)[: rng.randint(1, 2)]:
            release(board, colour)
        board.castling_rights = chess.BB_A1 | chess.BB_H1
        board.castling_rights = board.clean_castling_rights()
        pushed = chess.SquareSet(board.pieces_mask(chess.PAWN, chess.BLACK) & chess.BB_RANK_5)
        for s in pushed:
            if not board.occupied & (chess.BB_SQUARES[s + 8] | chess.BB_SQUARES[s + 16]):
                board.ep_square = s + 8
        return board

    return draw


def release(board: chess.Board, colour: chess.Color) -> None:
    """Take away what gives check to the king of this colour, if it has one."""
    for king in kings(board, colour):
        for s in board.attackers(not colour, king):
            board.remove_piece_at(king if board.piece_type_at(s) == chess.KING else s)


def best_of(draw: Draw, wanted: Callable[[chess.Board], bool]) -> Draw:
    """Return what draws until a position is as wanted, at most some times."""

    def best(rng: Random) -> chess.Board:
        drawn = (draw(rng) for _ in range(TRIES))
        return next((b for b in drawn if is_plausible(b) and wanted(b)), draw(rng))

    return best


def forever(draw: Draw) -> Source:
    """Return the source of the plausible positions among those drawn, seen by either player."""

    def source(rng: Random) -> Iterator[chess.Board]:
        while True:
            board = draw(rng)
            if is_plausible(board):
                yield board.mirror() if rng.random() < 0.5 else board

    return source


def playouts(rng: Random) -> Iterator[chess.Board]:
    """Yield positions of games in which both players move at random."""
    while True:
        board = chess.Board()
        for _ in range(rng.randint(1, 200)):
            moves = list(board.legal_moves)
            if not moves:
                break
            yield board
            board.push(rng.choice(moves))


def numbered(rng: Random) -> Iterator[chess.Board]:
    """Yield plausible positions drawn uniformly by their numbers.

    They have promoted pieces of every kind, in crowds. One in five breaks no rule of one move.
    """
    for fen in PLAUSIBLE.random(rng.randrange(1 << 32), ENDLESS):
        board = chess.Board(f"{' '.join(fen.split(' ')[:4])} 0 1")
        if is_plausible(board):
            yield board


def recorded_games(path: Path) -> Iterator[chess.Board]:
    """Yield the positions of a PGN file's games."""
    with path.open(encoding="utf-8", errors="replace") as file:
        while game := chess.pgn.read_game(file):
            board = game.board()
            for move in game.mainline_moves():
                yield board
                board.push(move)


# What is wanted of a position


def checks(wanted: Callable[[chess.Board], bool]) -> Callable[[chess.Board], bool]:
    """Return a check whether White can give a check after which the position is as wanted."""

    def can(board: chess.Board) -> bool:
        for move in filter(board.gives_check, board.legal_moves):
            after = board.copy(stack=False)
            after.push(move)
            if wanted(after):
                return True
        return False

    return can


def passing_is_the_only_hope(after: chess.Board) -> bool:
    """Check whether only taking in passing could be an answer."""
    could = any(map(after.is_en_passant, after.pseudo_legal_moves))
    return could and all(map(after.is_en_passant, after.legal_moves))


def push_is_the_only_answer(after: chess.Board) -> bool:
    """Check whether only a double push answers."""
    answers = list(islice(after.legal_moves, 2))
    return [move.from_square - move.to_square for move in answers] == [16] and bool(
        after.pawns & chess.BB_SQUARES[answers[0].from_square]
    )


def castling_all_but_mates(after: chess.Board) -> bool:
    """Check whether White has castled, and there is one answer at most."""
    move = after.peek()
    castled = after.kings >> move.to_square & 1 and abs(move.to_square - move.from_square) == 2
    return bool(castled) and after.legal_moves.count() <= 1


def is_mate_by_a_pin(after: chess.Board) -> bool:
    """Check whether it is mate because what could answer is pinned."""
    checkers = after.checkers()
    if len(checkers) != 1 or not after.is_checkmate():
        return False
    (king,) = kings(after, chess.BLACK)
    answers = checkers | chess.SquareSet.between(king, next(iter(checkers)))
    return any(after.generate_pseudo_legal_moves(after.occupied & ~after.kings, int(answers)))


W, B, ALL = "QRBNP", "qrbnp", "QRBNPqrbnp"
US, THEM = chess.WHITE, chess.BLACK
OURS: Final[Step] = ("K", 1, 1, ANYWHERE)
KINGS: Final[tuple[Step, ...]] = (("k", 1, 1, ANYWHERE), OURS)
CORNERED: Final[tuple[Step, ...]] = (("k", 1, 1, EDGE), OURS)
MORE: Final[Step] = (ALL, 0, 5, ANYWHERE)
PASSING: Final[tuple[Step, ...]] = (("p", 1, 1, RANKS[4]), ("P", 1, 2, beside_pawn(0)))
IN_PAWN_S_LINES: Final = [(kind, 0, 3, in_line_with_pawn(0)) for kind in ("qrb", "QRB")]
CASTLE: Final[tuple[Step, ...]] = (
    *(("K", 1, 1, [chess.E1]), ("R", 1, 1, [chess.A1]), ("R", 1, 1, [chess.H1])),
    *((W, 0, 6, range(8, 64)), (B, 0, 5, range(8, 64)), ("nbNB", 0, 1, RANKS[0])),
)
NEAR_A_CASTLED_ROOK: Final = [*range(3, 64, 8), *range(5, 64, 8), chess.B1, chess.G1, chess.H2]
MATING: Final = one_of(
    (*CORNERED, (B, 0, 5, around(THEM, 1)), (W, 0, 3, around(THEM, 3)), ("QRBN", 1, 4, ANYWHERE))
)

DRAWN: Final[dict[str, Draw]] = {
    "sparse": one_of((*KINGS, (ALL, 1, 9, ANYWHERE))),
    # More promoted pieces than a game has
    "crowded": one_of(
        *[(*KINGS, ("QRBN" + 8 * kind, 4, 28, ANYWHERE), (B, 4, 28, ANYWHERE)) for kind in "QRBN"]
    ),
    # Many pieces of one kind, and black sliders in line with White's king
    "twins": one_of(
        *[
            (*KINGS, ("qrb", 1, 4, in_line(US)), (kind, 0, 4, in_line(US)), (kind, 1, 6, ANYWHERE))
            for kind in "QRBN"
        ]
    ),
    "in check": one_of((*KINGS, ("qrb", 1, 3, in_line(US)), (B, 0, 2, around(US, 2)), MORE)),
    "en passant": one_of(
        (*PASSING, ("K", 1, 1, in_line_with_pawn(0)), KINGS[0], *IN_PAWN_S_LINES, MORE),
        (*PASSING, OURS, ("k", 1, 1, in_line_with_pawn(0)), *IN_PAWN_S_LINES, MORE),
    ),
    "push check": best_of(
        one_of(
            (
                *(("P", 1, 1, RANKS[1]), ("k", 1, 1, beside_pawn(3)), ("p", 0, 2, beside_pawn(2))),
                *(("pnrb", 0, 4, around(THEM, 1)), ("QRBN", 2, 6, ANYWHERE), OURS),
                ("QB", 0, 1, in_line_with_pawn(2)),
            )
        ),
        checks(passing_is_the_only_hope),
    ),
    "push answer": best_of(
        one_of(
            (
                *(("p", 1, 1, RANKS[6]), ("k", 1, 1, in_line_with_pawn(-2))),
                *(("pnbr", 0, 4, around(THEM, 1)), OURS, ("QRB", 2, 5, ANYWHERE)),
            )
        ),
        checks(push_is_the_only_answer),
    ),
    "promotion": one_of(
        (
            *(("k", 1, 1, range(40, 64)), OURS, ("P", 1, 4, RANKS[6])),
            *(("qrbn", 0, 4, RANKS[7]), (ALL, 0, 8, ANYWHERE)),
        )
    ),
    "castling": one_of(
        *[(*CASTLE, ("k", 1, 1, squares)) for squares in (range(8, 64), NEAR_A_CASTLED_ROOK)]
    ),
    "castling mate": best_of(
        one_of(
            (
                *(("K", 1, 1, [chess.E1]), ("R", 1, 1, [chess.A1, chess.H1])),
                *(("k", 1, 1, castled_file), ("pnbrPN", 1, 5, around(THEM, 1))),
                *(("QRBN", 2, 6, range(16, 64)), (B, 0, 2, range(16, 64))),
            )
        ),
        checks(castling_all_but_mates),
    ),
    # White pieces between Black's king and white sliders: discovered and double checks
    "discovered": one_of(
        (
            *(*KINGS, ("QRB", 1, 3, in_line(THEM)), (W, 2, 5, around(THEM, 2))),
            *(("rbnp", 0, 4, around(THEM, 2)), MORE),
        )
    ),
    "double mate": best_of(
        one_of(
            (
                *(*CORNERED, ("QRBR", 1, 2, in_line(THEM)), ("NNBR", 1, 2, between)),
                *(("pnbr", 1, 4, around(THEM, 1)), MORE),
            )
        ),
        checks(lambda after: len(after.checkers()) == 2 and after.is_checkmate()),
    ),
    "pin mate": best_of(
        one_of((*CORNERED, (B, 2, 4, around(THEM, 1)), ("QRBQ", 2, 4, in_line(THEM)), MORE)),
        checks(is_mate_by_a_pin),
    ),
    "mate": best_of(MATING, checks(chess.Board.is_checkmate)),
    "nearly mate": best_of(MATING, checks(lambda after: after.legal_moves.count() == 1)),
}
FAMILIES: Final[dict[str, Source]] = {
    "playouts": playouts,
    "numbered": numbered,
    **{name: forever(draw) for name, draw in DRAWN.items()},
}
"""The sources that need no file, by name."""


@cache
def first_boards(family: str) -> tuple[chess.Board, ...]:
    """Return the first positions of a family, drawn once for all tests; not to be changed."""
    boards = islice(FAMILIES[family](Random(family)), examples(150))
    return tuple(board.copy(stack=False) for board in boards)
