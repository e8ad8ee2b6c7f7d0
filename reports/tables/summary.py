"""Counts and lists the verdicts of a run, and writes the counts as JSON and as Markdown."""

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, Final, NamedTuple

from sanproof.proofs.rules.san import CASTLINGS, SUFFIXES, San
from sanproof.proofs.theory.reasons import NAMES, RULES, Reason, Ruling, Verdict
from sanproof.reports.tables import names
from sanproof.reports.tables.pgn import PgnGame
from sanproof.reports.tables.words import number_of

SUFFIX_NAMES: Final = {"": "no suffix", "+": "check (+)", "#": "mate (#)"}
DISCRIMINATORS: Final = {
    (False, False): "nothing written",
    (True, False): "file written",
    (False, True): "rank written",
    (True, True): "square written",
}
DIMENSIONS: Final = ("piece", "suffix", "discriminator")
"""The fields of :class:`Kind` by which the summary counts strings."""


class Kind(NamedTuple):
    """The properties by which strings are counted. The first three are in words."""

    piece: str
    discriminator: str
    suffix: str
    verdict: Verdict
    reason: Reason | None


@dataclass(frozen=True)
class Survey:
    """The verdicts of a run: the number of strings of each kind, and three lists in list order.

    The entries of ``impossible`` are ``string,reason``.
    """

    counts: Counter[Kind]
    reachable: list[str]
    impossible: list[str]
    undecided: list[str]

    def count(self, dimension: str) -> dict[str, Counter[Verdict]]:
        """Count the strings of each verdict for each value of one of the :data:`DIMENSIONS`."""
        table: dict[str, Counter[Verdict]] = defaultdict(Counter)
        for kind, number in self.counts.items():
            table[getattr(kind, dimension)][kind.verdict] += number
        return dict(table)

    def total(self, verdict: Verdict | None = None) -> int:
        """Return the number of strings with this verdict, or of all strings."""
        return sum(n for kind, n in self.counts.items() if verdict in (None, kind.verdict))


def survey(rulings: Iterable[Ruling], selected: Callable[[str], bool] | None = None) -> Survey:
    """Count and list the verdicts, of all strings or of those that are selected."""
    alike: dict[tuple[int, str, str, tuple[Verdict, ...], Reason | None], list[str]]
    alike = defaultdict(list)
    for bare, verdicts, why in rulings:
        text = str(bare)
        alike[len(text), piece_name(bare), discriminator(bare), verdicts, why].append(text)
    counts = Counter[Kind]()
    lines: dict[tuple[Verdict, int], list[str]] = defaultdict(list)
    for (length, piece, written, verdicts, why), texts in alike.items():
        for suffix, verdict in zip(SUFFIXES, verdicts, strict=True):
            reason = why if verdict is Verdict.IMPOSSIBLE else None
            chosen = [text + suffix for text in texts if not selected or selected(text + suffix)]
            counts[Kind(piece, written, SUFFIX_NAMES[suffix], verdict, reason)] += len(chosen)
            end = f",{reason.value}" if reason else ""
            lines[verdict, length + len(suffix)] += [san + end for san in chosen]
    listed: dict[Verdict, list[str]] = {verdict: [] for verdict in Verdict}
    for verdict, length in sorted(lines, key=itemgetter(1)):
        listed[verdict] += sorted(lines[verdict, length])
    return Survey(
        +counts,
        listed[Verdict.REACHABLE],
        listed[Verdict.IMPOSSIBLE],
        listed[Verdict.UNDECIDED],
    )


def discriminator(san: San) -> str:
    """Return in words whether file, rank, square or nothing of the origin is written."""
    return DISCRIMINATORS[bool(san.file), bool(san.rank)]


def piece_name(san: San) -> str:
    """Return the piece in words, or ``castling``."""
    return "castling" if san.piece in CASTLINGS else NAMES[san.piece]


def summary(
    only: str | None,
    survey: Survey,
    refuted: int,
    games: Sequence[PgnGame] | None,
    generator: Mapping[str, Any],
    undecided_players: Sequence[str] = (),
    cover: Sequence[PgnGame] | None = None,
) -> dict[str, Any]:
    """Return the content of ``summary.json``.

    ``only`` is the pattern of the strings that were decided, or None for all. ``refuted`` is the
    number of formulas that CaDiCaL and Z3 have refuted. ``games`` and ``cover`` are None if none
    were searched. ``generator`` has the differences of its list. ``undecided_players`` names the
    strings and players with neither a game nor a refutation.
    """
    reasons = Counter[str]()
    for kind, number in survey.counts.items():
        if kind.reason is not None:
            reasons[kind.reason.value] += number
    return {
        "only": only,
        "strings": survey.total(),
        **{verdict.value: survey.total(verdict) for verdict in Verdict},
        **{
            f"by_{name}": {
                value: {verdict.value: numbers[verdict] for verdict in Verdict}
                for value, numbers in sorted(survey.count(name).items())
            }
            for name in DIMENSIONS
        },
        "by_reason": dict(reasons.most_common()),
        "refuted": refuted,
        "games": None if games is None else count_games(games, survey.reachable),
        "cover": None if cover is None else count_cover(cover),
        "generator": generator,
        "undecided_strings": survey.undecided[:100],
        "undecided_players": list(undecided_players[:100]),
    }


def to_json(summary_of_run: Mapping[str, Any]) -> bytes:
    """Return the bytes of ``summary.json``."""
    return (json.dumps(summary_of_run, indent=2) + "\n").encode("ascii")


def to_markdown(summary_of_run: Mapping[str, Any]) -> bytes:
    """Return the bytes of ``summary.md``, which has the same counts for people."""
    more = {
        "dimensions": {name: summary_of_run[f"by_{name}"] for name in DIMENSIONS},
        "rules": {why.value: rule for why, rule in RULES.items()},
    }
    return filled_in(names.SUMMARY_TEXT, {**summary_of_run, **more}).encode("ascii")


def filled_in(template: str, values: Mapping[str, Any]) -> str:
    """Fill in the template of this name from the folder ``templates`` beside this module."""
    from jinja2 import Environment, PackageLoader  # noqa: PLC0415 - most commands write no summary

    pages = Environment(
        loader=PackageLoader(__package__),
        autoescape=False,  # noqa: S701 - text and Markdown, of what a run knows
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        finalize=lambda value: f"{value:,}" if isinstance(value, int) else value,
    )
    pages.filters |= {"ascii": ascii, "counted": number_of, "length_in_words": _length_in_words}
    return pages.get_template(template).render(values, names=names)


def _length_in_words(games: Mapping[str, Any]) -> str:
    """Return the average length in plies of the games that ``summary.json`` counts."""
    average = f"{games['plies_mean']} plies"
    return average if games["games"] == 1 else f"{average} on average"


def count_games(games: Sequence[PgnGame], reachable: Sequence[str]) -> dict[str, Any]:
    """Count the proof games, their lengths, and the strings by player, for ``summary.json``."""
    players: dict[str, set[str]] = defaultdict(set)
    for game in games:
        players[game.san].add(game.colour)
    by_player = Counter(" and ".join(sorted(players[san], reverse=True)) for san in reachable)
    return {
        "games": len(games),
        "strings_by_player": dict(sorted(by_player.items(), reverse=True)),
        **_lengths(games),
    }


def count_cover(cover: Sequence[PgnGame]) -> dict[str, Any]:
    """Count the games of the cover, its mates, plies and lengths, for ``summary.json``."""
    mates = {game.sans[-1] for game in cover}
    plies = sum(len(game.sans) for game in cover)
    return {"games": len(cover), "mates": len(mates), "plies": plies, **_lengths(cover)}


def _lengths(games: Sequence[PgnGame]) -> dict[str, Any]:
    plies = sorted(len(game.sans) for game in games)
    last = len(plies) - 1
    return {
        "plies_mean": round(sum(plies) / len(plies), 2) if plies else None,
        "plies_deciles": [plies[last * i // 10] for i in range(11)] if plies else None,
    }
