"""Scanning a chunk: a chunk in, a result out, and nothing else. Any executor can do it anywhere."""

import hashlib
import random
import sys
from bisect import bisect_left, bisect_right
from collections import Counter
from functools import lru_cache
from itertools import accumulate, pairwise
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from sanproof.verify.errors import Failure, failure
from sanproof.verify.scan.addresses import EXTRA
from sanproof.verify.scan.chunks import (
    AFTER_RESULT,
    BAD_POSITION,
    LEFT_OUT,
    READ,
    TOO_LONG,
    VARIANT,
    Chunk,
    ChunkResult,
    GameOutcome,
    Options,
    PathsDisagree,
    Refuting,
    Seen,
    digest_of,
    loaded,
)
from sanproof.verify.scan.columns import columns_of
from sanproof.verify.scan.movetext import (
    ROSTER,
    Oddity,
    TextOfGame,
    contradicted_result,
    decoded,
    games,
    missing_tags,
    tags_of,
)
from sanproof.verify.scan.movetext import read_game as parts_of
from sanproof.verify.scan.reading import (
    GameRead,
    How,
    Played,
    kind_of,
    placed,
    read_game,
)
from sanproof.verify.scan.rows import Row, file_of, row_of, values_of
from sanproof.verify.scan.variations import Unread, read_variations
from sanproof.verify.scan.where import selects

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from types import ModuleType

    from sanproof.verify.scan.columns import Column

NEEDED: Final = ("numba", "numpy", "pyarrow", "rust_pgn_reader_python_binding")
"""What the fast path imports: the extra ``scan``."""
_LONGEST_REASON: Final = 200
_TAGS_BYTES: Final = 1 << 16
"""In so much of a game that is too long its tags are searched."""
_REWRITTEN: Final = {Oddity.NO_BREAK_SPACE, Oddity.OTHER_RESULT}
"""What is odd beside the moves, and written otherwise in rewritten games."""


class Remark(NamedTuple):
    """What deviates, before its line is known; the place is in bytes of the chunk."""

    start: int
    end: int
    game: int
    ply: int
    canonical: str
    kind: str
    fen: str
    variation: int = 0


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
        return _unread_part(chunk, options)
    scan = _ChunkScan(chunk, options)
    fast = fast_path() if options.fast and options.language in {"", "en"} else None
    if fast is None:
        for number, game in enumerate(games(chunk.data), start=1):
            scan.take(number, game)
    else:
        scan.take_fast(fast)
    return scan.result()


def _unread_part(chunk: Chunk, options: Options) -> ChunkResult:
    """What is said of a part of a game that is too long: it is counted, and named if it begins."""
    counts, rows = {"lines": chunk.data.count(b"\n")}, []
    if chunk.part == "long":
        beginning = parts_of(chunk.data[:_TAGS_BYTES], 0, min(len(chunk.data), _TAGS_BYTES))
        is_wanted = not options.where or selects(options.where, beginning.tags)
        counts |= {"games": 1, f"games_{TOO_LONG if is_wanted else LEFT_OUT}": 1}
        if is_wanted:
            read = GameRead(TOO_LONG, [], reason="it is longer than 16 MiB")
            rows = [_row_of(1, 1, beginning._replace(moves=[], left=0), read)]
    rewritten = chunk.data if options.rewrite else b""
    return ChunkResult(counts, {}, [], [], rewritten=rewritten, games=rows)


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
        self._played = _Strings()
        self._in_variations = _Strings()
        self._remarks: list[Remark] = []
        self._refuting: list[Refuting] = []
        self._edits: list[tuple[int, int, str]] = []
        self._games: list[GameOutcome] = []
        self._lines = _LineCounter(chunk.data)
        self._rows: list[Row] = []
        self._fast_rows: Any = None
        self._named: Sequence[Any] = ()
        self._untold: Counter[tuple[str, bool]] = Counter()
        self._packed = b""
        self._proven = proven_set(options.proven)
        self._left_out: list[int] = []
        self._tags_of: dict[int, dict[str, str]] = {}

    def take(self, number: int, game: TextOfGame) -> None:
        """Read a game with python-chess, and count it; if it is wanted."""
        if self._options.where and not selects(self._options.where, game.tags):
            self._count_left_out(1)
            return
        read = self._read(game)
        self._count_game(game, read)
        if read.played and (variant := read.played[0].apart) not in {"", Oddity.NULL_MOVE.value}:
            self._count_variant(variant, read)
        if self._options.games or read.outcome != READ:
            self._games.append(_row_of(number, self._lines.at(game.start), game, read))
        for ply, played in enumerate(read.played, start=1):
            self._take_move(number, ply, game, played)
        self._remark_odd(number, game, read)
        if self._options.variations and read.outcome not in {VARIANT, BAD_POSITION}:
            self._take_variations(number, game, read)
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

    def _count_left_out(self, games: int) -> None:
        self._counts.update({"games": games, f"games_{LEFT_OUT}": games})

    def _remark_odd(self, number: int, game: TextOfGame, read: GameRead) -> None:
        """Name what is odd beside the moves, and null moves."""
        if read.outcome in {VARIANT, BAD_POSITION}:
            return
        starts = [span.start for span in game.moves]
        odd = game.odd
        if read.due:
            odd = odd + contradicted_result(game, self._chunk.data, read.due)
        if self._options.strict:
            odd = odd + missing_tags(self._chunk.data, game.start, game.end, game.tags)
        for kind, start, end, due in odd:
            if kind is Oddity.INDENTED_TAG and not self._options.strict:
                continue
            ply = bisect_left(starts, start) + 1
            fen = read.fen if kind is Oddity.WRONG_RESULT else ""
            self._remarks.append(Remark(start, end, number, ply, due, kind.value, fen))
            if kind in _REWRITTEN:
                self._edits.append((start, end, due or " "))

    def _read(self, game: TextOfGame) -> GameRead:
        options = self._options
        how = How(options.strict, bool(options.rows), options.language)
        return read_game(game, self._chunk.data, how)

    def _count_game(self, game: TextOfGame, read: GameRead) -> None:
        self._counts.update(
            {
                "games": 1,
                f"games_{read.outcome}": 1,
                "games_from_position": "FEN" in game.tags,
                "games_without_moves": not game.moves,
                "games_without_result": not game.has_result,
                "moves": sum(not played.apart for played in read.played),
                "null_moves": sum(played.is_null for played in read.played),
                "moves_after_null_moves": sum(
                    played.apart == Oddity.NULL_MOVE.value and not played.is_null
                    for played in read.played
                ),
                "move_texts_not_read": len(game.moves) - len(read.played) + game.left,
            }
        )

    def _count_variant(self, variant: str, read: GameRead) -> None:
        """Count a game of a variant of chess, apart from all else."""
        counted = [played for played in read.played if played.apart == variant]
        self._counts.update(
            {
                f"variant {variant} games": 1,
                f"variant {variant} moves": len(counted),
                f"variant {variant} moves_not_proven": sum(
                    played.san not in self._proven and not played.is_null for played in counted
                ),
            }
        )

    def _take_move(self, number: int, ply: int, game: TextOfGame, played: Played) -> None:
        self._remark_move(number, ply, played)
        self._counts["deviating_moves"] += bool(played.kind)
        if played.apart:
            return
        self._played.take(played.san, number, ply)
        if played.san not in self._proven:
            fens = How(fens=True, language=self._options.language)
            fen = read_game(game, self._chunk.data, fens).played[ply - 1].before
            self._refute(number, ply, game, played.san, fen)
        if self._options.rows:
            self._rows.append(self._move_row(played, number, ply, game.tags))

    def _move_row(self, played: Played, number: int, ply: int, tags: "Mapping[str, str]") -> Row:
        chunk, names = self._chunk, self._options.tags
        values = values_of(tags, names)
        return row_of(played, chunk.source, chunk.first_game + number, ply, values)

    def _take_variations(self, number: int, game: TextOfGame, read: GameRead) -> None:
        """Check the texts of a game's variations, and count them apart from what was played."""
        counts, how = self._counts, How(self._options.strict, language=self._options.language)
        last = 0
        for variation, ply, found in read_variations(game, self._chunk.data, read, how):
            last = max(last, variation)
            if isinstance(found, Unread):
                counts["variation_texts_not_read"] += 1
                if found.kind:
                    place = found.span.start, found.span.full_end
                    remark = Remark(*place, number, ply, "", found.kind, found.before, variation)
                    self._remarks.append(remark)
                continue
            self._remark_move(number, ply, found, variation)
            counts["deviating_variation_moves"] += bool(found.kind)
            counts["variation_moves_apart" if found.apart else "variation_moves"] += 1
            if found.apart:
                continue
            self._in_variations.take(found.san, number, ply)
            if found.san not in self._proven:
                again = read_variations(game, self._chunk.data, read, how._replace(fens=True))
                fens = {text.found.span: text.found for text in again}
                self._refute(number, ply, game, found.san, fens[found.span].before)
        counts["variations"] += last

    def _remark_move(self, number: int, ply: int, played: Played, variation: int = 0) -> None:
        """Name what deviates in the text of a move."""
        span = played.span
        end = span.full_end if self._options.strict else span.end
        if played.is_null:
            kind = Oddity.NULL_MOVE.value
            remark = Remark(span.start, end, number, ply, "", kind, played.before, variation)
            self._remarks.append(remark)
        if played.kind:
            due, kind, fen = played.san, played.kind, played.before
            self._remarks.append(Remark(span.start, end, number, ply, due, kind, fen, variation))
            self._edits.append((span.start, span.end, played.san))

    def _refute(self, number: int, ply: int, game: TextOfGame, san: str, fen: str) -> None:
        text = decoded(self._chunk.data[game.start : game.end])
        self._refuting.append(Refuting(san, number, ply, fen, text))

    def take_fast(self, fast: "ModuleType") -> None:
        """Read the games that are usual on the fast path, and the others with python-chess.

        Raises:
            PathsDisagree: A game of the sample is read differently.
        """
        proven = fast.proven_table(self._options.proven)
        data = self._chunk.data
        chunk, options = self._chunk, self._options
        wanted = fast.Wanted(chunk.source, chunk.first_game, options.tags, self._tags)
        seed = hashlib.sha256(options.seed.to_bytes(8, "big") + data).digest()
        first = random.Random(seed).randrange(options.sample)
        compared = fast.compare(
            data,
            proven,
            strict=options.strict,
            wanted=wanted if options.rows else None,
            leave=self._left_by(fast) if options.variations or options.where else None,
            told=fast.Told(options.most, first, options.sample),
        )
        starts = compared.texts.starts.tolist()
        read = compared.read.tolist()
        self._fast_rows = compared.rows
        self._take_named(compared)
        if options.strict:
            self._remark_missing_tags(read, starts)
        sample = range(first, len(read), options.sample)
        self._check_sample(sample, read, starts, compared.texts.bounds, fast.has_result(compared))
        left = set(range(len(starts) - 1)).difference(read, self._left_out)
        self._count_left_out(len(self._left_out))
        for i in sorted(left):
            self.take(i + 1, parts_of(data, starts[i], starts[i + 1]))
        if self._options.games:
            self._take_rows(compared, read, starts)
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

    def _left_by(self, fast: "ModuleType") -> "Callable[[Sequence[int]], list[int]]":
        """Which games the fast path leaves, though it could read them."""
        options = self._options

        def left(starts: "Sequence[int]") -> list[int]:
            found = fast.with_parentheses(self._chunk.data, starts) if options.variations else []
            if options.where:
                ends = pairwise(map(int, starts))
                wanted = [selects(options.where, self._tags(*each)) for each in ends]
                self._left_out = [i for i, is_wanted in enumerate(wanted) if not is_wanted]
            return [*found, *self._left_out]

        return left

    def _tags(self, start: int, end: int) -> dict[str, str]:
        """The tags of a game; kept, for they may be asked for again."""
        if start not in self._tags_of:
            self._tags_of[start] = tags_of(self._chunk.data, start, end)
        return self._tags_of[start]

    def _take_named(self, compared: Any) -> None:  # noqa: ANN401 - of the fast path
        """Take in what deviates in the games that the fast path read."""
        data, named = self._chunk.data, compared.named
        self._named = [*named, named.start * 0]
        self._untold.update({(kind, False): times for kind, times in compared.untold.items()})
        self._counts["deviating_moves"] += len(named.start) + compared.untold.total()
        if self._options.rewrite:
            columns = (column.tolist() for column in (named.start, named.end, named.canonical))
            for start, end, canonical in zip(*columns, strict=True):
                written = data[start:end].rstrip(b"!?")
                self._edits.append((start, start + len(written), canonical))

    def _remark_missing_tags(self, read: list[int], starts: list[int]) -> None:
        """Name the tags that are missing in the games that the fast path read."""
        for i in read:
            start, end = starts[i], starts[i + 1]
            odd = missing_tags(self._chunk.data, start, end, self._tags(start, end))
            for kind, begin, stop, due in odd:
                self._remarks.append(Remark(begin, stop, i + 1, 1, due, kind.value, ""))

    def _take_rows(self, compared: Any, read: list[int], starts: list[int]) -> None:  # noqa: ANN401 - of the fast path
        """Make the rows of the games that the fast path read."""
        texts, lines = compared.texts, _LineCounter(self._chunk.data)
        strings = self._options.proven.decode("ascii").split()
        for i in read:
            part = slice(texts.bounds[i], texts.bounds[i + 1])
            moves = int(texts.bounds[i + 1] - texts.bounds[i])
            tags = self._tags(starts[i], starts[i + 1])
            line = lines.at(starts[i])
            hash_of = _hash_of(" ".join(strings[number] for number in compared.numbers[part]))
            self._games.append(
                GameOutcome(i + 1, line, READ, "", moves, 0, *_roster(tags), hash_of)
            )
        self._games.sort()

    def _check_sample(
        self,
        sample: range,
        read: list[int],
        starts: list[int],
        bounds: "Sequence[int]",
        ends: "Sequence[bool]",
    ) -> None:
        """Read some of the games that the fast path read once more, with python-chess."""
        data = self._chunk.data
        moves_before = list(accumulate((bounds[i + 1] - bounds[i] for i in read), initial=0))
        for place in sample:
            i = read[place]
            game = parts_of(data, starts[i], starts[i + 1])
            again = self._read(game)
            if not (
                again.outcome == READ
                and len(again.played) == bounds[i + 1] - bounds[i]
                and all(p.san in self._proven for p in again.played)
                and self._names_agree(again, i + 1)
                and not (again.due and contradicted_result(game, data, again.due))
                and game.has_result == ends[i]
                and not (game.odd or "FEN" in game.tags or any(p.is_null for p in again.played))
                and self._rows_agree(again, i + 1, moves_before[place], game.tags)
            ):
                text = decoded(data[game.start : game.end])
                raise PathsDisagree(self._chunk.source, text)

    def _names_agree(self, read: GameRead, number: int) -> bool:
        """Whether what deviates in a game is the same on both paths."""
        strict = self._options.strict
        expected = [
            (
                *(played.span.start, played.span.full_end if strict else played.span.end),
                *(number, ply, played.san, played.kind, played.before, 0),
            )
            for ply, played in enumerate(read.played, start=1)
            if played.kind
        ]
        games = self._named[2]
        part = slice(bisect_left(games, number), bisect_right(games, number))
        found = (column[part].tolist() for column in self._named)
        return expected == list(zip(*found, strict=True))

    def _rows_agree(
        self, read: GameRead, number: int, begin: int, tags: "Mapping[str, str]"
    ) -> bool:
        """Whether the rows of a game are the same on both paths, if there are any."""
        if self._fast_rows is None:
            return True
        expected = [
            self._move_row(played, number, ply, tags)
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
            rows = file_of(self._rows, options.rows, options.tags, self._fast_rows)
        return ChunkResult(
            counts,
            self._played.seen,
            self._found(),
            self._refuting,
            rows,
            self._rewritten() if options.rewrite else b"",
            self._packed,
            games=self._games,
            in_variations=sorted(self._in_variations.seen.items()),
            untold=sorted(self._untold.items()),
        )

    def _found(self) -> "Sequence[Column]":
        """The columns of what deviates and is told; none if nothing is."""
        most = self._options.most
        if self._named:
            from sanproof.verify.scan import found  # noqa: PLC0415 - with what the fast path needs

            columns, place = found.in_order(self._named, self._remarks), found.placed
        else:
            rows = sorted(self._remarks, key=itemgetter(0))
            values = list(zip(*rows, strict=True)) or [()] * len(Remark._fields)
            columns, place = columns_of(values, Remark.__annotations__.values()), placed
        if most is not None and len(columns[0]) > most:
            pairs = zip(columns[5][most:], columns[7][most:], strict=True)
            self._untold.update((kind, variation > 0) for kind, variation in pairs)
            columns = [column[:most] for column in columns]
        starts, ends, games, plies, canonical, kinds, fens, variations = columns
        if not starts:
            return []
        places = place(self._chunk.data, starts, ends)
        return [games, plies, *places, canonical, kinds, fens, variations]

    def _rewritten(self) -> bytes:
        parts, at = [], 0
        for start, end, text in sorted(self._edits):
            parts += [self._chunk.data[at:start], text.encode("ascii")]
            at = end
        return b"".join([*parts, self._chunk.data[at:]])


class _Strings:
    """How often each string stands in a chunk, and where first."""

    def __init__(self) -> None:
        self.seen: dict[str, Seen] = {}
        self._latest: dict[str, int] = {}

    def take(self, san: str, game: int, ply: int) -> None:
        """Count a string; games come in order."""
        before = self.seen.get(san, Seen(0, 0, game, ply))
        is_new = self._latest.get(san) != game
        self._latest[san] = game
        self.seen[san] = before._replace(times=before.times + 1, games=before.games + is_new)


class _LineCounter:
    """The lines of ascending offsets."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0
        self._line = 1

    def at(self, offset: int) -> int:
        """The line of an offset, from 1."""
        self._line += self._data.count(b"\n", self._at, offset)
        self._at = offset
        return self._line


def _row_of(number: int, line: int, game: TextOfGame, read: GameRead) -> GameOutcome:
    """The row of a game that python-chess read, or nobody."""
    moves = len(read.played)
    left = len(game.moves) - moves + game.left
    reason = read.reason[:_LONGEST_REASON]
    hash_of = ""
    if read.outcome not in {VARIANT, BAD_POSITION, TOO_LONG}:
        moves_read = " ".join(played.san for played in read.played)
        hash_of = _hash_of(f"{read.start} {moves_read}".lstrip())
    tags = _roster(game.tags)
    return GameOutcome(number, line, read.outcome, reason, moves, left, *tags, hash_of)


def _roster(tags: "Mapping[str, str]") -> tuple[str, str, str, str, str, str, str]:
    """The values of the Seven Tag Roster."""
    event, site, date, round_, white, black, result = values_of(tags, ROSTER)
    return event, site, date, round_, white, black, result


@lru_cache(maxsize=1024)  # many games without a move share one hash
def _hash_of(moves: str) -> str:
    return hashlib.sha256(moves.encode()).hexdigest()[:32]
