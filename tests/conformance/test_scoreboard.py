"""The scoreboard: what it counts, and results that strangers send."""

import hashlib
import json
import re
from pathlib import Path
from typing import Any

import pytest

from conformance.scoreboard import CORE, DATA, KEPT, read_scoreboard, write_scoreboard
from sanproof.verify.errors import Failure
from tests.verify.conformance.suites import suite, write_suite

EVIL = "<script>alert(1)</script>\x1b[31m&"


def results(folder: Path, **changes: object) -> Path:
    """Write results of a library that fails the first case and rejects all others."""
    path = write_suite(folder)
    cases = [{"id": case["id"], "outcome": "passed"} for case in suite()["cases"]]
    cases[0] |= {"outcome": "failed", "answer": EVIL, "message": EVIL}
    library: dict[str, Any] = dict.fromkeys(("name", "version", "language", "settings"), EVIL)
    library |= {"operations": ["read"], "en_passant": [], "ended": None, "cases": cases}
    library |= {"home": "javascript:alert(1)"} | changes
    sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
    content = {"format": 1, "suite": {"sha256": sha256}, "date": EVIL, "libraries": [library]}
    (folder / "results.json").write_text(json.dumps(content))
    return path


def made(folder: Path, **changes: object) -> Path:
    """Make the scoreboard of such results; return its folder."""
    board = read_scoreboard(results(folder, **changes), [folder / "results.json"])
    write_scoreboard(board, folder / "out")
    return folder / "out"


def named(page: str, attribute: str) -> set[str]:
    """Return the values that an attribute has in a page."""
    return set(re.findall(rf'\s{attribute}="([^"]*)"', page))


def test_the_page_json_and_badges_of_the_kept_results(tmp_path: Path) -> None:
    board = read_scoreboard(DATA / CORE, [DATA / KEPT])
    write_scoreboard(board, tmp_path / "out")
    page = (tmp_path / "out" / "index.html").read_text("utf-8")
    links = {link for link in named(page, "href") if not link.startswith(("http", "data:"))}
    assert {link[1:] for link in links if link.startswith("#")} <= named(page, "id")
    assert all((tmp_path / "out" / link).is_file() for link in links if not link.startswith("#"))
    content = json.loads((tmp_path / "out" / "scoreboard.json").read_bytes())
    counts = {one["name"]: one["failed"] for one in content["libraries"] if not one["settings"]}
    assert (counts["chessops"], counts["chess.ts"]) == (0, 113)
    assert all(len(one["failures"]) == one["failed"] for one in content["libraries"])
    badge = json.loads((tmp_path / "out" / "badges" / "chessops.json").read_bytes())
    assert (badge["schemaVersion"], badge["message"]) == (1, "5825 of 5825")
    with pytest.raises(Failure, match="new or empty"):
        write_scoreboard(board, tmp_path / "out")


def test_what_a_stranger_wrote_is_shown_as_text(tmp_path: Path) -> None:
    out = made(tmp_path)
    page = (out / "index.html").read_text("utf-8")
    assert "<script" not in page
    assert not any(link.startswith("javascript") for link in named(page, "href"))
    assert all("\x1b" not in path.read_text("utf-8") for path in out.rglob("*.*"))


def test_results_of_another_suite_are_refused(tmp_path: Path) -> None:
    results(tmp_path)
    with pytest.raises(Failure, match="another suite"):
        read_scoreboard(DATA / CORE, [tmp_path / "results.json"])


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({"cases": []}, "lack"),
        ({"cases": [{"id": "unknown", "outcome": "passed"}]}, "unknown"),
        ({"cases": None}, "not a result file"),
        ({"operations": 7}, "not a result file"),
        ({"cases": [{}]}, "not a result file"),
    ],
)
def test_results_that_are_none_are_refused(
    tmp_path: Path, changes: dict[str, object], word: str
) -> None:
    with pytest.raises(Failure, match=word):
        made(tmp_path, **changes)
