"""Mirror images of the board, of strings, cubes and witnesses; what is solved for which cubes.

Untrusted: of mirror images one is checked (:mod:`proofs.verdicts.alike`), and all of them by an
audit; each cube has a certificate of its own.
"""

import re
from collections.abc import Callable

import chess

from sanproof.proofs.rules.cubes import Cube, all_cubes, exchanged_cube, exchanged_san
from sanproof.proofs.rules.san import San, parse_san
from sanproof.proofs.rules.squares import FILES, file_of, parse_square, rank_of, square_name
from sanproof.proofs.verdicts.witness import Witness

WorkUnit = tuple[Cube, ...]
"""Cubes that are solved together, because their witnesses can be had from each other."""


def mirror_file(square: int) -> int:
    """The square reflected from left to right: a-file and h-file change places."""
    return square ^ 7


def mirror_rank(square: int) -> int:
    """The square as the other player sees it: first rank and eighth rank change places."""
    return square ^ 56


def transpose(square: int) -> int:
    """The square reflected in the diagonal from a1 to h8: files and ranks change places."""
    return 8 * file_of(square) + rank_of(square)


def mirrored_san(san: San) -> San:
    """The string of the same move on the board reflected from left to right; not for castling."""
    return san._replace(file=_mirrored(san.file), destination=_mirrored(san.destination))


def mirrored_cube(cube: Cube) -> Cube:
    """The cube of the same moves reflected from left to right; a castling's is itself."""
    return cube._replace(destination=_mirrored(cube.destination))


def is_transposable(cube: Cube) -> bool:
    """Whether exchanging files and ranks makes it another cube: a piece's, off the diagonal."""
    return bool(cube.piece) and not cube.castling and transposed_cube(cube) != cube


def transposed_cube(cube: Cube) -> Cube:
    """The cube of the same piece's moves with files and ranks exchanged; not for pawns."""
    return cube._replace(destination=_map_squares(cube.destination, transpose))


def _mirrored(text: str) -> str:
    return text.translate(_MIRROR)


_MIRROR = str.maketrans(FILES, FILES[::-1])


def solved_cubes() -> list[Cube]:
    """The cubes that are solved: castling, and the destinations on files a to d.

    Reflecting the board from left to right maps moves to moves, but for castling, which has cubes
    of its own and which no other string depends on: nobody castles out of check (FIDE 3.8.2.2), so
    castling is never a reply to one.
    """
    return [cube for cube in all_cubes() if cube == solved_cube(cube)]


def solved_cube(cube: Cube) -> Cube:
    """The cube that is solved for this one: itself, or its reflection from left to right."""
    return cube if cube.castling or cube.destination[0] in "abcd" else mirrored_cube(cube)


def work_units() -> list[WorkUnit]:
    """The solved cubes, in the groups whose witnesses can be had from each other.

    Captures can mostly be made of quiet moves. Piece moves without pawns are mapped to each other
    by reflecting the board from front to back, and in its long diagonal.
    """
    units: list[WorkUnit] = []
    for cube in solved_cubes():
        capture = cube._replace(capture="x")
        if cube.castling:
            units.append((cube,))
        elif cube.capture:
            continue
        elif cube.piece == "":
            units.append((cube, capture))
        elif cube.destination[1] in "1234" and cube <= (image := transposed_cube(cube)):
            quiet = [cube, exchanged_cube(cube)]
            if image != cube:
                quiet += [image, exchanged_cube(image)]
            units.append((*quiet, *(member._replace(capture="x") for member in quiet)))
    return units


def mirrored_files(witness: Witness) -> Witness:
    """The witness reflected from left to right; not for castling."""
    ranks, turn, rights, passed, *clocks = witness.fen.split(" ")
    placement = "/".join(rank[::-1] for rank in ranks.split("/"))
    fen = " ".join([placement, turn, rights, _map_squares(passed, mirror_file), *clocks])
    san = str(mirrored_san(parse_san(witness.san)))
    return Witness(san, fen, _map_squares(witness.uci, mirror_file))


def has_no_pawn(witness: Witness) -> bool:
    """Whether no pawn stands on the board, so that it may be reflected in any way."""
    return "p" not in witness.fen.split(" ")[0].lower()


def mirrored_ranks(witness: Witness) -> Witness:
    """The witness reflected from front to back, with White still to move; only without pawns."""
    ranks, *rest = witness.fen.split(" ")
    placement = "/".join(reversed(ranks.split("/")))
    san = str(exchanged_san(parse_san(witness.san)))
    return Witness(san, " ".join([placement, *rest]), _map_squares(witness.uci, mirror_rank))


def transposed(witness: Witness) -> Witness:
    """The witness with files and ranks exchanged; only without pawns and castling rights.

    Its string is read afresh: a file is written rather than a rank (PGN standard 8.2.3.4), so that
    ``Qab3`` may become ``Q1c2`` or ``Qbc2``.
    """
    ranks, *rest = witness.fen.split(" ")
    rows = [re.sub("[1-8]", lambda run: "." * int(run[0]), rank) for rank in ranks.split("/")]
    columns = ["".join(column) for column in zip(*reversed(rows), strict=True)]
    placement = "/".join(
        re.sub(r"\.+", lambda run: str(len(run[0])), column) for column in reversed(columns)
    )
    fen, uci = " ".join([placement, *rest]), _map_squares(witness.uci, transpose)
    return Witness(chess.Board(fen).san(chess.Move.from_uci(uci)), fen, uci)


def exchanged_colours(witness: Witness) -> Witness:
    """The witness with Black to move where White was."""
    ranks, _, rights, passed, *clocks = witness.fen.split(" ")
    placement = "/".join(reversed(ranks.split("/"))).swapcase()
    passed = _map_squares(passed, mirror_rank)
    rights = "".join(sorted(rights.swapcase()))
    fen = " ".join([placement, "b", rights, passed, *clocks])
    san = str(exchanged_san(parse_san(witness.san)))
    return Witness(san, fen, _map_squares(witness.uci, mirror_rank))


def _map_squares(text: str, mirror: Callable[[int], int]) -> str:
    """A move, a square, or FEN's ``-`` for none, with its squares mirrored."""
    return re.sub("[a-h][1-8]", lambda name: square_name(mirror(parse_square(name[0]))), text)
