"""Exports: a table of what was found, row by row, in the forms that other programs read.

A cell holds only what its column can hold, also when the run is forged: see
:mod:`reports.archive.schema`. None begins with a character that a spreadsheet takes for a formula.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import IO, Any, Final, NamedTuple

from sanproof.proofs.rules.cubes import BLACK, WHITE
from sanproof.proofs.rules.san import parse_san
from sanproof.proofs.verdicts.malformed import read_san
from sanproof.proofs.verdicts.reasons import NAMES
from sanproof.reports.archive.door import Archive, ArchiveError
from sanproof.reports.exports import long_form, policies
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
    observed = archive.observed
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
        if not (bare and row.san[-1] in "+#"):
            yield row.before_fen, row.san, row.after_fen, row.uci, row.game, row.ply


def _games(archive: Archive, bare: bool) -> Iterator[Row]:
    for game in archive.games():
        if not (bare and game.san[-1] in "+#"):
            plies = len(game.sans)
            yield (*game[:4], plies, game.result, " ".join(game.sans))


def _impossible(archive: Archive, bare: bool) -> Iterator[Row]:
    for san, reason in archive.impossible():
        if not (bare and san[-1] in "+#"):
            yield san, reason


def _cover(archive: Archive, bare: bool) -> Iterator[Row]:
    for row in archive.cover():
        if not (bare and row.san[-1] in "+#"):
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


def _outputs_of(network: str) -> Callable[[Archive, bool], Iterator[Row]]:
    return lambda _, __: iter(policies.outputs(network, long_form.moves()))


def _observed(archive: Archive, bare: bool) -> Iterator[Row]:
    """Every string, also those that were never seen."""
    times = times_of(archive)
    for san in archive.strings(bare=bare):
        yield san, times.get(san, 0)


def times_of(archive: Archive) -> dict[str, int]:
    """Return how often each string was played.

    Raises:
        ArchiveError: The run does not say.
    """
    if archive.observed is None:
        raise ArchiveError(f"{archive.directory} does not say how often strings were played")
    return archive.observed.times


def spoken(text: str) -> str:
    """Say a SAN string, such as "queen b six takes e three check" for ``Qb6xe3+``.

    No two strings of the lists are said alike.

    Raises:
        MalformedSan: The text is not a SAN string.
    """
    san = read_san(text)
    if san.piece in _CASTLINGS:
        words = [_CASTLINGS[san.piece]]
    else:
        words = [
            NAMES[san.piece] if san.piece else "",
            *(san.file, _RANKS.get(san.rank, "")),
            "takes" if san.capture else "",
            *(san.destination[0], _RANKS[san.destination[1]]),
            f"equals {NAMES[san.promotion]}" if san.promotion else "",
        ]
    return " ".join(filter(None, [*words, _SUFFIXES[san.suffix]]))


_CASTLINGS: Final = {"O-O": "castles kingside", "O-O-O": "castles queenside"}
_SUFFIXES: Final = {"": "", "+": "check", "#": "checkmate"}
_RANKS: Final = dict(
    zip("12345678", ["one", "two", "three", "four", "five", "six", "seven", "eight"], strict=True)
)

_TYPES: Final[dict[str, type]] = {
    **dict.fromkeys(("id", "number", "game", "ply", "plies", "output"), int),
    **dict.fromkeys(("white_game", "white_ply", "black_game", "black_ply"), int),
    "times": Long,
    "lost": float,
}
"""The types of columns by their names; a column that is not here holds text."""
_TABLE_FORMS: Final = ("csv", "tsv", "json", "jsonl", "parquet")
_PLAYERS: Final = "players white_game white_ply black_game black_ply id"


def _table(
    columns: str, usual: int, rows: Callable[[Archive, bool], Iterator[Row]], *forms: str
) -> ExportTable:
    """A table by its columns, of which the first ones are usual."""
    names = columns.split()
    typed = {name: _TYPES.get(name, str) for name in names}
    return ExportTable(typed, tuple(names[:usual]), rows, forms)


TABLES: Final = {
    "strings": _table(
        "san piece file rank capture destination promotion suffix spoken id",
        *(9, _strings, "txt", *_TABLE_FORMS),
    ),
    "vocabulary": _table("san id times lost", 2, _vocabulary, "json", "csv", "tsv", "txt"),
    "witnesses": _table(
        "before_fen san after_fen uci game ply", 3, _witnesses, *_TABLE_FORMS, "epd"
    ),
    "games": _table("number san colour ply plies result moves", 7, _games, "pgn", *_TABLE_FORMS),
    "cover": _table("san game ply", 3, _cover, *_TABLE_FORMS, "pgn"),
    "impossible": _table("san reason", 2, _impossible, *_TABLE_FORMS, "txt"),
    "observed": _table("san times", 2, _observed, *_TABLE_FORMS),
    "uci": _table(f"uci {_PLAYERS}", 2, _uci, *_TABLE_FORMS, "txt"),
    "lan": _table(f"lan {_PLAYERS}", 2, _lan, *_TABLE_FORMS, "txt"),
    "alphazero": _table("output white black", 3, _outputs_of("alphazero"), *_TABLE_FORMS),
    "lc0": _table("output white black", 3, _outputs_of("lc0"), *_TABLE_FORMS),
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
