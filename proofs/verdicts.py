"""From what was found of the cubes to a verdict for every string."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

from proofs.cubes import Cube, all_cubes, cube_of, exchanged_cube, solved_cube
from proofs.grammar import SUFFIXES, San
from proofs.reasons import Reason, reason
from proofs.witness import CheckedWitness


class Verdict(Enum):
    """What is known of a string; no bool, because *not found* is not *impossible*."""

    REACHABLE = "reachable"
    IMPOSSIBLE = "impossible"
    UNDECIDED = "undecided"


class Ruling(NamedTuple):
    """The verdict on a string, in the universe's order of strings."""

    san: str
    bare: San
    suffix: str
    verdict: Verdict
    reason: Reason | None


@dataclass
class Findings:
    """All that a run has found so far.

    Attributes:
        witnesses: For each reachable string, the witness that is published: White's if there is
            one, otherwise Black's.
        closed: The solved cubes (see :func:`proofs.cubes.solved_cubes`) whose closing proof was
            found: a string of theirs without a witness is impossible for White.
    """

    witnesses: dict[str, CheckedWitness] = field(default_factory=dict)
    closed: set[Cube] = field(default_factory=set)

    def add(self, cube: Cube, witnesses: Iterable[CheckedWitness], *, closed: bool) -> None:
        """Take in what was found of a solved cube and of its mirror images."""
        for witness in witnesses:
            known = self.witnesses.get(witness.san)
            if known is None or (" b " in known.fen and " w " in witness.fen):
                self.witnesses[witness.san] = witness
        if closed:
            self.closed.add(cube)

    def rulings(self, cubes: Iterable[Cube] | None = None) -> Iterator[Ruling]:
        """The verdict on every string of these cubes, or of all cubes.

        Raises:
            NoReason: A string is impossible and no named reason fits it.
        """
        for cube in all_cubes() if cubes is None else cubes:
            decided = {solved_cube(cube), solved_cube(exchanged_cube(cube))} <= self.closed
            for bare in cube.bare_strings():
                yield from self._rulings_of(bare, decided=decided)

    def ruling(self, san: San) -> Ruling:
        """The verdict on one string."""
        return next(r for r in self.rulings([cube_of(san)]) if r.san == str(san))

    def _rulings_of(self, bare: San, *, decided: bool) -> Iterator[Ruling]:
        text = str(bare)
        playable = text in self.witnesses
        for suffix in SUFFIXES:
            san = text + suffix
            if san in self.witnesses:
                yield Ruling(san, bare, suffix, Verdict.REACHABLE, None)
            elif not decided:
                yield Ruling(san, bare, suffix, Verdict.UNDECIDED, None)
            else:
                why = reason(bare, playable=playable)
                yield Ruling(san, bare, suffix, Verdict.IMPOSSIBLE, why)


def cubes_of(strings: Collection[San]) -> list[Cube]:
    """The cubes that hold these strings, in the order of all cubes."""
    wanted = {cube_of(san) for san in strings}
    return [cube for cube in all_cubes() if cube in wanted]
