"""The pages and badges of the scoreboard, also of results that a stranger sent."""

import copy
import hashlib
import json
import lzma
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from conformance.scoreboard.pages import (
    COLOURS,
    FAILURES,
    _board,
    badge,
    badge_endpoint,
    badge_message,
    page_of,
    scoreboard_files,
    scoreboard_pages,
    write_scoreboard,
)
from tests.conformance.scoreboard.samples import (
    FAILED,
    HOSTILE,
    RESULTS,
    START,
    SUITE,
    answers,
    library,
    sample,
    scoreboard,
)
from tests.reports.page.markup import Elements
from tests.verify.command import ROOT, expect_sentence

PAGES = scoreboard_pages(sample())
VOID = {"meta", "link", "input", "img", "br"}


def attributes(page: bytes, *names: str) -> list[str]:
    """Return the values of attributes of a page's elements."""
    found = [pair for _, attrs in Elements(page.decode()).tags for pair in attrs]
    return [value or "" for name, value in found if name in names]


def left_open(page: bytes) -> list[str]:
    """Return the elements of a page that are not closed; an AssertionError if another is closed."""
    waiting: list[str] = []
    for end, tag in re.findall(r"<(/?)([\w-]+)(?:\s[^>]*)?(?<!/)>", page.decode()):
        if end:
            assert waiting.pop() == tag
        elif tag not in VOID:
            waiting.append(tag)
    return waiting


def test_each_page_is_well_formed_and_its_links_lead_somewhere() -> None:
    made = scoreboard_files(sample())
    assert len(PAGES) > 5
    for name, text in PAGES.items():
        assert left_open(text) == []
        ids = attributes(text, "id")
        assert len(ids) == len(set(ids))
        for link in re.findall(r'href="([^":#]+)["#]', text.decode()):
            assert link in made, f"{name} leads to {link}"


def test_every_failure_stands_in_the_list_and_leads_to_its_board() -> None:
    pattern = (
        r'<li data-operation="(\w+)" data-libraries="([^"]*)"><a href="([^"#]*)#case-([^"]*)">'
    )
    board, text = sample(), PAGES[FAILURES].decode()
    found = re.findall(pattern, text)
    assert [name for *_, name in found] == list(board.by_case)
    for operation, libraries, page, name in found:
        assert operation == board.cases[name].operation.value
        assert libraries.split() == [run.slug for run, _ in board.by_case[name]]
        assert page == page_of(board.cases[name].mechanism)
        start = f'<section class="case" id="case-{re.escape(name)}"'
        (entry,) = re.findall(rf"{start}.*?</dl>", PAGES[page].decode(), re.DOTALL)
        assert "game" in name or '<div class="board" data-fen="' in entry
        assert "expected" in entry
    assert 'data-area="check"><h3>check.none' in text
    assert "not asked; could not be installed: no wheel" in PAGES["index.html"].decode()


def test_results_from_before_stand_beside_those_of_today() -> None:
    """Of libraries that were asked on both days; the others have nothing to compare."""
    before = copy.deepcopy(RESULTS)
    before["date"] = "2026-01-01"
    before["libraries"] = [before["libraries"][0] | {"version": "0.9"}]
    before["libraries"][0]["cases"][1] = {"id": "check.none.1.read", "outcome": "passed"}
    earlier = scoreboard(before)
    pages = scoreboard_pages(replace(sample(), earlier=(earlier,)))
    (section,) = re.findall(r'id="history".*?</section>', pages["index.html"].decode(), re.DOTALL)
    assert re.findall(r"<span>([^<]*)</span>", section) == [
        "library",
        "2026-01-01, suite 1.0.0",
        "2026-01-31, suite 1.0.0",
    ]
    assert re.findall(r"<t[hd][^>]*>([^<]+)</t[hd]>", section) == [
        "worst 1.0",
        "0.9: 6 of 7",
        "1.0: 7 of 7",
    ]
    before["libraries"][0]["settings"] = "of those days"
    other = scoreboard(before)
    board = replace(sample(), earlier=(other, earlier))
    page = scoreboard_pages(board)["index.html"].decode()
    assert "<td></td><td>0.9: 6 of 7</td><td>1.0: 7 of 7</td>" in page
    assert "No library was asked before" in PAGES["index.html"].decode()


def test_the_board_has_what_is_right_and_what_came() -> None:
    text = PAGES["failures-check.none.html"].decode()
    _, _, entry = text.partition('id="case-check.none.1.read"')
    entry, *_ = re.findall(r'<div class="board" ([^>]*)>', entry)
    shown = dict(re.findall(r'data-(\w+)="([^"]*)"', entry))
    assert shown == {"fen": START, "from": "e2", "to": "e4", "wrong": "a2a3"}
    case = sample().cases["check.none.1.read"]
    assert _board(replace(case, fen="9/8 w - - 0 1"), sample()) == {}


def test_foreign_text_stays_text() -> None:
    text = b"".join(PAGES.values()).decode()
    assert HOSTILE not in text
    assert "<img" not in text
    assert "\u202e" not in text
    assert "&lt;/script&gt;" in text


def test_every_library_has_its_files_and_the_page_names_them(tmp_path: Path) -> None:
    made = scoreboard_files(sample())
    page = made["index.html"].decode()
    for run in sample().runs:
        for name in (f"reports/{run.slug}.md", f"badges/{run.slug}.svg", f"badges/{run.slug}.json"):
            assert name in made
            assert f'href="{name}"' in page
    write_scoreboard(sample(), tmp_path / "board")
    for name, content in made.items():
        assert (tmp_path / "board" / name).read_bytes() == content
    write_scoreboard(sample(), tmp_path / "board")  # an earlier one is replaced


ATTACKS = [
    "<script>alert(1)</script>",
    "x](javascript:alert(1)) <img src=x onerror=alert(1)>",
    "\x1b[31mred\x07",
    "\n\n# A heading\n\n<script>alert(1)</script>",
    "| a | cell |",
]
FIELDS = ("version", "language", "settings", "registry", "licence", "ended", "key")


@pytest.mark.parametrize("attack", ATTACKS)
@pytest.mark.parametrize("home", ["javascript:alert(1)", "https://x)<script>", "data:,x\x1b"])
def test_nothing_of_a_strangers_results_is_markdown_or_html(attack: str, home: str) -> None:
    foreign = library(
        f"evil{attack}",
        answers(check_none_1_read=FAILED | {"answer": attack, "message": attack}),
        **dict.fromkeys(FIELDS, attack),
        home=home,
        notes=[attack],
        en_passant=[attack],
    )
    made = scoreboard_files(sample(libraries=[foreign, library("best", answers())], date=attack))
    honest = b"".join(PAGES.values())
    page = b"".join(text for name, text in made.items() if name.endswith(".html"))
    assert not re.search(rb'<script(?! defer src="\w+\.js"></script>)', page)
    names = {name for _, attrs in Elements(page.decode()).tags for name, _ in attrs}
    assert not [name for name in names if name.startswith("on")]
    links = set(attributes(page, "href", "src")) - set(attributes(honest, "href", "src"))
    assert links
    assert not [link for link in links if re.match("(?i)javascript:|data:", link)]
    texts = [text for name, text in made.items() if name.endswith((".md", ".html", ".svg"))]
    assert len(texts) == 9
    for text in texts:
        assert b"\x1b" not in text
        assert b"\x07" not in text
    for name, text in made.items():
        if name.endswith(".md"):
            check_markdown(text.decode())
    assert b'"home": "javascript' not in made["scoreboard.json"]


def check_markdown(text: str) -> None:
    """Check for no element, no link but those of the web, no line that a stranger began."""
    outside = re.sub("(`+) ?.*? ?\\1", "", text)
    assert not re.search(r"(?<!\\)<", outside)
    for address in re.findall(r"(?<!\\)\]\(([^)]*)\)", outside):
        assert address.startswith("https://")
    assert not re.search(r"^# A heading", text, re.MULTILINE)
    rows = [line for line in text.splitlines() if line.startswith("|")]
    for row in rows:
        assert not re.search(r"(?<!\\)\| a (?<!\\)\|", row)


def test_what_badges_say() -> None:
    board, said = sample(), {}
    for run in board.runs:
        text, colour = said[run.title] = badge_message(board, run)
        content = json.loads(badge_endpoint(board, run))
        assert content == {
            "schemaVersion": 1,
            "label": "SAN conformance",
            "message": text,
            "color": COLOURS[colour],
        }
        svg = ET.fromstring(badge(board, run))
        assert svg.get("aria-label") == f"SAN conformance: {text}"
    assert said == {
        "best 1.0": ("7 of 7", "green"),
        "reader 1.0": ("3 of 3", "green"),
        "best 1.0 (strict: all)": ("6 of 7", "red"),
        "worst 1.0": ("0 of 7", "red"),
        "absent 1.0": ("not tested", "grey"),
    }


def run_scoreboard(*arguments: object) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, "-m", "conformance.scoreboard", *map(str, arguments)]
    return subprocess.run(line, cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """Write a suite and results of it."""
    content = json.dumps(SUITE).encode()
    (tmp_path / "suite.json").write_bytes(content)
    suite = RESULTS["suite"] | {"sha256": hashlib.sha256(content).hexdigest()}
    text = json.dumps(RESULTS | {"suite": suite}).encode()
    (tmp_path / "results.json").write_bytes(text)
    (tmp_path / "results.json.xz").write_bytes(lzma.compress(text))
    return tmp_path


def report(files: Path, name: str) -> subprocess.CompletedProcess[str]:
    options = "--suite", files / "suite.json", "--out", files / "board"
    return run_scoreboard(files / name, *options)


@pytest.mark.parametrize("name", ["results.json", "results.json.xz"])
def test_the_scoreboard_of_a_file_is_made_and_named(files: Path, name: str) -> None:
    done = report(files, name)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [str(files / "board" / "index.html")]
    assert (files / "board" / "reports" / "worst.md").exists()


@pytest.mark.slow
def test_the_results_that_come_with_sanproof(tmp_path: Path) -> None:
    done = run_scoreboard("--out", tmp_path / "board")
    assert (done.returncode, done.stderr) == (0, "")
    content = json.loads((tmp_path / "board" / "scoreboard.json").read_bytes())
    assert len(content["libraries"]) >= 14


WRONG = {
    "no JSON": ("no.json", b"no", "is not JSON"),
    "no result": ("empty.json", b"{}", "is not a result file"),
    "not packed": ("torn.json.xz", b"no", "is not packed with xz"),
    "another suite": ("other.json", json.dumps(RESULTS).encode(), "another suite"),
    "not there": ("nobody.json", None, "nobody.json"),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_files_are_refused_in_a_sentence(files: Path, case: str) -> None:
    name, content, words = WRONG[case]
    if content is not None:
        (files / name).write_bytes(content)
    expect_sentence(report(files, name), 2, words)
    assert not (files / "board").exists()


def test_a_suite_that_is_not_installed_and_a_wrong_option_are_misuse(tmp_path: Path) -> None:
    done = run_scoreboard("--level", "full", "--out", tmp_path / "board")
    expect_sentence(done, 2, "export --level full --out DIR")
    done = run_scoreboard("--level", "large")
    assert done.returncode == 2
    assert done.stderr.startswith("Usage: python -m conformance.scoreboard [OPTIONS] [RESULTS]...")


def test_a_folder_with_something_else_is_left_alone(files: Path) -> None:
    (files / "board").mkdir()
    (files / "board" / "mine").write_text("mine", "utf-8")
    expect_sentence(report(files, "results.json"), 2, "something other")
    assert (files / "board" / "mine").exists()
