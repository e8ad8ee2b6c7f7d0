"""The table of all moves: a row for each, with the positions before and after it."""

import csv
import io
from collections.abc import Iterable
from typing import Any, Final

from verify.scan.reading import Played

COLUMNS: Final = ("before_fen", "san", "after_fen", "uci", "source", "game", "ply")


def table(
    source: str, first_game: int, rows: Iterable[tuple[int, int, Played]], form: str
) -> bytes:
    """The table of a chunk's moves as the bytes of a file.

    Args:
        source: The name of the source.
        first_game: How many of its games come before the chunk.
        rows: The number of the game in the chunk, the ply, and the move.
        form: ``parquet`` or ``csv``.
    """
    values = [
        (move.before, move.san, move.after, move.uci, source, first_game + game, ply)
        for game, ply, move in rows
    ]
    return (
        _csv(values)
        if form == "csv"
        else parquet(dict(zip(COLUMNS, _columns(values), strict=True)))
    )


def _columns(values: list[tuple[Any, ...]]) -> list[list[Any]]:
    return [list(column) for column in zip(*values, strict=True)] or [[] for _ in COLUMNS]


def _csv(values: list[tuple[Any, ...]]) -> bytes:
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(values)
    return file.getvalue().encode(errors="surrogateescape")


def parquet(columns: dict[str, list[Any]]) -> bytes:
    """A table as the bytes of a Parquet file: texts, and whole numbers of 64 bits."""
    import pyarrow as pa  # noqa: PLC0415 - for this form only
    import pyarrow.parquet as pq  # noqa: PLC0415

    numbers = {"game", "ply", "line", "column"}
    schema = pa.schema([(name, pa.int64() if name in numbers else pa.string()) for name in columns])
    file = io.BytesIO()
    pq.write_table(pa.table(columns, schema=schema), file, compression="zstd")
    return file.getvalue()
