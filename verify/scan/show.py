"""The end of a scan on the terminal."""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sanproof.reports.escaping import printable
from sanproof.reports.tables.words import number_of
from sanproof.verify.findings.formats import print_written, text_lines, written
from sanproof.verify.scan.chunks import (
    AFTER_RESULT,
    BAD_POSITION,
    LEFT_OUT,
    STOPPED,
    TOO_LONG,
    UNCLOSED,
    VARIANT,
)
from sanproof.verify.scan.outputs import (
    REFUTING,
    SUMMARY_TEXT,
    UNREAD,
    damaged_in_words,
    deviations_in_words,
    played_in_words,
    unproven_in_words,
    unread,
    variations_in_words,
)

APART = {
    f"games_{STOPPED}": "stopped at a text that denotes no legal move, or several",
    f"games_{UNCLOSED}": "with a comment or a variation that is not closed",
    f"games_{AFTER_RESULT}": "with moves after the result, not read",
    f"games_{VARIANT}": "of unknown variants, not read",
    f"games_{BAD_POSITION}": "from a position that their chess does not allow, not read",
    f"games_{TOO_LONG}": "too long, not read",
    f"games_{LEFT_OUT}": "left out by --where",
    "games_without_result": "without a result",
}
"""What is said of games that are counted apart."""


def counted_apart(
    counts: Mapping[str, int], variants: Mapping[str, Mapping[str, int]]
) -> list[str]:
    """A sentence for each kind of games that are counted apart, if there are any."""
    words = [(counts[name], words) for name, words in APART.items() if counts[name]]
    words += [(row["games"], f"of {name}, counted apart") for name, row in variants.items()]
    return [f"{number_of(games, 'game')} {said}." for games, said in words]


def show(summary: dict[str, Any], directory: Path) -> None:
    """Print what a scan found."""
    total, strings = summary["total"], summary["strings"]
    first_line = (
        f"{number_of(total['games'], 'game')}, {number_of(total['moves'], 'move')}; "
        f"{played_in_words(strings)}"
    )
    lines = [first_line]
    lines += [f"  {sentence}" for sentence in counted_apart(total, summary["variants"])]
    if unread(total):
        lines.append(f"  They are in {printable(str(directory / UNREAD))}.")
    lines += deviations_in_words(summary["deviations"])
    lines += [f"  {count:,} {kind}" for kind, count in list(summary["deviations"].items())[:10]]
    if apart := summary.get("variations"):
        kinds = apart["deviations"]
        lines += filter(None, [variations_in_words(apart["total"], sum(kinds.values()))])
        lines += [f"  {count:,} {kind}" for kind, count in list(kinds.items())[:10]]
    lines.append(f"The results are in {printable(str(directory))}; begin with {SUMMARY_TEXT}.")
    print_written("text", text_lines(lines, None))
    problems = damaged_in_words(summary["damaged"])
    if summary["refuting"]:
        first, name = summary["refuting"][0], printable(str(directory / REFUTING))
        problems.append(
            "\nTHE THEOREM IS REFUTED, or the list is wrong: "
            f"{unproven_in_words(len(summary['refuting']))}, first {first['san']} in "
            f"{first['fen']}. The games are in {name}. Please report them."
        )
    sys.stderr.writelines(written("text", text_lines(problems, None)))
