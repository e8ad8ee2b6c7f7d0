"""The folder of the scoreboard: its pages, JSON, Markdown, badges and reports for maintainers."""

import json
from importlib.resources import files
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlencode

import chess

from conformance.scoreboard import tables
from conformance.scoreboard.contents import LibraryRun, Scoreboard, area_of, slug
from conformance.scoreboard.maintainers import maintainers_report
from conformance.scoreboard.tables import as_json, as_markdown, hardest_cases
from sanproof.reports.escaping import web_address
from sanproof.reports.page.folder import assets, put_folder
from sanproof.reports.page.templates import environment
from sanproof.verify.conformance.suite import Case, Demand, Operation

STATIC: Final = ("scoreboard.css", "scoreboard.js")
SHARED: Final = ("page.css", "boards.js")
"""The files that the pages of runs and scans have, too."""
FAILURES: Final = "failures.html"
"""The list with a filter, to which the others lead; each mechanism has a page with the boards."""
LABEL: Final = "SAN conformance"
COLOURS: Final = {"green": "#3d7a12", "yellow": "#8a6100", "red": "#b3261e", "grey": "#5f5f5f"}
"""On each of them white text has a contrast of at least 4.5 to 1."""
GOOD: Final = 0.95
"""A library that passes this share of what it was asked has a yellow badge, not a red one."""
_LETTER: Final = 6.6
_MARGIN: Final = 10


def write_scoreboard(scoreboard: Scoreboard, folder: Path) -> None:
    """Make the scoreboard in a folder that is new, empty, or an earlier page.

    Raises:
        FolderError: There is something else, or the folder cannot be written.
    """
    put_folder(folder, "python -m conformance.scoreboard", scoreboard_files(scoreboard).items())


def scoreboard_files(scoreboard: Scoreboard) -> dict[str, bytes]:
    """Return every file of the scoreboard, after its path in the folder."""
    made = {
        **scoreboard_pages(scoreboard),
        "scoreboard.json": as_json(scoreboard),
        "scoreboard.md": as_markdown(scoreboard),
        **dict(assets(SHARED)),
    }
    for name in STATIC:
        made[name] = files(__package__).joinpath("static", name).read_bytes()
    for run in scoreboard.runs:
        made[f"badges/{run.slug}.json"] = badge_endpoint(scoreboard, run)
        made[f"badges/{run.slug}.svg"] = badge(scoreboard, run)
        made[f"reports/{run.slug}.md"] = maintainers_report(scoreboard, run)
    return made


def scoreboard_pages(scoreboard: Scoreboard) -> dict[str, bytes]:
    """Return the pages, after their names: the libraries first, what is long on its own pages."""
    failed: dict[str, list[Case]] = {}
    for name in scoreboard.by_case:
        failed.setdefault(scoreboard.cases[name].mechanism, []).append(scoreboard.cases[name])
    boards = [*scoreboard.earlier, scoreboard]
    asked_runs = [run for run in scoreboard.runs if run.answers]
    values = {
        "scoreboard": scoreboard,
        "lead": _lead(scoreboard),
        "hardest": hardest_cases(scoreboard),
        "dates": [f"{board.date}, suite {board.suite.version}" for board in boards],
        "history": _history(scoreboard, boards),
        "asked_runs": asked_runs,
        "by_area": _by_area(scoreboard, asked_runs),
        "failed": list(failed.items()),
        "operations": sorted({case.operation.value for case in scoreboard.suite.cases}),
    }
    pages = {name: _page(name, values) for name in ("index.html", "mechanisms.html", FAILURES)}
    for mechanism, cases in failed.items():
        shown = {
            "mechanism": mechanism,
            "cases": [(case, _board(case, scoreboard)) for case in cases],
        }
        pages[page_of(mechanism)] = _page("mechanism.html", values | shown)
    return pages


def page_of(mechanism: str) -> str:
    """Return the name of the page with the boards of a mechanism's failures."""
    return f"failures-{slug(mechanism)}.html"


def failures_of(run: LibraryRun, **wanted: str) -> str:
    """Return the address of the list of a library's failures, in an area only."""
    return f"{FAILURES}#{urlencode({'library': run.slug, **wanted})}"


_TEMPLATES: Final = environment("conformance.scoreboard")
_TEMPLATES.globals |= {
    "area_of": area_of,
    "page_of": page_of,
    "failures_of": failures_of,
    "verdict_of": lambda count: tables.verdict(count.passed, count.failed),
    "web_address": web_address,
    "came": tables.came,
    "customs": tables.customs,
    "origin": tables.origin,
    "operations_of": tables.operations,
    "words": tables.WORDS,
    "expected": tables.expected,
    "played": tables.played,
    "question": tables.question,
    "rejections": tables.rejections,
}


def _page(name: str, values: dict[str, Any]) -> bytes:
    return _TEMPLATES.get_template(name).render(values).encode("utf-8", "xmlcharrefreplace")


def _lead(scoreboard: Scoreboard) -> str:
    libraries, suite = {run.name for run in scoreboard.runs}, scoreboard.suite
    free = sum(case.demand is Demand.MAY for case in suite.cases)
    dates = sorted({run.date for run in scoreboard.runs})
    span = " to ".join(dict.fromkeys((dates[0], dates[-1]))) if dates else "Never"
    return (
        f"{len(suite.cases):,} cases of the conformance suite {suite.version} "
        f"({suite.level.value}), run against {len(libraries):,} chess libraries, some in two "
        f"versions or settings. {free:,} cases leave the library a choice, and never count as "
        f"failures. {span}."
    )


def _by_area(scoreboard: Scoreboard, runs: list[LibraryRun]) -> list[tuple[str, list[str]]]:
    """Return the mechanisms of each area that a library was asked."""
    areas: dict[str, list[str]] = {}
    for name in scoreboard.mechanisms:
        if any(scoreboard.count(run, mechanism=name).asked for run in runs):
            areas.setdefault(area_of(name), []).append(name)
    return list(areas.items())


def _history(scoreboard: Scoreboard, boards: list[Scoreboard]) -> list[tuple[str, list[Any]]]:
    """Return what libraries failed by date, of those that were asked at an earlier date."""
    rows = []
    for run in scoreboard.runs:
        found = [(board, board.same(run)) for board in boards]
        if sum(other is not None for _, other in found) > 1:
            cells = [(o.version, board.count(o)) if o else ("", None) for board, o in found]
            rows.append((run.title, cells))
    return rows


def _board(case: Case, scoreboard: Scoreboard) -> dict[str, str]:
    """Return what the script that draws boards needs for a case; nothing if it has no board."""
    fen = case.fen or ""
    try:
        chess.BaseBoard(fen.partition(" ")[0])
    except ValueError:  # a game, or broken input on purpose
        return {}
    right = _move(case.asked if case.operation is Operation.WRITE else case.expected)
    shown = {"fen": fen}
    if right:
        shown |= {"from": right[:2], "to": right[2:4]}
    if case.operation is Operation.READ:
        took = {_move(record.answer) for _, record in scoreboard.by_case[case.id]}
        shown["wrong"] = " ".join(sorted(took - {"", right}))
    return shown


def _move(text: object) -> str:
    """Return a move in UCI, and an empty text for anything else."""
    try:
        move = chess.Move.from_uci(str(text))
    except ValueError:
        return ""
    return move.uci() if move and move.drop is None else ""


def badge_message(scoreboard: Scoreboard, run: LibraryRun) -> tuple[str, str]:
    """Return what a library's badge says, and its colour."""
    count = scoreboard.count(run)
    if not count.asked:
        return "not tested", "grey"
    text = f"{count.passed} of {count.asked}"
    if not count.failed:
        return text, "green"
    return text, "yellow" if count.passed >= GOOD * count.asked else "red"


def badge_endpoint(scoreboard: Scoreboard, run: LibraryRun) -> bytes:
    """Return the JSON that shields.io's endpoint badge reads."""
    text, colour = badge_message(scoreboard, run)
    content = {"schemaVersion": 1, "label": LABEL, "message": text, "color": COLOURS[colour]}
    return (json.dumps(content) + "\n").encode("ascii")


def badge(scoreboard: Scoreboard, run: LibraryRun) -> bytes:
    """Return the badge itself, as SVG."""
    text, colour = badge_message(scoreboard, run)
    left, right = (round(len(part) * _LETTER) + 2 * _MARGIN for part in (LABEL, text))
    values = {"left": left, "right": right, "label": LABEL, "text": text}
    return _page("badge.svg", values | {"colour": COLOURS[colour]})
