"""The store of a job: what is saved comes back; another job, origin or program is refused."""

import sqlite3
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sanproof.verify.errors import Failure, Unfinished
from sanproof.verify.work.store import Store

plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


class Trial(Store):
    NAME = "trial.sqlite3"
    WORK = "trial"


ORIGIN = {"chess": "1.11", "files": ["a.pgn"]}


@given(values=st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), plain))
def test_what_is_saved_comes_back(
    tmp_path_factory: pytest.TempPathFactory, values: dict[str, object]
) -> None:
    directory = tmp_path_factory.mktemp("trial")
    with Trial(directory, ORIGIN) as store:
        for name, value in values.items():
            store.save("unit", name, "replaced", 7)
            store.save("unit", name, value, 0.5)
        store.note_files(["summary.json"])
    with Trial(directory, ORIGIN) as store:
        assert {name: store.load("unit", name) for name in store.names("unit")} == values
        assert store.seconds("unit") == 0.5 * len(values)
        assert store.files() == {"summary.json"}


def test_a_batch_is_saved_whole_or_not_at_all(tmp_path: Path) -> None:
    with Trial(tmp_path, ORIGIN) as store:
        with pytest.raises(ZeroDivisionError), store.at_once():
            _ = store.save("unit", "first", 1), 1 / 0  # type: ignore[func-returns-value]
        assert store.names("unit") == []
        with store.at_once():
            store.save("unit", "first", 1)
        assert store.names("unit") == ["first"]


def test_one_job_at_a_time(tmp_path: Path) -> None:
    with Trial(tmp_path, ORIGIN), pytest.raises(Failure, match="Another trial is running"):
        Trial(tmp_path, ORIGIN)
    Trial(tmp_path, ORIGIN).close()


def test_another_origin_is_refused_by_name(tmp_path: Path) -> None:
    Trial(tmp_path, ORIGIN).close()
    with pytest.raises(Failure, match="other chess, seed"):
        Trial(tmp_path, {**ORIGIN, "chess": "1.12", "seed": 1})


@pytest.mark.parametrize("content", [b"no database" * 1000, b""])
def test_a_damaged_file_is_refused_or_empty(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / Trial.NAME
    path.write_bytes(content)
    if content:
        with pytest.raises(Failure, match="is damaged"):
            Trial(tmp_path, ORIGIN)
    else:
        Trial(tmp_path, ORIGIN).close()


def test_a_damaged_row_is_a_sentence(tmp_path: Path) -> None:
    with Trial(tmp_path, ORIGIN) as store:
        store.save("unit", "first", [1, 2, 3])
    database = sqlite3.connect(tmp_path / Trial.NAME)
    with database:
        database.execute("UPDATE found SET value = x'00' WHERE kind = 'unit'")
    database.close()
    with Trial(tmp_path, ORIGIN) as store, pytest.raises(Failure, match="is damaged"):
        store.load("unit", "first")


def test_without_room_the_job_can_go_on_later(tmp_path: Path) -> None:
    with Trial(tmp_path, ORIGIN) as store:
        store._database.execute("PRAGMA max_page_count = 1")  # as on a full disk
        with pytest.raises(Unfinished, match="make room"):
            store.save("unit", "first", [*range(100_000)])
        store._database.execute("PRAGMA max_page_count = 1000000")
        store.save("unit", "first", [1])
        assert store.load("unit", "first") == [1]
