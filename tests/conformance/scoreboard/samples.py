"""A small suite, results of made-up libraries, and the scoreboard of both."""

from __future__ import annotations

import copy
from typing import Any

from conformance.scoreboard.contents import LibraryRun, Scoreboard, read_scoreboard
from sanproof.verify.conformance.suite import suite_of

SHA256 = "0" * 64
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
AFTER = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
SMALL = "4k3/8/8/4P3/8/8/8/4K3 w - d6 0 1"
HOSTILE = "</script><img src=x onerror=alert(1)>\u202e`|*_\n"


def case(name: str, operation: str, demand: str = "must", **more: object) -> dict[str, Any]:
    return {
        "id": name,
        "operation": operation,
        "class": demand,
        "mechanism": ".".join(name.split(".")[:2]),
        "colour": "white",
        "why": f"The rule of {name}.",
    } | more


AT_START: dict[str, Any] = {"fen": START, "game": 0, "plies": 0}
LATER: dict[str, Any] = {"fen": AFTER, "game": 0, "plies": 1, "reports": ["https://example.org/1"]}
GAME = {"moves": ["e4"], "fen": {"always": AFTER, "legal": AFTER}}
SUITE: dict[str, Any] = {
    "format": 1,
    "suite": "sanproof conformance",
    "version": "1.0.0",
    "level": "core",
    "licence": "CC0-1.0",
    "games": ["e2e4 e7e5"],
    "cases": [
        case("broken.ghost", "read", "must not", fen=SMALL, san="exd6"),
        case("check.none.1.read", "read", san="e4", expected="e2e4", **AT_START),
        case("check.none.2.read", "read", san="e5", expected="e7e5", **LATER),
        case("check.none.3.write", "write", uci="g1f3", expected="Nf3", **AT_START),
        case("game.short", "game", pgn="1. e4 *\n", expected=GAME),
        case("moves.start", "moves", expected=["e4", "Nf3"], **AT_START),
        case("play.push", "play", san="e4", expected={"legal": AFTER}, **AT_START),
        case("text.mark", "read", "may", san="e4!", expected="e2e4", **AT_START),
    ],
}


def answers(**outcomes: dict[str, Any]) -> list[dict[str, Any]]:
    """Return answers: all cases passed, but for those that are named with ``_`` for dots."""
    found = []
    for entry in SUITE["cases"]:
        outcome = {"outcome": "accepted" if entry["class"] == "may" else "passed"}
        found.append({"id": entry["id"]} | outcomes.get(entry["id"].replace(".", "_"), outcome))
    return found


def library(name: str, cases: list[dict[str, Any]], **more: object) -> dict[str, Any]:
    about = {"name": name, "version": "1.0", "language": "Python", "settings": "", "ended": None}
    operations = ["read", "write", "moves", "play", "game"]
    return about | {"operations": operations, "en_passant": ["legal"], "cases": cases} | more


FAILED = {"outcome": "failed", "answer": "a2a3"}
SKIPPED = {
    name: {"outcome": "skipped"}
    for name in ("check_none_3_write", "moves_start", "play_push", "game_short")
}
RESULTS: dict[str, Any] = {
    "format": 1,
    "suite": {"version": "1.0.0", "level": "core", "sha256": SHA256},
    "date": "2026-01-31",
    "libraries": [
        library(
            "worst",
            answers(
                check_none_1_read=FAILED,
                check_none_2_read={"outcome": "failed", "message": HOSTILE},
                check_none_3_write={"outcome": "failed", "answer": HOSTILE},
                game_short={"outcome": "failed", "answer": {"moves": ["e4"], "fen": START}},
                moves_start={"outcome": "failed", "answer": ["e4", "e5"]},
                play_push={"outcome": "crashed", "message": "it ended"},
                broken_ghost={"outcome": "failed", "answer": "e5d6"},
                text_mark={"outcome": "differs", "answer": "a2a3"},
            ),
            key="worst",
            registry="PyPI",
            home="https://example.org/worst",
            licence="MIT",
        ),
        library("best", answers()),
        library("best", answers(check_none_1_read=FAILED), settings="strict: all"),
        library("absent", [], operations=[], ended="could not be installed: no wheel"),
        library("reader", answers(text_mark={"outcome": "crashed", "message": "no"}, **SKIPPED)),
    ],
}
SNIPPETS = {"worst": {"read": "print(read($fen, $san))", "write": "print(write($fen, $uci))"}}


def sample(**changes: object) -> Scoreboard:
    """Return the scoreboard of the sample, with changes in the result file."""
    return scoreboard(copy.deepcopy(RESULTS) | changes)


def scoreboard(results: object) -> Scoreboard:
    """Return the scoreboard of a result file of the sample's suite."""
    return read_scoreboard(suite_of(SUITE), SHA256, [("results.json", results)], SNIPPETS)


def run_of(board: Scoreboard, title: str) -> LibraryRun:
    return next(run for run in board.runs if run.title == title)
