"""The search over arrangements in sentences, for `sanproof explain`."""

from collections import Counter
from collections.abc import Iterator
from typing import Final

from sanproof.proofs.arrangements.search import IN_THE_WAY, Arrangement, Attempt, attempts, searched
from sanproof.proofs.rules.san import San
from sanproof.proofs.rules.squares import square_name

SHOWN: Final = 3
"""Arrangements that are described; of the others only the number is said."""


def sentences(san: San) -> Iterator[str]:
    """Which arrangements were searched, and why each fails."""
    if not searched(san):
        yield "No arrangements are searched: no plain move of a knight, bishop, rook or queen."
        return
    tried = list(attempts(san))
    found = next((a for a in tried if (a.king is not None if san.suffix else a.fits)), None)
    count = f"{len(tried)} arrangement{'' if len(tried) == 1 else 's'}"
    if found:
        pieces = _pieces(found.arrangement)
        yield f"Of {count} of origin and twins one has room: {pieces}{_king(found)}."
        return
    yield f"Searched: {count} of an origin and the twins that make the writer name so much of it."
    for attempt in tried[:SHOWN]:
        yield f"{_pieces(attempt.arrangement)}: {_why(attempt)}."
    if len(tried) > SHOWN:
        yield f"{len(tried) - SHOWN:,} more: {_summary(tried[SHOWN:])}."


def _pieces(arrangement: Arrangement) -> str:
    twins = " and ".join(map(square_name, arrangement.twins))
    return f"from {square_name(arrangement.origin)}" + (f" with a twin on {twins}" if twins else "")


def _king(attempt: Attempt) -> str:
    return f", the king on {square_name(attempt.king)}" if attempt.king is not None else ""


def _why(attempt: Attempt) -> str:
    if not attempt.fits:
        return IN_THE_WAY
    reasons = Counter(attempt.failures.values())
    parts = [f"{count} because {why}" for why, count in reasons.most_common()]
    return f"none of 64 squares is left for a king: {', '.join(parts)}"


def _summary(tried: list[Attempt]) -> str:
    crowded = sum(not attempt.fits for attempt in tried)
    parts = [f"in {crowded:,} {IN_THE_WAY}"] if crowded else []
    if len(tried) > crowded:
        parts.append(f"{len(tried) - crowded:,} leave no square for a king")
    return ", ".join(parts)
