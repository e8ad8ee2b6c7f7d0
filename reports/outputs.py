"""The files that a run leaves behind, made from the survey of its verdicts."""

import json
import lzma
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, Final

from proofs.reasons import RULES
from proofs.verdicts import Verdict
from proofs.witness import CheckedWitness
from reports.files import csv_table, gzipped, joined_lines
from reports.survey import Kind, Survey, piece_name

BARE_LIST: Final = "san_strings.txt"
CERTIFICATES: Final = "certificates.txt.xz"
SUMMARY: Final = "summary.json"
SUMMARY_TEXT: Final = "summary.md"
WITNESSES: Final = "witnesses.csv"
IMPOSSIBLE: Final = "impossible.csv.gz"
FULL_LIST: Final = "san_strings_with_symbols.txt"
SUFFIX_NAMES: Final = {"": "no suffix", "+": "check (+)", "#": "mate (#)"}
DIMENSIONS: Final[dict[str, Callable[[Kind], str]]] = {
    "piece": piece_name,
    "suffix": lambda kind: SUFFIX_NAMES[kind.suffix],
    "discriminator": lambda kind: kind.discriminator,
}


def lists(survey: Survey) -> dict[str, bytes]:
    """The two lists in their published form: the bare strings, and all of them."""
    bare = [san for san in survey.reachable if san[-1] not in "+#"]
    return {BARE_LIST: joined_lines(bare), FULL_LIST: joined_lines(survey.reachable)}


def evidence(survey: Survey, witnesses: Mapping[str, CheckedWitness]) -> dict[str, bytes]:
    """The witness of every reachable string, and the reason of every impossible one."""
    rows = (witnesses[san] for san in survey.reachable)
    fields = (f"{w.san},{w.fen},{w.uci},{w.after_fen}" for w in rows)
    return {
        WITNESSES: csv_table("san,before_fen,uci,after_fen", fields),
        IMPOSSIBLE: gzipped(csv_table("san,reason", survey.impossible)),
    }


def packed(certificates: str) -> bytes:
    """The certificates compressed; a low preset, which takes a tenth of the default's time."""
    return lzma.compress(certificates.encode("ascii"), preset=1)


def summary(survey: Survey) -> dict[str, Any]:
    """The counts of ``summary.json``, from the whole to the parts."""
    reasons = Counter[str]()
    for kind, number in survey.counts.items():
        if kind.reason is not None:
            reasons[kind.reason.value] += number
    return {
        "strings": survey.total(),
        **{verdict.value: survey.total(verdict) for verdict in Verdict},
        **{f"by_{name}": _table(survey, by) for name, by in DIMENSIONS.items()},
        "by_reason": dict(reasons.most_common()),
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
    answer = (
        "Of {strings:,} strings, **{reachable:,} are reachable**, {impossible:,} are impossible "
        "and {undecided:,} are undecided."
    )
    meaning = (
        "*Reachable* says here: written for a legal move in a statically valid position, which is "
        f"given in `{WITNESSES}`. A game that reaches the position is not part of this run."
    )
    lines = ["# Which SAN strings can occur in a legal chess game?"]
    lines += [answer.format_map(counts), meaning]
    for name in DIMENSIONS:
        rows = [[part, *numbers.values()] for part, numbers in counts[f"by_{name}"].items()]
        lines += [f"## By {name}", _markdown_table([name, *verdicts], rows)]
    rules = {why.value: rule for why, rule in RULES.items()}
    reasons = [[why, n, rules[why]] for why, n in counts["by_reason"].items()]
    check = counts["generator"]
    differences = [
        f"{len(check[name]):,} {name.replace('_', ' ')}" for name in ("missing", "too_many")
    ]
    lines += [
        "## Why strings are impossible",
        _markdown_table(["reason", "strings", "rule"], reasons),
        "## The generator",
        f"It gives {check['strings']:,} strings: {', '.join(differences)}.",
        "## Made with",
        "\n".join(f"- {tool} {version}" for tool, version in counts["versions"].items()),
    ]
    return ("\n\n".join(lines) + "\n").encode("ascii")


def _markdown_table(header: list[str], rows: list[list[Any]]) -> str:
    """A table whose numbers are set to the right."""
    cells = [[f"{x:,}" if isinstance(x, int) else x for x in row] for row in rows]
    rule = ["--:" if isinstance(x, int) else "---" for x in (rows or [header])[0]]
    return "\n".join(f"| {' | '.join(row)} |" for row in [header, rule, *cells])
