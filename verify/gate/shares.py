"""The rule of a generator to look at first, where a list differs.

A generator works by rules: what pawns, kings and castling write; where a piece moves; when the
file, the rank or the square of its origin is written; which moves give check. One wrong rule makes
many differences, which are alike.
"""

from collections.abc import Sequence
from typing import Final

from sanproof.proofs.rules.san import CASTLINGS, San
from sanproof.proofs.theory.reasons import NAMES

OFFICERS: Final = frozenset("NBRQ")


def rule_of(differing: Sequence[San]) -> str:
    """Return the rule of a generator that made these strings differ, if it works as most do.

    An error in a bare string repeats in its suffixed forms. The text is empty if no rule stands
    out.
    """
    bare = [san for san in differing if not san.suffix]
    known = {str(san) for san in bare}
    rules = [_rule_of_bare(bare)] if bare else []
    if not known.issuperset(str(san.bare) for san in differing):
        rules.append("the rule for check and mate (+ and #)")
    return ", and ".join(filter(None, rules))


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
    return "captures (x)" if _are_all_captures(bare) else ""


def _rule_of_officers(bare: Sequence[San]) -> str:
    """Return how they move if strings that name nothing differ, otherwise when an origin is named.

    These are three rules; what several of them share is what twins there can be. Where it is the
    strings of one piece alone, or of two that share lines, their moves may be wrong as well.
    """
    pieces = sorted({san.piece for san in bare})
    moves = f"the moves of {' and '.join(f'{NAMES[piece]}s' for piece in pieces)}"
    names = sorted({_written(san) for san in bare})
    if "" in names:
        return "captures (x)" if _are_all_captures(bare) else moves
    also = f", or at {moves}" if len(pieces) <= 2 else ""
    if len(names) == 1:
        return f"when the {names[0]} is written ({names[0]} discriminators){also}"
    share = f"what the {' and '.join(names)} discriminators share: which twins are possible"
    return f"{share}{also}"


def _written(san: San) -> str:
    """Return what a string names of the origin, if anything."""
    if san.file and san.rank:
        return "square"
    return "file" if san.file else "rank" if san.rank else ""


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
