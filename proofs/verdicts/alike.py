"""Checks witnesses of which many are mirror images of each other: one of them by python-chess.

Where nobody may castle and no pawn can be taken in passing, chess knows no left and right; without
pawns it knows no front and back either. A legal move stays one, and what is written of it changes
its squares only: a file is written rather than a rank, in any of these mirrors (PGN standard
8.2.3.4). The audit asks python-chess about every witness by itself.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from sanproof.proofs.verdicts.check import check_witness
from sanproof.proofs.verdicts.witness import CheckedWitness, Witness

_FILES: Final = str.maketrans("abcdefgh", "hgfedcba")
_RANKS: Final = str.maketrans("12345678", "87654321")


class _Mirror(NamedTuple):
    """Which sides change places; a mirror takes back what it does."""

    files: bool
    ranks: bool

    def squares(self, text: str) -> str:
        """A text with its squares mirrored: the pieces of SAN have capital letters."""
        text = text.translate(_FILES) if self.files else text
        return text.translate(_RANKS) if self.ranks else text

    def placement(self, text: str) -> str:
        """The first field of a FEN mirrored."""
        if self.files:  # all ranks read backwards: the last rank is first then
            text = text[::-1]
        return "/".join(text.split("/")[::-1]) if self.files is not self.ranks else text


_ITSELF: Final = _Mirror(files=False, ranks=False)
_WITH_PAWNS: Final = (_ITSELF, _Mirror(files=True, ranks=False))
_WITHOUT: Final = (*_WITH_PAWNS, *[mirror._replace(ranks=True) for mirror in _WITH_PAWNS])


class AlikeWitnesses:
    """The witnesses that were checked, by what they have in common with their mirror images."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, ...], tuple[_Mirror, CheckedWitness]] = {}

    def check(self, witness: Witness) -> CheckedWitness:
        """What :func:`proofs.verdicts.check.check_witness` returns, and raises."""
        key, mirror = min(_images(witness))
        if key not in self._known:
            self._known[key] = mirror, check_witness(witness)
        other, known = self._known[key]
        if mirror == other:
            return known
        between = _Mirror(mirror.files is not other.files, mirror.ranks is not other.ranks)
        placement, turn, rights, passed, *clocks = known.after_fen.split(" ")
        passed = passed if passed == "-" else between.squares(passed)
        after = " ".join([between.placement(placement), turn, rights, passed, *clocks])
        return CheckedWitness(*witness, after)


def _images(witness: Witness) -> Iterator[tuple[tuple[str, ...], _Mirror]]:
    """The witness in each mirror in which its move is legal for the same reasons."""
    placement, *rest = witness.fen.split(" ")
    mirrors = _WITHOUT if "p" not in placement.lower() else _WITH_PAWNS
    for mirror in mirrors if rest[1:3] == ["-", "-"] else (_ITSELF,):
        squares = mirror.squares(f"{witness.san} {witness.uci[:4]}"), witness.uci[4:]
        yield (mirror.placement(placement), *squares, *rest), mirror
