"""All pages: who they are for, their links; and what some of them say, run and compared."""

import csv
import doctest
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from sanproof.reports.exports.exports import TABLES
from sanproof.verify.gate.formats import FORMATS
from sanproof.verify.gate.lists import MAX_BYTES, MAX_ENTRIES
from tests.verify.command import ROOT, completed, shell

PAGES = ("gate.md", "data.md")
WRONG_LIST = re.compile(r"sanproof gate (.* )?mine\.txt")
"""The gate's answer to the list that is wrong on purpose is no."""


def page(name: str) -> str:
    return (ROOT / "docs" / name).read_text(encoding="utf-8")


def blocks(name: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", page(name), re.MULTILINE | re.DOTALL)


def table(name: str) -> list[dict[str, str]]:
    """Return the rows of a table beside the pages."""
    with (ROOT / "docs" / "tables" / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def commands(name: str) -> Iterator[tuple[str, str]]:
    """Yield each command of a page with the output that is shown for it."""
    for block in blocks(name, "console"):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            yield command, output


@pytest.mark.parametrize("name", PAGES)
def test_every_command_does_what_is_shown(name: str, tmp_path: Path) -> None:
    seen = 0
    for command, output in commands(name):
        run = shell(command, tmp_path)
        fails = bool(WRONG_LIST.match(command))
        assert (run.returncode, run.stderr) == (int(fails), ""), command
        if output:
            checker = doctest.OutputChecker()
            assert checker.check_output(output, run.stdout, doctest.ELLIPSIS), run.stdout
        seen += 1
    assert seen > 5


def test_python_is_run() -> None:
    (block,) = blocks("data.md", "python")
    run = completed([sys.executable, "-c", block])
    assert run.returncode == 0, run.stderr


def test_every_table_and_column_is_described() -> None:
    rows = {row["what"]: row for row in table("exports.csv")}
    assert list(rows) == list(TABLES)
    meanings = {row["column"]: row["meaning"] for row in table("columns.csv")}
    for what, exported in TABLES.items():
        row = rows[what]
        named, more = row["columns"].split(", "), row["columns on request"]
        assert named == list(exported.usual)
        assert sorted(named + more.split(", ") * bool(more)) == sorted(exported.columns)
        assert row["formats"].split(", ") == list(exported.forms)
    assert set(meanings) == {column for exported in TABLES.values() for column in exported.columns}
    assert all(meanings.values())


def test_the_table_of_files_names_what_is_published() -> None:
    """In the folder; a name that is packed there may stand in its row without ``.xz``."""
    section = page("data.md").partition("\n## The files\n")[2].partition("\n## ")[0]
    named: list[str] = []
    for row in re.findall(r"^\| (`.*)", section, re.MULTILINE):
        cell, _, text = row.partition(" | ")
        packed = re.search(r"in `data/` `([^`]+)`", text)
        named += [packed[1]] if packed else re.findall(r"`([^`]+)`", cell)
    data = ROOT / "data"
    files = (*data.iterdir(), *(data / "long_form").iterdir(), *(data / "shortest").iterdir())
    there = [path.relative_to(data).as_posix() for path in files if path.is_file()]
    assert sorted(named) == sorted(there)


def test_every_form_and_bound_of_the_gate_is_described() -> None:
    text = page("gate.md")
    assert re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE) == list(FORMATS)
    assert f"more than {MAX_BYTES >> 20} MiB" in text
    assert f"more than {MAX_ENTRIES:,} entries" in text


def test_the_workflow_names_inputs_that_there_are() -> None:
    action = (ROOT / "action.yml").read_text(encoding="utf-8")
    (workflow,) = [block for block in blocks("gate.md", "yaml") if "{{ slug }}@" in block]
    used = re.findall(r"^ +(\w+): ", workflow.partition("{{ slug }}@")[2], re.MULTILINE)
    assert used == ["command", "files"]
    for name in [*used, "list", "prove", "timeout", "python"]:
        assert f"\n  {name}:\n    description:" in action


# Every page


ALL: Final = (
    *(ROOT / name for name in ("README.md", "TRUST.md", "CONTRIBUTING.md", "SECURITY.md")),
    *sorted((ROOT / "docs").glob("*.md")),
)


def prose(path: Path) -> str:
    """Return a page without its blocks of code."""
    text = path.read_text(encoding="utf-8")
    return re.sub(r"^ *```.*?^ *```$", "", text, flags=re.MULTILINE | re.DOTALL)


def anchors(path: Path) -> set[str]:
    """Return the names that the headings of a page have on GitHub and PyPI."""
    headings = re.findall(r"^#+ (.+)$", prose(path), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def wrong_links(path: Path, text: str) -> list[str]:
    """Return the links of a page to files and headings that are not there."""
    wrong = []
    for target in re.findall(r"\]\((?!https?:)([^)\s]+)\)", text):
        name, _, anchor = target.partition("#")
        if name.startswith("../../"):
            continue  # a page that GitHub makes
        there = path.parent / name if name else path
        if not there.exists() or (anchor and anchor not in anchors(there)):
            wrong.append(target)
    return wrong


@pytest.mark.parametrize("path", ALL, ids=lambda path: path.name)
def test_a_page_says_first_who_it_is_for_and_has_no_wrong_link(path: Path) -> None:
    text = path.read_text("utf-8")
    title, gap, audience, *_ = text.splitlines()
    assert title.startswith("# ")
    assert gap == ""
    assert path.name == "README.md" or re.fullmatch(r"\*For .+\.\*", audience)
    assert wrong_links(path, prose(path)) == []


def test_wrong_links_are_noticed() -> None:
    here = ROOT / "docs" / "gate.md"
    text = "[a](nothing.md) [b](../README.md) [c](scan.md#nothing) [d](#for-machines) [e](#none)"
    assert wrong_links(here, text) == ["nothing.md", "scan.md#nothing", "#none"]


def test_every_page_and_table_is_linked() -> None:
    text = "".join(path.read_text("utf-8") for path in ALL)
    for path in [*ALL[1:3], *ALL[4:], *(ROOT / "docs" / "tables").iterdir()]:
        assert re.search(rf"\]\((?:\S+/)?{re.escape(path.name)}[)#]", text), path.name
