"""Exports, read back by other programs' readers; long algebraic notation, replayed; publishing."""

import csv
import hashlib
import io
import json
import lzma
import sqlite3
import sys
from collections import defaultdict
from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path

import chess
import chess.pgn
import pytest
import z3
from pyarrow import parquet
from pysat.formula import CNF
from pysat.solvers import Cadical195

from sanproof.proofs.kernel.files import CERTIFICATES, unpacked
from sanproof.proofs.kernel.games import Replay
from sanproof.proofs.kernel.refutation import check_refutation
from sanproof.proofs.rules.cubes import Cube
from sanproof.proofs.rules.san import list_order
from sanproof.proofs.search.solvers import closing_certificate
from sanproof.reports.archive.door import (
    Archive,
    ArchiveError,
    WitnessRow,
    open_archive,
    published_directory,
)
from sanproof.reports.exports import exports
from sanproof.reports.exports.certificates import SMT2, foreign_files
from sanproof.reports.exports.exports import (
    LONG_ROWS,
    TABLES,
    Export,
    ExportError,
    Row,
    plan,
    published_lines,
    write_export,
)
from sanproof.reports.tables.files import write_folder
from sanproof.reports.tables.names import MANIFEST, PUBLISHED_AS, WITH_COVER
from sanproof.reports.tables.outputs import packed_as
from sanproof.verify.claims.manifest import make_manifest, read_manifest
from tests.campaigns.publish import publish
from tests.reports.archive.archives import (
    FENS,
    SANS,
    files,
    write_observed,
    write_run,
    write_shortest,
)
from tests.verify.command import expect_sentence, sanproof

OF_NO_RUN = ("uci", "lan")
"""The same whatever the run, and larger: they have tests of their own."""
OF_RUNS = {what: table for what, table in TABLES.items() if what not in OF_NO_RUN}
PAIRS = [(what, form) for what, table in OF_RUNS.items() for form in table.forms]


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    """Make a run of four strings, with how often they were played and how early they can be."""
    return open_archive(write_shortest(write_observed(write_run(tmp_path, files()))))


def written(export: Export, archive: Archive) -> bytes:
    file = io.BytesIO()
    write_export(export, archive, file)
    return file.getvalue()


def read_back(export: Export, content: bytes) -> list[Row]:
    """Return the rows of an export in one of the forms for tables, by another library's reader."""
    kinds = [TABLES[export.what].columns[name] for name in export.columns]
    if export.form == "csv":
        header, *rows = csv.reader(io.StringIO(content.decode(), newline=""))
        assert tuple(header) == export.columns
        return [tuple(k(x) for k, x in zip(kinds, row, strict=True)) for row in rows]
    if export.form == "parquet":
        table = parquet.read_table(io.BytesIO(content))
        assert tuple(table.column_names) == export.columns
        return [tuple(row.values()) for row in table.to_pylist()]
    if export.form == "sqlite":
        with closing(sqlite3.connect(":memory:")) as database:
            database.deserialize(content)
            return list(database.execute(f"SELECT {', '.join(export.columns)} FROM {export.what}"))
    text = content.decode()
    objects = map(json.loads, text.splitlines()) if export.form == "jsonl" else json.loads(text)
    return [tuple(entry[name] for name in export.columns) for entry in objects]


@pytest.mark.parametrize(
    ("what", "form"),
    [(w, f) for w, f in PAIRS if f not in ("epd", "pgn", "txt") if w != "vocabulary"],
)
def test_tables_are_read_back(archive: Archive, what: str, form: str) -> None:
    for columns in (None, list(TABLES[what].columns), list(TABLES[what].columns)[-1:]):
        export = plan(what, form, columns, bare=False)
        rows = list(export.rows(archive))
        assert len(rows) == {"impossible": 2}.get(what, 4)
        assert read_back(export, written(export, archive)) == rows


def test_epd_is_read_by_python_chess(archive: Archive) -> None:
    lines = written(plan("witnesses", "epd", None, bare=False), archive).decode().splitlines()
    assert len(lines) == 4
    for line in lines:
        board, operations = chess.Board.from_epd(line)
        san = operations["id"]
        assert isinstance(san, str)
        assert board.fen() == FENS[SANS.index(san)]
        assert operations["sm"] == board.parse_san(san)


def test_witnesses_as_games_from_their_positions(archive: Archive) -> None:
    text = io.StringIO(written(plan("witnesses", "pgn", None, bare=False), archive).decode())
    for san in archive.strings():
        game = chess.pgn.read_game(text)
        assert game is not None
        assert not game.errors
        (node,) = game.mainline()
        assert (node.san(), game.board().fen()) == (san, FENS[SANS.index(san)])
        assert game.headers["Result"] == ("0-1" if san[-1] == "#" else "*")
    assert chess.pgn.read_game(text) is None


class Some(Archive):
    """The published data, with the witness of one string in so many."""

    def __init__(self, each: int) -> None:
        super().__init__(published_directory())
        self.each = each

    def witnesses(self) -> Iterator[WitnessRow]:
        yield from islice(super().witnesses(), 0, None, self.each)


@pytest.mark.parametrize("each", [1900, pytest.param(1, marks=pytest.mark.slow)])
def test_each_string_is_shown_by_each_player_who_can_play_it(each: int) -> None:
    archive = Some(each)
    columns = ["san", "player", "before_fen", "uci", "after_fen", "game", "ply"]
    of_both = list(plan("witnesses", "csv", columns, bare=False, player="both").rows(archive))
    places = {row.san: row.players for row in archive.witnesses()}
    assert [row[:2] for row in of_both] == [
        (s, p) for s, players in places.items() for p in players
    ]
    checked = of_both[:: 1 + 97 // each]
    games = {row.number: row for row in archive.games({int(str(row[5])) for row in checked})}
    for san, player, before, uci, after, game, ply in checked:
        assert (game, ply) in archive.witness_of(str(san)).places
        played = games[int(str(game))]._replace(san=str(san), ply=int(str(ply)))
        assert played.board.fen() == before
        board = chess.Board(str(before))
        board.push_uci(str(uci))
        assert board.fen() == after
        board.pop()
        assert board.turn == (player == "white")
        assert board.san(chess.Move.from_uci(str(uci))) == san
    found = plan("witnesses", "csv", ["san", "player"], bare=True, player="black")
    rows = [row[:2] for row in of_both if row[1] == "black" and str(row[0])[-1] not in "+#"]
    assert list(found.rows(archive)) == rows != []
    assert plan("witnesses", "csv", None, bare=False, player="white").columns[-1] == "player"


def test_lists_and_games_are_those_of_the_run(archive: Archive) -> None:
    given = files()
    for what, form, bare, content in (
        ("strings", None, False, given["san_strings_with_symbols.txt"]),
        ("strings", None, True, given["san_strings.txt"]),
        ("games", "pgn", False, lzma.decompress(given["games.pgn.xz"])),
        ("cover", "pgn", False, given["cover.pgn"]),
    ):
        assert written(plan(what, form, None, bare=bare), archive) == content
    bare_games = written(plan("games", "pgn", None, bare=True), archive).decode()
    assert bare_games.count("[Event ") == 3
    game = chess.pgn.read_game(io.StringIO(bare_games))
    assert game is not None
    assert game.headers["Shows"] == "e5"
    with pytest.raises(ExportError, match="leave out --bare"):
        plan("cover", "pgn", None, bare=True)


def test_strings_have_their_earliest_plies(archive: Archive, tmp_path: Path) -> None:
    columns = ("san", "earliest", "bound", "id")
    rows = list(plan("strings", "csv", columns, bare=False).rows(archive))
    assert rows == [("e5", 2, 2, 0), ("f3", 1, 1, 1), ("g4", 3, 1, 2), ("Qh4#", 4, 4, 3)]
    without = open_archive(write_run(tmp_path / "without", files()))
    rows = list(plan("strings", "csv", columns[:3], bare=False).rows(without))
    assert rows == [(san, None, None) for san in archive.strings()]


def test_the_vocabulary_numbers_each_string_by_its_place(archive: Archive) -> None:
    given = json.loads(written(plan("vocabulary", None, None, bare=False), archive))
    assert given == {san: number for number, san in enumerate(archive.strings())}
    assert list(given) == archive.strings()
    export = plan("vocabulary", None, None, bare=False)
    rows = {san: number for san, number in export.rows(open_archive())}  # noqa: C416 - of pairs
    some = {"a2": 0, "O-O": 240, "O-O-O": 7983, "Qb6e3#": 20092, "hxg8=R+": len(rows) - 1}
    assert {san: rows[san] for san in some} == some  # who trained with them needs them next year


def test_bare_leaves_out_suffixes(archive: Archive) -> None:
    for what in ("strings", "witnesses", "games", "cover", "impossible", "observed"):
        rows = list(plan(what, "csv", ["san"], bare=True).rows(archive))
        assert len(rows) == {"impossible": 2}.get(what, 3)
        assert ("Qh4#",) not in rows


def test_parquet_without_its_library(archive: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ExportError, match=r"sanproof\[parquet\]"):
        written(plan("strings", "parquet", None, bare=False), archive)


# The command


def test_the_command_writes_what_the_name_says(tmp_path: Path) -> None:
    run = str(write_run(tmp_path / "run", files()))
    for name in ("a.epd", "a.parquet", "a.sqlite"):
        out = tmp_path / name
        done = sanproof("export", "--what", "witnesses", "--run", run, "--out", str(out))
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
        export = plan("witnesses", name[2:], None, bare=False)
        assert out.read_bytes() == written(export, open_archive(Path(run)))
    done = sanproof("export", "--run", run, "--bare", "--out", "-", cwd=tmp_path)
    assert done.stdout.encode() == files()["san_strings.txt"]
    assert not (tmp_path / "-").exists()


CUBES = {Cube("K", "", "a1"): ["Ka1", "Ka1#", "Ka1+"], Cube("", "", "a1"): []}


class OnlyCertificates(Archive):
    """A run of which only the certificates are asked for."""

    def __init__(self, directory: Path, text: str) -> None:
        self.directory = directory
        self._text = text

    def content(self, name: str) -> bytes:
        assert name == CERTIFICATES
        return lzma.compress(self._text.encode())


@pytest.fixture
def refuted(tmp_path: Path) -> Archive:
    text = "".join(closing_certificate(cube, left_open) for cube, left_open in CUBES.items())
    return OnlyCertificates(tmp_path, text)


def test_certificates_are_refutations_for_other_checkers(refuted: Archive) -> None:
    """PySAT refutes the formulas, and hints lead to the end."""
    found = {name: content.decode() for name, content in foreign_files(refuted)}
    assert list(found) == [f"{cube}.{ending}" for cube in CUBES for ending in ("cnf", "lrat")]
    for cube in CUBES:
        text = found[f"{cube}.cnf"]
        formula = CNF(from_string=text)
        with Cadical195(bootstrap_with=formula.clauses) as solver:
            assert not solver.solve()
        assert check_refutation(formula.clauses, found[f"{cube}.lrat"].splitlines()) > 0
        meanings = [line for line in text.splitlines() if line.startswith("c ")]
        assert len(meanings) == 1 + int(text.split("p cnf ")[1].split()[0])


def test_any_smt_solver_refutes_the_formulas(refuted: Archive) -> None:
    """Z3 as it comes says "unsat"; without the clause of an open string, "sat"."""
    found = dict(foreign_files(refuted, SMT2))
    for cube, left_open in CUBES.items():
        script = found[f"{cube}.smt2"].decode("ascii")
        *others, last, end = script.splitlines()
        assert end == "(check-sat)"
        for lines in ([*others, last], others):
            solver = z3.Solver()
            solver.from_string("\n".join(lines))
            has_model = lines is others and left_open
            assert solver.check() == (z3.sat if has_model else z3.unsat)
    with pytest.raises(ExportError):
        plan("strings", SMT2, None, bare=False)


def test_every_file_is_published_and_nothing_else(tmp_path: Path) -> None:
    """What is no file of a run stays, if it is in a folder of its own."""
    run, data = tmp_path / "run", tmp_path / "data"
    texts = {name: f"content of {name}\n".encode() for name in WITH_COVER}
    packed = {name: packed_as(name, text) for name, text in texts.items()}
    summary = json.loads((published_directory() / "summary.json").read_bytes())
    others = {"left over.csv": b"old", "conformance/core.json": b"the suite"}
    manifest = {MANIFEST: make_manifest(packed, summary), "run.sqlite3": b"to go on"}
    write_folder(run, (packed | manifest).items())
    write_folder(data, others.items())
    names = publish(run, data)
    assert sorted(path.name for path in data.iterdir()) == sorted([*names, "conformance"])
    assert names == sorted([MANIFEST, *(PUBLISHED_AS.get(n, n) for n in texts)])
    hashes = read_manifest((data / MANIFEST).read_bytes()).files
    for name, text in texts.items():
        there = PUBLISHED_AS.get(name, name)
        found = (data / there).read_bytes()
        assert unpacked(there, found) == text
        assert hashes[name] == hashlib.sha256(text if there != name else found).hexdigest()


REFUSED = {
    "--what games": "no games",
    "--what cover": "no cover",
    "--what observed": "no counts of played strings",
    "--what witnesses --player both": "games.txt.xz",
    "--what games --format txt": "games cannot be written as txt",
    "--what games --player white": "--player",
    "--what regex --player white": "--player",
    "--what regex --columns san": "no columns",
    "--what regex --parts": "for a tokenizer",
    "--what regex --at-least 9": "no counts",
    "--what games --parts": "is a table",
    "--what certificates --format smt2": "--out",
    "--format parquet": "--out",
    "--format csv --columns fen": "columns",
    "--format csv --columns san,san": "columns",
    "--out x.xlsx": ".csv",
    "--out /nowhere/x.csv": "/nowhere/x.csv cannot be written",
}


@pytest.mark.parametrize("options", REFUSED)
def test_the_command_refuses(options: str, tmp_path: Path) -> None:
    run = str(write_run(tmp_path / "run", files(games=False)))
    done = sanproof("export", "--run", run, *options.split(), cwd=tmp_path)
    expect_sentence(done, 2, REFUSED[options])
    assert [path.name for path in tmp_path.iterdir()] == ["run"]


@pytest.mark.slow
def test_every_row_is_shown_in_a_legal_game_that_ends_in_mate() -> None:
    """Each move is legal there, and python-chess writes it so; no position is dead."""
    rows: dict[int, list[dict[str, str]]] = defaultdict(list)
    for row in sorted(csv.DictReader(published_lines(LONG_ROWS)), key=lambda row: int(row["ply"])):
        rows[int(row["game"])].append(row)
    games, replay = published_lines("long_form/games.txt.xz"), Replay()
    assert sorted(rows) == list(range(1, len(games) + 1))
    for number, moves in enumerate(map(str.split, games), 1):
        board = chess.Board()
        for row in rows[number]:
            for uci in moves[board.ply() : int(row["ply"]) - 1]:
                board.push_uci(uci)
            move = board.parse_uci(row["uci"])
            assert (board.lan(move), board.uci(move)) == (row["lan"], row["uci"])
            assert row["player"] == chess.COLOR_NAMES[board.turn]
        for uci in moves[board.ply() : -1]:
            board.push_uci(uci)
        replay.check(moves, len(moves), board.san(board.parse_uci(moves[-1])))


@pytest.mark.parametrize("what", ["uci", "lan"])
def test_tables_of_texts(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    header, *lines = published_lines(LONG_ROWS)
    some = [header, *lines[::9]]
    monkeypatch.setattr(exports, "published_lines", lambda _: some)
    places: dict[str, dict[str, list[int]]] = defaultdict(dict)
    for row in csv.DictReader(some):
        places[row[what]].setdefault(row["player"], [int(row["game"]), int(row["ply"])])
    columns = [*TABLES[what].columns]
    rows = list(plan(what, "csv", columns, bare=False).rows(open_archive()))
    assert [row[0] for row in rows] == sorted(places, key=list_order)
    for number, (text, players, *cells, last) in enumerate(rows):
        shown = places[str(text)]
        assert last == number
        assert players == " and ".join(sorted(shown, reverse=True))
        assert cells == [*shown.get("white", [None] * 2), *shown.get("black", [None] * 2)]
    bare = list(plan(what, "csv", [what], bare=True).rows(open_archive()))
    assert [text for (text,) in bare] == [t for t, *_ in rows if str(t)[-1] not in "+#"]


def test_missing_and_damaged_rows_are_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "long_form").mkdir()
    for content in (None, b"no archive"):
        if content:
            (tmp_path / LONG_ROWS).write_bytes(content)
        with pytest.raises(ArchiveError, match="rows"):
            published_lines(LONG_ROWS, tmp_path)
