"""The counts of a run: ``summary.json`` for programs, ``summary.md`` for people."""

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from sanproof.proofs.theory.reasons import RULES, Verdict
from sanproof.reports.tables import names
from sanproof.reports.tables.pgn import PgnGame
from sanproof.reports.tables.survey import Kind, Survey, piece_name
from sanproof.reports.tables.words import number_of

SUFFIX_NAMES: Final = {"": "no suffix", "+": "check (+)", "#": "mate (#)"}
DIMENSIONS: Final[dict[str, Callable[[Kind], str]]] = {
    "piece": piece_name,
    "suffix": lambda kind: SUFFIX_NAMES[kind.suffix],
    "discriminator": lambda kind: kind.discriminator,
}


def summary(
    only: str | None,
    survey: Survey,
    refuted: int,
    games: Sequence[PgnGame] | None,
    generator: Mapping[str, Any],
    undecided_players: Sequence[str] = (),
    cover: Sequence[PgnGame] | None = None,
) -> dict[str, Any]:
    """Return the counts of ``summary.json``, from the whole to the parts.

    ``only`` is the pattern of the strings that were decided, None for all; CaDiCaL and Z3
    have ``refuted`` so many formulas; ``games`` and ``cover`` are None if none were looked for;
    ``generator`` says how its list differs; for each of the ``undecided_players`` of a string there
    is neither a game nor a refutation.
    """
    reasons = Counter[str]()
    for kind, number in survey.counts.items():
        if kind.reason is not None:
            reasons[kind.reason.value] += number
    return {
        "only": only,
        "strings": survey.total(),
        **{verdict.value: survey.total(verdict) for verdict in Verdict},
        **{f"by_{name}": _table(survey, by) for name, by in DIMENSIONS.items()},
        "by_reason": dict(reasons.most_common()),
        "refuted": refuted,
        "games": None if games is None else count_games(games, survey.reachable),
        "cover": None if cover is None else count_cover(cover),
        "generator": generator,
        "undecided_strings": survey.undecided[:100],
        "undecided_players": list(undecided_players[:100]),
    }


def _table(survey: Survey, by: Callable[[Kind], str]) -> dict[str, dict[str, int]]:
    table = survey.count(by)
    return {name: {v.value: table[name][v] for v in Verdict} for name in sorted(table)}


def to_json(summary_of_run: Mapping[str, Any]) -> bytes:
    """``summary.json``."""
    return (json.dumps(summary_of_run, indent=2) + "\n").encode("ascii")


def to_markdown(summary_of_run: Mapping[str, Any]) -> bytes:
    """``summary.md``: the same for people, from the template of this name."""
    more = {
        "dimensions": {name: summary_of_run[f"by_{name}"] for name in DIMENSIONS},
        "rules": {why.value: rule for why, rule in RULES.items()},
    }
    return filled_in(names.SUMMARY_TEXT, {**summary_of_run, **more}).encode("ascii")


def filled_in(template: str, values: Mapping[str, Any]) -> str:
    """Fill in a template about the counts of a run."""
    from jinja2 import Environment, PackageLoader  # noqa: PLC0415 - most commands write no summary

    pages = Environment(
        loader=PackageLoader(__package__),
        autoescape=False,  # noqa: S701 - text and Markdown, of what a run knows
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        finalize=lambda value: f"{value:,}" if isinstance(value, int) else value,
    )
    pages.filters |= {
        "ascii": ascii,
        "counted": number_of,
        "length_in_words": length_in_words,
    }
    return pages.get_template(template).render(values, names=names)


def length_in_words(games: Mapping[str, Any]) -> str:
    """Return the average length in plies of the games that ``summary.json`` counts."""
    average = f"{games['plies_mean']} plies"
    return average if games["games"] == 1 else f"{average} on average"


def count_games(games: Sequence[PgnGame], reachable: Sequence[str]) -> dict[str, Any]:
    """Return what ``summary.json`` says of games: who plays what, and how long they are."""
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
    """Return what ``summary.json`` says of the cover."""
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
