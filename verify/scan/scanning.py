"""Scanning a chunk: a chunk in, a result out, and nothing else. Any executor can do it anywhere."""

import hashlib
import random
import sys
from collections import Counter
from functools import lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from sanproof.verify.errors import Failure, failure
from sanproof.verify.scan.addresses import EXTRA
from sanproof.verify.scan.chunks import (
    AFTER_RESULT,
    READ,
    TOO_LONG,
    Chunk,
    ChunkResult,
    Deviating,
    Options,
    PathsDisagree,
    Refuting,
    Seen,
    digest_of,
    loaded,
)
from sanproof.verify.scan.movetext import Span, TextOfGame, decoded, games
from sanproof.verify.scan.movetext import read_game as parts_of
from sanproof.verify.scan.reading import GameRead, Played, kind_of, lines_and_columns, read_game
from sanproof.verify.scan.rows import Row, file_of, row_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType

NEEDED: Final = ("numba", "numpy", "pyarrow", "rust_pgn_reader_python_binding")
"""What the fast path imports: the extra ``scan``."""
LONGEST_WRITTEN: Final = 100
"""Of a longer text only the beginning is kept."""


class Remark(NamedTuple):
    """What deviates, before its line is known; the place is in bytes of the chunk."""

    start: int
    end: int
    game: int
    ply: int
    canonical: str
    kind: str
    fen: str


def check_packages(options: Options) -> None:
    """See that what the options need is installed, before anything is read.

    Raises:
        Failure: Parquet is asked for and not installed.
    """
    from importlib.util import find_spec  # noqa: PLC0415 - only here

    if options.rows == "parquet" and find_spec("pyarrow") is None:
        raise Failure(f"Parquet needs pyarrow: {EXTRA}, or write --rows csv.")
    if options.fast and any(find_spec(name) is None for name in NEEDED):
        sys.stderr.write(
            f"The fast path is not installed ({EXTRA}): python-chess reads every game.\n"
        )


def scan_chunk(chunk: Chunk, options: Options) -> ChunkResult:
    """Scan a chunk.

    Raises:
        Failure: It lies in a file that cannot be read.
        PathsDisagree: The fast path and python-chess read a game of the sample differently.
    """
    chunk = loaded(chunk)
    return _scan_loaded(chunk, options)._replace(digest=digest_of(chunk))


def _scan_loaded(chunk: Chunk, options: Options) -> ChunkResult:
    if chunk.part != "games":
        counts = {"games": 1, f"games_{TOO_LONG}": 1} if chunk.part == "long" else {}
        counts["lines"] = chunk.data.count(b"\n")
        rewritten = chunk.data if options.rewrite else b""
        return ChunkResult(counts, {}, [], [], rewritten=rewritten)
    scan = _ChunkScan(chunk, options)
    fast = fast_path() if options.fast else None
    if fast is None:
        for number, game in enumerate(games(chunk.data), start=1):
            scan.take(number, game)
    else:
        scan.take_fast(fast)
    return scan.result()


@lru_cache(maxsize=1)
def fast_path() -> "ModuleType | None":
    """The fast path, if it is installed; a Failure if it is, and cannot be loaded."""
    try:
        from sanproof.verify.scan import fast  # noqa: PLC0415 - takes long, and may not be there
    except ModuleNotFoundError:
        return None
    except ImportError as error:
        raise failure(
            f"The fast path cannot be loaded ({error}): {EXTRA} again, or scan with --no-fast.",
            error,
        ) from error
    return fast


@lru_cache(maxsize=1)
def proven_set(lines: bytes) -> frozenset[str]:
    """The proven strings, one a line."""
    return frozenset(lines.decode("ascii").split())


class _ChunkScan:
    """A chunk that is being scanned."""

    def __init__(self, chunk: Chunk, options: Options) -> None:
        self._chunk = chunk
        self._options = options
        self._counts: Counter[str] = Counter(lines=chunk.data.count(b"\n"))
        self._seen: dict[str, Seen] = {}
        self._latest: dict[str, int] = {}
        self._remarks: list[Remark] = []
        self._refuting: list[Refuting] = []
        self._edits: list[tuple[Span, str]] = []
        self._rows: list[Row] = []
        self._fast_rows: Any = None
        self._packed = b""
        self._proven = proven_set(options.proven)

    def take(self, number: int, game: TextOfGame) -> None:
        """Read a game with python-chess, and count it."""
        read = self._read(game)
        self._count_game(game, read)
        for ply, played in enumerate(read.played, start=1):
            self._take_move(number, ply, game, played)
        if read.stop is not None:
            ply = len(read.played) + 1
            span = game.moves[ply - 1]
            remark = Remark(
                span.start, span.full_end, number, ply, "", kind_of(read.stop), read.fen
            )
            self._remarks.append(remark)
        if game.after_result is not None:
            ply = len(game.moves) + 1
            self._remarks.append(Remark(*game.after_result, number, ply, "", AFTER_RESULT, ""))

    def _read(self, game: TextOfGame) -> GameRead:
        options = self._options
        return read_game(game, self._chunk.data, strict=options.strict, fens=bool(options.rows))

    def _count_game(self, game: TextOfGame, read: GameRead) -> None:
        self._counts.update(
            {
                "games": 1,
                f"games_{read.outcome}": 1,
                "games_from_position": "FEN" in game.tags,
                "games_with_open_comment_or_variation": game.is_open,
                "games_without_moves": not game.moves,
                "games_without_result": not game.has_result,
                "moves": len(read.played),
                "move_texts_not_read": len(game.moves) - len(read.played),
            }
        )

    def _take_move(self, number: int, ply: int, game: TextOfGame, played: Played) -> None:
        san = played.san
        before = self._seen.get(san, Seen(0, 0, number, ply))
        first_in_game = self._latest.get(san) != number
        self._latest[san] = number
        self._seen[san] = before._replace(
            times=before.times + 1, games=before.games + first_in_game
        )
        if played.reading is not None:
            self._counts["deviating_moves"] += 1
            kind = kind_of(played.reading)
            span = played.span
            end = span.full_end if self._options.strict else span.end
            remark = Remark(span.start, end, number, ply, san, kind, played.before)
            self._remarks.append(remark)
            self._edits.append((span, san))
        if san not in self._proven:
            self._refute(number, ply, game, san)
        if self._options.rows:
            chunk = self._chunk
            self._rows.append(row_of(played, chunk.source, chunk.first_game + number, ply))

    def _refute(self, number: int, ply: int, game: TextOfGame, san: str) -> None:
        data = self._chunk.data
        fen = read_game(game, data, fens=True).played[ply - 1].before
        text = decoded(data[game.start : game.end])
        self._refuting.append(Refuting(san, number, ply, fen, text))

    def take_fast(self, fast: "ModuleType") -> None:
        """Read the games that are usual on the fast path, and the others with python-chess.

        Raises:
            PathsDisagree: A game of the sample is read differently.
        """
        proven = fast.proven_table(self._options.proven)
        data = self._chunk.data
        chunk = self._chunk
        wanted = fast.Wanted(chunk.source, chunk.first_game) if self._options.rows else None
        compared = fast.compare(data, proven, strict=self._options.strict, wanted=wanted)
        starts = compared.texts.starts.tolist()
        read = compared.read.tolist()
        self._fast_rows = compared.rows
        self._check_sample(read, starts, compared.texts.bounds, fast.has_result(compared))
        left = set(range(len(starts) - 1)).difference(read)
        for i in sorted(left):
            self.take(i + 1, parts_of(data, starts[i], starts[i + 1]))
        self._packed = compared.seen
        bounds = compared.texts.bounds
        self._counts.update(
            {
                "games": len(read),
                f"games_{READ}": len(read),
                "games_without_result": len(read) - int(fast.has_result(compared)[read].sum()),
                "moves": int((bounds[compared.read + 1] - bounds[compared.read]).sum()),
            }
        )

    def _check_sample(
        self, read: list[int], starts: list[int], bounds: "Sequence[int]", ends: "Sequence[bool]"
    ) -> None:
        """Read some of the games that the fast path read once more, with python-chess."""
        data, options = self._chunk.data, self._options
        seed = hashlib.sha256(options.seed.to_bytes(8, "big") + data).digest()
        first = random.Random(seed).randrange(options.sample)
        moves_before = list(accumulate((bounds[i + 1] - bounds[i] for i in read), initial=0))
        for place in range(first, len(read), options.sample):
            i = read[place]
            game = parts_of(data, starts[i], starts[i + 1])
            again = self._read(game)
            if not (
                again.outcome == READ
                and len(again.played) == bounds[i + 1] - bounds[i]
                and all(p.reading is None and p.san in self._proven for p in again.played)
                and game.has_result == ends[i]
                and not (game.is_open or game.after_result or "FEN" in game.tags)
                and self._rows_agree(again, i + 1, moves_before[place])
            ):
                text = decoded(data[game.start : game.end])
                raise PathsDisagree(self._chunk.source, text)

    def _rows_agree(self, read: GameRead, number: int, begin: int) -> bool:
        """Whether the rows of a game are the same on both paths, if there are any."""
        if self._fast_rows is None:
            return True
        chunk = self._chunk
        expected = [
            row_of(played, chunk.source, chunk.first_game + number, ply)
            for ply, played in enumerate(read.played, start=1)
        ]
        found = self._fast_rows.slice(begin, len(expected)).to_pylist()
        return [row[:4] + row[5:] for row in expected] == [
            (*list(row.values())[:4], *list(row.values())[5:]) for row in found
        ]

    def result(self) -> ChunkResult:
        """What was found."""
        options = self._options
        counts = {name: count for name, count in sorted(self._counts.items()) if count}
        rows = b""
        if options.rows:
            rows = file_of(self._rows, options.rows, self._fast_rows)
        return ChunkResult(
            counts,
            self._seen,
            self._deviations(),
            self._refuting,
            rows,
            self._rewritten() if options.rewrite else b"",
            self._packed,
        )

    def _deviations(self) -> list[Deviating]:
        data = self._chunk.data
        places = lines_and_columns(data, [remark.start for remark in self._remarks])
        return [
            _placed(data, remark, line, column)
            for remark, (line, column) in zip(self._remarks, places, strict=True)
        ]

    def _rewritten(self) -> bytes:
        parts, at = [], 0
        for span, san in self._edits:
            parts += [self._chunk.data[at : span.start], san.encode("ascii")]
            at = span.end
        return b"".join([*parts, self._chunk.data[at:]])


def _placed(data: bytes, remark: Remark, line: int, column: int) -> Deviating:
    written = decoded(data[remark.start : remark.end])
    end_column = column + len(written.split("\n", 1)[0])
    return Deviating(
        remark.game,
        remark.ply,
        line,
        column,
        end_column,
        written[:LONGEST_WRITTEN],
        remark.canonical,
        remark.kind,
        remark.fen,
    )
