"""Findings made without any search: the generator's list stands for what was found."""

from collections.abc import Collection, Iterable

from sanproof.generator.strings import both_lists
from sanproof.proofs.board.witness import Witness
from sanproof.proofs.rules.cubes import Cube, all_cubes, cube_of
from sanproof.proofs.rules.san import parse_san
from sanproof.proofs.theory.reasons import Findings
from sanproof.reports.tables.pgn import PgnGame

BARE, SUFFIXED = both_lists()
CLAIMED = frozenset(SUFFIXED)
STRINGS: dict[Cube, list[str]] = {cube: [] for cube in all_cubes()}
for _san in sorted(CLAIMED):
    STRINGS[cube_of(parse_san(_san))].append(_san)

FOOLS = PgnGame(1, "Qh4#", 3, ("f3", "e5", "g4", "Qh4#"))
SCHOLARS = PgnGame(2, "Qxf7#", 6, ("e4", "e5", "Bc4", "Nc6", "Qh5", "Nf6", "Qxf7#"))
COVER = [FOOLS, SCHOLARS]
"""A cover of the strings that its games show."""


def witness(san: str, player: str = "w") -> Witness:
    """Return a witness of which only the string and the player matter."""
    return Witness(san, f"8/8/8/8/8/8/8/8 {player} - - 0 1", "a1a2", f"after {san}")


def findings(closed: Iterable[Cube], without: Collection[str] = ()) -> Findings:
    """Return findings: everything that is claimed is witnessed, and these cubes are closed."""
    result = Findings()
    result.add_witnesses(witness(san) for san in sorted(CLAIMED) if san not in without)
    result.left_open = {cube: STRINGS[cube] for cube in closed}
    return result
