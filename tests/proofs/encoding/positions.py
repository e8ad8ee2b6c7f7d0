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

from sanproof.proofs.find.judge import king_of
from sanproof.proofs.numbering.plausibility import looks_legal
from sanproof.proofs.numbering.plausible import PLAUSIBLE

Source = Callable[[Random], Iterator[chess.Board]]
Draw = Callable[[Random], chess.Board]

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

WHITE_PIECES: Final = "QRBNP"
BLACK_PIECES: Final = "qrbnp"
EDGE: Final = list(chess.SquareSet(chess.BB_RANK_8 | chess.BB_FILE_H))
TRIES: Final = 60
ENDLESS: Final = 1 << 40


def is_plausible(board: chess.Board) -> bool:
    """Check whether nothing is wrong with a position but what the encoding does not speak of."""
    return not board.status() & ~UNMODELLED


def place(
    board: chess.Board, rng: Random, symbols: Iterable[str], squares: Sequence[int] = chess.SQUARES
) -> None:
    """Put each piece on a free square, one of the given ones; leave it out where none is free."""
    for symbol in symbols:
        piece = chess.Piece.from_symbol(symbol)
        outer = chess.BB_BACKRANKS if piece.piece_type == chess.PAWN else chess.BB_EMPTY
        free = [s for s in squares if not (board.occupied | outer) & chess.BB_SQUARES[s]]
        if free:
            board.set_piece_at(rng.choice(free), piece)


def some(rng: Random, symbols: str, least: int, most: int) -> list[str]:
    """Return some of these pieces, each of them any number of times."""
    return rng.choices(symbols, k=rng.randint(least, most))


def around(square: int, distance: int) -> list[int]:
    """Return the squares at most so many king's steps away."""
    return [s for s in chess.SQUARES if chess.square_distance(s, square) <= distance]


def in_line(square: int) -> list[int]:
    """Return the squares that a queen on this square of an empty board attacks."""
    return [s for s in chess.SQUARES if chess.ray(s, square)]


def release(board: chess.Board, colour: chess.Color) -> None:
    """Take away what gives check to the king of this colour, if it has one."""
    king = board.king(colour)
    while king is not None and (checkers := board.attackers(not colour, king)):
        for s in checkers:
            if board.piece_type_at(s) == chess.KING:
                board.remove_piece_at(king)
                return
            board.remove_piece_at(s)


def forever(draw: Draw) -> Source:
    """Return the source of the plausible positions among those drawn, seen by either player."""

    def source(rng: Random) -> Iterator[chess.Board]:
        while True:
            board = draw(rng)
            release(board, chess.BLACK)
            if is_plausible(board):
                yield board.mirror() if rng.random() < 0.5 else board

    return source


def best_of(draw: Draw, wanted: Callable[[chess.Board], bool]) -> Draw:
    """Return what draws until a position is as wanted, at most some times."""

    def best(rng: Random) -> chess.Board:
        board = draw(rng)
        for _ in range(TRIES):
            release(board, chess.BLACK)
            if is_plausible(board) and wanted(board):
                break
            board = draw(rng)
        return board

    return best


def checked(board: chess.Board, moves: Iterable[chess.Move] | None = None) -> Iterator[chess.Board]:
    """Yield the positions after the legal moves, or some of them, that give check."""
    for move in board.legal_moves if moves is None else moves:
        if board.gives_check(move):
            after = board.copy(stack=False)
            after.push(move)
            yield after


def kings(rng: Random, black: Sequence[int] = chess.SQUARES) -> tuple[chess.Board, int, int]:
    """Return a board with the two kings only, Black's on one of these squares, and the squares."""
    board = chess.Board(None)
    place(board, rng, "k", black)
    place(board, rng, "K")
    return board, king_of(board, chess.WHITE), king_of(board, chess.BLACK)


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


def numbered(*, look_legal: bool) -> Source:
    """Return the source of plausible positions drawn uniformly by their numbers.

    They have promoted pieces of every kind, in crowds. One in five breaks no rule that speaks of
    one move; of those that look legal, in which static tests find nothing wrong, there are fewer.
    """

    def source(rng: Random) -> Iterator[chess.Board]:
        for fen in PLAUSIBLE.random(rng.randrange(1 << 32), ENDLESS):
            board = chess.Board(f"{' '.join(fen.split(' ')[:4])} 0 1")
            if is_plausible(board) and (not look_legal or looks_legal(fen)):
                yield board

    return source


def recorded_games(path: Path, share: float = 1.0) -> Source:
    """Return the source of the positions of a PGN file's games, or of a random share of these."""

    def source(rng: Random) -> Iterator[chess.Board]:
        with path.open(encoding="utf-8", errors="replace") as file:
            while True:
                if rng.random() >= share:
                    if not chess.pgn.skip_game(file):
                        return
                    continue
                game = chess.pgn.read_game(file)
                if game is None:
                    return
                board = game.board()
                for move in game.mainline_moves():
                    yield board
                    board.push(move)

    return source


def _sparse(rng: Random) -> chess.Board:
    """Draw few pieces anywhere."""
    board, _, _ = kings(rng)
    place(board, rng, some(rng, WHITE_PIECES + BLACK_PIECES, 1, 9))
    return board


def _crowded(rng: Random) -> chess.Board:
    """Draw more promoted pieces than a game has."""
    board, _, _ = kings(rng)
    place(board, rng, some(rng, "QRBN" + rng.choice("QRBN") * 8, 4, 28))
    place(board, rng, some(rng, BLACK_PIECES + rng.choice(BLACK_PIECES) * 4, 4, 28))
    return board


def _twins(rng: Random) -> chess.Board:
    """Draw many pieces of one kind, and black sliders in line with White's king."""
    board, king, _ = kings(rng)
    place(board, rng, some(rng, "qrb", 1, 4), in_line(king))
    kind = rng.choice("QRBN")
    if rng.random() < 0.5:
        place(board, rng, kind * rng.randint(1, 4), in_line(king))
    place(board, rng, kind * rng.randint(1, 6))
    release(board, chess.WHITE)
    return board


def _in_check(rng: Random) -> chess.Board:
    """Draw White in check, often by two pieces."""
    board, king, _ = kings(rng)
    place(board, rng, some(rng, "qrb", 1, 3), in_line(king))
    place(board, rng, some(rng, BLACK_PIECES, 0, 2), around(king, 2))
    place(board, rng, some(rng, WHITE_PIECES, 2, 8))
    return board


def _en_passant(rng: Random) -> chess.Board:
    """Draw a black pawn just pushed by two, often in a line with White's king."""
    file = rng.randrange(8)
    pawn, passed = chess.square(file, 4), chess.square(file, 5)
    beside = [s for s in (pawn - 1, pawn + 1) if chess.square_rank(s) == 4]
    board = chess.Board(None)
    place(board, rng, "p", [pawn])
    place(board, rng, "P" * rng.randint(1, 2), beside)
    near_line = rng.choice((chess.SquareSet(chess.BB_RANK_5), in_line(pawn), chess.SQUARES))
    forbidden = {passed, passed + 8}
    place(board, rng, "K", [s for s in near_line if s not in forbidden])
    others = [s for s in chess.SQUARES if s not in forbidden]
    line = [s for s in [*in_line(pawn), *in_line(rng.choice(beside))] if s not in forbidden]
    place(board, rng, "k", rng.choice((others, line)))
    place(board, rng, some(rng, "qrb", 0, 3), line)
    place(board, rng, some(rng, "QRB", 0, 3), line)
    place(board, rng, some(rng, WHITE_PIECES + BLACK_PIECES, 0, 4), others)
    board.ep_square = passed
    return board


def _checked_by_push(rng: Random) -> chess.Board:
    """Draw: a double push will give check, and black pawns stand ready to take in passing."""
    file = rng.randrange(8)
    start, target = chess.square(file, 1), chess.square(file, 3)
    beside = [s for s in (target - 1, target + 1) if chess.square_rank(s) == 3]
    board = chess.Board(None)
    place(board, rng, "P", [start])
    place(board, rng, "k", [s + 8 for s in beside])
    king = king_of(board, chess.BLACK)
    place(board, rng, "p" * rng.randint(0, 2), beside)
    place(board, rng, some(rng, "pnrb", 0, 4), around(king, 1))
    closed = {start + 8, target}
    place(board, rng, some(rng, "QRBN", 2, 6), [s for s in chess.SQUARES if s not in closed])
    place(board, rng, "K", [s for s in chess.SQUARES if s not in closed])
    line = [s for s in chess.SquareSet(chess.ray(king, target)) if s < target]
    place(board, rng, some(rng, "QB", 0, 1), line)
    return board


def _passing_is_the_only_hope(board: chess.Board) -> bool:
    """Check for a double push that checks, to which only taking in passing could be an answer."""
    pushes = board.generate_legal_moves(board.pawns, chess.BB_RANK_4)
    return any(
        any(map(after.is_en_passant, after.pseudo_legal_moves))
        and all(map(after.is_en_passant, after.legal_moves))
        for after in checked(board, pushes)
    )


def _black_push_between(rng: Random) -> chess.Board:
    """Draw: a black pawn could step by two into a line to its king."""
    middle = chess.square(rng.randrange(8), 4)
    board = chess.Board(None)
    place(board, rng, "p", [middle + 16])
    closed = {middle, middle + 8, middle + 16}
    place(board, rng, "k", [s for s in in_line(middle) if s not in closed])
    king = king_of(board, chess.BLACK)
    others = [s for s in chess.SQUARES if s not in closed]
    place(board, rng, some(rng, "pnbr", 0, 4), [s for s in around(king, 1) if s not in closed])
    place(board, rng, "K", others)
    place(board, rng, some(rng, "QRB", 2, 5), others)
    return board


def _push_is_the_only_answer(board: chess.Board) -> bool:
    """Check whether White can give a check to which only a double push answers."""
    for after in checked(board):
        answers = list(islice(after.legal_moves, 2))
        steps = [move.from_square - move.to_square for move in answers]
        if steps == [16] and after.pawns & chess.BB_SQUARES[answers[0].from_square]:
            return True
    return False


def _promotion(rng: Random) -> chess.Board:
    """Draw white pawns one step from promotion, Black's king near."""
    board = chess.Board(None)
    place(board, rng, "k", list(range(40, 64)))
    place(board, rng, "K")
    place(board, rng, "P" * rng.randint(1, 4), list(range(48, 56)))
    place(board, rng, some(rng, "qrbn", 0, 4), list(range(56, 64)))
    place(board, rng, some(rng, WHITE_PIECES + BLACK_PIECES, 0, 8))
    return board


def _castling(rng: Random) -> chess.Board:
    """Draw: White may castle as far as history goes; Black's pieces may forbid it."""
    board = chess.Board(None)
    place(board, rng, "K", [chess.E1])
    place(board, rng, "R", [chess.A1])
    place(board, rng, "R", [chess.H1])
    upper = list(range(8, 64))
    files = [s for s in upper if chess.square_file(s) in {3, 5}]
    place(board, rng, "k", rng.choice((upper, files, [chess.A1 + 1, chess.G1, chess.H1 + 8])))
    place(board, rng, some(rng, "QRBNP", 0, 6), upper)
    place(board, rng, some(rng, BLACK_PIECES, 0, 5), upper)
    place(board, rng, some(rng, "nbNB", 0, 1), rng.choice((chess.SQUARES, range(1, 7))))
    board.castling_rights = chess.BB_A1 | chess.BB_H1
    board.castling_rights = board.clean_castling_rights()
    if rng.random() < 0.5:
        release(board, chess.WHITE)
    return board


def _castling_to_check(rng: Random) -> chess.Board:
    """Draw: the castled rook will look at Black's king, which has little room."""
    board = chess.Board(None)
    side = rng.choice((chess.BB_A1, chess.BB_H1))
    place(board, rng, "K", [chess.E1])
    place(board, rng, "R", list(chess.SquareSet(side)))
    file = 3 if side == chess.BB_A1 else 5
    place(board, rng, "k", [chess.square(file, rank) for rank in range(2, 8)])
    king = king_of(board, chess.BLACK)
    upper = list(range(16, 64))
    beside = [s for s in around(king, 1) if chess.square_file(s) != file]
    place(board, rng, some(rng, "pnbrPN", 1, 5), beside)
    place(board, rng, some(rng, "QRBN", 2, 6), upper)
    place(board, rng, some(rng, BLACK_PIECES, 0, 2), upper)
    release(board, chess.WHITE)
    board.castling_rights = side
    board.castling_rights = board.clean_castling_rights()
    return board


def _castling_all_but_mates(board: chess.Board) -> bool:
    boards = checked(board, board.generate_castling_moves())
    return any(after.legal_moves.count() <= 1 for after in boards)


def _discovered(rng: Random) -> chess.Board:
    """Draw white pieces between Black's king and white sliders: discovered and double checks."""
    board, _, king = kings(rng)
    place(board, rng, some(rng, "QRB", 1, 3), in_line(king))
    place(board, rng, some(rng, "QRBNP", 2, 5), around(king, 2))
    place(board, rng, some(rng, "rbnp", 0, 4), around(king, 2))
    place(board, rng, some(rng, WHITE_PIECES + BLACK_PIECES, 0, 4))
    return board


def _shut_in(rng: Random) -> chess.Board:
    """Draw Black's king among its pieces at the edge, a white piece in a white slider's line."""
    board, _, king = kings(rng, EDGE)
    place(board, rng, some(rng, "QRBR", 1, 2), in_line(king))
    for slider in board.pieces(chess.ROOK, chess.WHITE) | board.pieces(chess.BISHOP, chess.WHITE):
        place(board, rng, some(rng, "NNBR", 1, 1), list(chess.SquareSet.between(slider, king)))
    place(board, rng, some(rng, "pnbr", 1, 4), around(king, 1))
    place(board, rng, some(rng, WHITE_PIECES + BLACK_PIECES, 0, 5))
    return board


def _mates_twice(board: chess.Board) -> bool:
    """Check whether White can give mate by a double check."""
    king = board.king(chess.BLACK)
    sliders = board.occupied_co[chess.WHITE] & (board.queens | board.rooks | board.bishops)
    lines = [chess.between(s, king) & board.occupied for s in chess.SquareSet(sliders) if king]
    blockers = sum({line for line in lines if chess.popcount(line) == 1})
    boards = checked(board, board.generate_legal_moves(blockers))
    return any(len(after.checkers()) == 2 and after.is_checkmate() for after in boards)


def _cornered(rng: Random) -> chess.Board:
    """Draw Black's king at the edge, often shut in by its own pieces, and white pieces about it."""
    board, _, king = kings(rng, EDGE)
    place(board, rng, some(rng, BLACK_PIECES, 0, 5), around(king, 1))
    place(board, rng, some(rng, WHITE_PIECES, 0, 3), around(king, 3))
    place(board, rng, some(rng, "QRBN", 1, 4))
    place(board, rng, some(rng, BLACK_PIECES, 0, 4))
    return board


def _pins_at_the_edge(rng: Random) -> chess.Board:
    """Draw black pieces beside their king at the edge, white sliders in line with it."""
    board, _, king = kings(rng, EDGE)
    place(board, rng, some(rng, "pnbrq", 2, 4), around(king, 1))
    place(board, rng, some(rng, "QRBQ", 2, 4), in_line(king))
    place(board, rng, some(rng, WHITE_PIECES + BLACK_PIECES, 0, 5))
    return board


def _mates_by_a_pin(board: chess.Board) -> bool:
    """Check whether White can give mate because what could answer is pinned."""
    for after in checked(board):
        checkers = after.checkers()
        if len(checkers) == 1 and after.is_checkmate():
            king = king_of(after, chess.BLACK)
            answers = checkers | chess.SquareSet.between(king, next(iter(checkers)))
            if any(after.generate_pseudo_legal_moves(after.occupied & ~after.kings, int(answers))):
                return True
    return False


def _can_mate(board: chess.Board) -> bool:
    return any(after.is_checkmate() for after in checked(board))


def _all_but_mates(board: chess.Board) -> bool:
    return any(after.legal_moves.count() == 1 for after in checked(board))


FAMILIES: Final[dict[str, Source]] = {
    "playouts": playouts,
    "numbered": numbered(look_legal=False),
    "legal-looking": numbered(look_legal=True),
    "sparse": forever(_sparse),
    "crowded": forever(_crowded),
    "twins": forever(_twins),
    "in check": forever(_in_check),
    "en passant": forever(_en_passant),
    "push check": forever(best_of(_checked_by_push, _passing_is_the_only_hope)),
    "push answer": forever(best_of(_black_push_between, _push_is_the_only_answer)),
    "promotion": forever(_promotion),
    "castling": forever(_castling),
    "castling mate": forever(best_of(_castling_to_check, _castling_all_but_mates)),
    "discovered": forever(_discovered),
    "double mate": forever(best_of(_shut_in, _mates_twice)),
    "pin mate": forever(best_of(_pins_at_the_edge, _mates_by_a_pin)),
    "mate": forever(best_of(_cornered, _can_mate)),
    "nearly mate": forever(best_of(_cornered, _all_but_mates)),
}
"""The sources that need no file, by name."""


@cache
def first_boards(family: str) -> tuple[chess.Board, ...]:
    """Return the first 40 positions of a family, drawn once for all tests; not to be changed."""
    boards = islice(FAMILIES[family](Random(family)), 40)
    return tuple(board.copy(stack=False) for board in boards)
