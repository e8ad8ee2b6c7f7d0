"""The page of records, and what other pages say of the shortest games."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sanproof.reports.archive.door import open_archive
from sanproof.reports.page.contents import Contents, read_contents
from sanproof.reports.page.records import records_page
from sanproof.reports.page.shards import make_shards
from tests.reports.archive.archives import (
    SHORTEST,
    files,
    write_observed,
    write_run,
    write_shortest,
)
from tests.reports.page.markup import number_of, rows_of

if TYPE_CHECKING:
    from pathlib import Path


ROWS = (
    *SHORTEST[:2],
    SHORTEST[0]._replace(san="g4", ply=5, text="f2f3e7e5a2a3a7a6g2g4d8h4"),
)
"""Of the four strings of a run: two that are exact, one that is not, and none of the mate."""


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return write_shortest(write_observed(write_run(tmp_path / "run", files())), ROWS)


@pytest.fixture
def contents(run: Path) -> Contents:
    return read_contents(open_archive(run))


@pytest.fixture
def page(contents: Contents) -> str:
    assert contents.archive.shortest is not None
    return records_page(contents, contents.archive.shortest).decode()


def test_the_player_of_a_string_has_its_shortest_game(contents: Contents) -> None:
    (g4,), (mate,) = contents.moments["g4"], contents.moments["Qh4#"]
    assert (g4.ply, contents.moves[g4.game]) == (4, "f2f3 e7e5 a2a3 a7a6 g2g4 d8h4")
    assert (mate.ply, contents.moves[mate.game]) == (3, "f3 e5 g4 Qh4#")
    assert g4.game < 1 <= mate.game, "the mate has no row, so it is shown in the run's game"


def test_each_ply_has_its_strings(page: str) -> None:
    rows = [list(map(number_of, row)) for row in rows_of(page, "The same in numbers")]
    assert rows == [[1, 2, 1, 1], [2, 1, 1, 1], [3, 0, 0, 0], [4, 0, 0, 0], [5, 0, 1, 0]]


def test_shards_have_plies_and_bounds(contents: Contents) -> None:
    shards = dict(make_shards(contents))
    assert b'"earliest":[[5,1]]' in shards["P-g4"]
    assert b'"earliest":[null]' in shards["Q-h4"]
