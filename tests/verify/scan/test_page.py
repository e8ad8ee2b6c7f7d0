"""docs/scan.md: what it shows is what comes out, and what it lists is all there is."""

import csv
import re
from pathlib import Path
from typing import Final

from sanproof.verify import errors
from sanproof.verify.scan.chunks import OUTCOMES
from sanproof.verify.scan.movetext import Oddity
from sanproof.verify.scan.outputs import COLUMNS, FILES, GAMES_COLUMNS, SUMMARY, SUMMARY_TEXT
from sanproof.verify.scan.sources import SUFFIXES
from sanproof.verify.scan.tables import MOVES
from sanproof.verify.scan.tally import COUNTED
from tests.verify.command import ROOT, sanproof
from tests.verify.scan.pgn import game

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
