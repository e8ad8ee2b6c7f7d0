"""The scoreboard as JSON and as Markdown, and the table of docs/libraries.md."""

import json
from collections.abc import Iterable, Sequence
from typing import Any, Final

import chess

from conformance.scoreboard.contents import LibraryRun, Scoreboard
from sanproof.reports.escaping import markdown, markdown_code, markdown_link, visible
from sanproof.verify.conformance.outcome import Entry, Outcome
from sanproof.verify.conformance.suite import Case, Demand, Operation

FORMAT: Final = 1
SHARE: Final = 0.2
"""A case that this share of the libraries fails which were asked is listed."""
MOST: Final = 40
"""The most that are listed, most failed first."""


def as_json(scoreboard: Scoreboard) -> bytes:
    """Return the counts of each library, by area and mechanism, and each failure, as JSON."""
    content = {
        "format": FORMAT,
        "suite": {"version": scoreboard.suite.version, "level": scoreboard.suite.level.value},
        "libraries": [_run(scoreboard, run) for run in scoreboard.runs],
    }
    return (json.dumps(content, indent=1) + "\n").encode("ascii")


def _run(scoreboard: Scoreboard, run: LibraryRun) -> dict[str, Any]:
    def scores(**wanted: str) -> list[int]:
        found = scoreboard.count(run, **wanted)
        return [found.passed, found.failed] if found.asked else []

    count = scoreboard.count(run)
    texts = ("name", "version", "settings", "language", "registry", "home", "licence", "date")
    return {
        "key": run.slug,
        **{name: getattr(run, name) for name in texts},
        "operations": list(run.operations),
        "ended": run.ended,
        "passed": count.passed,
        "failed": count.failed,
        "skipped": count.skipped,
        "up to the library": dict(sorted(scoreboard.liberties(run).items())),
        "en_passant": list(run.en_passant),
        "areas": {area: found for area in scoreboard.areas if (found := scores(area=area))},
        "mechanisms": {
            mechanism: found
            for mechanism in scoreboard.mechanisms
            if (found := scores(mechanism=mechanism))
        },
        "failures": list(map(_failure, scoreboard.failures(run))),
    }


def _failure(entry: Entry) -> dict[str, str]:
    case = entry.case
    return {
        "id": case.id,
        "question": question(case),
        "fen": case.fen or "",
        "expected": expected(case),
        "came": came(entry),
    }


def as_markdown(scoreboard: Scoreboard) -> bytes:
    """Return the tables of the page, for places that show Markdown."""
    suite = scoreboard.suite
    lines = [
        f"# Chess libraries and SAN: suite {markdown(suite.version)}, {suite.level.value}",
        "",
        summary(scoreboard),
        "",
        "## By area",
        "",
        by_area(scoreboard),
        "",
        "## Most failed cases",
        "",
        hardest(scoreboard) or "No case is failed by a fifth of the libraries.",
        "",
    ]
    return "\n".join(lines).encode("utf-8")


def summary(scoreboard: Scoreboard) -> str:
    """Return the libraries with their counts, as a Markdown table."""
    head = ["library", "from", "suite", *WORDS.values(), "passed", "cannot be asked", "free"]
    head.append("en passant")
    rows = []
    for run in scoreboard.runs:
        count = scoreboard.count(run)
        row = [markdown_link(run.title, run.home), markdown(origin(run)), markdown(run.suite)]
        if run.ended and not count.asked:
            rows.append([*row, markdown(f"not tested: {run.ended}"), *([""] * (len(head) - 4))])
            continue
        row += operations(scoreboard, run)
        row += [f"{count.passed:,} of {count.asked:,}", f"{count.skipped:,}"]
        rows.append([*row, rejections(scoreboard, run), markdown(customs(run))])
    return table(head, rows)


WORDS: Final = {
    "read": "reading",
    "write": "writing",
    "moves": "lists",
    "play": "playing",
    "game": "PGN",
}
"""The operations as tables name them."""


def operations(scoreboard: Scoreboard, run: LibraryRun) -> list[str]:
    """Return for each operation in how many mechanisms a library fails; empty if not asked."""
    bugs = scoreboard.bugs(run)
    asked = (scoreboard.count(run, operation=operation).asked for operation in WORDS)
    return [str(bugs[name]) if count else "" for name, count in zip(WORDS, asked, strict=True)]


def origin(run: LibraryRun) -> str:
    """Return where a library comes from, its language, and whether it is the newest version."""
    return ", ".join(filter(None, (run.registry, run.language, run.release)))


def by_area(scoreboard: Scoreboard) -> str:
    """Return libraries by area: how many cases fail, as a Markdown table."""
    areas = scoreboard.areas_that_can_fail
    rows = [
        [markdown(run.title), *(_score(scoreboard, run, area) for area in areas)]
        for run in scoreboard.runs
    ]
    return table(["failed of", *map(markdown, areas)], rows)


def _score(scoreboard: Scoreboard, run: LibraryRun, area: str) -> str:
    count = scoreboard.count(run, area=area)
    if not count.asked:
        return ""
    return f"**{count.failed}** of {count.asked}" if count.failed else f"0 of {count.asked}"


def hardest_cases(scoreboard: Scoreboard) -> list[tuple[Case, int, int]]:
    """Return the cases that at least a fifth of the libraries asked fail, most failed first.

    Returns:
        The case, how many libraries fail it in one of their settings, how many were asked.
    """
    found = []
    for name in scoreboard.by_case:
        case = scoreboard.cases[name]
        failing = len(scoreboard.libraries_failing(case))
        asked = len(scoreboard.libraries_asked(case))
        if failing >= SHARE * asked and asked > 1:
            found.append((case, failing, asked))
    return sorted(found, key=lambda item: (-item[1] / item[2], item[0].id))[:MOST]


def hardest(scoreboard: Scoreboard) -> str:
    """Return those cases, as a Markdown table; empty otherwise."""
    rows = [
        [
            markdown_code(case.id),
            markdown(question(case)),
            f"{failing} of {asked}",
            markdown(case.why),
        ]
        for case, failing, asked in hardest_cases(scoreboard)
    ]
    return table(["case", "asked", "libraries that fail", "the rule"], rows) if rows else ""


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a Markdown table; cells are Markdown."""
    lines = [f"| {' | '.join(head)} |", f"|{' --- |' * len(head)}"]
    lines += [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join(lines)


QUESTIONS: Final = {
    Operation.READ: "Read {asked}",
    Operation.WRITE: "Write {asked}",
    Operation.MOVES: "List all legal moves",
    Operation.PLAY: "Play {asked}, and show the FEN",
    Operation.GAME: "Read a PGN",
}
CAME: Final = {
    Outcome.CRASHED: "the adapter ended",
    Outcome.HUNG: "no answer",
    Outcome.GARBLED: "no answer of the right form",
}


def question(case: Case) -> str:
    """Return what the library is asked, as a heading."""
    return QUESTIONS[case.operation].format(asked=visible(case.asked or "") or "an empty text")


def expected(case: Case) -> str:
    """Return what it has to answer."""
    if case.demand is Demand.MUST_NOT:
        return "a rejection"
    if case.operation is Operation.PLAY:
        return " or ".join(dict.fromkeys(case.expected.values()))
    if case.operation is Operation.GAME:
        fens = " or ".join(dict.fromkeys(case.expected["fen"].values()))
        return f"{' '.join(case.expected['moves'])}, and then {fens}"
    return " ".join(case.expected) if isinstance(case.expected, list) else str(case.expected)


def came(entry: Entry) -> str:
    """Return what it answered, or what became of it."""
    case, outcome, answer, message, _ = entry
    if outcome in CAME or answer is None:
        said = CAME.get(outcome, "rejected")
        return f"{said}: {visible(message)}" if message else said
    if case.operation is Operation.MOVES and case.expected is not None:
        return _difference(case.expected, answer)
    if isinstance(answer, dict):
        moves = answer.get("moves")
        read = " ".join(map(str, moves)) if isinstance(moves, list) else "?"
        return visible(f"{read}, and then {answer.get('fen')}")
    return visible(str(answer)) or "an empty text"


def _difference(right: list[str], given: Any) -> str:  # noqa: ANN401 - a stranger's answer
    if not isinstance(given, list):
        return visible(str(given))
    given = [str(move) for move in given]
    missing = [move for move in right if move not in given]
    more = [move for move in given if move not in right]
    parts = [f"without {' '.join(missing)}"] if missing else []
    parts += [f"with {' '.join(more)}"] if more else []
    return visible(" and ".join(parts) or "moves that are listed twice")


def played(moves: Iterable[str]) -> str:
    """Return a game of moves in UCI in SAN with numbers; empty for no moves."""
    board, parts = chess.Board(), []
    for uci in moves:
        if board.turn:
            parts.append(f"{board.fullmove_number}.")
        parts.append(board.san_and_push(chess.Move.from_uci(uci)))
    return " ".join(parts)


def verdict(passed: int, failed: int) -> tuple[str, str]:
    """Return a class and a word for counts of cases: ``yes``, ``some``, ``no`` or ``none``."""
    if not passed + failed:
        return "none", "not asked"
    if not failed:
        return "yes", "pass"
    return ("no" if not passed else "some"), f"{failed} of {passed + failed} fail"


def rejections(scoreboard: Scoreboard, run: LibraryRun) -> str:
    """Count what a library does with what is up to it."""
    counts = scoreboard.liberties(run)
    words = {"accepted": "accepted", "rejected": "rejected", "differs": "read otherwise"}
    words |= {outcome.value: outcome.value for outcome in CAME}
    return ", ".join(f"{counts[name]} {word}" for name, word in words.items() if counts[name])


def customs(run: LibraryRun) -> str:
    """Return the custom for the en passant square that a library follows."""
    return " or ".join(run.en_passant)
