"""Writes the results of a run as tables, row by row, in the formats of other programs.

No cell begins with a character that a spreadsheet takes for a formula.
"""

import csv
import json
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import IO, Any, Final, NamedTuple

from sanproof.proofs.kernel.files import EvidenceError, read_bytes, text_of
from sanproof.proofs.rules.san import list_order, parse_san
from sanproof.reports.archive.door import PLAYERS, Archive, ArchiveError, published_directory
from sanproof.reports.tables.files import csv_lines
from sanproof.reports.tables.pgn import witness_pgn

LONG_ROWS: Final = "long_form/rows.csv.xz"
"""The file of all texts of UCI and of the long form (``Ng1-f3``), with player, game and ply.

Plies count from 1; the games go on to mate. Coq proves that no other text can be played
(``proofs/formal``).
"""
ROWS_AT_A_TIME: Final = 1 << 14

Row = tuple[str | int | None, ...]
Rows = Callable[[Archive, Sequence[str]], Iterable[Row]]
"""Returns the rows of a table, given a run and the players whose witnesses are wanted."""


class ExportError(Exception):
    """The export does not exist, or needs a library that is not installed."""


class ExportTable(NamedTuple):
    """A table that can be exported.

    Attributes:
        columns: The types of all its columns, in the order of a row. The last may be ``id``, which
            is not in the rows: it numbers them from 0.
        usual: The columns that are exported if none are named.
        rows: Returns the rows in their published order.
        forms: The forms in which it can be written; the first is the default.
    """

    columns: dict[str, type]
    usual: tuple[str, ...]
    rows: Rows
    forms: tuple[str, ...]


def _strings(archive: Archive, _: Sequence[str]) -> Iterator[Row]:
    for san in archive.strings():
        found = archive.earliest(san)
        plies = (found.ply, found.bound) if found else (None, None)
        yield san, *parse_san(san), *plies


def _vocabulary(archive: Archive, _: Sequence[str]) -> Iterator[Row]:
    return ((san,) for san in archive.strings())


def _witnesses(archive: Archive, players: Sequence[str]) -> Iterator[Row]:
    for row in archive.witnesses_by(players) if players else archive.witnesses():
        player = PLAYERS[" b " in row.before_fen]
        yield row.before_fen, row.san, row.after_fen, row.uci, row.game, row.ply, player


def _games(archive: Archive, _: Sequence[str]) -> Iterator[Row]:
    for game in archive.games():
        yield *game[:4], len(game.sans), game.result, " ".join(game.sans)


def _observed(archive: Archive, _: Sequence[str]) -> Iterator[Row]:
    times = archive.counts().times
    return ((san, times.get(san, 0)) for san in archive.strings())


def published_lines(name: str, directory: Path | None = None) -> list[str]:
    """Return the lines of a published file.

    Raises:
        ArchiveError: The file is missing or damaged.
    """
    folder = directory or published_directory()
    try:
        return text_of(name, read_bytes(folder / name)).splitlines()
    except EvidenceError as error:
        raise ArchiveError(f"{folder}: {error}") from error


def _playable(notation: str) -> Iterator[Row]:
    """Yield each text of ``uci`` or ``lan``, who can play it, and where White does, and Black."""
    places: defaultdict[str, dict[str, tuple[int, int]]] = defaultdict(dict)
    for row in csv.DictReader(published_lines(LONG_ROWS)):
        place = int(row["game"]), int(row["ply"])
        places[row[notation]].setdefault(row["player"], place)
    for text in sorted(places, key=list_order):
        shown = places[text]
        cells = (cell for player in PLAYERS for cell in shown.get(player, (None, None)))
        yield text, " and ".join(player for player in PLAYERS if player in shown), *cells


def _table(columns: str, usual: int, forms: str, rows: Rows) -> ExportTable:
    """Return a table by its columns, of which the first ones are usual."""
    numbers = {"id", "number", "plies", "earliest", "bound", "times"}
    typed: dict[str, type] = {
        name: int if name in numbers or name.endswith(("game", "ply")) else str
        for name in columns.split()
    }
    return ExportTable(typed, tuple(typed)[:usual], rows, tuple(forms.split()))


_PARTS: Final = "san piece file rank capture destination promotion suffix"
_WITNESS: Final = "before_fen san after_fen uci game ply player"
_PLAYERS: Final = "players white_game white_ply black_game black_ply id"
_FORMS: Final = "csv json jsonl parquet sqlite"
TABLES: Final = {
    "strings": _table(f"{_PARTS} earliest bound id", 8, f"txt {_FORMS}", _strings),
    "vocabulary": _table("san id", 2, "json csv txt", _vocabulary),
    "witnesses": _table(_WITNESS, 3, f"{_FORMS} epd pgn", _witnesses),
    "games": _table("number san colour ply plies result moves", 7, f"pgn {_FORMS}", _games),
    "cover": _table("san game ply", 3, f"{_FORMS} pgn", lambda run, _: run.cover()),
    "impossible": _table("san reason", 2, f"{_FORMS} txt", lambda run, _: run.impossible()),
    "observed": _table("san times", 2, _FORMS, _observed),
    "uci": _table(f"uci {_PLAYERS}", 2, f"{_FORMS} txt", lambda *_: _playable("uci")),
    "lan": _table(f"lan {_PLAYERS}", 2, f"{_FORMS} txt", lambda *_: _playable("lan")),
}
"""The tables by name, in the order of the documentation."""


class Export(NamedTuple):
    """A checked choice of a table, its columns, form and players, which :func:`plan` makes."""

    what: str
    form: str
    columns: tuple[str, ...]
    bare: bool
    players: tuple[str, ...] = ()

    def rows(self, archive: Archive) -> Iterator[Row]:
        """Yield the rows with the chosen columns. An ``id`` numbers the yielded rows from 0."""
        table = TABLES[self.what]
        names = [name for name in table.columns if name != "id"]
        text = names.index("san") if "san" in names else 0
        rows = table.rows(archive, self.players)
        if self.bare:
            rows = (row for row in rows if str(row[text])[-1] not in "+#")
        places = [[*names, "id"].index(name) for name in self.columns]
        for number, row in enumerate(rows):
            cells = (*row, number)
            yield tuple(cells[place] for place in places)


def plan(
    what: str,
    form: str | None,
    columns: Sequence[str] | None,
    *,
    bare: bool,
    player: str | None = None,
) -> Export:
    """Check the choice of an export, and fill in the defaults.

    ``player`` chooses the witnesses by ``white``, by ``black``, or one by each (``both``). Without
    it there is one witness of each string.

    Raises:
        ExportError: A choice does not exist, or does not fit the table.
    """
    table = TABLES[what]
    form = form or table.forms[0]
    if form not in table.forms:
        raise ExportError(f"{what} cannot be written as {form}: use {', '.join(table.forms)}")
    if bare and (what, form) == ("cover", "pgn"):
        raise ExportError("Every game of the cover shows a mate: leave out --bare")
    if columns is not None and form in ("epd", "pgn", "txt"):
        raise ExportError(f"{form} has fixed columns: leave out --columns, or add --format csv")
    if player and what != "witnesses":
        raise ExportError(f"{what} has no witnesses to choose: leave out --player")
    if player not in {None, "both", *PLAYERS}:
        raise ExportError(f"There is no player {player}: use {', '.join(PLAYERS)} or both")
    usual = (*table.usual, "player") if player else table.usual
    names = tuple(usual if columns is None else columns)
    if not names or not {*names} <= {*table.columns} or len({*names}) != len(names):
        known = ", ".join(table.columns)
        raise ExportError(f"The columns of {what} are {known}: name some of them, each once")
    if form == "txt":
        names = names[:1]
    elif what == "witnesses" and form in ("epd", "pgn"):
        names = ("before_fen", "san", "game")
    players = PLAYERS if player == "both" else (player,) if player else ()
    return Export(what, form, names, bare, players)


def write_export(export: Export, archive: Archive, file: IO[bytes]) -> None:
    """Write an export row by row. Only SQLite needs memory for the whole table.

    Raises:
        ArchiveError: A file of the run is missing or damaged.
        ExportError: The form needs a library that is not installed.
    """
    if export.form == "parquet":
        _write_parquet(export, archive, file)
    elif export.form == "sqlite":
        file.write(_as_sqlite(export, archive))
    else:
        for piece in _WRITERS[export.form](export, archive):
            file.write(piece.encode("utf-8"))


def _joined(pieces: Iterable[str], between: str) -> Iterator[str]:
    for number, piece in enumerate(pieces):
        yield f"{between}{piece}" if number else piece


def _as_txt(export: Export, archive: Archive) -> Iterator[str]:
    """Return the published form of a list: LF between the lines, none after the last."""
    return _joined((str(text) for (text,) in export.rows(archive)), "\n")


def _objects(export: Export, archive: Archive) -> Iterator[str]:
    for row in export.rows(archive):
        yield json.dumps(dict(zip(export.columns, row, strict=True)))


def _as_json(export: Export, archive: Archive) -> Iterator[str]:
    """Yield an array of objects; of the vocabulary, an object from strings to ids."""
    pieces, (begin, end) = _objects(export, archive), "[]"
    if (export.what, export.columns) == ("vocabulary", ("san", "id")):
        pieces = (f"{json.dumps(san)}: {number}" for san, number in export.rows(archive))
        begin, end = "{}"
    yield f"{begin}\n"
    yield from _joined(pieces, ",\n")
    yield f"\n{end}\n"


def _as_epd(export: Export, archive: Archive) -> Iterator[str]:
    """Yield a position a line (PGN standard, 16.2): the string is the supplied move, and the id."""
    for fen, san, _ in export.rows(archive):
        *position, clock, number = str(fen).split(" ")
        yield f'{" ".join(position)} fmvn {number}; hmvc {clock}; id "{san}"; sm {san};\n'


def _as_pgn(export: Export, archive: Archive) -> Iterator[str]:
    """Yield the games of the table, or the cover, as the run wrote them; of a witness its move."""
    if export.what == "witnesses":
        for fen, san, game in export.rows(archive):
            yield witness_pgn(str(san), str(fen), None if game is None else int(game))
        return
    for shown, text in archive.pgn(cover=export.what == "cover"):
        if not (export.bare and shown.san[-1] in "+#"):
            yield text


_WRITERS: Final[dict[str, Callable[[Export, Archive], Iterator[str]]]] = {
    "csv": lambda export, archive: csv_lines(export.columns, export.rows(archive)),
    "epd": _as_epd,
    "json": _as_json,
    "jsonl": lambda export, archive: (f"{line}\n" for line in _objects(export, archive)),
    "pgn": _as_pgn,
    "txt": _as_txt,
}
FORMS: Final = tuple(sorted([*_WRITERS, "parquet", "sqlite"]))
"""The forms in which tables can be written."""


def _as_sqlite(export: Export, archive: Archive) -> bytes:
    """Return an SQLite database with the table; it is made in memory."""
    kinds = {str: "TEXT", int: "INTEGER"}
    columns = TABLES[export.what].columns
    form = ", ".join(f"{name} {kinds[columns[name]]}" for name in export.columns)
    marks = ", ".join("?" * len(export.columns))
    with closing(sqlite3.connect(":memory:")) as database:
        database.execute(f"CREATE TABLE {export.what} ({form})")
        database.executemany(f"INSERT INTO {export.what} VALUES ({marks})", export.rows(archive))  # noqa: S608 - names of ours
        database.commit()
        return database.serialize()


def _write_parquet(export: Export, archive: Archive, file: IO[bytes]) -> None:
    """Write Apache Parquet, in row groups of one size."""
    try:
        import pyarrow as pa  # noqa: PLC0415 - large, and only for this form
        from pyarrow import parquet  # noqa: PLC0415
    except ImportError as error:
        raise ExportError("Parquet needs pyarrow: pip install 'sanproof[parquet]'") from error
    kinds = {str: pa.string(), int: pa.int32()}
    columns = TABLES[export.what].columns
    types = {name: kinds[columns[name]] for name in export.columns} | {"times": pa.int64()}
    schema = pa.schema([(name, types[name]) for name in export.columns])
    rows = export.rows(archive)
    with parquet.ParquetWriter(file, schema, compression="zstd") as writer:
        while some := list(islice(rows, ROWS_AT_A_TIME)):
            cells: list[Any] = list(zip(*some, strict=True))
            writer.write_table(pa.table([*map(list, cells)], schema=schema))
