"""The tables and texts of a scan, of files and games that hold anything."""

import csv
import gzip
import io
import os
import re
import resource
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Final

import pytest

from sanproof.verify import errors
from sanproof.verify.errors import MISUSE, Failure
from sanproof.verify.scan import rewriting
from sanproof.verify.scan.chunks import OUTCOMES
from sanproof.verify.scan.movetext import Oddity
from sanproof.verify.scan.outputs import COLUMNS, FILES, GAMES_COLUMNS, SUMMARY, SUMMARY_TEXT
from sanproof.verify.scan.rewriting import RewrittenTexts, rewritten_names
from sanproof.verify.scan.sources import SUFFIXES
from sanproof.verify.scan.store import COUNTED
from sanproof.verify.scan.tables import MOVES
from tests.verify.command import ROOT, sanproof
from tests.verify.scan.pgn import game, random_games

TEXTS = ('=HYPERLINK("http://x")', "+1+1", "-2+3", "@SUM", "\x1b[31mred", ";=1", "d4;=1+1")
NAME = "=1;+1\r\x1b[31m\n::error::**x** <script>.pgn"


def cells_of(path: Path) -> list[list[str]]:
    text = path.read_bytes().decode("ascii")
    assert "\r" not in text
    assert text.replace("\n", "").isprintable()
    return list(csv.reader(io.StringIO(text, newline=""), strict=True))


def test_no_table_holds_what_a_spreadsheet_computes(tmp_path: Path) -> None:
    """Of the name of a file or of a text in it: also where cells are cut at semicolons."""
    (tmp_path / NAME).write_text("".join(game(f"1. e4 {text} *") for text in TEXTS))
    out = tmp_path / "out"
    run = sanproof("scan", ".", "--out", str(out), "--rows", "csv", "--no-fast", cwd=tmp_path)
    assert run.returncode == MISUSE, run.stderr  # no game is read to its end
    tables = [path for path in out.rglob("*.csv") if path.stat().st_size]
    assert len(tables) == 4
    for table in tables:
        header, *rows = cells_of(table)
        assert rows
        for row in rows:
            assert len(row) == len(header)
            for part in (part for cell in row for part in cell.split(";")):
                assert not re.match(r"\s*[=+\-@]", part)
    summary = (out / "summary.md").read_text("utf-8")
    assert summary.replace("\n", "").isprintable()
    page = sanproof("report", str(out), "--out", str(tmp_path / "page"))
    assert page.returncode == 0, page.stderr
    assert "=HYPERLINK" in (tmp_path / "page/index.html").read_text("utf-8")
    assert "&#x27;=HYPERLINK" not in (tmp_path / "page/index.html").read_text("utf-8")


def test_names_of_damaged_files_stay_on_their_line(tmp_path: Path) -> None:
    packed = gzip.compress("".join(random_games(1, 40)).encode())
    (tmp_path / f"{NAME}.gz").write_bytes(packed[:-20])
    (tmp_path / "a.pgn").write_text(game("1. e4 *"))
    run = sanproof("scan", ".", "--out", "out\x1b[31m", "--no-fast", cwd=tmp_path)
    assert run.returncode == MISUSE
    assert "is damaged" in run.stderr
    for text in (run.stdout, run.stderr):
        assert text.replace("\n", "").isprintable()
        assert not any(line.startswith("::") for line in text.splitlines())


def test_names_of_rewritten_texts_keep_folders_stay_inside_and_differ() -> None:
    within = [
        *("a.pgn", "A.PGN.gz", "a.pgn", "sub/a.pgn.zst", "a.pgn/b.pgn", "x.zip/c.pgn"),
        *("../../etc/d.pgn", "/e.pgn", "", ".0001.part", "games"),
    ]
    names = rewritten_names(within)
    assert names == [
        *("a.pgn", "0002-A.pgn", "0003-a.pgn", "sub/a.pgn", "0002-b.pgn", "x.zip/c.pgn"),
        *("etc/d.pgn", "e.pgn", "games.pgn", "0002-.0001.pgn", "games"),
    ]


NAME_TOKENS: Final = (
    *("a", "A", ".pgn", ".gz", ".part", ".0001.part", "/", "/", "..", ".", " ", "\n", "\x1b[31m"),
    *(
        "\xe9",
        "e\u0301",
        "\udcff",
        "\u202e",
        "0002-a",
        "\\",
        "x" * 90,
        "\U0001f600" * 40,
        "d/" * 600,
    ),
)
"""The words of a grammar of names, which are these one after the other."""


def hostile_names(random: Random, count: int) -> list[str]:
    """Return so many names that may be chosen to break a rewriting."""
    return ["".join(random.choices(NAME_TOKENS, k=random.randint(1, 5))) for _ in range(count)]


def breach_of_names(folder: Path, seed: int) -> str:
    """Write texts of hostile names with few files open; say what went wrong, if anything did."""
    withins = [*hostile_names(Random(seed), 120), "x" * 300 + ".pgn", "d/" * 3000 + "a.pgn"]
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with Path(os.devnull).open() as lowest:
        most = lowest.fileno() + 20
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    try:
        with ExitStack() as stack:
            texts = RewrittenTexts(stack, folder, withins, [])
            for source in range(len(withins)):
                texts.write(source, b"%d" % source)
            texts.saved()
        texts.finish({})
        found = sorted(int(p.read_bytes()) for p in folder.rglob("*") if p.is_file())
    except (OSError, Failure) as error:
        return f"{type(error).__name__}"
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return "" if found == list(range(len(withins))) else "texts are lost"


@pytest.mark.usually(1)
@pytest.mark.parametrize("seed", range(3))
def test_texts_of_any_names_are_written(tmp_path: Path, seed: int) -> None:
    assert breach_of_names(tmp_path / "out", seed) == ""
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


@pytest.mark.usually(1)
@pytest.mark.parametrize(
    ("name", "value"), [("LONGEST_NAME", 10**9), ("LONGEST_PATH", 10**9), ("can_be", None)]
)
def test_a_name_that_cannot_be_is_found_before_a_game_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, value: object
) -> None:
    monkeypatch.setattr(rewriting, name, value or (lambda _: True))
    assert breach_of_names(tmp_path / "out", 0)


# docs/scan.md: what it shows is what comes out, and what it lists is all there is.

PAGE: Final = (ROOT / "docs/scan.md").read_text(encoding="utf-8")


def test_the_example_is_what_comes_out(tmp_path: Path) -> None:
    (block,) = re.findall(r"^```console\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    make, check, *expected = block.splitlines()
    made = re.fullmatch(r"\$ printf '(.*)' > games\.pgn", make)
    assert made is not None
    (tmp_path / "games.pgn").write_text(made[1].replace("\\n", "\n"))
    assert check == "$ sanproof scan --check games.pgn"
    env = {"PYTHONPATH": str(ROOT), "PATH": ""}
    run = sanproof("scan", "--check", "games.pgn", cwd=tmp_path, env=env)
    assert run.stdout.splitlines() == expected
    assert run.returncode == errors.MISUSE


def test_every_outcome_file_and_column_is_described(tmp_path: Path) -> None:
    assert re.findall(r"^\| `games_(.*?)` \|", PAGE, re.MULTILINE) == list(OUTCOMES)
    described = set(re.findall(r"`(games_[a-z_-]+)`", PAGE)) | {"games_from_position"}
    assert described <= {*COUNTED, "games_without_moves"}
    for name in FILES:
        assert f"`{name}`" in PAGE
    assert f"`{SUMMARY}`, `{SUMMARY_TEXT}`" in PAGE
    assert f"`{','.join(COLUMNS)}`" in PAGE
    assert f"`{','.join(GAMES_COLUMNS)}`" in PAGE
    odd = set(re.findall(r"^\| `([a-z]+-[a-z-]+)` \|", PAGE, re.MULTILINE))
    assert odd == {oddity.value for oddity in Oddity}
    assert f"`{','.join(MOVES)}`" in PAGE
    for suffix in SUFFIXES:
        assert f"`{suffix}`" in PAGE
    (tmp_path / "a.pgn").write_text(game("1. e4 *"))
    run = sanproof("scan", str(tmp_path / "a.pgn"), "--out", str(tmp_path / "out"), "--no-fast")
    assert run.returncode == 0, run.stderr
    with (tmp_path / "out/counts.csv").open(newline="") as file:
        assert f"`{','.join(next(csv.reader(file)))}`" in PAGE
