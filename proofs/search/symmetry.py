"""Mirror images of the board, of strings, cubes and witnesses; what is solved for which cubes.

Untrusted: of mirror images one is checked (:class:`AlikeWitnesses`), and all of them by an audit;
each cube has a certificate of its own.
"""

import re
from typing import Final, NamedTuple

import chess

from sanproof.proofs.rules.cubes import Cube, all_cubes, exchanged_cube, exchanged_ranks
from sanproof.proofs.rules.san import San
from sanproof.proofs.rules.squares import FILES, file_of, parse_square, rank_of, square_name
from sanproof.proofs.verdicts.fens import exchanged_fen, write_fen
from sanproof.proofs.verdicts.witness import CheckedWitness, Witness, check_witness

WorkUnit = tuple[Cube, ...]
"""Cubes that are solved together, because their witnesses can be had from each other."""


def mirror_file(square: int) -> int:
    """Return the square reflected from left to right: a-file and h-file change places."""
    return square ^ 7


def mirror_rank(square: int) -> int:
    """Return the square as the other player sees it: first rank and eighth rank change places."""
    return square ^ 56


def transpose(square: int) -> int:
    """Return the square reflected in the diagonal from a1 to h8: files and ranks change places."""
    return 8 * file_of(square) + rank_of(square)


# Strings and cubes


def mirrored_san(san: San) -> San:
    """Return the same move's string on the board reflected left to right; not for castling."""
    squares = LEFT_TO_RIGHT.squares
    return san._replace(file=squares(san.file), destination=squares(san.destination))


def mirrored_cube(cube: Cube) -> Cube:
    """Return the cube of the same moves reflected from left to right; a castling's is itself."""
    return cube._replace(destination=LEFT_TO_RIGHT.squares(cube.destination))


def is_transposable(cube: Cube) -> bool:
    """Return whether exchanging files and ranks changes the cube: a piece's, off the diagonal."""
    return bool(cube.piece) and not cube.castling and transposed_cube(cube) != cube


def transposed_cube(cube: Cube) -> Cube:
    """Return the cube of the same piece's moves with files and ranks exchanged; not for pawns."""
    return cube._replace(destination=_transposed_squares(cube.destination))


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


# Positions and witnesses


class Mirror(NamedTuple):
    """The sides of the board that change places; each mirror is its own inverse.

    A witness from left to right only without castling, and from front to back, with White still to
    move, only without pawns.
    """

    files: bool
    ranks: bool

    def squares(self, text: str) -> str:
        """Return a text with its squares mirrored: the pieces of SAN have capital letters."""
        text = text.translate(_MIRRORED_FILES) if self.files else text
        return exchanged_ranks(text) if self.ranks else text

    def placement(self, text: str) -> str:
        """Return the first field of a FEN mirrored."""
        if self.files:  # all ranks read backwards: the last rank is first then
            text = text[::-1]
        return "/".join(text.split("/")[::-1]) if self.files is not self.ranks else text

    def fen(self, fen: str) -> str:
        """Return a position without castling rights mirrored, with the same player to move."""
        fields = fen.split(" ")
        fields[0] = self.placement(fields[0])
        fields[3:4] = map(self.squares, fields[3:4])
        return " ".join(fields)

    def witness(self, witness: Witness) -> Witness:
        """Return a witness mirrored."""
        squares, promotion = witness.uci[:4], witness.uci[4:]
        uci = self.squares(squares) + promotion
        return Witness(self.squares(witness.san), self.fen(witness.fen), uci)


_MIRRORED_FILES: Final = str.maketrans(FILES, FILES[::-1])
ITSELF: Final = Mirror(files=False, ranks=False)
LEFT_TO_RIGHT: Final = Mirror(files=True, ranks=False)
FRONT_TO_BACK: Final = Mirror(files=False, ranks=True)
_WITH_PAWNS: Final = (ITSELF, LEFT_TO_RIGHT)
_WITHOUT_PAWNS: Final = (*_WITH_PAWNS, FRONT_TO_BACK, Mirror(files=True, ranks=True))


def has_no_pawn(witness: Witness) -> bool:
    """Check whether no pawn stands on the board, so that it may be reflected in any way."""
    return "p" not in witness.fen.split(" ")[0].lower()


def transposed(witness: Witness) -> Witness:
    """Return the witness with files and ranks exchanged; only without pawns and castling rights.

    Its string is read again: a file is written rather than a rank (PGN standard 8.2.3.4), so that
    ``Qab3`` may become ``Q1c2`` or ``Qbc2``.
    """
    board = chess.Board(witness.fen).transform(chess.flip_diagonal)
    uci = _transposed_squares(witness.uci)
    return Witness(board.san(chess.Move.from_uci(uci)), write_fen(board), uci)


def exchanged_colours(witness: Witness) -> Witness:
    """Return the witness with Black to move where White was."""
    san, fen, uci = witness
    return Witness(exchanged_ranks(san), exchanged_fen(fen), exchanged_ranks(uci))


class AlikeWitnesses:
    """Checks witnesses of which many are mirror images of each other: one of them by python-chess.

    Where no castling is allowed and no pawn can be taken in passing, chess knows no left and right;
    without pawns it knows no front and back either. A legal move stays one, and what is written of
    it changes its squares only: a file is written rather than a rank, in any of these mirrors (PGN
    standard 8.2.3.4). The audit asks python-chess about every witness by itself.
    """

    def __init__(self) -> None:
        self._known: dict[Witness, tuple[Mirror, CheckedWitness]] = {}

    def check(self, witness: Witness) -> CheckedWitness:
        """Return and raise as :func:`proofs.verdicts.witness.check_witness` does."""
        image, mirror = min((mirror.witness(witness), mirror) for mirror in _mirrors_of(witness))
        if image not in self._known:
            self._known[image] = mirror, check_witness(witness)
        other, known = self._known[image]
        between = Mirror(mirror.files is not other.files, mirror.ranks is not other.ranks)
        return CheckedWitness(*witness, between.fen(known.after_fen))


def _mirrors_of(witness: Witness) -> tuple[Mirror, ...]:
    """Return the mirrors in which its move is legal for the same reasons."""
    if witness.fen.split(" ")[2:4] != ["-", "-"]:
        return (ITSELF,)
    return _WITHOUT_PAWNS if has_no_pawn(witness) else _WITH_PAWNS


def _transposed_squares(text: str) -> str:
    """Return a move or a square with files and ranks exchanged."""
    return re.sub("[a-h][1-8]", lambda name: square_name(transpose(parse_square(name[0]))), text)
