"""Mirror images of the board, of strings, cubes and witnesses; what is solved for which cubes.

Untrusted: every witness is checked, and each cube has a certificate of its own.
"""

from typing import Any, Final, NamedTuple

from sanproof.proofs.board.fens import exchanged_fen
from sanproof.proofs.board.witness import Witness
from sanproof.proofs.rules.cubes import Cube, all_cubes, exchanged_cube, exchanged_ranks
from sanproof.proofs.rules.squares import FILES, file_of, rank_of

WorkUnit = tuple[Cube, ...]
"""Cubes that are solved together, because their witnesses can be had from each other."""


class CubeFindings(NamedTuple):
    """The findings of a cube.

    Attributes:
        cube: The cube, of White's moves.
        witnesses: A witness for each string found, and for a pawn's also Black's.
        left_open: The strings that the certificate leaves open: those with a witness, and any
            for which there is neither a witness nor a refutation.
        certificate: The cube's certificate, as :mod:`proofs.kernel.certificates` writes it.
    """

    cube: Cube
    witnesses: list[Witness]
    left_open: list[str]
    certificate: str

    @classmethod
    def of(cls, row: list[Any]) -> "CubeFindings":
        """Return findings that were stored as JSON."""
        cube, witnesses, left_open, certificate = row
        return cls(Cube(*cube), [Witness(*w) for w in witnesses], left_open, certificate)


def mirror_file(square: int) -> int:
    """Return the square reflected from left to right: a-file and h-file change places."""
    return square ^ 7


def mirror_rank(square: int) -> int:
    """Return the square as the other player sees it: first rank and eighth rank change places."""
    return square ^ 56


def transpose(square: int) -> int:
    """Return the square reflected in the diagonal from a1 to h8: files and ranks change places."""
    return 8 * file_of(square) + rank_of(square)


_MIRRORED_FILES: Final = str.maketrans(FILES, FILES[::-1])


def mirrored_files(text: str) -> str:
    """Return squares, a move or a string reflected from left to right; not a move that promotes."""
    return text.translate(_MIRRORED_FILES)


def mirrored_cube(cube: Cube) -> Cube:
    """Return the cube of the same moves reflected from left to right; a castling's is itself."""
    return cube._replace(destination=mirrored_files(cube.destination))


def solved_cubes() -> list[Cube]:
    """Return the cubes that are solved: castling, and the destinations on files a to d.

    Reflecting the board from left to right maps moves to moves, but for castling, which has cubes
    of its own and which no other string depends on: castling never answers check (FIDE 3.8.2.2), so
    castling is never a reply to one.
    """
    return [cube for cube in all_cubes() if cube == solved_cube(cube)]


def solved_cube(cube: Cube) -> Cube:
    """Return the cube that is solved for this one: itself, or its reflection from left to right."""
    return cube if cube.castling or cube.destination[0] in "abcd" else mirrored_cube(cube)


def work_units() -> list[WorkUnit]:
    """Return the solved cubes, in the groups whose witnesses can be had from each other.

    Captures can mostly be made of quiet moves, and piece moves without pawns are mapped to each
    other by reflecting the board from front to back.
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


def has_no_pawn(witness: Witness) -> bool:
    """Check whether no pawn stands on the board, so that it may be reflected in any way."""
    return "p" not in witness.fen.split(" ")[0].lower()


def left_to_right(witness: Witness) -> Witness:
    """Return a witness without castling rights, reflected from left to right."""
    san, fen, uci, after_fen = witness
    moved = mirrored_files(uci[:4]) + uci[4:]
    return Witness(mirrored_files(san), _reflected(fen), moved, _reflected(after_fen))


def _reflected(fen: str) -> str:
    placement, turn, rights, passed, *clocks = fen.split(" ")
    placement = "/".join(rank[::-1] for rank in placement.split("/"))
    return " ".join([placement, turn, rights, mirrored_files(passed), *clocks])


def front_to_back(witness: Witness) -> Witness:
    """Return a witness without pawns and castling rights, reflected from front to back.

    The same player is to move.
    """
    san, fen, uci, after_fen = witness
    fens = (fen.split(" ", 1), after_fen.split(" ", 1))
    before, after = ("/".join(there.split("/")[::-1]) + " " + rest for there, rest in fens)
    return Witness(exchanged_ranks(san), before, exchanged_ranks(uci), after)


def exchanged_colours(witness: Witness) -> Witness:
    """Return a witness of White's with Black to move; after Black's move the number is the next."""
    san, fen, uci, after_fen = witness
    after, number = exchanged_fen(after_fen).rsplit(" ", 1)
    after = f"{after} {int(number) + 1}"
    return Witness(exchanged_ranks(san), exchanged_fen(fen), exchanged_ranks(uci), after)
