"""README and the pages: their commands are run, and their tables and links are compared."""

import csv
import doctest
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import pytest

from sanproof.reports.exports.exports import TABLES
from sanproof.verify.gate.formats import FORMATS
from sanproof.verify.gate.lists import MAX_BYTES, MAX_ENTRIES
from tests.verify.command import ROOT, shell

README: Final = ROOT / "README.md"
DOCS: Final = ROOT / "docs"
PAGES: Final = (
    *(README, *(ROOT / name for name in ("TRUST.md", "CONTRIBUTING.md", "SECURITY.md"))),
    *sorted(DOCS.glob("*.md")),
)
FEN: Final = "rnbqk1nr/pppp1ppp/8/4p3/1b2P3/2N5/PPPP1PPP/R1BQKBNR w KQkq - 2 3"
INSTEAD: Final[Mapping[str, str]] = {
    "sanproof verify --out run": "sanproof verify --out run --only O-O --no-games",
    "sanproof read Nge2 --fen 'FEN'": f"sanproof read Nge2 --fen '{FEN}'",
    "sanproof write g1e2 --fen 'FEN'": f"sanproof write g1e2 --fen '{FEN}'",
    "sanproof position FEN": f"sanproof position '{FEN}'",
    "sanproof conformance run python-chess": "sanproof conformance run python-chess --only '*.9.*'",
    "sanproof gate mine.txt": f"sanproof gate {ROOT}/data/san_strings.txt",
    "sanproof scan data/cover.pgn.xz --out scan": f"sanproof scan {ROOT}/tests/games --out scan",
    "python -I -m sanproof.proofs.kernel data": "python -m sanproof.proofs.kernel",
    "nox": "true",
}
"""What is run in place of commands of README that take minutes, or name what is not there."""
NO: Final = {"sanproof explain 'Ba1b2+'", "python -I -m sanproof.proofs.kernel data"}
"""Those that do not end with 0: an impossible string, and a kernel without a folder."""
WRONG_LIST: Final = re.compile(r"sanproof gate (.* )?mine\.txt")
"""The gate's answer to the list that is wrong on purpose is no."""


def blocks(page: Path, language: str) -> list[str]:
    text = page.read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def table(name: str) -> list[dict[str, str]]:
    """Return the rows of a table beside the pages."""
    with (DOCS / "tables" / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def commands(page: Path) -> Iterator[tuple[str, str]]:
    """Yield each command of a page with the output that is shown for it."""
    for block in blocks(page, "console"):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            yield command, output


def is_printed(shown: str, printed: str) -> bool:
    return doctest.OutputChecker().check_output(shown, printed, doctest.ELLIPSIS)


def test_every_command_of_readme_does_its_work(tmp_path: Path) -> None:
    found = dict(commands(README))
    for block in blocks(README, "sh"):
        parts = re.split(r" && |\n", re.sub(r" +# .*", "", block))
        found |= {part.removeprefix(".venv/bin/"): "" for part in parts}
    ours = {c: shown for c, shown in found.items() if re.match(r"sanproof |python |nox$", c)}
    assert set(INSTEAD) <= set(ours)
    for command, shown in ours.items():
        done = shell(INSTEAD.get(command, command), tmp_path)
        assert (done.returncode == 0) == (command not in NO), (command, done.stderr)
        assert not shown or is_printed(shown, done.stdout), done.stdout


@pytest.mark.parametrize("name", ["gate.md", "data.md"])
def test_every_command_of_a_page_does_what_is_shown(name: str, tmp_path: Path) -> None:
    found = list(commands(DOCS / name))
    assert len(found) > 5
    for command, shown in found:
        if not shown and re.search("parquet|tokenizer", command):
            continue  # `nox -s pages` runs these too
        done = shell(command, tmp_path)
        refused = shown.startswith("sanproof: ")
        code = 2 if refused else int(bool(WRONG_LIST.match(command)))
        assert (done.returncode, bool(done.stderr)) == (code, refused), command
        assert not shown or is_printed(shown, done.stderr or done.stdout), done


def test_python_answers_as_it_says() -> None:
    (block,) = blocks(README, "python")
    names: dict[str, object] = {}
    said = 0
    for line in block.splitlines():
        code, _, comment = line.partition("  # ")
        if re.match(r"(import|\w+ =)", code):
            exec(code, names)
        else:
            value = eval(code, names) if code else None
            said += comment in {repr(value), str(value)}
    assert said == 2
    for block in blocks(DOCS / "data.md", "python"):
        exec(block, {})


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


def test_the_forms_and_bounds_of_the_gate_are_those_of_its_page() -> None:
    text = (DOCS / "gate.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE) == list(FORMATS)
    assert f"{MAX_BYTES >> 20} MiB" in text
    assert f"{MAX_ENTRIES:,} entries" in text


def without_code(path: Path) -> str:
    """Return a page without its blocks of code."""
    text = path.read_text(encoding="utf-8")
    return re.sub(r"^ *```.*?^ *```$", "", text, flags=re.MULTILINE | re.DOTALL)


def anchors(path: Path) -> set[str]:
    """Return the names that the headings of a page have on GitHub and PyPI."""
    headings = re.findall(r"^#+ (.+)$", without_code(path), re.MULTILINE)
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


def test_no_link_is_wrong() -> None:
    assert {p.name: w for p in PAGES if (w := wrong_links(p, without_code(p)))} == {}
    text = "[a](nothing.md) [b](../README.md) [c](scan.md#nothing) [d](#none)"
    assert wrong_links(DOCS / "gate.md", text) == ["nothing.md", "scan.md#nothing", "#none"]
