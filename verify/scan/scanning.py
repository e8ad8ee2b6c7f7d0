"""Scans a chunk: a chunk in, a result out, and nothing else, so that any executor can do it."""

import csv
import io
import os
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from importlib import import_module
from importlib.util import find_spec
from itertools import pairwise, takewhile
from operator import attrgetter
from typing import Any, Final

import chess

from sanproof.reports.escaping import table_cell
from sanproof.verify.errors import Failure
from sanproof.verify.scan.movetext import BOM, ROSTER, Oddity, decoded, result_of, tags_of
from sanproof.verify.scan.reading import NOT_READ, Game, MoveText, proven_set, read_game
from sanproof.verify.scan.results import (
    MOVES,
    Chunk,
    ChunkResult,
    Deviation,
    GameOutcome,
    Occurrence,
    Options,
    Outcome,
    selects,
)
from sanproof.verify.scan.sources import EXTRA

NEEDED: Final = ("numba", "numpy")
"""The packages that the compiled loop needs, from the extra ``scan``."""
FAST_FROM_BYTES: Final = 1 << 20
"""The size below which python-chess is done before the compiled loop is loaded."""
_LONGEST_REASON: Final = 200
_LONGEST_WRITTEN: Final = 100
"""Of a longer text only the beginning is kept."""
_REWRITTEN: Final = {
    *(Oddity.NO_BREAK_SPACE, Oddity.OTHER_RESULT, Oddity.JOINED_RESULT),
    *(Oddity.EVALUATION_SIGN, Oddity.DIAGRAM_SIGN),
    *(Oddity.CHECK_APART, Oddity.STRAY_PUNCTUATION),
}
"""Irregularities beside the moves, which rewritten games correct."""
_BEFORE_MARKS: Final = {b"", *(bytes([byte]) for byte in b' \t\r\n\v\f})"')}
NumberedGame = tuple[int, int, int]
"""The number of a game in its source, from 1, and its beginning and end in the chunk."""


Row = tuple[Any, ...]


def values_of(tags: Mapping[str, str], names: Iterable[str]) -> tuple[str, ...]:
    """Return the values of a game's tags, empty for a missing one, and cut if long."""
    return tuple(tags.get(name, "")[:_LONGEST_WRITTEN] for name in names)


_cell = lru_cache(maxsize=1 << 14)(table_cell)


def csv_text(rows: Iterable[Row]) -> str:
    """Return rows as lines of CSV, with texts escaped for spreadsheets."""
    text, cells = io.StringIO(), ([_cell(c) if isinstance(c, str) else c for c in r] for r in rows)
    csv.writer(text, lineterminator="\n").writerows(cells)
    return text.getvalue()


def moves_file(rows: Sequence[Row], form: str, tags: Sequence[str]) -> bytes:
    """Return the table of a chunk's moves as a file: ``parquet`` or ``csv``."""
    columns = MOVES | dict.fromkeys(tags, str)
    if form == "csv":
        return csv_text([tuple(columns), *rows]).encode()
    import pyarrow as pa  # noqa: PLC0415 - for this form only
    from pyarrow.parquet import write_table  # noqa: PLC0415 - for this form only

    types = {str: pa.string(), int: pa.int64()}
    schema = pa.schema([(name, types[kind]) for name, kind in columns.items()])
    values = [*zip(*rows, strict=True)] if rows else [()] * len(columns)
    file = io.BytesIO()
    write_table(pa.table(values, schema=schema), file, compression="zstd")
    return file.getvalue()


def suited(options: Options, size: int | None) -> Options:
    """Return the options without the compiled loop if python-chess is faster, or numba is missing.

    Loops that are not compiled take longer than python-chess.

    Raises:
        Failure: Parquet is wanted but not installed.
    """
    if options.rows == "parquet" and find_spec("pyarrow") is None:
        raise Failure("Parquet needs pyarrow: pip install 'sanproof[parquet]', or --rows csv.")
    is_small = size is not None and size < FAST_FROM_BYTES
    if not options.fast or is_small or os.environ.get("NUMBA_DISABLE_JIT", "0") != "0":
        return options._replace(fast=False)
    if any(find_spec(name) is None for name in NEEDED):
        sys.stderr.write(
            f"The fast path is not installed ({EXTRA}): python-chess reads every game.\n"
        )
        return options._replace(fast=False)
    return options


def scan_chunk(chunk: Chunk, options: Options) -> ChunkResult:
    """Scan a chunk."""
    scan = ChunkScan(chunk, options)
    games = scan.games
    if options.fast and options.language in {"", "en"} and not options.rows:
        loops = import_module("sanproof.verify.scan.loops")  # takes long, and needs numba
        games = loops.read_usual(scan, games)
    for number, begin, end in games:
        scan.take(number, read_game(chunk.data, begin, end, options))
    return scan.result()


class ChunkScan:
    """A chunk that is being scanned, with its results so far. Places are offsets in it."""

    def __init__(self, chunk: Chunk, options: Options) -> None:
        self.chunk = chunk
        self.options = options
        self.found = ChunkResult()
        ends = pairwise([*chunk.starts, len(chunk.data)])
        games = [(number, *both) for number, both in enumerate(ends, start=chunk.games + 1)]
        self.games: list[NumberedGame] = games  # those that are to be read
        if where := options.where:
            self.games = [g for g in games if selects(where, tags_of(chunk.data, *g[1:]))]
            left = len(games) - len(self.games)
            self.found.counts.update({"games": left, f"games_{Outcome.LEFT_OUT}": left})
        self._rows: list[Row] = []
        self._proven = proven_set(options.proven)

    def take_usual(self, game: NumberedGame, moves: list[str], first: str) -> None:
        """Add a game without deviations, with its first position if that is not the initial one."""
        number, begin, end = game
        self.found.hits += [
            (number, n) for n, san in enumerate(moves, 1) if san == self.options.find
        ]
        if self.options.games:
            row = number, begin, Outcome.READ.value, "", len(moves), 0
            first = "" if first == chess.STARTING_FEN else first
            self._take_row(row, tags_of(self.chunk.data, begin, end), first, moves)

    def _take_row(
        self, row: Row, tags: Mapping[str, str], first: str, moves: Sequence[str], opened: int = -1
    ) -> None:
        """Take the row of a game, of which the beginning is known, with its offset for its line."""
        is_read = row[2] not in NOT_READ
        played = f"{first} {' '.join(moves)}".lstrip().encode()
        digest = sha256(played).hexdigest()[:32] if is_read else ""
        more = "\n".join(values_of(tags, self.options.tags))
        place = (opened, 0) if opened >= 0 else None
        row = (*row, *values_of(tags, ROSTER), digest, more, place)
        self.found.games.append(GameOutcome._make(row))

    def take(self, number: int, game: Game) -> None:
        """Add a game that python-chess has read."""
        options, data, found = self.options, self.chunk.data, self.found
        played, null = game.played, Oddity.NULL_MOVE.value
        varied = [text for text in game.in_variations if text.uci]
        left = len(game.moves) - len(played) + game.left
        found.counts.update(
            {
                "games": 1,
                f"games_{game.outcome}": 1,
                "games_from_position": "FEN" in game.tags,
                "games_without_moves": not game.moves and game.outcome != Outcome.TOO_LONG,
                "games_without_result": not game.result,
                "moves": sum(not text.apart for text in played),
                "null_moves": sum(text.is_null for text in played),
                "moves_after_null_moves": sum(
                    text.apart == null and not text.is_null for text in played
                ),
                "deviating_moves": sum(bool(text.kind) for text in played),
                "move_texts_not_read": left,
                "variations": game.variations,
                "variation_moves": sum(not text.apart for text in varied),
                "variation_moves_apart": sum(bool(text.apart) for text in varied),
                "deviating_variation_moves": sum(bool(text.kind) for text in varied),
                "variation_texts_not_read": len(game.in_variations) - len(varied),
            }
        )
        if game.variant and played:
            others = [t for t in played if not (t.is_null or t.san in self._proven)]
            of_variant = {"games": 1, "moves": len(played), "moves_not_proven": len(others)}
            found.counts.update({f"variant {game.variant} {k}": n for k, n in of_variant.items()})
        if options.games or game.outcome != Outcome.READ:
            reason = game.reason[:_LONGEST_REASON]
            opened = game.opened if game.outcome == Outcome.UNCLOSED else -1
            row = number, game.start, game.outcome.value, reason, len(played), left
            self._take_row(row, game.tags, game.first, [text.san for text in played], opened)
        _count_strings(found.seen, number, played)
        _count_strings(found.in_variations, number, varied)
        for text in played:
            self.take_deviating(number, text)
        for odd in game.odd:
            self._take_odd(odd._replace(game=number))
        for text in (*game.in_variations, *game.moves[len(played) :]):
            self.take_deviating(number, text)
        found.hits += [(number, t.ply) for t in played if t.san == options.find and not t.apart]
        if options.rows and not game.variant:
            self._take_rows(number, game)
        is_cut = game.result or game.opened >= 0 or game.outcome in NOT_READ
        if options.rewrite and not is_cut:
            found.edits.append(_result_missing(game, data))

    def _take_rows(self, number: int, game: Game) -> None:
        """Take a row for each move, with the positions before and after it."""
        board = chess.Board(game.first or chess.STARTING_FEN)
        before = board.fen()
        times = Counter([_repeated(before)])
        source = self.chunk.source.encode(errors="backslashreplace").decode()  # it may be any bytes
        tags = values_of(game.tags, self.options.tags)
        for text in takewhile(lambda text: not text.apart, game.played):
            board.push(chess.Move.from_uci(text.uci))
            after = board.fen()
            times[_repeated(after)] += 1
            place = source, number, text.ply, times[_repeated(after)]
            self._rows.append((before, text.san, after, text.uci, *place, *tags))
            before = after

    def take_deviating(self, number: int, text: MoveText) -> None:
        """Add a text if it deviates, or if its string is not among the proven ones."""
        is_proven = bool(not text.uci or text.apart or text.san in self._proven)
        if is_proven and not (text.kind or text.is_null):
            return
        begin, end, full_end = text.place
        one = Deviation(
            game=number,
            ply=text.ply,
            canonical=text.san,
            kind=text.kind,
            fen=text.before,
            variation=text.variation,
            start=begin,
            end=full_end if self.options.strict or not text.uci else end,
        )
        if text.is_null:
            self.found.found.append(one._replace(canonical="", kind=Oddity.NULL_MOVE.value))
        if text.kind:
            self.found.found.append(one)
            if text.uci:
                self.found.edits.append((begin, end, text.san))
        if not is_proven:
            self.found.refuting.append(one)

    def _take_odd(self, odd: Deviation) -> None:
        """Take something odd beside the moves, and write it as PGN has it."""
        self.found.found.append(odd)
        if odd.kind in _REWRITTEN:
            due, before = odd.canonical, self.chunk.data[odd.start - 1 : odd.start]
            is_joined = due and before not in _BEFORE_MARKS
            self.found.edits.append((odd.start, odd.end, f" {due}" if is_joined else due or " "))

    def result(self) -> ChunkResult:
        """Return the results in the order of the text, with lines and columns."""
        options, data, found = self.options, self.chunk.data, self.found
        found.counts["lines"] = data.count(b"\n")
        found.counts = Counter({name: n for name, n in sorted(found.counts.items()) if n})
        games, deviations = sorted(found.games), sorted(found.found, key=attrgetter("start"))
        offsets = {game.line for game in games} | {game.place[0] for game in games if game.place}
        places = _lines_and_columns(self.chunk, sorted(offsets | {one.start for one in deviations}))
        found.games = [
            game._replace(line=places[game.line][0], place=game.place and places[game.place[0]])
            for game in games
        ]
        found.found = [self._placed(one, *places[one.start]) for one in deviations]
        found.hits.sort()
        found.edits = sorted(found.edits) if options.rewrite else []
        if options.rows:
            found.rows = moves_file(self._rows, options.rows, options.tags)
        if options.find:
            found.picked = [self._texts_of({game for game, _ in found.hits})]
        if options.split:
            broken = {one.game for one in found.found}
            broken |= {game.game for game in found.games if game.outcome != Outcome.READ}
            clean = {number for number, *_ in self.games} - broken
            found.picked = [self._texts_of(clean), self._texts_of(broken)]
        return found

    def _texts_of(self, numbers: set[int]) -> bytes:
        """Return the texts of some games, each with an empty line after it."""
        texts = (self.chunk.data[begin:end] for n, begin, end in self.games if n in numbers)
        return b"".join(text.strip() + b"\n\n" for text in texts)

    def _placed(self, one: Deviation, line: int, column: int) -> Deviation:
        text = decoded(self.chunk.data[one.start : one.end])
        after, written = column + len(text.split("\n", 1)[0]), text[:_LONGEST_WRITTEN]
        return one._replace(line=line, column=column, end_column=after, written=written)


def _count_strings(seen: dict[str, Occurrence], number: int, texts: Sequence[MoveText]) -> None:
    """Count the strings that were played in a game, or in its variations."""
    plies: dict[str, list[int]] = {}
    for text in texts:
        if not text.apart:
            plies.setdefault(text.san, []).append(text.ply)
    for san, (first, *more) in plies.items():
        times, games, *before = seen.get(san, (0, 0, number, first))
        game, ply = min(
            (before[0], before[1]), (number, first)
        )  # the loop may come from a later one
        seen[san] = times + 1 + len(more), games + 1, game, ply


def _repeated(fen: str) -> str:
    """Return the part of a FEN that a repeated position has again (FIDE 9.2.3)."""
    return fen.rsplit(" ", 2)[0]


def _result_missing(game: Game, data: bytes) -> tuple[int, int, str]:
    """Return where the result is missing that ends a game, and what it is with the space before."""
    at = game.start + len(data[game.start : game.end].rstrip(b" \t\r\n\v\f\x1a"))
    line = data[data.rfind(b"\n", game.start, at) + 1 : at]
    may_be_remark = b";" in line or line.startswith(b"%")
    space = "\n\n" if not game.moves else "\n" if may_be_remark else " "
    return at, at, space + (result_of(game.tags.get("Result", "").encode()) or "*")


def _lines_and_columns(chunk: Chunk, offsets: Sequence[int]) -> dict[int, tuple[int, int]]:
    """Return the line and the character of the line, both from 1, of offsets in ascending order."""
    data, line, column = chunk.data, chunk.lines + 1, 1
    places: dict[int, tuple[int, int]] = {}
    at = len(BOM) * data.startswith(BOM)
    for offset in offsets:
        breaks = data.count(b"\n", at, offset)
        if breaks:
            line += breaks
            column, at = 1, data.rfind(b"\n", at, offset) + 1
        column += len(decoded(data[at:offset]))
        at = max(at, offset)
        places[offset] = line, column
    return places
