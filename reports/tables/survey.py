"""Going through the verdicts once: what is counted, and what is listed."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Final, NamedTuple

from sanproof.proofs.rules.san import CASTLINGS, SUFFIXES, San
from sanproof.proofs.verdicts.reasons import NAMES, Reason
from sanproof.proofs.verdicts.rulings import Ruling, Verdict

DISCRIMINATORS: Final = {
    (False, False): "nothing written",
    (True, False): "file written",
    (False, True): "rank written",
    (True, True): "square written",
}


class _Alike(NamedTuple):
    """What decides how a bare string is counted and listed.

    Its length and piece, and what is written of its origin; the verdicts on it with each suffix,
    why some are impossible, and which of them are selected.
    """

    length: int
    piece: str
    file: bool
    rank: bool
    verdicts: tuple[Verdict, ...]
    reason: Reason | None
    chosen: tuple[bool, ...]


ALL: Final = (True,) * len(SUFFIXES)


class Kind(NamedTuple):
    """By what strings are counted."""

    piece: str
    discriminator: str
    suffix: str
    verdict: Verdict
    reason: Reason | None


@dataclass(frozen=True)
class Survey:
    """The verdicts of a run: the number of strings of each kind, and lists in list order.

    ``impossible`` yields ``string,reason``, made while one goes through them, since all at once
    would be the most that a run ever holds.
    """

    counts: Counter[Kind]
    reachable: list[str]
    impossible: Iterable[str]
    undecided: list[str]

    def count(self, by: Callable[[Kind], str]) -> dict[str, Counter[Verdict]]:
        """The number of strings of each verdict, for each name that ``by`` gives a kind."""
        table: dict[str, Counter[Verdict]] = defaultdict(Counter)
        for kind, number in self.counts.items():
            table[by(kind)][kind.verdict] += number
        return dict(table)

    def total(self, verdict: Verdict | None = None) -> int:
        """The number of strings with this verdict, or of all strings."""
        return sum(n for kind, n in self.counts.items() if verdict in (None, kind.verdict))


def survey(rulings: Iterable[Ruling], selected: Callable[[str], bool] | None = None) -> Survey:
    """Count and list the verdicts, of all strings or of those that are selected."""
    alike: dict[tuple[object, ...], list[str]] = defaultdict(list)
    for texts, bare, verdicts, why in rulings:
        key = (len(texts[0]), bare.piece, bare.file != "", bare.rank != "", verdicts, why)
        if selected is None:
            alike[*key, ALL] += texts
        else:
            for text in texts:
                chosen = tuple(selected(text + suffix) for suffix in SUFFIXES)
                alike[*key, chosen].append(text)
    groups = {_Alike._make(key): texts for key, texts in alike.items()}
    reachable, undecided = (list(_lines(groups, v)) for v in (Verdict.REACHABLE, Verdict.UNDECIDED))
    return Survey(_counts(groups), reachable, _lines(groups, Verdict.IMPOSSIBLE), undecided)


def _counts(groups: Mapping[_Alike, list[str]]) -> Counter[Kind]:
    """The number of strings of each kind."""
    counts: Counter[Kind] = Counter()
    for group, texts in groups.items():
        written = DISCRIMINATORS[group.file, group.rank]
        for suffix, verdict, chosen in zip(SUFFIXES, group.verdicts, group.chosen, strict=True):
            if chosen:
                reason = group.reason if verdict is Verdict.IMPOSSIBLE else None
                counts[Kind(group.piece, written, suffix, verdict, reason)] += len(texts)
    return counts


@dataclass(frozen=True)
class _Lines:
    """The strings with a verdict, in list order; after an impossible one its reason.

    By the length of a string: bare strings, and what stands after each of them.
    """

    by_length: dict[int, list[tuple[list[str], str]]]

    def __iter__(self) -> Iterator[str]:
        return chain.from_iterable(
            sorted([text + end for texts, end in alike for text in texts])
            for _, alike in sorted(self.by_length.items())
        )


def _lines(groups: Mapping[_Alike, list[str]], wanted: Verdict) -> _Lines:
    by_length: dict[int, list[tuple[list[str], str]]] = defaultdict(list)
    for group, texts in groups.items():
        why = group.reason if wanted is Verdict.IMPOSSIBLE else None
        for suffix, verdict, chosen in zip(SUFFIXES, group.verdicts, group.chosen, strict=True):
            if chosen and verdict is wanted:
                end = suffix if why is None else f"{suffix},{why.value}"
                by_length[group.length + len(suffix)].append((texts, end))
    return _Lines(by_length)


def discriminator(san: San) -> str:
    """What is written of the origin."""
    return DISCRIMINATORS[bool(san.file), bool(san.rank)]


def piece_name(kind: Kind | San) -> str:
    """The piece in words; castling counts by itself."""
    return "castling" if kind.piece in CASTLINGS else NAMES[kind.piece]
