"""The real command on a part of the universe: what it prints, and each file that it leaves."""

import csv
import fnmatch
import gzip
from collections import Counter
from io import StringIO
from pathlib import Path
from typing import NoReturn

import pytest

from sanproof.generator.strings import suffixed_strings
from sanproof.proofs.rules.san import list_order
from sanproof.proofs.theory.reasons import Reason
from sanproof.reports.archive.door import ArchiveError
from sanproof.verify.commands import start
from tests.strings import all_texts
from tests.verify.command import (
    PART,
    sanproof,
    unfinish,
    verify,
)


def selected() -> list[str]:
    return fnmatch.filter(all_texts(), PART)


def lines(path: Path) -> list[str]:
    content = path.read_bytes()
    assert b"\r" not in content
    assert not content.endswith(b"\n")
    return content.decode("ascii").split("\n")


def impossible(directory: Path) -> dict[str, str]:
    content = gzip.decompress((directory / "impossible.csv.gz").read_bytes())
    assert content.startswith(b"san,reason\n")
    assert content.endswith(b"\n")
    rows = list(csv.reader(StringIO(content.decode("ascii"))))[1:]
    assert [san for san, _ in rows] == sorted({san for san, _ in rows}, key=list_order)
    return {san: why for san, why in rows}  # noqa: C416 - each row has exactly two fields


def test_lists_are_what_the_generator_claims_in_their_published_form(finished_run: Path) -> None:
    everything = lines(finished_run / "san_strings_with_symbols.txt")
    assert everything == [san for san in suffixed_strings() if fnmatch.fnmatchcase(san, PART)]
    assert everything == sorted(set(everything), key=list_order)
    bare = [san for san in everything if san[-1] not in "+#"]
    assert lines(finished_run / "san_strings.txt") == bare
    excluded = impossible(finished_run)
    assert Counter(everything) + Counter(excluded.keys()) == Counter(selected())
    assert set(excluded.values()) <= {reason.value for reason in Reason}


def test_another_part_of_the_same_cubes_needs_no_deciding(finished: Path) -> None:
    before = (finished / "run.log").read_bytes()
    unfinish(finished)
    run = sanproof(*verify(finished, "Qxh8?"))
    assert run.returncode == 0, run.stderr
    assert lines(finished / "san_strings_with_symbols.txt") == ["Qxh8#", "Qxh8+"]
    assert (finished / "run.log").read_bytes() == before


@pytest.mark.parametrize("pattern", ["[a-g]xh8*", "[/g]xh8*"])
def test_brackets_are_no_markup(finished: Path, pattern: str) -> None:
    unfinish(finished)
    directory = finished.rename(finished.parent / "run [bold] [i]")
    run = sanproof(*verify(directory, pattern))
    assert (run.returncode, "Traceback" in run.stderr) == (0, False)
    assert f"SAN strings matching {pattern}" in run.stdout
    assert f"Everything is in {directory}." in run.stdout


def test_explain_of_damaged_data_ends_with_a_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def damaged(_: Path | None = None) -> NoReturn:
        raise ArchiveError("it is damaged")

    monkeypatch.setattr("sanproof.reports.archive.door.open_complete", damaged)
    monkeypatch.setattr("sanproof.verify.commands.explain.open_complete", damaged)
    monkeypatch.setattr("sys.argv", ["sanproof", "explain", "e4"])
    with pytest.raises(SystemExit) as end:
        start.main()
    assert end.value.code == 2
    assert capsys.readouterr().err == "sanproof: it is damaged (--prove needs no data).\n"
