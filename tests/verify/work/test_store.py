"""The store of a job: what is saved comes back; another job, origin or program is refused."""

import sqlite3
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sanproof.verify.errors import Failure, Interrupted, Unfinished
from sanproof.verify.work.store import Store, kept_in

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
        store.save("unit", "dropped", 1)
        store.remove("unit", "dropped")
    with Trial(directory, ORIGIN) as store:
        values.pop("dropped", None)
        assert {name: store.load("unit", name) for name in store.names("unit")} == values
        assert store.seconds("unit") == 0.5 * len(values)


def test_only_what_is_not_there_can_be_claimed(tmp_path: Path) -> None:
    with Trial(tmp_path, ORIGIN) as store:
        (tmp_path / "mine.txt").touch()
        (tmp_path / "link").symlink_to("nowhere")
        for name in ("mine.txt", "link"):
            with pytest.raises(Failure, match=f"{name} is not a file of this trial"):
                store.claim(["a.txt", name])
        assert store.claim([]) == set()
        assert store.claim(["a.txt"]) == {"a.txt"}
        (tmp_path / "a.txt").touch()
        assert store.claim(["a.txt", "b.txt"]) == {"a.txt", "b.txt"}


def test_one_job_at_a_time_and_one_origin(tmp_path: Path) -> None:
    with Trial(tmp_path, ORIGIN), pytest.raises(Failure, match="Another trial is running"):
        Trial(tmp_path, ORIGIN)
    with pytest.raises(Failure, match="other chess, seed"):
        Trial(tmp_path, {**ORIGIN, "chess": "1.12", "seed": 1})
    Trial(tmp_path, ORIGIN).close()


def test_what_is_damaged_is_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / Trial.NAME
    with Trial(tmp_path, ORIGIN) as store:
        store.save("unit", "first", [1, 2, 3])
    database = sqlite3.connect(path)
    with database:
        database.execute("UPDATE found SET value = x'00' WHERE kind = 'unit'")
    database.close()
    with Trial(tmp_path, ORIGIN) as store, pytest.raises(Failure, match="is damaged"):
        store.load("unit", "first")
    path.write_bytes(b"no database" * 1000)
    with pytest.raises(Failure, match="is damaged"):
        Trial(tmp_path, ORIGIN)


def test_without_room_the_job_can_go_on_later(tmp_path: Path) -> None:
    with Trial(tmp_path, ORIGIN) as store:
        store._database.execute("PRAGMA max_page_count = 1")  # as on a full disk
        with pytest.raises(Unfinished, match="make room"):
            store.save("unit", "first", [*range(100_000)])
        store._database.execute("PRAGMA max_page_count = 1000000")
        store.save("unit", "first", [1])
        assert store.load("unit", "first") == [1]


@pytest.mark.parametrize(
    ("error", "kind", "words"),
    [
        (KeyboardInterrupt(), Interrupted, "2 are done, all kept in .*run the same command again"),
        (OSError(28, "No space left"), Unfinished, "cannot be written: No space left"),
        (Failure("As it is."), Failure, "As it is"),
    ],
)
def test_what_is_kept_is_said(
    tmp_path: Path, error: BaseException, kind: type[Failure], words: str
) -> None:
    with Trial(tmp_path, ORIGIN) as store:
        with pytest.raises(kind, match=words), kept_in(store, lambda: "2 are done"):
            raise error
        store.path.unlink()
        with pytest.raises(Unfinished, match="nothing is kept"), kept_in(store, lambda: ""):
            raise error
