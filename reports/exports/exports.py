"""Exports: a table of what was found, row by row, in the forms that other programs read.

No cell begins with a character that a spreadsheet takes for a formula.
"""

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from itertools import islice
from typing import IO, Any, Final, NamedTuple

from sanproof.proofs.rules.cubes import BLACK, WHITE
from sanproof.proofs.rules.san import parse_san
from sanproof.reports.archive.door import Archive, ArchiveError, WitnessRow, player_at
from sanproof.reports.archive.replayed import PLAYERS, witnesses_by
from sanproof.reports.exports import long_form
from sanproof.reports.tables.files import csv_lines
from sanproof.reports.tables.pgn import witness_pgn

ROWS_AT_A_TIME: Final = 1 << 14

Cell = str | int | float | None
Row = tuple[Cell, ...]
Rows = Callable[[Archive, bool], Iterable[Row]]


class ExportError(Exception):
    """There is no such export, or it needs something that is not installed."""


class ExportTable(NamedTuple):
    """A table that can be exported.

    Attributes:
        columns: All its columns, and whether they hold numbers; in the order of a row, in which
            the column ``id`` is left out.
        usual: The columns that are exported if none are named.
        rows: Its rows in their published order, or those without suffix, or all nevertheless.
        forms: The forms in which it can be written; the first is the usual one.
    """

    columns: dict[str, type]
    usual: tuple[str, ...]
    rows: Rows
    forms: tuple[str, ...]


def _strings(archive: Archive, bare: bool) -> Iterator[Row]:
    """Each string with its parts, and the earliest ply known and possible, if a table says so."""
    for san in archive.strings(bare=bare):
        found = archive.shortest and archive.shortest.of(san)
        plies = (found.ply, found.bound) if found else (None, None)
        yield san, *parse_san(san), *plies


def _vocabulary(archive: Archive, bare: bool) -> Iterator[Row]:
    """With how often each was played; and what share of all moves is lost with it and the rarer."""
    strings = archive.strings(bare=bare)
    observed = archive.observed
    times = observed.times if observed else {}
    every = sum(times.get(san, 0) for san in strings)
    lost, total = {0: 0}, 0
    for number in sorted(times.get(san, 0) for san in strings):
        lost[number] = total = total + number
    for san in strings:
        seen = times.get(san, 0)
        yield san, seen if observed else None, lost[seen] / every if every else None


def _witnesses(rows: Iterable[WitnessRow]) -> Iterator[Row]:
    for row in rows:
        player = player_at("bw".index(row.before_fen.split(" ")[1]))
        yield row.before_fen, row.san, row.after_fen, row.uci, row.game, row.ply, player


def _players(shown: Iterable[tuple[str, Sequence[long_form.ShownText]]]) -> Iterator[Row]:
    """Each text; who can play it; the game and ply at which White does, and Black."""
    for text, rows in shown:
        places = {row.player: (row.game, row.ply) for row in rows}
        cells = [cell for who in (WHITE, BLACK) for cell in places.get(who, (None, None))]
        yield (text, " and ".join(places), *cells)


def times_of(archive: Archive) -> dict[str, int]:
    """Return how often each string was played.

    Raises:
        ArchiveError: The run does not say.
    """
    if archive.observed is None:
        raise ArchiveError(f"{archive.directory} has no counts of played strings")
    return archive.observed.times


def _observed(archive: Archive, bare: bool) -> Iterator[Row]:
    """Every string, also those that were never seen."""
    times = times_of(archive)
    return ((san, times.get(san, 0)) for san in archive.strings(bare=bare))


_TYPES: Final[dict[str, type]] = {
    **dict.fromkeys(("id", "number", "game", "ply", "plies", "earliest", "bound", "times"), int),
    **dict.fromkeys(("white_game", "white_ply", "black_game", "black_ply"), int),
    "lost": float,
}
"""The types of columns by their names; a column that is not here holds text."""
_FORMS: Final = "csv json jsonl parquet sqlite"
_PLAYERS: Final = "players white_game white_ply black_game black_ply id"


def _table(columns: str, usual: int, forms: str, rows: Rows) -> ExportTable:
    """Return a table by its columns, of which the first ones are usual."""
    names = columns.split()
    typed = {name: _TYPES.get(name, str) for name in names}
    return ExportTable(typed, tuple(names[:usual]), rows, tuple(forms.split()))


TABLES: Final = {
    "strings": _table(
        "san piece file rank capture destination promotion suffix earliest bound id",
        8,
        f"txt {_FORMS}",
        _strings,
    ),
    "vocabulary": _table("san id times lost", 2, "json csv txt", _vocabulary),
    "witnesses": _table(
        "before_fen san after_fen uci game ply player",
        3,
        f"{_FORMS} epd pgn",
        lambda run, _: _witnesses(run.witnesses()),
    ),
    "games": _table(
        "number san colour ply plies result moves",
        7,
        f"pgn {_FORMS}",
        lambda run, _: (
            (*game[:4], len(game.sans), game.result, " ".join(game.sans)) for game in run.games()
        ),
    ),
    "cover": _table("san game ply", 3, f"{_FORMS} pgn", lambda run, _: run.cover()),
    "impossible": _table("san reason", 2, f"{_FORMS} txt", lambda run, _: run.impossible()),
    "observed": _table("san times", 2, _FORMS, _observed),
    "uci": _table(
        f"uci {_PLAYERS}", 2, f"{_FORMS} txt", lambda *_: _players(long_form.playable_uci())
    ),
    "lan": _table(
        f"lan {_PLAYERS}", 2, f"{_FORMS} txt", lambda *_: _players(long_form.playable_lan())
    ),
}
"""The tables by name, in the order of the documentation."""


class Export(NamedTuple):
    """A planned export: table, columns, form and player; see :func:`plan`."""

    what: str
    form: str
    columns: tuple[str, ...]
    bare: bool
    players: tuple[str, ...] = ()

    def rows(self, archive: Archive) -> Iterator[Row]:
        """Yield the rows, with the columns wanted; an ``id`` counts the rows that are left."""
        table = TABLES[self.what]
        names = [name for name in table.columns if name != "id"]
        text = next((names.index(name) for name in ("san", "lan") if name in names), None)
        if self.players:
            rows = _witnesses(witnesses_by(archive, self.players))
        else:
            rows = iter(table.rows(archive, self.bare))
        if self.bare and text is not None:
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
    """Return an export, with all that was left open filled in.

    The witnesses are those of a player, ``white`` or ``black``, or of ``both``; or one of each.

    Raises:
        ExportError: There is no such form or column, or nothing would be left.
    """
    table = TABLES[what]
    form = form or table.forms[0]
    if form not in table.forms:
        raise ExportError(f"{what} cannot be written as {form}: use {', '.join(table.forms)}")
    if bare and (what, form) == ("cover", "pgn"):
        raise ExportError("Every game of the cover shows a mate: leave out --bare")
    if columns is not None and form in ("epd", "pgn", "txt"):
        raise ExportError(f"The columns of the format {form} are fixed: leave out --columns")
    if player and what != "witnesses":
        raise ExportError(f"{what} has no witnesses to choose: leave out --player")
    if player not in {None, "both", *PLAYERS}:
        raise ExportError(f"There is no player {player}: use {', '.join(PLAYERS)} or both")
    usual = (*table.usual, "player") if player else table.usual
    names = tuple(usual if columns is None else columns)
    unknown = [name for name in names if name not in table.columns]
    if unknown or not names or len(set(names)) != len(names):
        known = ", ".join(table.columns)
        raise ExportError(f"The columns of {what} are {known}: name some of them, each once")
    if form in ("epd", "txt"):
        names = table.usual[:1] if form == "txt" else ("before_fen", "san")
    elif (what, form) == ("witnesses", "pgn"):
        names = ("san", "before_fen", "game")
    players = PLAYERS if player == "both" else (player,) if player else ()
    return Export(what, form, names, bare, players)


def write_export(export: Export, archive: Archive, file: IO[bytes]) -> None:
    """Write an export, row by row: memory does not grow with the table.

    Raises:
        ArchiveError: What is to be exported is not there, or damaged.
        ExportError: The form needs a library that is not installed.
    """
    if export.form == "parquet":
        _write_parquet(export, archive, file)
        return
    if export.form == "sqlite":
        file.write(_as_sqlite(export, archive))
        return
    for piece in _WRITERS[export.form](export, archive):
        file.write(piece.encode("utf-8"))


def _as_txt(export: Export, archive: Archive) -> Iterator[str]:
    """Return the published form of a list: LF between the lines, none after the last."""
    for number, (text,) in enumerate(export.rows(archive)):
        yield f"\n{text}" if number else str(text)


def _objects(export: Export, archive: Archive) -> Iterator[str]:
    for row in export.rows(archive):
        yield json.dumps(dict(zip(export.columns, row, strict=True)))


def _as_json(export: Export, archive: Archive) -> Iterator[str]:
    """Return an array of objects; of the vocabulary, an object from strings to ids."""
    pieces, (begin, end) = _objects(export, archive), "[]"
    if export.what == "vocabulary" and export.columns == TABLES["vocabulary"].usual:
        pieces = (f"{json.dumps(san)}: {number}" for san, number in export.rows(archive))
        begin, end = "{}"
    yield f"{begin}\n"
    for number, piece in enumerate(pieces):
        yield f",\n{piece}" if number else piece
    yield f"\n{end}\n"


def _as_epd(export: Export, archive: Archive) -> Iterator[str]:
    """Yield a position a line (PGN standard, 16.2): the string is the supplied move, and the id."""
    for fen, san in export.rows(archive):
        *position, clock, number = str(fen).split(" ")
        yield f'{" ".join(position)} fmvn {number}; hmvc {clock}; id "{san}"; sm {san};\n'


def _as_pgn(export: Export, archive: Archive) -> Iterator[str]:
    """Yield the games of the table, or the cover, as the run wrote them; of a witness its move."""
    if export.what == "witnesses":
        for san, fen, game in export.rows(archive):
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
"""All forms of tables."""


def _as_sqlite(export: Export, archive: Archive) -> bytes:
    """Return an SQLite database with the table; it is made in memory."""
    kinds = {str: "TEXT", int: "INTEGER", float: "REAL"}
    columns = TABLES[export.what].columns
    form = ", ".join(f"{name} {kinds[columns[name]]}" for name in export.columns)
    marks = ", ".join("?" * len(export.columns))
    with closing(sqlite3.connect(":memory:")) as database:
        database.execute(f"CREATE TABLE {export.what} ({form})")
        database.executemany(f"INSERT INTO {export.what} VALUES ({marks})", export.rows(archive))  # noqa: S608 - names of ours
        database.commit()
        return database.serialize()


def _write_parquet(export: Export, archive: Archive, file: IO[bytes]) -> None:
    """Apache Parquet, in row groups of one size."""
    try:
        import pyarrow as pa  # noqa: PLC0415 - large, and only for this form
        from pyarrow import parquet  # noqa: PLC0415
    except ImportError as error:
        raise ExportError("Parquet needs pyarrow: pip install 'sanproof[parquet]'") from error
    kinds = {str: pa.string(), int: pa.int32(), float: pa.float64()}
    columns = TABLES[export.what].columns
    types = {name: kinds[columns[name]] for name in export.columns} | {"times": pa.int64()}
    schema = pa.schema([(name, types[name]) for name in export.columns])
    rows = export.rows(archive)
    with parquet.ParquetWriter(file, schema, compression="zstd") as writer:
        while some := list(islice(rows, ROWS_AT_A_TIME)):
            cells: list[Any] = list(zip(*some, strict=True))
            writer.write_table(pa.table([*map(list, cells)], schema=schema))
