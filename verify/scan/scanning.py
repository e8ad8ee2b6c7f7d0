"""Scanning a chunk: a chunk in, a result out, and nothing else. Any executor can do it anywhere."""

import hashlib
import os
import sys
from bisect import bisect_left
from collections import Counter
from functools import lru_cache
from importlib.util import find_spec
from itertools import pairwise
from mmap import MAP_PRIVATE, PROT_READ, mmap
from operator import itemgetter
from sys import intern
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from sanproof.verify.errors import Failure, Unfinished, failure
from sanproof.verify.scan.addresses import EXTRA
from sanproof.verify.scan.borders import game_starts
from sanproof.verify.scan.chunks import (
    AFTER_RESULT,
    BAD_POSITION,
    LEFT_OUT,
    READ,
    TOO_LONG,
    VARIANT,
    Chunk,
    ChunkResult,
    FoundString,
    GameOutcome,
    Kinds,
    Occurrence,
    Options,
    RefutingMove,
    digest_of,
)
from sanproof.verify.scan.movetext import (
    ROSTER,
    Oddity,
    OddSpan,
    TextOfGame,
    decoded,
    excess_right,
    missing_tags,
    wrong_result,
)
from sanproof.verify.scan.movetext import read_game as parts_of
from sanproof.verify.scan.reading import (
    GameRead,
    PlayedText,
    kind_of,
    lines_and_columns,
    placed,
    read_game,
)
from sanproof.verify.scan.tables import Column, Row, columns_of, moves_file, utf_8, values_of
from sanproof.verify.scan.variations import UnreadText, read_variations
from sanproof.verify.scan.where import selects, tags_in

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from types import ModuleType

NEEDED: Final = ("llvmlite", "numba", "numpy", "pyarrow", "rust_pgn_reader_python_binding")
"""The packages that the fast path imports: the extra ``scan``."""
_LONGEST_REASON: Final = 200
_THREADS: Final = "OPENBLAS_NUM_THREADS"
_LIBRARIES_BYTES: Final = 640 << 20
"""The addresses that the fast path's libraries take; much less of it becomes memory."""
_SPARE: Final = 1 << 17
"""The deviations beyond those listed that may be kept until the first are known."""
_TAGS_BYTES: Final = 1 << 16
"""The bytes of a game that is too long in which its tags are searched."""
_REWRITTEN: Final = {
    *(Oddity.NO_BREAK_SPACE, Oddity.OTHER_RESULT, Oddity.JOINED_RESULT),
    *(Oddity.EVALUATION_SIGN, Oddity.CHECK_APART, Oddity.STRAY_PUNCTUATION),
}
"""Irregularities beside the moves, which rewritten games correct."""
_BEFORE_MARKS: Final = {b"", *(bytes([byte]) for byte in b" \t\r\n\v\f})")}
_NOT_READ: Final = {VARIANT, BAD_POSITION, TOO_LONG}


class Remark(NamedTuple):
    """A deviation, before its line is known; the place is in bytes of the chunk."""

    start: int
    end: int
    game: int
    ply: int
    canonical: str
    kind: str
    fen: str
    variation: int = 0


def check_packages(options: Options) -> None:
    """Check that what the options need is installed, before anything is read.

    Raises:
        Failure: Parquet is asked for and not installed.
    """
    if options.rows == "parquet" and find_spec("pyarrow") is None:
        raise Failure(f"Parquet needs pyarrow: {EXTRA}, or write --rows csv.")
    if options.fast and any(find_spec(name) is None for name in NEEDED):
        sys.stderr.write(
            f"The fast path is not installed ({EXTRA}): python-chess reads every game.\n"
        )


def scan_chunk(chunk: Chunk, options: Options) -> ChunkResult:
    """Scan a chunk.

    Raises:
        PathsDisagree: The fast path and python-chess read a game of the sample differently.
    """
    return _scan(chunk, options)._replace(digest=digest_of(chunk))


def scan_chunks(chunks: "Sequence[Chunk]", options: Options) -> list[ChunkResult]:
    """Scan several small chunks, which takes less together than one by one."""
    fast = fast_path() if options.fast and options.language in {"", "en"} else None
    if fast is None or options.rows:
        return [scan_chunk(chunk, options) for chunk in chunks]
    results = fast.results_of(chunks, options)
    return [r._replace(digest=digest_of(c)) for c, r in zip(chunks, results, strict=True)]


def _scan(chunk: Chunk, options: Options) -> ChunkResult:
    if chunk.part != "games":
        return _unread_part(chunk, options)
    fast = fast_path() if options.fast and options.language in {"", "en"} else None
    if fast is not None:
        scan: ChunkScan = fast.FastScan(chunk, options)
        return scan.result()
    scan = ChunkScan(chunk, options)
    borders = pairwise([*game_starts(chunk.data), len(chunk.data)])
    for number, (begin, end) in enumerate(borders, start=1):
        if not scan.is_empty(begin, end):
            scan.take(number, parts_of(chunk.data, begin, end))
    return scan.result()


def _unread_part(chunk: Chunk, options: Options) -> ChunkResult:
    """Count a part of a game that is too long, and name the game if it begins there."""
    counts, rows = {"lines": chunk.data.count(b"\n")}, []
    if chunk.part == "long":
        beginning = parts_of(chunk.data[:_TAGS_BYTES], 0, min(len(chunk.data), _TAGS_BYTES))
        is_wanted = not options.where or selects(options.where, beginning.tags)
        counts |= {"games": 1, f"games_{TOO_LONG if is_wanted else LEFT_OUT}": 1}
        counts |= {f"tag {n}": 1 for n in tags_in(options.where) if n in beginning.tags}
        if is_wanted:
            read = GameRead(TOO_LONG, [], reason="it is longer than 16 MiB")
            row = _row_of(1, beginning._replace(moves=[], left=0), read)
            more = values_of(beginning.tags, options.tags)
            rows = [row._replace(line=1, tags="\n".join(more))]
    rewritten, broken = (
        chunk.data if wanted else b"" for wanted in (options.rewrite, options.split)
    )
    return ChunkResult(counts, {}, [], [], rewritten=rewritten, games=rows, broken=broken)


@lru_cache(maxsize=1)
def fast_path() -> "ModuleType | None":
    """Return the fast path, if it is installed; a Failure if it is, and cannot be loaded."""
    is_free = _THREADS not in os.environ
    os.environ.setdefault(_THREADS, "1")  # each has memory, and none has work
    try:
        if find_spec(NEEDED[0]):
            _check_room()
        from sanproof.verify.scan import fast  # noqa: PLC0415 - takes long, and may not be there
    except ModuleNotFoundError:
        return None
    except ImportError as error:
        raise failure(
            f"The fast path cannot be loaded ({error}): {EXTRA} again, or scan with --no-fast.",
            error,
        ) from error
    finally:
        if is_free:
            del os.environ[_THREADS]
    return fast


def _check_room() -> None:
    """Check that the fast path's libraries can be loaded: some end the process if they cannot.

    Raises:
        Unfinished: There is not enough memory.
    """
    try:
        mmap(-1, _LIBRARIES_BYTES, MAP_PRIVATE, PROT_READ).close()
    except OSError as error:
        raise Unfinished(
            "There is not enough memory for the fast path: scan with --no-fast."
        ) from error


@lru_cache(maxsize=1)
def proven_set(lines: bytes) -> frozenset[str]:
    """Return the proven strings, one a line."""
    return frozenset(lines.decode("ascii").split())


class ChunkScan:
    """A chunk that is being scanned by python-chess."""

    def __init__(self, chunk: Chunk, options: Options) -> None:
        self.chunk = chunk
        self.options = options
        self.counts: Counter[str] = Counter()
        self.played = PlayedStrings()
        self.in_variations = PlayedStrings()
        self.remarks: list[Remark] = []
        self.refuting: list[RefutingMove] = []
        self.edits: list[tuple[int, int, str]] = []
        self.games: list[GameOutcome] = []  # with where they begin instead of their lines
        self.rows: list[Row] = []
        self.moves: Any = None  # more rows, as a table of Arrow's
        self.unlisted: Kinds = Counter()
        self.hits: list[FoundString] = []
        self._deviating: set[int] = set()  # the numbers of the games about which there are remarks
        self._ends_of: dict[int, tuple[int, int]] = {}  # where the games are that were read here
        self._proven = proven_set(options.proven)

    def remark(self, remark: Remark) -> None:
        """Note what deviates; of too much only the first in the text is kept, the rest counted."""
        self.remarks.append(remark)
        self._deviating.add(remark.game)
        if len(self.remarks) >= self.options.most + _SPARE:
            self.remarks.sort(key=itemgetter(0))
            rest = self.remarks[self.options.most :]
            self.unlisted.update((r.kind, r.variation > 0) for r in rest)
            del self.remarks[self.options.most :]

    def is_empty(self, begin: int, end: int) -> bool:
        """Check whether a game is a result alone, of which nothing is told, and count it if so."""
        options = self.options
        told = options.games or options.strict or options.where
        if told or self.chunk.data[begin:end].strip() != b"*":
            return False
        for name in ("games", f"games_{READ}", "games_without_moves"):
            self.counts[name] += 1
        return True

    def take(self, number: int, game: TextOfGame) -> None:
        """Read a game if it is wanted, and count it."""
        if self.options.where and not self.selects(game.tags):
            self.count_left_out(1)
        else:
            self.take_wanted(number, game)

    def take_wanted(self, number: int, game: TextOfGame) -> None:
        """Read a game that is wanted, and count it."""
        options = self.options
        read = read_game(game, self.chunk.data, options, fens=bool(options.rows))
        self._ends_of[number] = game.start, game.end
        self._count_game(game, read)
        if read.played and (variant := read.played[0].apart) not in {"", Oddity.NULL_MOVE.value}:
            self._count_variant(variant, read)
        if options.games or read.outcome != READ:
            row = _row_of(number, game, read)
            self.games.append(row._replace(tags="\n".join(values_of(game.tags, options.tags))))
        for ply, played in enumerate(read.played, start=1):
            self._take_move(number, ply, game, played)
        if read.outcome not in _NOT_READ:
            self._remark_odd(number, game, read)
            if options.variations:
                self._take_variations(number, game, read)
        if read.stop is not None:
            ply = len(read.played) + 1
            start, _, end = game.moves[ply - 1]
            self.remark(Remark(start, end, number, ply, "", kind_of(read.stop), read.fen))
        if game.after_result is not None:
            ply = len(game.moves) + 1
            self.remark(Remark(*game.after_result, number, ply, "", AFTER_RESULT, ""))

    def selects(self, tags: "Mapping[str, str]") -> bool:
        """Check whether a game is wanted, and count the tags that the expression names."""
        where = self.options.where
        self.counts.update(f"tag {name}" for name in tags_in(where) if name in tags)
        return selects(where, tags)

    def count_left_out(self, games: int) -> None:
        """Count games that are not wanted."""
        self.counts.update({"games": games, f"games_{LEFT_OUT}": games})

    def _remark_odd(self, number: int, game: TextOfGame, read: GameRead) -> None:
        """Name the irregularities beside the moves."""
        starts = [span.start for span in game.moves]
        data = self.chunk.data
        odd = game.odd + wrong_result(game, data, read.due)
        if read.drops_right:
            odd = odd + excess_right(game, data)
        if read.ended >= 0:
            start, _, end = game.moves[read.ended]
            odd = [*odd, (Oddity.AFTER_END, start, end, "")]
        if self.options.strict:
            odd = odd + missing_tags(data, game.start, game.end, game.tags)
        for kind, start, end, due in odd:
            if kind is Oddity.INDENTED_TAG and not self.options.strict:
                continue
            ply = bisect_left(starts, start) + 1
            fen = read.fen if kind is Oddity.WRONG_RESULT and read.due else ""
            self._take_odd((kind, start, end, due), number, ply, fen)

    def _take_odd(self, odd: OddSpan, number: int, ply: int, fen: str, variation: int = 0) -> None:
        """Name something odd, and write it as PGN has it."""
        kind, start, end, due = odd
        self.remark(Remark(start, end, number, ply, due, kind.value, fen, variation))
        if kind in _REWRITTEN and self.options.rewrite:
            is_joined = due and self.chunk.data[start - 1 : start] not in _BEFORE_MARKS
            self.edits.append((start, end, f" {due}" if is_joined else due or " "))

    def _count_game(self, game: TextOfGame, read: GameRead) -> None:
        null = Oddity.NULL_MOVE.value
        self.counts.update(
            {
                "games": 1,
                f"games_{read.outcome}": 1,
                "games_from_position": "FEN" in game.tags,
                "games_without_moves": not (game.moves or game.is_too_long),
                "games_without_result": not game.has_result,
                "moves": sum(not p.apart for p in read.played),
                "null_moves": sum(p.is_null for p in read.played),
                "moves_after_null_moves": sum(
                    p.apart == null and not p.is_null for p in read.played
                ),
                "move_texts_not_read": len(game.moves) - len(read.played) + game.left,
            }
        )

    def _count_variant(self, variant: str, read: GameRead) -> None:
        """Count a game of a variant of chess, apart from all else."""
        counted = [played for played in read.played if played.apart == variant]
        self.counts.update(
            {
                f"variant {variant} games": 1,
                f"variant {variant} moves": len(counted),
                f"variant {variant} moves_not_proven": sum(
                    played.san not in self._proven and not played.is_null for played in counted
                ),
            }
        )

    def _take_move(self, number: int, ply: int, game: TextOfGame, played: PlayedText) -> None:
        self._remark_move(number, ply, played)
        self.counts["deviating_moves"] += bool(played.kind)
        if played.apart:
            return
        self.played.take(played.san, number, ply)
        if played.san == self.options.find:
            self.hits.append(FoundString(number, ply, self.text_of(game.start, game.end)))
        if played.san not in self._proven:
            again = read_game(game, self.chunk.data, self.options, fens=True)
            fen = again.played[ply - 1].before
            self._refute(number, ply, game, played.san, fen)
        if self.options.rows:
            place = utf_8(self.chunk.source), self.chunk.first_game + number, ply
            tags = values_of(game.tags, self.options.tags)
            self.rows.append(
                (played.before, played.san, played.after, played.uci, *place, played.times, *tags)
            )

    def _take_variations(self, number: int, game: TextOfGame, read: GameRead) -> None:
        """Check the texts of a game's variations, and count them apart from what was played."""
        counts, last = self.counts, 0
        for variation, ply, found in read_variations(game, self.chunk.data, read, self.options):
            last = max(last, variation)
            if isinstance(found, UnreadText):
                counts["variation_texts_not_read"] += 1
                if found.kind:
                    place = found.span.start, found.span.full_end
                    kind, fen = found.kind, found.before
                    self.remark(Remark(*place, number, ply, "", kind, fen, variation))
                continue
            if not isinstance(found, PlayedText):
                self._take_odd(found, number, ply, "", variation)
                continue
            self._remark_move(number, ply, found, variation)
            counts["deviating_variation_moves"] += bool(found.kind)
            counts["variation_moves_apart" if found.apart else "variation_moves"] += 1
            if found.apart:
                continue
            self.in_variations.take(found.san, number, ply)
            if found.san not in self._proven:
                again = read_variations(game, self.chunk.data, read, self.options, fens=True)
                texts = (text.found for text in again)
                fens = {t.span: t.before for t in texts if isinstance(t, PlayedText)}
                self._refute(number, ply, game, found.san, fens[found.span])
        counts["variations"] += last

    def _remark_move(self, number: int, ply: int, played: PlayedText, variation: int = 0) -> None:
        """Name what deviates in the text of a move."""
        start, end, full_end = played.span
        place = start, full_end if self.options.strict else end, number, ply
        if played.is_null:
            null = Oddity.NULL_MOVE.value
            self.remark(Remark(*place, "", null, played.before, variation))
        if played.kind:
            due, kind, fen = played.san, intern(played.kind), played.before
            self.remark(Remark(*place, due, kind, fen, variation))
            if self.options.rewrite:
                self.edits.append((start, end, due))

    def _refute(self, number: int, ply: int, game: TextOfGame, san: str, fen: str) -> None:
        text = decoded(self.chunk.data[game.start : game.end])
        self.refuting.append(RefutingMove(san, number, ply, fen, text))

    def text_of(self, start: int, end: int) -> bytes:
        """Return the text of a game, with an empty line after it."""
        return self.chunk.data[start:end].strip() + b"\n\n"

    def ends_of_games(self) -> dict[int, tuple[int, int]]:
        """Return where the games that are wanted begin and end, by number."""
        return self._ends_of

    def broken_games(self) -> set[int]:
        """Return the numbers of the games that deviate anywhere, or were not read."""
        return self._deviating | {game.game for game in self.games if game.outcome != READ}

    def _split(self) -> tuple[bytes, bytes]:
        """Return the games that deviate nowhere, and the others."""
        broken, parts = self.broken_games(), ([b""], [b""])
        for number, ends in sorted(self.ends_of_games().items()):
            parts[number in broken].append(self.text_of(*ends))
        return b"".join(parts[0]), b"".join(parts[1])

    def result(self) -> ChunkResult:
        """Return what was found."""
        options, data = self.options, self.chunk.data
        self.counts["lines"] = data.count(b"\n")
        self.games.sort()
        lines = lines_and_columns(data, [game.line for game in self.games])
        rows = b""
        if options.rows:
            rows = moves_file(self.rows, options.rows, options.tags, self.moves)
        found = self._found()
        clean, broken = self._split() if options.split else (b"", b"")
        return ChunkResult(
            {name: count for name, count in sorted(self.counts.items()) if count},
            self.played.seen,
            found,
            self.refuting,
            rows,
            self._rewritten() if options.rewrite else b"",
            games=[
                game._replace(line=line) for game, (line, _) in zip(self.games, lines, strict=True)
            ],
            in_variations=self.in_variations.seen,
            unlisted=self.unlisted,
            hits=sorted(self.hits),
            clean=clean,
            broken=broken,
        )

    def columns(self) -> list[Column]:
        """Return the columns of all remarks, in the order of the text."""
        rows = sorted(self.remarks, key=itemgetter(0))
        values = list(zip(*rows, strict=True)) or [()] * len(Remark._fields)
        return columns_of(values, Remark.__annotations__.values())

    def placed(self, starts: "Sequence[int]", ends: "Sequence[int]") -> list[Column]:
        """Return the columns of the places of what deviates."""
        return placed(self.chunk.data, starts, ends)

    def _found(self) -> "Sequence[Column]":
        """Return the columns of what deviates and is listed; none if nothing is."""
        columns = self.columns()
        most = self.options.most
        if len(columns[0]) > most:
            kinds, variations = columns[5][most:], columns[7][most:]
            self.unlisted.update((k, v > 0) for k, v in zip(kinds, variations, strict=True))
            columns = [column[:most] for column in columns]
        starts, ends, games, plies, canonical, kinds, fens, variations = columns
        if not starts:
            return []
        places = self.placed(starts, ends)
        return [games, plies, *places, canonical, kinds, fens, variations]

    def _rewritten(self) -> bytes:
        parts, at = [], 0
        for start, end, text in sorted(self.edits):
            parts += [self.chunk.data[at:start], text.encode("ascii")]
            at = end
        return b"".join([*parts, self.chunk.data[at:]])


class PlayedStrings:
    """The strings of a chunk: how often each was played, and where first."""

    def __init__(self) -> None:
        self.seen: dict[str, Occurrence] = {}
        self._latest: dict[str, int] = {}

    def take(self, san: str, game: int, ply: int) -> None:
        """Count a string; the games that are taken come in order."""
        times, games, *first = self.seen.get(san, (0, 0, game, ply))
        if game < first[0]:  # the fast path found it in a later game
            first = [game, ply]
        is_new = self._latest.get(san) != game
        self._latest[san] = game
        self.seen[san] = (times + 1, games + is_new, first[0], first[1])


def _row_of(number: int, game: TextOfGame, read: GameRead) -> GameOutcome:
    """Return the row of a game that python-chess read, with its offset in place of its line."""
    moves = len(read.played)
    left = len(game.moves) - moves + game.left
    digest = ""
    if read.outcome not in _NOT_READ:
        moves_read = " ".join(played.san for played in read.played)
        digest = hash_of(f"{read.start} {moves_read}".lstrip())
    reason, tags = read.reason[:_LONGEST_REASON], values_of(game.tags, ROSTER)
    row: tuple[Any, ...] = game.start, read.outcome, reason, moves, left, *tags, digest
    return GameOutcome(number, *row)


@lru_cache(maxsize=1024)  # many games without a move share one hash
def hash_of(moves: str) -> str:
    """Return the hash of a game's moves."""
    return hashlib.sha256(moves.encode()).hexdigest()[:32]
