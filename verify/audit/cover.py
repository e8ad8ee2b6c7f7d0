"""What makes games a cover."""

from collections.abc import Collection, Iterable

from sanproof.proofs.kernel.files import EvidenceError
from sanproof.reports.tables.names import COVER
from sanproof.reports.tables.pgn import PgnGame


def check_cover(cover: Collection[PgnGame], reachable: Iterable[str]) -> None:
    """Each mate has one game, which ends with it, and every string is played in some game.

    A game beyond those shows a string that no other game shows.

    Raises:
        EvidenceError: It is not so.
    """
    strings = set(reachable)
    mating = [game for game in cover if game.san.endswith("#")]
    if late := [game for game in mating if game.ply != len(game.sans) - 1]:
        raise EvidenceError(f"{COVER}: a game does not end with {late[0].san}, which it shows")
    ends = [game.san for game in mating]
    if len(ends) != len(set(ends)):
        raise EvidenceError(f"{COVER}: two games end with the same mate")
    if strange := set(ends).symmetric_difference(san for san in strings if san.endswith("#")):
        raise EvidenceError(f"{COVER}: not one game for each mate: {min(strange)}")
    shown = set().union(*(game.sans for game in mating))
    for game in cover:
        if not game.san.endswith("#"):
            if game.san in shown:
                raise EvidenceError(f"{COVER}: a game for {game.san}, which another game shows")
            shown.update(game.sans)
    if missing := strings - shown:
        raise EvidenceError(f"{COVER}: {min(missing)} is played in none of its games")
