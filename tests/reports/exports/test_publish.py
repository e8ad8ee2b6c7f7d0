"""Publishing a run: the same content, packed where it is large, and nothing else."""

import json
from pathlib import Path

import pytest

from sanproof.proofs.kernel.files import unpacked
from sanproof.reports.archive.observed import open_observed
from sanproof.reports.archive.schema import SchemaError
from sanproof.reports.exports.publish import main, make_observed, publish
from sanproof.reports.tables.names import (
    FULL_LIST,
    MANIFEST,
    OBSERVED,
    OBSERVED_FILES,
    PUBLISHED_AS,
    WITH_COVER,
)
from tests.reports.archive.archives import SOURCE, TIMES, files, write_observed, write_run


def a_run(folder: Path) -> dict[str, bytes]:
    """The files of a run, of which publishing reads the names only."""
    folder.mkdir()
    files = {name: f"content of {name}\n".encode() for name in WITH_COVER}
    for name, content in files.items():
        (folder / name).write_bytes(content)
    (folder / MANIFEST).write_text(json.dumps({"files": dict.fromkeys(files, "")}))
    (folder / "run.sqlite3").write_bytes(b"what a run keeps to go on")
    return files


def test_every_file_is_published_and_nothing_else(tmp_path: Path) -> None:
    files = a_run(tmp_path / "run")
    data = tmp_path / "data"
    data.mkdir()
    (data / "left over.csv").write_text("of an earlier version")
    (data / "conformance").mkdir()
    (data / "conformance" / "core.json").write_text("the suite")
    names = publish(tmp_path / "run", data)
    assert (data / "conformance" / "core.json").read_text() == "the suite"
    assert sorted(path.name for path in data.iterdir() if path.is_file()) == names
    assert names == sorted([MANIFEST, *(PUBLISHED_AS.get(n, n) for n in files)])
    for name, content in files.items():
        there = PUBLISHED_AS.get(name, name)
        found = (data / there).read_bytes()
        assert (found if name == there else unpacked(there, found)) == content


# How often strings were played


def observed_bytes(folder: Path) -> dict[str, bytes]:
    return {n: (folder / n).read_bytes() for n in OBSERVED_FILES if (folder / n).exists()}


def test_counts_are_kept_when_a_run_is_published(tmp_path: Path) -> None:
    run, data = write_run(tmp_path / "run", files()), tmp_path / "data"
    assert set(publish(run, data)).isdisjoint(OBSERVED_FILES)
    kept = observed_bytes(write_observed(data))
    assert set(publish(run, data)) > set(OBSERVED_FILES)
    assert observed_bytes(data) == kept


def given(folder: Path, rows: str) -> list[str]:
    """The options that name counts, their source and their licence, in files of their own."""
    contents = {"counts": rows, "source": json.dumps(SOURCE), "licence": "Do as you like.\n"}
    for name, content in contents.items():
        (folder / name).write_text(content)
    names = zip(("--observed", "--source", "--licence"), contents, strict=True)
    return [text for option, name in names for text in (option, str(folder / name))]


def test_the_program_takes_counts_in(tmp_path: Path) -> None:
    run, data = write_run(tmp_path / "run", files()), tmp_path / "data"
    rows = "".join(f"{san},{n},m\u00f6re\n" for san, n in TIMES.items())
    options = given(tmp_path, f"san,count,first\n{rows}")
    assert main([str(run), str(data), *options]) == 0
    observed = open_observed(data)
    assert observed is not None
    assert observed.times == TIMES
    assert observed.source | SOURCE == observed.source
    assert main([str(data), *given(tmp_path, "san,count\ng4,3\n")[:2]]) == 0  # without a run
    observed = open_observed(data)
    assert observed is not None
    assert observed.times == {"g4": 3}
    assert (data / FULL_LIST).read_bytes() == (run / FULL_LIST).read_bytes()


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ("san,count\ne9,3\n", "e9"),
        ("san,count\ng4,x\n", "'x'"),
        ("san,count\ng4,0\n", "g4,0"),
        ("san,count\ng4,-1\n", "g4,-1"),
        ("san,count\ng4,1\ng4,2\n", "g4 after g4"),
        ("san,count\ng4\n", "not enough values"),
        ("san,count\nKe1e2,1\n", "Ke1e2 was seen in a game"),
    ],
)
def test_what_is_no_table_of_counts_is_refused(
    rows: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run, data = write_run(tmp_path / "run", files()), tmp_path / "data"
    publish(run, data)
    assert main([str(run), str(data), *given(tmp_path, rows)]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert words in said.err
    assert len(said.err.splitlines()) == 1
    assert not (data / OBSERVED).exists()


def test_counts_need_a_source_and_a_licence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run, data = write_run(tmp_path / "run", files()), tmp_path / "data"
    options = given(tmp_path, "san,count\ng4,3\n")
    assert main([str(run), str(data), *options[:2]]) == 2
    assert "name --source and --licence" in capsys.readouterr().err
    with pytest.raises(SystemExit, match="2"):
        main([str(data)])
    for name in SOURCE:
        with pytest.raises(SchemaError, match=f"has no {name}"):
            make_observed([], {k: v for k, v in SOURCE.items() if k != name}, b"")
