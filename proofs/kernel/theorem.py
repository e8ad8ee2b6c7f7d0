"""The theorem, from three artefacts: the list of strings, the games, and the certificates.

For every string of the universe exactly one of these holds, for each of the two players:

- a game shows that the player writes it (:mod:`proofs.kernel.games`);
- the certificate of its cube shows that the player does not (:mod:`proofs.kernel.certificates`).

Certificates speak of White. Black writes a string exactly when White writes the one with the
colours exchanged (:mod:`proofs.rules.cubes`). The list holds exactly the strings that some player
writes.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Executor
from itertools import chain, pairwise
from operator import itemgetter
from typing import Final, NamedTuple

from sanproof.proofs.kernel.certificates import (
    CUBES_BY_NAME,
    ClosedCube,
    check_certificate,
    split_certificates,
)
from sanproof.proofs.kernel.files import CERTIFICATES, GAMES, STRINGS, EvidenceError
from sanproof.proofs.kernel.games import Shown, check_games
from sanproof.proofs.rules.cubes import Cube, all_cubes, exchanged_cube, exchanged_ranks
from sanproof.proofs.rules.san import San, list_order, universe

BATCH: Final = 1000
POSITION: Final = (
    "A position has one king a side and no pawn on the first or last rank, "
    "and the side not to move is not in check."
)


class Theorem(NamedTuple):
    """The established theorem, in numbers.

    Attributes:
        strings: The strings that it is about.
        white: Those that White writes in some game.
        black: Those that Black writes in some game.
        games: How many games were replayed.
        cubes: How many certificates were checked.
        clauses: How many clauses their refutations have.
    """

    strings: int
    white: frozenset[str]
    black: frozenset[str]
    games: int
    cubes: int
    clauses: int

    def sentence(self, about: str = "of the SAN grammar") -> str:
        """Return the theorem as a sentence, in which ``about`` says which strings it is about."""
        reachable = len(self.white | self.black)
        both = len(self.white & self.black)
        return (
            f"Checked {self.cubes:,} refutations of {self.clauses:,} clauses in all, "
            f"and {self.games:,} games.\n"
            f"Proved: of the {self.strings:,} strings {about}, {reachable:,} are written for a "
            f"move of a legal game ({both:,} by both players, {len(self.white) - both:,} only by "
            f"White, {len(self.black) - both:,} only by Black), and the other "
            f"{self.strings - reachable:,} for no legal move in any position. {POSITION}"
        )


def establish(strings: str, games: str, certificates: str, executor: Executor) -> Theorem:
    """Establish the theorem from its three artefacts, unpacked; an EvidenceError if it fails.

    The list has a string a line in list order, and no line end after the last.
    """
    closing = submit_certificates(certificates, executor)
    shown = submit_games(games, executor)
    closed = list(closing)
    if [found.cube for found in closed] != all_cubes():
        raise EvidenceError(f"{CERTIFICATES}: not one certificate for each cube, in their order")
    left_open = {found.cube: found.left_open for found in closed}
    clauses = sum(found.clauses for found in closed)
    return conclude(universe(), left_open, shown, clauses, strings)


def submit_certificates(text: str, executor: Executor) -> Iterator[ClosedCube]:
    """Check certificates and yield the results in order, or raise an EvidenceError if too many."""
    paragraphs = list(split_certificates(text))
    if len(paragraphs) > len(CUBES_BY_NAME):
        raise EvidenceError(f"{CERTIFICATES}: there are more certificates than cubes")
    return executor.map(check_certificate, paragraphs, chunksize=5)


def submit_games(text: str, executor: Executor) -> Iterator[Shown]:
    """Check games in any order, or raise an EvidenceError if they are not sorted and different."""
    lines = text.removesuffix("\n").split("\n") if text else []
    if any(a >= b for a, b in pairwise(lines)) or not text.endswith("\n" if text else ""):
        raise EvidenceError(f"{GAMES}: its lines are not whole, sorted and all different")
    pairs = defaultdict(list)  # games that should end alike, but with the colours exchanged
    for line in lines:
        _, ply, san = f"  {line}".rsplit(" ", 2)
        pairs[exchanged_ranks(san) if ply[-1:] in "02468" else san].append(line)
    lines = list(chain.from_iterable(pairs.values()))
    batches = [lines[i : i + BATCH] for i in range(0, len(lines), BATCH)]
    results = executor.map(check_games, batches)
    return (shown for batch in results for shown in batch)


def conclude(
    strings: Iterable[San],
    left_open: Mapping[Cube, frozenset[str]],
    shown: Iterable[Shown],
    clauses: int,
    listed: str,
    about: Callable[[str], bool] = lambda _: True,
) -> Theorem:
    """Check that games, certificates and list agree on every string, and return the theorem.

    The theorem is about these strings, or those of them that it is ``about``.

    Raises:
        EvidenceError: They differ, or a certificate of one of the two players is missing.
    """
    counted = Counter(map(itemgetter(0, 3, 4), strings))  # by piece, capture and destination
    cubes = Counter({Cube(*parts): number for parts, number in counted.items()})
    if missing := {c for cube in cubes for c in (cube, exchanged_cube(cube))}.difference(left_open):
        raise EvidenceError(f"{CERTIFICATES}: there is no certificate of {min(missing)}")
    shown = list(shown)  # not before: games are still replayed while cubes are counted
    can_white = [san for cube in cubes for san in left_open[cube]]
    can_black = [exchanged_ranks(s) for cube in cubes for s in left_open[exchanged_cube(cube)]]
    white = frozenset(san for san, is_white in shown if is_white)
    black = frozenset(san for san, is_white in shown if not is_white)
    for player, writes, can in (("White", white, can_white), ("Black", black, can_black)):
        if strange := writes.symmetric_difference(filter(about, can)):
            what = "both a game and" if min(strange) in writes else "neither a game nor"
            raise EvidenceError(f"{GAMES}: {player} has {what} a refutation for {min(strange)}")
    if listed != "\n".join(sorted(white | black, key=list_order)):
        first = min((white | black).symmetric_difference(listed.split("\n")), default=None)
        what = "order or repeats" if first is None else f"{first[:20]!a}"
        raise EvidenceError(f"{STRINGS}: differs from the strings that the games show in {what}")
    return Theorem(cubes.total(), white, black, len(shown), len(left_open), clauses)
