"""Writes the answers of libraries to a file."""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from sanproof.reports.escaping import cut
from sanproof.verify.conformance import sanproof_runner as runner
from sanproof.verify.conformance.asking import Asked, en_passant
from sanproof.verify.findings.formats import json_object

FORMAT: Final = 1
"""The version of the file's format."""
MAX_MOVES: Final = 1000
"""The most moves that are kept of an answer."""


def results(
    suite: Mapping[str, Any], sha256: str, date: str, asked: Iterable[Asked]
) -> dict[str, Any]:
    """Return the content of a result file, which docs/test-your-library.md describes.

    Args:
        suite: The suite that was run.
        sha256: The hash of its file.
        date: The day, such as 2026-01-31.
        asked: The results of the adapters.
    """
    about = {"version": suite["version"], "level": suite["level"], "sha256": sha256}
    libraries = [_library(one) for one in asked]
    return {"format": FORMAT, "suite": about, "date": date, "libraries": libraries}


def written(content: Mapping[str, Any]) -> Iterator[str]:
    """Yield the text of a result file, with a line for each case."""
    texts = (
        "".join(json_object(_without(library, "cases"), "cases", map(json.dumps, library["cases"])))
        for library in content["libraries"]
    )
    return json_object(
        _without(content, "libraries"), "libraries", (text.rstrip("\n") for text in texts)
    )


def _without(content: Mapping[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in content.items() if key != name}


def _library(asked: Asked) -> dict[str, Any]:
    adapter, report = asked.adapter, asked.report
    names = ("name", "version", "language", "settings")
    about = {name: cut(adapter.greeting.get(name, ""), runner.MAX_MESSAGE) for name in names}
    if not adapter.greeting:
        about["name"] = asked.command
    offered = adapter.greeting.get("operations", ())
    stale = {"passing though known": report.mended} if report.mended else {}
    return {
        **about,
        "command": asked.command,
        "operations": [name for name in runner.ASKED if name in offered],
        "en_passant": list(en_passant(report.records)),
        "seconds": round(asked.seconds, 3),
        "restarts": adapter.restarts,
        "notes": adapter.notes,
        "ended": adapter.ended or None,
        **stale,
        "cases": [_case(record, record.case["id"] in report.known) for record in report.records],
    }


def _case(record: runner.Record, is_known: bool) -> dict[str, Any]:
    """Return the entry of a record, without its answer if it passes, and with long texts cut."""
    answer = None if record.outcome == "passed" else _cut(record.answer)
    found = {"id": record.case["id"], "outcome": record.outcome, "answer": answer}
    found |= {"message": cut(record.message, runner.MAX_MESSAGE) or None, "known": is_known or None}
    return {name: value for name, value in found.items() if value is not None}


def _cut(value: Any) -> Any:  # noqa: ANN401 - JSON
    if isinstance(value, str):
        return cut(value, runner.MAX_MESSAGE)
    if isinstance(value, list):
        return [cut(move, 40) for move in value[:MAX_MOVES]]
    return {"moves": _cut(value["moves"]), "fen": _cut(value["fen"])} if value else None
