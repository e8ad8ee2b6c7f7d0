"""A generator of bare strings, by the three algorithms that SAN-strings describes, on bitboards.

A file, a rank or a square is written of a move's origin if another square, from which the piece
could come as well, makes that necessary. One algorithm for each tells whether there is one.
"""

import sys
from collections.abc import Iterator

import chess


def attacks(piece: str, square: int) -> int:
    """Return the squares from which a piece comes to a square, as a bitboard."""
    board = chess.Board(None)
    board.set_piece_at(square, chess.Piece.from_symbol(piece))
    return board.attacks_mask(square)


def shadow(start: int, to: int) -> int:
    """Return the origin and the squares behind it and before it on the way to the destination."""
    if not chess.ray(start, to):
        return chess.BB_SQUARES[start]
    line = chess.BB_EMPTY
    files = chess.square_file(start) - chess.square_file(to)
    ranks = chess.square_rank(start) - chess.square_rank(to)
    right, up = (files > 0) - (files < 0), (ranks > 0) - (ranks < 0)
    file, rank = chess.square_file(to) + right, chess.square_rank(to) + up
    while 0 <= file <= 7 and 0 <= rank <= 7:
        line |= chess.BB_SQUARES[chess.square(file, rank)]
        file, rank = file + right, rank + up
    return line


def twins(piece: str, start: int, to: int) -> int:
    """Return the squares from which another piece could come as well."""
    return attacks(piece, to) & ~shadow(start, to)


def moves(piece: str) -> Iterator[tuple[int, int]]:
    """Every move of a piece on the empty board."""
    for to in chess.SQUARES:
        for start in chess.scan_forward(attacks(piece, to)):
            yield start, to


def written(origin: str, to: int) -> Iterator[str]:
    """Yield a quiet move and a capture."""
    yield origin + chess.square_name(to)
    yield origin + "x" + chess.square_name(to)


def plain_sans(piece: str) -> Iterator[str]:
    """Yield the strings that name nothing of the origin."""
    for _, to in moves(piece):
        yield from written(piece, to)


def file_sans(piece: str) -> Iterator[str]:
    """Yield the strings that name the file: another piece stands on another one."""
    for start, to in moves(piece):
        if twins(piece, start, to) & ~chess.BB_FILES[chess.square_file(start)]:
            yield from written(piece + chess.square_name(start)[0], to)


def rank_sans(piece: str) -> Iterator[str]:
    """Yield the strings that name the rank: another piece stands on the same file."""
    for start, to in moves(piece):
        if twins(piece, start, to) & chess.BB_FILES[chess.square_file(start)]:
            yield from written(piece + chess.square_name(start)[1], to)


def square_sans(piece: str) -> Iterator[str]:
    """Yield the strings that name the square: others share its file, and others its rank."""
    for start, to in moves(piece):
        others = twins(piece, start, to)
        on_file = others & chess.BB_FILES[chess.square_file(start)]
        on_rank = others & chess.BB_RANKS[chess.square_rank(start)]
        if on_file and on_rank:
            yield from written(piece + chess.square_name(start), to)


def king_sans() -> Iterator[str]:
    """Yield the strings of a king, who has no twin."""
    for _, to in moves("K"):
        yield from written("K", to)


def pawn_sans() -> Iterator[str]:
    """Yield the strings of pawns: pushes, captures and promotions of both colours."""
    for to in chess.SQUARES:
        name, rank = chess.square_name(to), chess.square_rank(to)
        ends = [f"={piece}" for piece in "QRBN"] if rank in (0, 7) else [""]
        for end in ends:
            yield name + end
            for file in (chess.square_file(to) - 1, chess.square_file(to) + 1):
                if 0 <= file <= 7:
                    yield chess.FILE_NAMES[file] + "x" + name + end


def castling_sans() -> list[str]:
    """Both castlings."""
    return ["O-O", "O-O-O"]


def san_strings() -> list[str]:
    """All of them, sorted by length and then by text."""
    strings = {*king_sans(), *pawn_sans(), *castling_sans()}
    for piece in "NBRQ":
        strings.update(plain_sans(piece), file_sans(piece), rank_sans(piece), square_sans(piece))
    return sorted(strings, key=lambda san: (len(san), san))


if __name__ == "__main__":
    sys.stdout.write("\n".join([*san_strings(), ""]))
