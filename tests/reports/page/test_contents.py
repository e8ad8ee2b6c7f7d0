"""What is read from a run: a run that does not fit together ends with a sentence."""

import gzip
import json
from collections import Counter
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sanproof.proofs.verdicts.reasons import Reason
from sanproof.reports.archive.door import Archive, ArchiveError
from sanproof.reports.page.contents import Contents, pattern_of, read_contents
from sanproof.reports.page.html import index_page
from sanproof.reports.tables.files import gzipped
from tests.examples import examples
from tests.reports.page.samples import FILES, SUMMARY, one_shard, sample, sample_contents

IMPOSSIBLE = b"san,reason\nQ1xf7,no-twins\n"


def test_a_small_run(tmp_path: Path) -> None:
    contents = sample_contents(tmp_path)
    assert contents.only == "Qxf7*"
    assert list(map(str, contents.reachable)) == ["Qxf7#"]
    assert contents.impossible == {"Q1xf7": Reason.NO_TWINS}
    assert contents.undecided == 1
    assert not contents.is_complete


def test_the_published_data_agree_with_their_summary(
    published: Archive, contents: Contents
) -> None:
    summary = published.summary
    assert len(contents.reachable) == summary["reachable"]
    assert len(contents.impossible) == summary["impossible"]
    assert Counter(why.value for why in contents.impossible.values()) == summary["by_reason"]
    assert contents.is_complete
    assert contents.games is not None
    assert contents.games.total == summary["games"]["games"]
    assert round(contents.games.plies / contents.games.total, 2) == summary["games"]["plies_mean"]


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        (
            "witnesses.csv",
            FILES["witnesses.csv"].replace(b",1,7,,\n", b",2,7,,\n"),
            "has no game 2",
        ),
        (
            "witnesses.csv",
            FILES["witnesses.csv"].replace(b"\nQxf7#", b"\nQxf7+"),
            r"witness for Qxf7\+, not reachable",
        ),
        ("witnesses.csv", FILES["witnesses.csv"].splitlines(keepends=True)[0], "not as many"),
        ("san_strings_with_symbols.txt", b"Qxf7#\n<script>", "holds the row '<script>'"),
        ("impossible.csv.gz", gzipped(IMPOSSIBLE + b"Qxf7#,no-twins\n"), "says both of Qxf7#"),
        (
            "impossible.csv.gz",
            gzipped(b"san,reason\nQ1xf7,because\n"),
            "holds the row 'Q1xf7,because'",
        ),
    ],
)
def test_files_of_different_runs(tmp_path: Path, name: str, content: bytes, words: str) -> None:
    with pytest.raises(ArchiveError, match=words):
        sample_contents(tmp_path, {name: content})


@pytest.mark.parametrize(
    "changed",
    [
        {"only": 3},
        {"only": ["Q*"]},
        {"undecided": "1"},
        {"undecided": True},
        {"undecided": -1},
        {"versions": ["python 3"]},
    ],
)
def test_a_summary_that_is_none(tmp_path: Path, changed: dict[str, object]) -> None:
    summary = json.dumps(SUMMARY | changed).encode()
    with pytest.raises(ArchiveError, match=r"summary\.json"):
        sample_contents(tmp_path, {"summary.json": summary})


def test_the_pattern_of_a_run(tmp_path: Path) -> None:
    assert pattern_of(sample(tmp_path)) == "Qxf7*"


ODD = """Qxf7# Qxf7 e4 a8=K O-O-O+ # + x h5f7 0000 1 0 2 999999999 no-twins because
<script> 8/8/8/8/8/8/8/8"""
CELLS = st.sampled_from(ODD.split()) | st.text("Qxf7#+-=, <>&\"'1a/", max_size=12)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=6,
)


@settings(max_examples=examples(300), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_forged_runs_end_with_a_page_or_a_sentence(tmp_path: Path, data: st.DataObject) -> None:
    """Every file is right by its hash; cells, lines and the summary's values are anything."""
    name = data.draw(st.sampled_from(sorted(FILES)))
    if name == "summary.json":
        summary = SUMMARY | {
            data.draw(st.sampled_from([*SUMMARY, "versions", "games"])): data.draw(JSON)
        }
        content = json.dumps(summary).encode()
    else:
        content = forged(FILES[name], data)
    with suppress(ArchiveError):
        contents = read_contents(sample(tmp_path, {name: content}))
        index_page(contents)
        one_shard(contents)


def forged(content: bytes, data: st.DataObject) -> bytes:
    packed = content.startswith(b"\x1f\x8b")
    lines = (gzip.decompress(content) if packed else content).decode().split("\n")
    at = data.draw(st.integers(0, len(lines) - 1))
    cells = lines[at].split(",")
    cells[data.draw(st.integers(0, len(cells) - 1))] = data.draw(CELLS)
    lines[at] = ",".join(cells)
    if data.draw(st.booleans()):
        lines.insert(data.draw(st.integers(0, len(lines))), data.draw(CELLS))
    text = "\n".join(lines).encode()
    return gzipped(text) if packed else text
