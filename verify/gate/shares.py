"""The common description of a list's differences, and the generator's rule to look at.

A generator works by rules: what pawns, kings and castling write; where a piece moves; when the
file, the rank or the square of its origin is written; which moves give check. One wrong rule makes
many differences, which are alike.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from sanproof.proofs.rules.san import CASTLINGS, San, parse_san
from sanproof.proofs.theory.reasons import NAMES

OFFICERS: Final = frozenset("NBRQ")


def _written(san: San) -> str:
    """Return what a string names of the origin, in words."""
    if san.file and san.rank:
        return "the square of origin is written"
    if san.file or san.rank:
        return f"the {'file' if san.file else 'rank'} of origin is written"
    return "no origin is written"


_PARTS: Final[dict[str, Callable[[San], str]]] = {
    "written": _written,
    "suffix": lambda san: f"with {san.suffix}" if san.suffix else "without suffix",
    "capture": lambda san: "captures" if san.capture else "no captures",
    "piece": lambda san: NAMES.get(san.piece, "castling"),
    "promotion": lambda san: f"promotion to {san.promotion}" if san.promotion else "no promotion",
    "from file": lambda san: san.file,
    "from rank": lambda san: san.rank,
    "to file": lambda san: san.destination[:1],
    "to rank": lambda san: san.destination[1:],
}
"""The parts of a description, in the order in which they are told."""


class SharedDescription(NamedTuple):
    """The common description of differences of one sort.

    Attributes:
        strings: How many strings differ.
        description: The smallest description that covers them; empty if they share nothing.
        fitting: How many strings of the proven list are so described.
        rule: The rule of a generator that it points to.
    """

    strings: int
    description: str
    fitting: int
    rule: str


def shared(differing: Sequence[San], proven: frozenset[str]) -> SharedDescription | None:
    """Return what missing strings, or extra ones, share; None if there are none."""
    extra = [san for san in differing if str(san) not in proven]
    if not differing:
        return None
    # Extra strings count as well: of the proven strings alone none may be like it.
    rows = [*_parts_of_all(proven), *map(_parts_of, extra)]
    all_parts = _values(rows)
    parts = _values(map(_parts_of, differing))
    telling = [name for name in _PARTS if parts[name] != all_parts[name]]
    failing = Counter(
        frozenset(n for n, value in zip(_PARTS, row, strict=True) if value not in parts[n])
        for row in rows
    )
    needed = set(telling)
    fitting = _count(failing, needed)
    for name in reversed(telling):  # leave out what the others imply
        if _count(failing, needed - {name}) == fitting:
            needed.remove(name)
    told = [name for name in telling if name in needed]
    described = [_in_words(name, parts[name]) for name in told]
    return SharedDescription(
        len(differing), "; ".join(described), fitting - len(extra), rule_of(differing)
    )


def _parts_of(san: San) -> tuple[str, ...]:
    return tuple(read(san) for read in _PARTS.values())


@lru_cache(2)  # with and without suffixes
def _parts_of_all(proven: frozenset[str]) -> list[tuple[str, ...]]:
    return [_parts_of(parse_san(text)) for text in proven]


def _values(rows: Iterable[tuple[str, ...]]) -> dict[str, set[str]]:
    """Return the values that each part has."""
    return {name: set(values) for name, values in zip(_PARTS, zip(*rows, strict=True), strict=True)}


def _count(failing: Counter[frozenset[str]], names: set[str]) -> int:
    """Return how many strings fail none of these parts of the description."""
    return sum(number for failed, number in failing.items() if not failed & names)


def _in_words(name: str, found: set[str]) -> str:
    """Return a part of the description."""
    listed = " or ".join(sorted(value or "none" for value in found))
    return f"{name} {listed}" if " " in name else listed


# The rule of a generator


def rule_of(differing: Sequence[San]) -> str:
    """Return the rule of a generator that made these strings differ, if it works as most do.

    An error in a bare string repeats in its suffixed forms.
    """
    bare = [san for san in differing if not san.suffix]
    known = {str(san) for san in bare}
    if not known.issuperset(str(san.bare) for san in differing):
        checks = "the rule for check and mate (+ and #)"
        return f"{_rule_of_bare(bare)}, and {checks}" if bare else checks
    return _rule_of_bare(bare)


def _rule_of_bare(bare: Sequence[San]) -> str:
    pieces = {san.piece for san in bare}
    if pieces <= OFFICERS:
        return _rule_of_officers(bare)
    if pieces <= {*CASTLINGS}:
        return "castling"
    if pieces == {"K"}:
        return "the moves of kings"
    if pieces == {""}:
        return _rule_of_pawns(bare)
    if _are_all_captures(bare):
        return "captures (x)"
    return "the code that all pieces' moves share"


def _rule_of_officers(bare: Sequence[San]) -> str:
    """Return how they move if strings that name nothing differ, otherwise when an origin is named.

    These are three rules; what several of them share is what twins there can be. Where it is the
    strings of one piece alone, or of two that share lines, their moves may be wrong as well.
    """
    pieces = sorted({san.piece for san in bare})
    moves = f"the moves of {' and '.join(f'{NAMES[piece]}s' for piece in pieces)}"
    kinds = {_written(san) for san in bare}
    if "no origin is written" in kinds:
        return "captures (x)" if _are_all_captures(bare) else moves
    also = f", or at {moves}" if len(pieces) <= 2 else ""
    names = [kind.split(" ")[1] for kind in sorted(kinds)]  # file, rank, square
    if len(names) == 1:
        return f"when the {names[0]} is written ({names[0]} discriminators){also}"
    share = f"what the {' and '.join(names)} discriminators share: which twins are possible"
    return f"{share}{also}"


def _are_all_captures(bare: Sequence[San]) -> bool:
    """Check whether captures of more than one piece differ, and nothing else."""
    return all(san.capture for san in bare) and len({san.piece for san in bare}) > 1


def _rule_of_pawns(bare: Sequence[San]) -> str:
    if all(san.promotion or san.destination[1] in "18" for san in bare):
        return "promotions"
    captures = {bool(san.capture) for san in bare}
    if len(captures) == 2:
        return "the moves of pawns"
    return "the captures of pawns" if True in captures else "the pushes of pawns"
