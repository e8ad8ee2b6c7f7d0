"""What is read from a run: a run that does not fit together ends with a sentence."""

import gzip
import json
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sanproof.proofs.verdicts.reasons import Reason
from sanproof.reports.archive.door import Archive, ArchiveError, GameRow, WitnessRow
from sanproof.reports.page.contents import (
    DESCRIPTIONS,
    Contents,
    Download,
    Games,
    Moment,
    choose_games,
    read_contents,
)
from sanproof.reports.page.index import index_page
from sanproof.reports.tables.files import gzipped
from sanproof.reports.tables.names import MANIFEST, WITH_COVER
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
    assert list(contents.games.moments) == published.strings()
    assert contents.games.moments["e4"][0].ply == contents.games.moments["Nf3"][0].ply == 0
    by_player = summary["games"]["strings_by_player"]
    assert sorted(contents.games.players.values()) == sorted(by_player.values())


TABLE = FILES["witnesses.csv"]


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("witnesses.csv", TABLE.replace(b",1,7,,\n", b",2,7,,\n"), "has no game 2"),
        ("witnesses.csv", TABLE.replace(b"\nQxf7#", b"\nQxf7+"), r"witness for Qxf7\+, not reach"),
        ("witnesses.csv", TABLE.splitlines(keepends=True)[0], "not as many"),
        ("witnesses.csv", TABLE.replace(b",h5f7,", b",a4a5,"), "they do not fit"),
        ("san_strings_with_symbols.txt", b"Qxf7#\n<script>", "holds the row '<script>'"),
        ("impossible.csv.gz", gzipped(IMPOSSIBLE + b"Qxf7#,no-twins\n"), "says both of Qxf7#"),
        ("impossible.csv.gz", gzipped(b"san,reason\nQ1xf7,because\n"), "row 'Q1xf7,because'"),
        ("evil.js", b"alert(1)", "names of files"),
        ("index.html", b"<script>", "names of files"),
        *(
            ("summary.json", json.dumps(SUMMARY | changed).encode(), r"summary\.json")
            for changed in (
                {"only": 3},
                {"only": ["Q*"]},
                {"undecided": "1"},
                {"undecided": True},
                {"undecided": -1},
                {"versions": ["python 3"]},
            )
        ),
    ],
)
def test_files_of_different_runs(tmp_path: Path, name: str, content: bytes, words: str) -> None:
    with pytest.raises(ArchiveError, match=words):
        sample_contents(tmp_path, {name: content})


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


# Downloads


def test_the_files_of_the_published_data_are_all_offered(
    published: Archive, contents: Contents
) -> None:
    assert set(DESCRIPTIONS) == {*WITH_COVER, MANIFEST}
    offered = {download.name: download.content for download in contents.downloads}
    manifest = (published.directory / MANIFEST).read_bytes()
    assert offered == {**dict(published.files()), MANIFEST: manifest}


@pytest.mark.parametrize(
    ("length", "expected"),
    [(0, "0 bytes"), (999, "999 bytes"), (1000, "1.0 kB"), (56_233, "56 kB"),
     (999_999, "1,000 kB"), (1_000_000, "1.0 MB"), (2_936_093, "2.9 MB")],
)  # fmt: skip
def test_sizes_are_for_readers(length: int, expected: str) -> None:
    assert Download("", "", bytes(length)).size == expected


# Games


class Run:
    """A run that consists of these games."""

    directory = Path("run")

    def __init__(self, games: Iterable[GameRow]) -> None:
        self.games = lambda: iter(games)


def game(number: int, san: str, sans: str) -> GameRow:
    moves = tuple(sans.split())
    ply = moves.index(san) + 1
    return GameRow(number, san, "white" if ply % 2 else "black", ply, moves, "1-0")


EARLY = [
    game(1, "e4", "a3 Nf6 Nf3 Nxe4 e4 Ke7#"),
    game(2, "e4", "h3 e5 h4 e4 Kh1#"),
    game(3, "Kh1#", "e4 e5 Kxe5 Kh1#"),
]


def chosen(*places: int) -> Games:
    """What is chosen for e4, which is shown at these places."""
    run: Any = Run(EARLY)
    return choose_games(run, [WitnessRow("e4", "", "", "", *places)])


def test_a_string_is_shown_at_its_places() -> None:
    found = chosen(3, 1, 2, 4)
    assert found.moments["e4"] == [Moment(3, 0), Moment(2, 3)]
    assert found.moves == {2: "h3 e5 h4 e4 Kh1#", 3: "e4 e5 Kxe5 Kh1#"}
    assert found.players == {"White and Black": 1}
    found = chosen(2, 4)
    assert (found.total, found.plies, found.players) == (3, 6 + 5 + 4, {"Black": 1})


@pytest.mark.parametrize(
    ("places", "words"),
    [
        ((4, 1), "has no game 4"),
        ((3, 1, 4, 1), "has no game 4"),
        ((3, 2), "has game 3, which lacks e4"),
        ((3, 9), "has game 3, which lacks e4"),
        ((), "has no game that shows e4"),
    ],
)
def test_places_that_do_not_fit(places: tuple[int, ...], words: str) -> None:
    with pytest.raises(ArchiveError, match=words):
        chosen(*places)
