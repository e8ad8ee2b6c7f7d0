"""Stores of scans that are forged field by field, their hashes made right.

What is added may be anybody's: whatever stands in it, a merge ends in a sentence or writes what the
page of a scan reads.
"""

import copy
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest

from sanproof.reports.archive import ArchiveError
from sanproof.reports.page.scanned import read_scan
from sanproof.verify.errors import Failure
from sanproof.verify.scan import store
from sanproof.verify.scan.merging import merge
from sanproof.verify.scan.scanner import scan
from tests.campaigns.attack.stores import Row, changed, put, read_rows
from tests.examples import examples
from tests.verify.scan.pgn import game, options
from tests.verify.scan.test_merging import EVERYTHING

HOSTILE: Final[tuple[Any, ...]] = (
    *(
        None,
        True,
        False,
        -5,
        0,
        1,
        1 << 62,
        1 << 70,
        1.5,
        "",
        "weird",
        "<script>",
        "\ud800",
        "variant x",
    ),
    *([], {}, [[]], {"variant x moves": 1}, {"<script>": 1}, {"e9": [1, 1, 0, 1, 1]}, ["x"] * 9),
)
"""The values that may stand in any place of a forged row."""


def edited(value: Any, random: Random) -> Any:  # noqa: ANN401 - JSON
    """Return a value with something hostile in a place, a name in an object, or a part doubled."""
    value = changed(value, random, shape=False) if random.random() < 0.1 else value
    path, places = [value], []
    while path:
        holder = path.pop()
        keys = holder if isinstance(holder, dict) else range(len(holder))
        places += [(holder, key) for key in keys]
        path += [holder[key] for key in keys if isinstance(holder[key], list | dict)]
    if not places:
        return random.choice(HOSTILE)
    holder, key = random.choice(places)
    if isinstance(holder, dict) and random.random() < 0.3:
        holder[str(random.choice(HOSTILE))] = holder.pop(key)
    else:
        same = [item for item in HOSTILE if type(item) is type(holder[key])]
        holder[key] = random.choice(same if random.random() < 0.8 else HOSTILE)
    return value


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Row]]:
    """Make what the edits start from."""
    return make_sound(tmp_path_factory.mktemp("forged"))


def make_sound(folder: Path) -> tuple[Path, list[Row]]:
    """Make a finished scan with all that a store can hold; return it, and its store's rows."""
    text = game("1. e4 e7e5 (1... Ke3) (1... c5) *") + game("1. e4 Ke7 *")
    text += game("1. e4 *", Variant="Crazyhouse")
    (folder / "a.pgn").write_text(text)
    (folder / "b.pgn").write_text(game("1. d4 *"))
    scan([str(folder / "a.pgn"), str(folder / "b.pgn")], folder / "scan", EVERYTHING)
    return folder / "scan", read_rows(folder / "scan/scan.sqlite3")


def breach_of_merge(sound: Path, row: Row, folder: Path, random: Random) -> str:
    """Merge a scan of which a row is edited; say what went wrong, if anything did."""
    forged, out = folder / "forged", folder / "out"
    shutil.copytree(sound, forged)
    value = edited(copy.deepcopy(row.value), random)
    put(forged / "scan.sqlite3", row._replace(value=value), row)
    try:
        merge([forged], out, options().proven)
        read_scan(out)
    except Failure:
        return ""
    except ArchiveError:
        return f"{row.table} {row.name}: the page refuses what was merged"
    except Exception as error:  # noqa: BLE001 - any is a breach
        return f"{row.table} {row.name}: {type(error).__name__}: {error}"
    finally:
        shutil.rmtree(forged)
        shutil.rmtree(out, ignore_errors=True)
    return ""


def editable(rows: list[Row]) -> list[Row]:
    """Return the rows that are edited; that of the state is so four times as often."""
    kept = [row for row in rows if row.table != "files"]
    return kept + [row for row in kept if row.table == "state"] * 3


def breaches(sound: tuple[Path, list[Row]], folder: Path, seed: int, count: int) -> Iterator[str]:
    """Edit so many rows, and yield what goes wrong."""
    random, (directory, rows) = Random(seed), sound
    kept = editable(rows)
    for number in range(count):
        if wrong := breach_of_merge(directory, random.choice(kept), folder, random):
            yield f"{number}: {wrong}"


def test_forged_rows_are_refused_or_read_by_the_page(
    sound: tuple[Path, list[Row]], tmp_path: Path
) -> None:
    assert list(breaches(sound, tmp_path, 44, examples(300))) == []


PLANTED: Final[list[tuple[Any, str, Callable[..., Any]]]] = [
    (store, "wrong_in", lambda _: ""),
    (store, "_is_source", lambda _: True),
    (store, "_are_strings", lambda *_: True),
]
"""Checks that are taken away."""


@pytest.mark.usually(1)
@pytest.mark.parametrize(("module", "name", "instead"), PLANTED)
def test_a_check_that_is_taken_away_is_missed(
    sound: tuple[Path, list[Row]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    module: Any,  # noqa: ANN401 - a module
    name: str,
    instead: Callable[..., Any],
) -> None:
    monkeypatch.setattr(module, name, instead)
    assert next(breaches(sound, tmp_path, 44, 150), "")
