"""Reading a solver's models: the string that one spells, and its position and move. Untrusted.

Whatever comes out of here counts only once :mod:`proofs.verdicts.check` has checked it.
"""

from collections.abc import Sequence

from sanproof.proofs.encoding.cnf import Literal
from sanproof.proofs.encoding.relaxation import Encoding
from sanproof.proofs.encoding.written import FIELDS
from sanproof.proofs.rules.cubes import BLACK, WHITE
from sanproof.proofs.rules.san import San
from sanproof.proofs.rules.squares import SQUARES, square_name
from sanproof.proofs.search.board import ROLES, ROLES_OF
from sanproof.proofs.search.exact import ExactEncoding
from sanproof.proofs.verdicts.fens import placement_of
from sanproof.proofs.verdicts.witness import Witness

LETTERS = {frozenset(roles): letter for letter, roles in ROLES_OF.items()}
CASTLING_RIGHTS = {"O-O": "K", "O-O-O": "Q"}
_COLUMNS = (WHITE, BLACK, *ROLES)


def field_literals(encoding: Encoding) -> list[Literal]:
    """The literals from which :func:`read_string` tells the string that a model spells."""
    return [literal for values in encoding.fields.values() for literal in values.values()]


def read_string(encoding: Encoding, values: Sequence[bool]) -> San:
    """The string that a model spells; ``values`` are those of the first literals asked for."""
    bits = iter(values)
    chosen = {name: [value for value in choices if next(bits)] for name, choices in FIELDS.items()}
    fields = {name: value for name, (value,) in chosen.items()}
    cube = encoding.cube
    return San(cube.piece, capture=cube.capture, destination=cube.destination, **fields)


def witness_literals(encoding: ExactEncoding) -> list[Literal]:
    """The literals from which :func:`read_witness` tells a position and its move."""
    columns = [getattr(encoding.board, name) for name in _COLUMNS]
    return [
        *field_literals(encoding),
        encoding.move.en_passant,
        *encoding.move.origins.values(),
        *(literal for column in columns for literal in column),
    ]


def read_witness(encoding: ExactEncoding, values: Sequence[bool]) -> Witness:
    """The witness that a model spells; ``values`` are those of the :func:`witness_literals`."""
    san = read_string(encoding, values)
    bits = iter(values[len(field_literals(encoding)) :])
    passed = san.destination if next(bits) else "-"
    (origin,) = [s for s in encoding.move.origins if next(bits)]
    columns = {name: [next(bits) for _ in SQUARES] for name in _COLUMNS}
    rights = CASTLING_RIGHTS.get(san.piece, "-")
    placement = placement_of([_letter(columns, s ^ 56) for s in SQUARES])
    fen = f"{placement} w {rights} {passed} 0 1"
    uci = square_name(origin) + square_name(encoding.move.destination)
    return Witness(str(san), fen, uci + san.promotion.lower())


def _letter(columns: dict[str, list[bool]], square: int) -> str:
    if not columns[WHITE][square] and not columns[BLACK][square]:
        return "."
    letter = LETTERS[frozenset(role for role in ROLES if columns[role][square])]
    return letter if columns[WHITE][square] else letter.lower()
