"""What a run has found, counted: ``summary.json``, and the same for people, ``summary.md``."""

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from sanproof.proofs.verdicts.reasons import RULES
from sanproof.proofs.verdicts.rulings import Verdict
from sanproof.reports.tables.names import COVER_INDEX, COVER_PGN, GAMES_PGN, WITNESSES
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
    games: Sequence[PgnGame] | None,
    generator: Mapping[str, Any],
    undecided_players: Sequence[str] = (),
    cover: Sequence[PgnGame] | None = None,
) -> dict[str, Any]:
    """The counts of ``summary.json``, from the whole to the parts.

    ``only`` is the pattern of the strings that were decided, None for all; ``games`` and ``cover``
    are None if none were looked for; ``generator`` says how its list differs; for each of the
    ``undecided_players`` of a string there is neither a game nor a refutation.
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
    """``summary.md``: the same for people."""
    counts = summary_of_run
    verdicts = [verdict.value for verdict in Verdict]
    meaning = (
        "*Reachable* says: a legal game from the initial position contains a move that is written "
        f"so. The games are in `{GAMES_PGN}`, the positions in `{WITNESSES}`."
        if counts["games"]
        else "*Reachable* says here: written for a legal move in a statically valid position, "
        f"which is given in `{WITNESSES}`. Games that reach the positions were not looked for."
    )
    lines = ["# Which SAN strings can occur in a legal chess game?"]
    lines += [_answer(counts), meaning]
    for name in DIMENSIONS:
        rows = [[part, *numbers.values()] for part, numbers in counts[f"by_{name}"].items()]
        lines += [f"## By {name}", _markdown_table([name, *verdicts], rows)]
    rules = {why.value: rule for why, rule in RULES.items()}
    reasons = [[why, n, rules[why]] for why, n in counts["by_reason"].items()]
    header = ["reason", "strings", "rule"]
    check = counts["generator"]
    differences = [
        f"{len(check[name]):,} {name.replace('_', ' ')}" for name in ("missing", "too_many")
    ]
    lines += [
        *_about_games(counts),
        "## Why strings are impossible",
        _markdown_table(header, reasons) if reasons else "There are no impossible strings here.",
        "## The generator",
        f"It gives {number_of(check['strings'], 'string')}: {', '.join(differences)}.",
        "## Made with",
        "\n".join(f"- {tool} {version}" for tool, version in counts["versions"].items()),
    ]
    return ("\n\n".join(lines) + "\n").encode("ascii")


def _answer(counts: Mapping[str, Any]) -> str:
    reachable, impossible, undecided = (
        number_of(counts[verdict.value], f"is {verdict.value}", f"are {verdict.value}")
        for verdict in Verdict
    )
    strings = number_of(counts["strings"], "string")
    return f"Of {strings}, **{reachable}**, {impossible} and {undecided}."


def _about_games(counts: Mapping[str, Any]) -> list[str]:
    """The paragraphs about games and the cover; none if they were not looked for."""
    lines = []
    if games := counts["games"]:
        lines += ["## Games", _games_in_words(games) if games["games"] else "There are none."]
    if (cover := counts["cover"]) and cover["games"]:
        shown = f"{number_of(cover['games'], 'game')} of {length_in_words(cover)}"
        needed = number_of(cover["mates"], "is needed", "are needed")
        lines.append(
            f"`{COVER_PGN}` shows every string in {shown}; at least {needed}, for "
            f"a game has at most one mate. `{COVER_INDEX}` says where each string is."
        )
    return lines


def _games_in_words(games: Mapping[str, Any]) -> str:
    players = ", ".join(f"{n:,} by {who}" for who, n in games["strings_by_player"].items())
    shown = f"{number_of(games['games'], 'game')} of {length_in_words(games)}"
    return f"{shown}. Strings by who can play them: {players}."


def length_in_words(games: Mapping[str, Any]) -> str:
    """How long the games are that ``summary.json`` counts: their length in plies, on average."""
    average = f"{games['plies_mean']} plies"
    return average if games["games"] == 1 else f"{average} on average"


def _markdown_table(header: list[str], rows: list[list[Any]]) -> str:
    """A table whose numbers are set to the right."""
    cells = [[f"{x:,}" if isinstance(x, int) else x for x in row] for row in rows]
    rule = ["--:" if isinstance(x, int) else "---" for x in (rows or [header])[0]]
    return "\n".join(f"| {' | '.join(row)} |" for row in [header, rule, *cells])


def count_games(games: Sequence[PgnGame], reachable: Sequence[str]) -> dict[str, Any]:
    """What ``summary.json`` says of games: who plays what, and how long they are."""
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
    """What ``summary.json`` says of the cover."""
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
