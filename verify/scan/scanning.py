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
from sanproof.verify.scan.movetext import BOM, ROSTER, Oddity, decoded, read_tags, result_of
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
Span = tuple[int, int]
"""The beginning and end of a game in its chunk."""
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
    for begin, end in games:
        scan.take(read_game(scan.data, begin, end, options))
    return scan.result()


class ChunkScan:
    """A chunk that is being scanned, with its results so far. Places are offsets in it."""

    def __init__(self, chunk: Chunk, options: Options) -> None:
        self.chunk = chunk
        self.options = options
        self.data = b"\n".join(piece.data for piece in chunk)
        self.found = ChunkResult(counts=[Counter() for _ in chunk])
        self.games: list[Span] = []  # those that are to be read
        self.places: dict[int, tuple[int, int]] = {}  # the piece and number of each, by beginnings
        at = 0
        for place, piece in enumerate(chunk):
            begins = [at + start for start in piece.starts]
            at += len(piece.data) + 1
            self.games += pairwise([*begins, at - 1])
            self.places.update(
                (begin, (place, n)) for n, begin in enumerate(begins, piece.games + 1)
            )
        if where := options.where:
            self.games = [g for g in self.games if selects(where, read_tags(self.data, *g)[0])]
            for begin in self.places.keys() - dict(self.games).keys():
                counts = self.found.counts[self.places[begin][0]]
                counts.update(["games", f"games_{Outcome.LEFT_OUT}"])
        self.hits: list[tuple[int, int]] = []  # the games and plies of the wanted string
        self._rows: list[Row] = []
        self._proven = proven_set(options.proven)

    def take_usual(self, game: Span, moves: list[str], first: str) -> None:
        """Add a game without deviations, with its first position if that is not the initial one."""
        self.hits += [(game[0], n) for n, san in enumerate(moves, 1) if san == self.options.find]
        if self.options.games:
            row = game[0], 0, Outcome.READ.value, "", len(moves), 0
            first = "" if first == chess.STARTING_FEN else first
            self._take_row(row, read_tags(self.data, *game)[0], first, moves)

    def _take_row(
        self, row: Row, tags: Mapping[str, str], first: str, moves: Sequence[str], opened: int = -1
    ) -> None:
        """Take the row of a game, which is known by its beginning; its line is not known yet."""
        is_read = row[2] not in NOT_READ
        played = f"{first} {' '.join(moves)}".lstrip().encode()
        digest = sha256(played).hexdigest()[:32] if is_read else ""
        more = "\n".join(values_of(tags, self.options.tags))
        place = (opened, 0) if opened >= 0 else None
        row = ("", *row, *values_of(tags, ROSTER), digest, more, place)
        self.found.games.append(GameOutcome._make(row))

    def take(self, game: Game) -> None:
        """Add a game that python-chess has read."""
        options, found, begin = self.options, self.found, game.start
        counts = found.counts[self.places[begin][0]]
        played, null = game.played, Oddity.NULL_MOVE.value
        varied = [text for text in game.in_variations if text.uci]
        left = len(game.moves) - len(played) + game.left
        counts.update(
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
            counts.update({f"variant {game.variant} {k}": n for k, n in of_variant.items()})
        if options.games or game.outcome != Outcome.READ:
            reason = game.reason[:_LONGEST_REASON]
            opened = game.opened if game.outcome == Outcome.UNCLOSED else -1
            row = begin, 0, game.outcome.value, reason, len(played), left
            self._take_row(row, game.tags, game.first, [text.san for text in played], opened)
        _count_strings(found.seen, begin, played)
        _count_strings(found.in_variations, begin, varied)
        for text in played:
            self.take_deviating(begin, text)
        for odd in game.odd:
            self._take_odd(odd._replace(game=begin))
        for text in (*game.in_variations, *game.moves[len(played) :]):
            self.take_deviating(begin, text)
        self.hits += [(begin, t.ply) for t in played if t.san == options.find and not t.apart]
        if options.rows and not game.variant:
            self._take_rows(game)
        is_cut = game.result or game.opened >= 0 or game.outcome in NOT_READ
        if options.rewrite and not is_cut:
            found.edits.append(_result_missing(game, self.data))

    def _take_rows(self, game: Game) -> None:
        """Take a row for each move, with the positions before and after it."""
        board = chess.Board(game.first or chess.STARTING_FEN)
        before = board.fen()
        times = Counter([_repeated(before)])
        piece, number = self.places[game.start]
        name = self.chunk[piece].source.encode(errors="backslashreplace").decode()  # as any bytes
        tags = values_of(game.tags, self.options.tags)
        for text in takewhile(lambda text: not text.apart, game.played):
            board.push(chess.Move.from_uci(text.uci))
            after = board.fen()
            times[_repeated(after)] += 1
            place = name, number, text.ply, times[_repeated(after)]
            self._rows.append((before, text.san, after, text.uci, *place, *tags))
            before = after

    def take_deviating(self, game: int, text: MoveText) -> None:
        """Add a text of a game if it deviates, or if its string is not among the proven ones."""
        is_proven = bool(not text.uci or text.apart or text.san in self._proven)
        if is_proven and not (text.kind or text.is_null):
            return
        begin, end, full_end = text.place
        one = Deviation(
            game=game,
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
            due, before = odd.canonical, self.data[odd.start - 1 : odd.start]
            is_joined = due and before not in _BEFORE_MARKS
            self.found.edits.append((odd.start, odd.end, f" {due}" if is_joined else due or " "))

    def result(self) -> ChunkResult:
        """Return the results in the order of the text, with lines and columns."""
        options, found = self.options, self.found
        for piece, counts in zip(self.chunk, found.counts, strict=True):
            counts["lines"] = piece.data.count(b"\n")
        found.counts = [Counter({k: n for k, n in sorted(c.items()) if n}) for c in found.counts]
        games, deviations = sorted(found.games), sorted(found.found, key=attrgetter("start"))
        broken = {one.game for one in deviations}
        broken |= {game.game for game in games if game.outcome != Outcome.READ}
        offsets = {game.game for game in games} | {game.place[0] for game in games if game.place}
        places = self._lines_and_columns(sorted(offsets | {one.start for one in deviations}))
        found.games = []
        for game in games:
            line, opened = places[game.game][0], game.place and places[game.place[0]]
            found.games.append(game._replace(**self._named(game.game), line=line, place=opened))
        found.found = [self._placed(one, *places[one.start]) for one in deviations]
        found.refuting = [one._replace(**self._named(one.game)) for one in found.refuting]
        for strings in (found.seen, found.in_variations):
            for san, (times, in_games, begin, ply) in strings.items():
                strings[san] = times, in_games, *self.places[begin], ply
        found.hits = [(*self._named(begin).values(), ply) for begin, ply in sorted(self.hits)]
        found.edits = sorted(found.edits) if options.rewrite else []
        if options.rows:
            found.rows = moves_file(self._rows, options.rows, options.tags)
        if options.find:
            found.picked = [self._texts_of({game for game, _ in self.hits})]
        if options.split:
            clean = {begin for begin, _ in self.games} - broken
            found.picked = [self._texts_of(clean), self._texts_of(broken)]
        return found

    def _texts_of(self, games: set[int]) -> bytes:
        """Return the texts of some games, each with an empty line after it."""
        texts = (self.data[begin:end] for begin, end in self.games if begin in games)
        return b"".join(text.strip() + b"\n\n" for text in texts)

    def _named(self, begin: int) -> dict[str, Any]:
        """Return the source of a game, and its number there."""
        place, number = self.places[begin]
        return {"source": self.chunk[place].source, "game": number}

    def _placed(self, one: Deviation, line: int, column: int) -> Deviation:
        text = decoded(self.data[one.start : one.end])
        after, written = column + len(text.split("\n", 1)[0]), text[:_LONGEST_WRITTEN]
        one = one._replace(line=line, column=column, end_column=after, written=written)
        return one._replace(**self._named(one.game))

    def _lines_and_columns(self, offsets: Sequence[int]) -> dict[int, tuple[int, int]]:
        """Return the line and the character of the line, both from 1, of offsets in order."""
        data, places = self.data, dict[int, tuple[int, int]]()
        pieces, end = iter(self.chunk), -1
        line = column = at = 0
        for offset in offsets:
            while offset > end:
                piece = next(pieces)
                line, column = piece.lines + 1, 1
                at = end + 1 + len(BOM) * piece.data.startswith(BOM)
                end += 1 + len(piece.data)
            if breaks := data.count(b"\n", at, offset):
                line += breaks
                column, at = 1, data.rfind(b"\n", at, offset) + 1
            column += len(decoded(data[at:offset]))
            at = max(at, offset)
            places[offset] = line, column
        return places


def _count_strings(seen: dict[str, Occurrence], begin: int, texts: Sequence[MoveText]) -> None:
    """Count the strings that were played in a game, or in its variations."""
    played = [text for text in texts if not text.apart]
    plies = {text.san: text.ply for text in reversed(played)}
    for san, number in Counter(text.san for text in played).items():
        times, games, *before = seen.get(san, (0, 0, begin, plies[san]))
        earlier = min(before, [begin, plies[san]])  # the loop may come from a later game
        seen[san] = times + number, games + 1, *earlier


def _repeated(fen: str) -> str:
    """Return the part of a FEN that a repeated position has again (FIDE 9.2.3)."""
    return fen.rsplit(" ", 2)[0]


def _result_missing(game: Game, data: bytes) -> tuple[int, int, str]:
    """Return where the result is missing that ends a game, and what it is with the space before."""
    at = game.start + len(data[game.start : game.end].rstrip(b" \t\r\n\v\f\x1a"))
    line = data[game.start : at].rpartition(b"\n")[2]
    may_be_remark = b";" in line or line.startswith(b"%")
    space = "\n\n" if not game.moves else "\n" if may_be_remark else " "
    return at, at, space + (result_of(game.tags.get("Result", "").encode()) or "*")
