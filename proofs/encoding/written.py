"""The parts of a SAN string that are written of a move, in literals (PGN 8.2.3.3, 8.2.3.4)."""

from collections.abc import Callable, Sequence
from typing import Final

from sanproof.proofs.encoding.cnf import FALSE, TRUE, Cnf, Literal
from sanproof.proofs.rules.cubes import Cube
from sanproof.proofs.rules.san import FILE_LETTERS, PROMOTIONS, RANK_DIGITS, SUFFIXES
from sanproof.proofs.rules.squares import file_of, rank_of

FIELDS: Final = {
    "file": FILE_LETTERS,
    "rank": RANK_DIGITS,
    "promotion": PROMOTIONS,
    "suffix": SUFFIXES,
}
Fields = dict[str, dict[str, Literal]]
BySquare = dict[int, Literal]


def encode_fields(cnf: Cnf) -> Fields:
    """Return literals for the values of each part of a string, exactly one of which is written."""
    fields = {name: {value: cnf.new() for value in values} for name, values in FIELDS.items()}
    for values in fields.values():
        cnf.exactly_one(values.values())
    return fields


def encode_discriminator(
    cnf: Cnf, cube: Cube, fields: Fields, origins: BySquare, legal: BySquare
) -> None:
    """Encode what is written of the origin.

    A piece with twins, which are pieces of its kind with a legal move to the same destination, is
    written with its file; if a twin shares its file, with its rank; if one shares its file and
    one its rank, with both (PGN 8.2.3.4)::

        R . x . R    Rac1       R       R1c3        R . R     Ra1c3
        a   c   e               x ...                  x
                                R                   R

    A pawn's capture names its file (8.2.3.3); a push, a king's move and a castling name nothing.
    ``origins`` says for each candidate square whether the move starts there, ``legal`` whether a
    piece of the kind there could make the move legally.
    """
    from_file = _by_line(cnf, origins, file_of)
    from_rank = _by_line(cnf, origins, rank_of)
    write_file, write_rank = FALSE, FALSE
    if cube.piece == "" and cube.capture:
        write_file = TRUE
    elif cube.piece:
        twins = {s: cnf.both(x, -origins[s]) for s, x in legal.items()}
        shares_file = _meet(cnf, from_file, _by_line(cnf, twins, file_of))
        shares_rank = _meet(cnf, from_rank, _by_line(cnf, twins, rank_of))
        rank_suffices = cnf.both(shares_file, -shares_rank)
        write_file = cnf.both(cnf.either(*twins.values()), -rank_suffices)
        write_rank = shares_file
    _write(cnf, fields["file"], write_file, from_file)
    _write(cnf, fields["rank"], write_rank, from_rank)


def _by_line(cnf: Cnf, squares: BySquare, line: Callable[[int], int]) -> list[Literal]:
    """For each of the eight files (or ranks), whether it holds one of these squares' literals."""
    return [cnf.either(*[x for s, x in squares.items() if line(s) == i]) for i in range(8)]


def _meet(cnf: Cnf, a: Sequence[Literal], b: Sequence[Literal]) -> Literal:
    """Encode whether some line is in both."""
    return cnf.either(*[cnf.both(x, y) for x, y in zip(a, b, strict=True)])


def _write(cnf: Cnf, values: dict[str, Literal], write: Literal, origin: Sequence[Literal]) -> None:
    """Let the field hold the origin's letter or digit exactly when it is to be written."""
    for literal, here in zip(list(values.values())[1:], origin, strict=True):
        written = cnf.both(write, here)
        cnf.add(-literal, written)
        cnf.add(literal, -written)
