"""From what was found of the cubes to a verdict for every string."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import product
from typing import NamedTuple

from sanproof.proofs.board.witness import Witness
from sanproof.proofs.rules import san as grammar
from sanproof.proofs.rules.cubes import (
    WHITE,
    Cube,
    all_cubes,
    cube_of,
    exchanged_cube,
    exchanged_ranks,
)
from sanproof.proofs.theory.reasons import Reason, Verdict, reason


def bare_strings(cube: Cube) -> Iterator[grammar.San]:
    """Every bare string of the universe that belongs to the cube."""
    if cube.castling:
        yield grammar.San(cube.piece, "", "", "", "", "", "")
        return
    parts = product(grammar.FILE_LETTERS, grammar.RANK_DIGITS, grammar.PROMOTIONS)
    for file, rank, promotion in parts:
        yield grammar.San(cube.piece, file, rank, cube.capture, cube.destination, promotion, "")


def with_suffixes(bare: grammar.San) -> Iterator[grammar.San]:
    """Yield the three strings that a bare string becomes."""
    for suffix in grammar.SUFFIXES:
        yield bare._replace(suffix=suffix)


class Ruling(NamedTuple):
    """The verdicts on a bare string with each of ``SUFFIXES``, in order.

    The reason why some are impossible is the same for all suffixes; it is None if none is.
    """

    bare: grammar.San
    verdicts: tuple[Verdict, ...]
    reason: Reason | None

    def verdict(self, suffix: str) -> Verdict:
        """Return the verdict on the string with this suffix."""
        return self.verdicts[grammar.SUFFIXES.index(suffix)]


@dataclass
class Findings:
    """All that a run has found so far.

    Attributes:
        witnesses: For each reachable string, the witness that is published: White's if there is
            one, otherwise Black's.
        left_open: For each cube that is closed, the strings that its closing proof leaves open:
            White plays no other string of the cube.
    """

    witnesses: dict[str, Witness] = field(default_factory=dict)
    left_open: dict[Cube, Collection[str]] = field(default_factory=dict)

    def add_witnesses(self, witnesses: Iterable[Witness]) -> None:
        """Take in witnesses, in any order."""
        for witness in witnesses:
            known = self.witnesses.get(witness.san)
            if known is None or (" b " in known.fen and " w " in witness.fen):
                self.witnesses[witness.san] = witness

    def rulings(self, cubes: Iterable[Cube] | None = None) -> Iterator[Ruling]:
        """Yield the verdicts on every string of these cubes, or of all cubes.

        Raises:
            NoReason: A string is impossible and no named reason fits it.
        """
        for cube in all_cubes() if cubes is None else cubes:
            possible = self._possible(cube)
            yield from (self._ruling(bare, possible) for bare in bare_strings(cube))

    def ruling(self, san: grammar.San) -> Ruling:
        """Return the verdicts on one string, whatever its suffix."""
        return self._ruling(san._replace(suffix=""), self._possible(cube_of(san)))

    def open_to(self, colour: str) -> set[str]:
        """Return the strings that closing proofs leave open for a player."""
        white = (san for left_open in self.left_open.values() for san in left_open)
        if colour == WHITE:
            return set(white)
        return {exchanged_ranks(san) for san in white}

    def _possible(self, cube: Cube) -> set[str] | None:
        """Return a cube's strings that no proof excludes for both colours, None otherwise.

        Black plays a string exactly when White plays it with the colours exchanged.
        """
        white = self.left_open.get(cube)
        black = self.left_open.get(exchanged_cube(cube))
        if white is None or black is None:
            return None
        return {*white, *(exchanged_ranks(san) for san in black)}

    def _ruling(self, bare: grammar.San, possible: set[str] | None) -> Ruling:
        text = str(bare)
        verdicts = tuple(self._verdict(text + suffix, possible) for suffix in grammar.SUFFIXES)
        if Verdict.IMPOSSIBLE not in verdicts:
            return Ruling(bare, verdicts, None)
        playable = possible is not None and text in possible
        return Ruling(bare, verdicts, reason(bare, playable=playable))

    def _verdict(self, san: str, possible: set[str] | None) -> Verdict:
        if san in self.witnesses:
            return Verdict.REACHABLE
        is_open = possible is None or san in possible
        return Verdict.UNDECIDED if is_open else Verdict.IMPOSSIBLE
