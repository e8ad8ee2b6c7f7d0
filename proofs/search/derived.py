"""Makes witnesses from other witnesses without a solver, and divides the work accordingly.

The mirror image of a witness is a witness. A capture is derived from a quiet move by putting a
black piece on its destination; then SAN mostly writes it as before, with an x. If not, one more
piece is moved until python-chess writes the wanted string. Moving Black's king turns a mate into a
check, or into neither.

Untrusted: every witness is checked, and each cube has a certificate of its own.
"""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, Final, NamedTuple

import chess

from sanproof.proofs.board.fens import exchanged_fen
from sanproof.proofs.board.witness import Witness, witness_on
from sanproof.proofs.rules.cubes import Cube, all_cubes, exchanged_cube, exchanged_ranks
from sanproof.proofs.rules.san import parse_san
from sanproof.proofs.rules.squares import FILES, square_name

WorkUnit = tuple[Cube, ...]
"""Cubes that are solved together, because their witnesses can be derived from each other."""


class CubeFindings(NamedTuple):
    """The findings about a cube.

    Attributes:
        cube: The cube, of White's moves.
        witnesses: A witness of each string found; for a pawn's strings there are Black's as well.
        certificate: The cube's certificate, as :mod:`proofs.kernel.certificates` describes it. It
            leaves open the strings with a witness, and any that could not be refuted.
    """

    cube: Cube
    witnesses: list[Witness]
    certificate: str

    @classmethod
    def of(cls, row: list[Any]) -> "CubeFindings":
        """Return the findings from a row that was stored as JSON."""
        cube, witnesses, certificate = row
        return cls(Cube(*cube), [Witness(*w) for w in witnesses], certificate)


_MIRRORED_FILES: Final = str.maketrans(FILES, FILES[::-1])


def mirrored_files(text: str) -> str:
    """Reflect squares, a move or a string from left to right. The move may not be a promotion."""
    return text.translate(_MIRRORED_FILES)


def mirrored_cube(cube: Cube) -> Cube:
    """Return the cube of the moves reflected from left to right. Castling's is the same cube."""
    return cube._replace(destination=mirrored_files(cube.destination))


def solved_cubes() -> list[Cube]:
    """Return the cubes that are solved: castling, and the destinations on files a to d.

    Reflecting the board from left to right maps moves to moves, but for castling, which has cubes
    of its own. No other string depends on it: castling is never a reply to check (FIDE 3.8.2.2).
    """
    return [cube for cube in all_cubes() if cube == solved_cube(cube)]


def solved_cube(cube: Cube) -> Cube:
    """Return the cube that is solved for this one: itself, or its left-to-right reflection."""
    return cube if cube.castling or cube.destination[0] in "abcd" else mirrored_cube(cube)


def work_units() -> list[WorkUnit]:
    """Group the solved cubes by whose witnesses can be derived from each other.

    Captures can mostly be made from quiet moves, and reflecting the board from front to back maps
    moves without pawns to each other.
    """
    units: list[WorkUnit] = []
    for cube in solved_cubes():
        if cube.castling:
            units.append((cube,))
        elif not cube.capture and cube.piece == "":
            units.append((cube, cube._replace(capture="x")))
        elif not cube.capture and cube.destination[1] in "1234":
            quiet = (cube, exchanged_cube(cube))
            units.append((*quiet, *(member._replace(capture="x") for member in quiet)))
    return units


def left_to_right(witness: Witness) -> Witness:
    """Reflect a witness without castling rights from left to right."""
    san, fen, uci, after_fen = witness
    moved = mirrored_files(uci[:4]) + uci[4:]
    return Witness(mirrored_files(san), _reflected(fen), moved, _reflected(after_fen))


def _reflected(fen: str) -> str:
    placement, turn, rights, passed, *clocks = fen.split(" ")
    placement = "/".join(rank[::-1] for rank in placement.split("/"))
    return " ".join([placement, turn, rights, mirrored_files(passed), *clocks])


def front_to_back(witness: Witness) -> Witness:
    """Reflect a witness without pawns and castling rights from front to back.

    The player to move stays the same.
    """
    san, fen, uci, after_fen = witness
    fens = (fen.split(" ", 1), after_fen.split(" ", 1))
    before, after = ("/".join(there.split("/")[::-1]) + " " + rest for there, rest in fens)
    return Witness(exchanged_ranks(san), before, exchanged_ranks(uci), after)


def exchanged_colours(witness: Witness) -> Witness:
    """Exchange the colours of a witness of White's, so that Black is to move."""
    san, fen, uci, after_fen = witness
    after, number = exchanged_fen(after_fen).rsplit(" ", 1)
    after = f"{after} {int(number) + 1}"
    return Witness(exchanged_ranks(san), exchanged_fen(fen), exchanged_ranks(uci), after)


def captures_from(quiet: Iterable[Witness]) -> Iterator[Witness]:
    """Yield witnesses of captures on the same square by such a piece, with the same suffix.

    For a pawn's move to d4 these are the captures from the files c and e, by a pawn that is
    exchanged with what stands there. Not every quiet move gives one, so nothing follows if none is
    found.
    """
    for witness in quiet:
        san, before = parse_san(witness.san), chess.Board(witness.fen)
        move = chess.Move.from_uci(witness.uci)
        if san.piece:
            yield from _capture(str(san._replace(capture="x")), before, move)
            continue
        for step in (-1, 1):
            origin = move.to_square - 8 + step
            if chess.square_distance(origin, move.to_square) > 1:
                continue  # beyond the edge of the board
            board = before.copy(stack=False)
            other = board.remove_piece_at(origin)
            board.set_piece_at(origin, board.remove_piece_at(move.from_square))
            board.set_piece_at(move.from_square, other)
            text = str(san._replace(file=square_name(origin)[0], capture="x"))
            yield from _capture(text, board, chess.Move(origin, move.to_square, move.promotion))


def _capture(text: str, before: chess.Board, move: chess.Move) -> Iterator[Witness]:
    """Yield one witness whose move has this SAN, if any is found."""
    found = (witness_on(board, move, text) for board in _with_piece_to_take(before, move))
    return islice(filter(None, found), 1)


def _with_piece_to_take(before: chess.Board, move: chess.Move) -> Iterator[chess.Board]:
    """Yield the position with a black piece on the destination, then with another moved too.

    A board is to be used before the next is asked for.
    """
    boards = []
    for square in chess.scan_forward(before.occupied_co[chess.BLACK] & ~before.kings):
        board = before.copy(stack=False)
        board.set_piece_at(move.to_square, board.remove_piece_at(square))
        boards.append(board)
    yield from boards
    ends = chess.BB_SQUARES[move.from_square] | chess.BB_SQUARES[move.to_square]
    for board in boards:
        empty = chess.SquareSet(~board.occupied)
        for square in chess.scan_forward(board.occupied & ~ends):
            piece = board.remove_piece_at(square)
            for elsewhere in empty:
                board.set_piece_at(elsewhere, piece)
                yield board
                board.remove_piece_at(elsewhere)
            board.set_piece_at(square, piece)


def with_king_elsewhere(witness: Witness) -> Iterator[Witness]:
    """Yield witnesses of the same move without suffix and with ``+``, by moving Black's king.

    The king goes to the nearest square that gives the string, and always has a reply. There may be
    none.
    """
    board, move = chess.Board(witness.fen), chess.Move.from_uci(witness.uci)
    (king,) = chess.SquareSet(board.kings & board.occupied_co[chess.BLACK])
    board.remove_piece_at(king)
    after = board.copy(stack=False)
    after.push(move)
    attacked = _attacked(after)
    free = ~(board.occupied | after.occupied | _attacked(board))
    bare = witness.san.rstrip("+#")
    for text, squares in ((bare, free & ~attacked), (bare + "+", free & attacked)):
        if text != witness.san:
            nearest = sorted(chess.SquareSet(squares), key=lambda s: chess.square_distance(s, king))
            found = (_with_king_on(square, text, board, move) for square in nearest)
            yield from islice(filter(None, found), 1)


def _attacked(board: chess.Board) -> int:
    """Return all squares that White attacks, as a bitboard."""
    mask = 0
    for square in chess.scan_forward(board.occupied_co[chess.WHITE]):
        mask |= board.attacks_mask(square)
    return mask


def _with_king_on(
    square: chess.Square, text: str, without: chess.Board, move: chess.Move
) -> Witness | None:
    board = without.copy(stack=False)
    board.set_piece_at(square, chess.Piece(chess.KING, chess.BLACK))
    made = witness_on(board, move, text)
    board.push(move)
    return made if made and any(board.generate_legal_moves()) else None
