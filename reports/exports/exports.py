"""Exports: a table of what was found, row by row, in the forms that other programs read.

A cell holds only what its column can hold, also when the run is forged: see
:mod:`reports.archive.schema`. None begins with a character that a spreadsheet takes for a formula.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import IO, Any, Final, NamedTuple

from sanproof.proofs.rules.cubes import BLACK, COLOURS, WHITE
from sanproof.proofs.rules.san import parse_san
from sanproof.reports.archive.door import Archive, ArchiveError
from sanproof.reports.archive.observed import open_observed
from sanproof.reports.exports import long_form, policies
from sanproof.reports.exports.spoken import spoken
from sanproof.reports.tables.files import csv_lines

ROWS_AT_A_TIME: Final = 1 << 14
_SHOWS_SUFFIX: Final = re.compile(r'^\[Shows "[^"]*[+#]"\]$', re.MULTILINE)

Cell = str | int | float | None
Row = tuple[Cell, ...]


class Long(int):
    """The type of a column whose numbers may need 64 bits."""

    __slots__ = ()


class ExportError(Exception):
    """There is no such export, or it needs something that is not installed."""


class ExportTable(NamedTuple):
    """A table that can be exported.

    Attributes:
        columns: All its columns, and whether they hold numbers; in the order of a row.
        usual: The columns that are exported if none are named.
        rows: Its rows in their published order; the second argument asks for bare strings.
        forms: The forms in which it can be written; the first is the usual one.
    """

    columns: dict[str, type]
    usual: tuple[str, ...]
    rows: Callable[[Archive, bool], Iterator[Row]]
    forms: tuple[str, ...]


def _strings(archive: Archive, bare: bool) -> Iterator[Row]:
    for number, san in enumerate(archive.strings(bare=bare)):
        yield (san, *parse_san(san), spoken(san), number)


def _vocabulary(archive: Archive, bare: bool) -> Iterator[Row]:
    """With how often each was played; and what share of all moves is lost with it and the rarer."""
    strings = archive.strings(bare=bare)
    observed = open_observed(archive.directory)
    times = observed.times if observed else {}
    every = sum(times.get(san, 0) for san in strings)
    lost, total = {0: 0}, 0
    for number in sorted(times.get(san, 0) for san in strings):
        lost[number] = total = total + number
    for number, san in enumerate(strings):
        seen = times.get(san, 0)
        yield san, number, seen if observed else None, lost[seen] / every if every else None


def _witnesses(archive: Archive, bare: bool) -> Iterator[Row]:
    for row in archive.witnesses():
        if not (bare and row.san.endswith(("+", "#"))):
            yield row.before_fen, row.san, row.after_fen, row.uci, row.game, row.ply


def _games(archive: Archive, bare: bool) -> Iterator[Row]:
    for game in archive.games():
        if not (bare and game.san.endswith(("+", "#"))):
            plies = len(game.sans)
            yield (*game[:4], plies, game.result, " ".join(game.sans))


def _impossible(archive: Archive, bare: bool) -> Iterator[Row]:
    for san, reason in archive.impossible():
        if not (bare and san.endswith(("+", "#"))):
            yield san, reason


def _cover(archive: Archive, bare: bool) -> Iterator[Row]:
    for row in archive.cover():
        if not (bare and row.san.endswith(("+", "#"))):
            yield row


def _lan(_: Archive, bare: bool) -> Iterator[Row]:
    shown = (
        (lan, rows) for lan, rows in long_form.playable_lan() if not bare or lan[-1] not in "+#"
    )
    for number, (lan, rows) in enumerate(shown):
        yield (lan, *_players(rows), number)


def _uci(_: Archive, __: bool) -> Iterator[Row]:
    for number, (uci, rows) in enumerate(long_form.playable_uci()):
        yield (uci, *_players(rows), number)


def _players(rows: Sequence[long_form.Shown]) -> Row:
    """Who can play a text; the game and ply at which White does, and Black."""
    places = {row.player: (row.game, row.ply) for row in rows}
    nowhere = (None, None)
    return " and ".join(places), *places.get(WHITE, nowhere), *places.get(BLACK, nowhere)


def _alphazero(_: Archive, __: bool) -> Iterator[Row]:
    def number_of(row: long_form.Shown) -> int:
        return policies.alphazero_output(row.uci, row.player)

    return _outputs(policies.ALPHAZERO_OUTPUTS, number_of)


def _lc0(_: Archive, __: bool) -> Iterator[Row]:
    numbers = policies.lc0_outputs()

    def number_of(row: long_form.Shown) -> int:
        castling = row.lan.startswith("O")
        return policies.lc0_output(numbers, row.uci, row.player, castling=castling)

    return _outputs(len(numbers), number_of)


def _outputs(count: int, number_of: Callable[[long_form.Shown], int]) -> Iterator[Row]:
    """Which moves each output stands for; castling is written as such."""
    moves: dict[int, list[long_form.Shown]] = {}
    for row in long_form.moves():
        try:
            moves.setdefault(number_of(row), []).append(row)
        except ValueError as error:
            sentence = f"{long_form.ROWS} is damaged: no output stands for {row.uci}"
            raise ArchiveError(sentence) from error
    for number in range(count):
        texts = {
            player: dict.fromkeys(
                row.lan.rstrip("+#") if row.lan.startswith("O") else row.uci
                for row in moves.get(number, ())
                if row.player == player
            )
            for player in COLOURS
        }
        yield (number, *(" ".join(texts[player]) for player in COLOURS))


def _observed(archive: Archive, bare: bool) -> Iterator[Row]:
    """Every string, also those that were never seen."""
    observed = open_observed(archive.directory)
    if observed is None:
        raise ArchiveError(f"{archive.directory} does not say how often strings were played")
    times = observed.times
    for san in archive.strings(bare=bare):
        yield san, times.get(san, 0)


_PARTS: Final = ("piece", "file", "rank", "capture", "destination", "promotion", "suffix")
_TABLE_FORMS: Final = ("csv", "tsv", "json", "jsonl", "parquet")
_TEXT_FORMS: Final = (*_TABLE_FORMS, "txt")
_PLAYERS: Final = {
    "players": str,
    **dict.fromkeys(("white_game", "white_ply", "black_game", "black_ply"), int),
}
_OUTPUTS: Final = {"output": int, "white": str, "black": str}

TABLES: Final = {
    "strings": ExportTable(
        {"san": str, **dict.fromkeys(_PARTS, str), "spoken": str, "id": int},
        ("san", *_PARTS, "spoken"),
        _strings,
        ("txt", *_TABLE_FORMS),
    ),
    "vocabulary": ExportTable(
        {"san": str, "id": int, "times": Long, "lost": float},
        ("san", "id"),
        _vocabulary,
        ("json", "csv", "tsv", "txt"),
    ),
    "witnesses": ExportTable(
        {**dict.fromkeys(("before_fen", "san", "after_fen", "uci"), str), "game": int, "ply": int},
        ("before_fen", "san", "after_fen"),
        _witnesses,
        (*_TABLE_FORMS, "epd"),
    ),
    "games": ExportTable(
        {
            "number": int,
            "san": str,
            "colour": str,
            "ply": int,
            "plies": int,
            "result": str,
            "moves": str,
        },
        ("number", "san", "colour", "ply", "plies", "result", "moves"),
        _games,
        ("pgn", *_TABLE_FORMS),
    ),
    "cover": ExportTable(
        {"san": str, "game": int, "ply": int},
        ("san", "game", "ply"),
        _cover,
        (*_TABLE_FORMS, "pgn"),
    ),
    "impossible": ExportTable(
        {"san": str, "reason": str}, ("san", "reason"), _impossible, (*_TABLE_FORMS, "txt")
    ),
    "observed": ExportTable({"san": str, "times": Long}, ("san", "times"), _observed, _TABLE_FORMS),
    "uci": ExportTable({"uci": str, **_PLAYERS, "id": int}, ("uci", "players"), _uci, _TEXT_FORMS),
    "lan": ExportTable({"lan": str, **_PLAYERS, "id": int}, ("lan", "players"), _lan, _TEXT_FORMS),
    "alphazero": ExportTable(_OUTPUTS, tuple(_OUTPUTS), _alphazero, _TABLE_FORMS),
    "lc0": ExportTable(_OUTPUTS, tuple(_OUTPUTS), _lc0, _TABLE_FORMS),
}
FORMS: Final = ("csv", "epd", "json", "jsonl", "parquet", "pgn", "tsv", "txt")


class Export(NamedTuple):
    """What is to be exported, of what, and how; see :func:`plan`."""

    what: str
    form: str
    columns: tuple[str, ...]
    bare: bool

    def rows(self, archive: Archive) -> Iterator[Row]:
        """The rows, with the columns that are wanted."""
        table = TABLES[self.what]
        places = [list(table.columns).index(name) for name in self.columns]
        for row in table.rows(archive, self.bare):
            yield tuple(row[place] for place in places)


def plan(what: str, form: str | None, columns: Sequence[str] | None, *, bare: bool) -> Export:
    """An export, with all that was left open filled in.

    Raises:
        ExportError: There is no such form or column, or nothing would be left.
    """
    table = TABLES[what]
    form = form or table.forms[0]
    if form not in table.forms:
        raise ExportError(f"There is no {form} of {what}: take {', '.join(table.forms)}")
    if bare and (what, form) == ("cover", "pgn"):
        raise ExportError("Every game of the cover shows a mate: leave out --bare")
    if columns is not None and form in ("epd", "pgn", "txt"):
        raise ExportError(f"The columns of {form} cannot be chosen")
    names = tuple(table.usual if columns is None else columns)
    unknown = [name for name in names if name not in table.columns]
    if unknown or not names or len(set(names)) != len(names):
        known = ", ".join(table.columns)
        raise ExportError(f"The columns of {what} are {known}: name some of them, each once")
    if form in ("epd", "txt"):
        names = table.usual[:1] if form == "txt" else ("before_fen", "san")
    return Export(what, form, names, bare)


def write_export(export: Export, archive: Archive, file: IO[bytes]) -> None:
    """Write an export, row by row: memory does not grow with the table.

    Raises:
        ArchiveError: What is to be exported is not there, or damaged.
        ExportError: The form needs a library that is not installed.
    """
    if export.form == "parquet":
        _write_parquet(export, archive, file)
        return
    for piece in _WRITERS[export.form](export, archive):
        file.write(piece.encode("utf-8"))


def _as_txt(export: Export, archive: Archive) -> Iterator[str]:
    """The published form of a list: LF between the lines, none after the last."""
    return _joined((str(text) for (text,) in export.rows(archive)), "", "\n", "")


def _joined(pieces: Iterable[str], before: str, between: str, after: str) -> Iterator[str]:
    yield before
    for number, piece in enumerate(pieces):
        yield between + piece if number else piece
    yield after


def _as_csv(export: Export, archive: Archive) -> Iterator[str]:
    """With commas or, as TSV, with tabs between the cells, which hold neither."""
    separator = "\t" if export.form == "tsv" else ","
    return csv_lines(export.columns, export.rows(archive), separator)


def _as_jsonl(export: Export, archive: Archive) -> Iterator[str]:
    for row in export.rows(archive):
        yield json.dumps(dict(zip(export.columns, row, strict=True))) + "\n"


def _as_json(export: Export, archive: Archive) -> Iterator[str]:
    """An array of objects; of the vocabulary, an object from strings to ids."""
    if export.what == "vocabulary" and export.columns == TABLES["vocabulary"].usual:
        pairs = (f"{json.dumps(san)}: {number}" for san, number in export.rows(archive))
        return _joined(pairs, "{\n", ",\n", "\n}\n")
    lines = (line.removesuffix("\n") for line in _as_jsonl(export, archive))
    return _joined(lines, "[\n", ",\n", "\n]\n")


def _as_epd(export: Export, archive: Archive) -> Iterator[str]:
    """A position a line (PGN standard, 16.2): the string is the supplied move, and the id."""
    for fen, san in export.rows(archive):
        *position, clock, number = str(fen).split(" ")
        yield f'{" ".join(position)} fmvn {number}; hmvc {clock}; id "{san}"; sm {san};\n'


def _as_pgn(export: Export, archive: Archive) -> Iterator[str]:
    """The games of the table, or of the cover, as the run wrote them."""
    for text in archive.cover_text() if export.what == "cover" else archive.games_text():
        if not (export.bare and _SHOWS_SUFFIX.search(text)):
            yield text


_WRITERS: Final[dict[str, Callable[[Export, Archive], Iterator[str]]]] = {
    "csv": _as_csv,
    "epd": _as_epd,
    "json": _as_json,
    "jsonl": _as_jsonl,
    "pgn": _as_pgn,
    "tsv": _as_csv,
    "txt": _as_txt,
}


def _write_parquet(export: Export, archive: Archive, file: IO[bytes]) -> None:
    """Apache Parquet, in row groups of one size."""
    try:
        import pyarrow as pa  # noqa: PLC0415 - large, and only for this form
        from pyarrow import parquet  # noqa: PLC0415
    except ImportError as error:
        raise ExportError("Parquet needs pyarrow: pip install 'sanproof[parquet]'") from error
    kinds = {str: pa.string(), int: pa.int32(), Long: pa.int64(), float: pa.float64()}
    columns = TABLES[export.what].columns
    schema = pa.schema([(name, kinds[columns[name]]) for name in export.columns])
    rows = export.rows(archive)
    with parquet.ParquetWriter(file, schema, compression="zstd") as writer:
        while some := list(islice(rows, ROWS_AT_A_TIME)):
            cells: list[Any] = list(zip(*some, strict=True))
            writer.write_table(pa.table([*map(list, cells)], schema=schema))
