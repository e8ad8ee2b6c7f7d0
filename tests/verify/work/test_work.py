"""What a job stands on: its store, the display of its progress, and whose code it is."""

import errno
import re
import sqlite3
import sys
from collections.abc import Mapping
from contextlib import closing
from io import StringIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sanproof.verify.errors import Failure, Interrupted, Unfinished, failure
from sanproof.verify.work import progress, provenance
from sanproof.verify.work.provenance import SECOND_SOLVER, SOLVERS, require_solvers
from sanproof.verify.work.store import Store, kept_in
from tests.verify.command import ROOT, completed, on_terminal, verify

# The store: what is saved comes back; another job, origin or program is refused

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


def test_what_cannot_be_used_is_a_sentence(tmp_path: Path) -> None:
    """In use, of another origin, full, damaged, or not to be written."""
    path = tmp_path / Trial.NAME
    with Trial(tmp_path, ORIGIN) as store:
        with pytest.raises(Failure, match="Another trial is running"):
            Trial(tmp_path, ORIGIN)
        store._database.execute("PRAGMA max_page_count = 1")  # as on a full disk
        with pytest.raises(Unfinished, match="make room"):
            store.save("unit", "first", [*range(100_000)])
        store._database.execute("PRAGMA max_page_count = 1000000")
        store.save("unit", "first", [1])
        assert store.load("unit", "first") == [1]
    with pytest.raises(Failure, match="other chess, seed"):
        Trial(tmp_path, {**ORIGIN, "chess": "1.12", "seed": 1})
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE found SET value = x'00' WHERE kind = 'unit'")
    with Trial(tmp_path, ORIGIN) as store, pytest.raises(Failure, match="is damaged"):
        store.load("unit", "first")
    path.write_bytes(b"no database" * 1000)
    with pytest.raises(Failure, match="is damaged"):
        Trial(tmp_path, ORIGIN)
    path.unlink()
    path.mkdir()
    with pytest.raises(Failure, match=r"cannot|may not be written") as caught:
        Trial(tmp_path, ORIGIN)
    assert caught.value.exit_code == 2


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
    with (
        Trial(tmp_path, ORIGIN) as store,
        pytest.raises(kind, match=words),
        kept_in(store, lambda: "2 are done"),
    ):
        raise error


MACHINE = (errno.ENOSPC, errno.EIO, errno.EMFILE)


@pytest.mark.parametrize("number", [*MACHINE, errno.ENOENT, errno.EACCES, errno.EISDIR])
def test_the_machine_is_at_fault_or_the_user(number: int) -> None:
    caused = ValueError("no rows")
    caused.__cause__ = OSError(number, "")
    for error in (OSError(number, ""), caused):
        assert type(failure("", error)) is (Unfinished if number in MACHINE else Failure)
    assert type(failure("", ValueError(number))) is Failure


# Progress: lines for a pipe, one line that changes on a terminal


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def monotonic(self) -> float:
        return self.now


def test_lines_say_phase_part_and_time_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was done before counts as done, and says nothing about the pace."""
    clock, err = Clock(), StringIO()
    monkeypatch.setattr(progress, "time", clock)
    monkeypatch.setattr("sys.stderr", err)
    with progress.progress_display(200, "run") as shown:
        shown.begin("deciding", 20)
        for seconds, cost in ((9, 10), (11, 10), (5, 10), (5, 10), (15, 80)):
            clock.now += seconds
            shown.advance(cost)
        clock.now += 10
        shown.begin("games", 150)
        for cost in (1, 1000):
            clock.now += 10
            shown.advance(cost)
    assert err.getvalue().splitlines() == [
        "deciding: 20% of the run is done, about 3 min left",
        "deciding: 30% of the run is done, about 2 min left",
        "deciding: 70% of the run is done, less than a minute left",
        "games: 75% of the run is done",
        "games: 76% of the run is done",
        "games: 100% of the run is done",
    ]


@pytest.mark.parametrize("columns", [70, 100])
def test_a_terminal_sees_one_line_for_the_whole_run(tmp_path: Path, columns: int) -> None:
    """It has the phases in order, and is never wider than the terminal."""
    streams = ("stdout", "stderr")
    code, shown = on_terminal(*verify(tmp_path, "O-O"), columns=columns, streams=streams)
    assert code == 0
    changes = [line for line in shown if re.match("(deciding|games|replaying|writing): ", line)]
    phases = [change.partition(":")[0] for change in changes]
    assert list(dict.fromkeys(phases)) == ["deciding", "games", "replaying", "writing"]
    assert [line for line in shown if len(line) > columns and str(tmp_path) not in line] == []
    done = [int(n) for change in changes for n in re.findall(r": (\d+)%", change)]
    assert done == sorted(done)
    assert done[-1] >= 95


# What is the same code, and whether the solvers are there

TREE = {"a.py": "x = 1\n", "b.py": "y = 2\n", "room/c.py": "", "room/table.txt": "e2e4\n"}


def hash_of(tree: Mapping[str, str], folder: Path) -> str:
    """Return the hash of a package with these files."""
    for name, text in tree.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sanproof.verify.work.provenance.resources.files", lambda _: folder)
        return provenance.hash_of_code.__wrapped__()


@pytest.mark.parametrize(
    "change",
    [
        {"a.py": "x = 2\n"},
        {"room/c.py": "\n"},
        {"room/table.txt": "e2e3\n"},
        {"room/new.py": ""},
        {"a.py": "x = 1\ny", "b.py": " = 2\n"},
        {"a.py": "", "z.py": TREE["a.py"]},
    ],
)
def test_other_code_has_another_hash(change: dict[str, str], tmp_path: Path) -> None:
    """Every module and table of ours counts, by its name and to the byte; data is no code."""
    first = hash_of(TREE, tmp_path / "one")
    assert first == hash_of(dict(reversed(TREE.items())), tmp_path / "two")
    assert first != hash_of({**TREE, **change}, tmp_path / "three")
    more = {"published/list.txt": "e4\n", "__pycache__/a.pyc": "\0", "page.html": "<p>"}
    assert first == hash_of({**TREE, **more}, tmp_path / "four")


PROGRAM = f"""
import sys
for name in {SOLVERS!r}:
    sys.modules[name] = None
from sanproof.verify.commands.start import main
sys.exit(main())
"""
"""The command, where the modules of the extra ``prove`` cannot be imported."""
WITHOUT_SOLVERS = [
    *((2, words) for words in ("verify --out run", "find Qd4#", "explain --prove Ba1b2+")),
    *((2, "audit --second-opinion"), (1, "explain Ba1b2+"), (1, "gate list.txt")),
    *((0, words) for words in ("read Nf3", "write g1f3", "scan --check --no-fast games.pgn")),
    *((0, words) for words in ("find --criteria", "export --what strings")),
    (0, "conformance export --out suite"),
]


@pytest.mark.parametrize(("code", "words"), WITHOUT_SOLVERS)
def test_without_the_solvers_only_what_searches_fails(
    code: int, words: str, tmp_path: Path
) -> None:
    """And it names the extra."""
    (tmp_path / "list.txt").write_text("e4\n", encoding="utf-8")
    (tmp_path / "games.pgn").write_text("1. e4 e5 *\n", encoding="utf-8")
    environment = {"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin", "HOME": str(tmp_path)}
    command = [sys.executable, "-P", "-c", PROGRAM, *words.split(" ")]
    done = completed(command, cwd=tmp_path, env=environment)
    assert done.returncode == code, done.stderr
    assert ("pip install 'sanproof[prove]'" in done.stderr) == (code == 2)
    assert not (tmp_path / "run").exists()


def test_what_is_there_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    require_solvers("A test")
    assert provenance.version_of("no-such-package-as-this") == "none"
    monkeypatch.setitem(sys.modules, "z3", None)
    require_solvers("A test", ("numba",))
    with pytest.raises(Failure, match=r"^A test needs z3: "):
        require_solvers("A test", SECOND_SOLVER)
    with pytest.raises(Failure, match=r"A test needs the solvers: pip install 'sanproof\[prove\]'"):
        require_solvers("A test")
