"""The fast path: usual games, their moves by the native reader, and their SAN by compiled loops.

The native reader (shakmaty) says which move a text denotes and that it is legal; from its boards
the compiled loops write the move and compare. A game counts as read when every text is exactly
what comes out, or deviates in a common way, and what comes out is one of the proven strings. All
other games are python-chess's.
"""

import hashlib
from array import array
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache, partial
from itertools import accumulate, pairwise
from typing import Any, Final, NamedTuple

import chess
import numpy as np
import pyarrow as pa
import rust_pgn_reader_python_binding as native
from numpy.typing import NDArray

from sanproof.proofs.games.machine_code import Loop
from sanproof.verify.notation.vocabulary import Deviation
from sanproof.verify.scan import reading
from sanproof.verify.scan.arrays import (
    HAS_RESULT,
    TABLE_BITS,
    USUAL,
    Int64,
    MatchArrays,
    Moves,
    Table,
    Texts,
)
from sanproof.verify.scan.borders import RESULTS, game_starts, has_text_before
from sanproof.verify.scan.chunks import (
    READ,
    Chunk,
    ChunkResult,
    FoundString,
    GameOutcome,
    Occurrence,
    Options,
    PathsDisagree,
)
from sanproof.verify.scan.movetext import MAX_TEXTS, ROSTER, Oddity, decoded, missing_tags, tags_of
from sanproof.verify.scan.movetext import read_game as parts_of
from sanproof.verify.scan.scanning import ChunkScan, PlayedStrings, Remark, hash_of
from sanproof.verify.scan.tables import MOVES, Column, TextColumn, utf_8, values_of

NEEDED_BY_LOOPS: Final = (
    *("sanproof.proofs.games.boards", "sanproof.proofs.games.compiled"),
    *("sanproof.proofs.rules.squares", "sanproof.verify.notation.vocabulary"),
    *("sanproof.verify.scan.arrays", "sanproof.verify.scan.borders"),
)
_loop: Final = partial(Loop, "sanproof.verify.scan.kernels", others=NEEDED_BY_LOOPS)
find_tags, read_usual, fill_table = map(_loop, ("find_tags", "read_usual", "fill_table"))
compare_games, leave_ended = map(_loop, ("compare_games", "leave_ended"))
count_games, count_times, write_fens = map(_loop, ("count_games", "count_times", "write_fens"))
_IS_ODD_BEGINNING: Final = np.zeros(256, dtype=np.bool_)
"""For each byte whether it may precede a tag on its line, or exclude the line from the text."""
_IS_ODD_BEGINNING[list(b" \t\r%\x1a\xef")] = True
_SQUARES: Final = pa.array(chess.SQUARE_NAMES)
_PROMOTED: Final = pa.array(["", "", "", "n", "b", "r", "q"])
"""UCI's letters of promotion pieces, after one place for no promotion."""
BATCH_MOVES: Final = 1 << 16
"""The moves that are compared at once. Their boards take some 5 MiB, and the next have the same
place in memory; those of a whole chunk take 45. Of fewer moves, the native reader's start is a
larger part of the work."""


class ProvenStrings(NamedTuple):
    """The proven strings, and a table that finds their numbers."""

    names: list[str]
    strings: pa.StringArray
    table: Table


class _Batch(NamedTuple):
    """Some of the chunk's games, as the native reader gives them."""

    moves: Moves
    read: Int64  # those of them, from 0, that were read from beginning to end
    games: Int64


@lru_cache(maxsize=1)
def proven_table(lines: bytes) -> ProvenStrings:
    """Return the table of the proven strings, one a line."""
    strings = lines.split()
    text = np.frombuffer(b" ".join(strings) + b" ", dtype=np.uint8)
    bounds = np.cumsum([0, *(len(string) + 1 for string in strings)])
    size = 1 << TABLE_BITS
    table = Table(np.zeros(size, dtype=np.uint64), np.zeros(size, dtype=np.int32))
    fill_table(text, bounds, table)
    names = [string.decode() for string in strings]
    return ProvenStrings(names, pa.array(names, pa.string()), table)


def find_games(data: bytes, parts: Sequence[int] = (0,)) -> Int64:
    """Do what :func:`verify.scan.borders.game_starts` does: faster, if all games begin with tags.

    The text has one part or more, which begin there, at borders of games. It is faster if no line
    looks odd: after one that may end in a result stand tags, nothing comes before a tag on its
    line, no empty line stands between two, and no tag is malformed.
    """
    text = np.frombuffer(b"%b\n\n" % data, dtype=np.uint8)
    ends = np.flatnonzero(text == ord("\n"))
    begins = np.append(0, ends[:-1] + 1)
    lasts = ends - (text[ends - 1] == ord("\r"))
    is_full = begins < lasts
    begins, ends, lasts = begins[is_full], ends[is_full], lasts[is_full]
    is_tag = np.zeros(len(begins), dtype=np.bool_)
    find_tags(text, begins, is_tag)
    last, before = text[lasts - 1], text[lasts - 2]
    is_result = (last == ord("*")) | (last <= ord(" ")) | (last >= 128)
    is_result |= (before == ord("-")) & (last != ord("O"))
    is_result |= (before == ord("/")) | (before >= 128)
    is_result |= (before == ord(":")) | ((before == ord(" ")) & (text[lasts - 3] == ord("-")))
    is_far = begins[1:] > ends[:-1] + 1
    is_odd = np.where(is_tag[1:], is_tag[:-1] & is_far, is_result[:-1])
    has_bracket = (text[begins] == ord("[")) & ~is_tag
    is_odd |= has_bracket[1:] & (is_tag[:-1] | (text[begins[1:] + 1] != ord("%")))
    found = begins[is_tag & ~np.append(False, is_tag[:-1])]
    is_odd = is_odd.any() or has_bracket[:1].any() or _IS_ODD_BEGINNING[text[begins]].any()
    if is_odd or (len(parts) > 1 and not {*parts[1:]} <= {*found.tolist()}):
        borders = pairwise([*parts, len(data)])
        starts = [begin + start for begin, end in borders for start in game_starts(data[begin:end])]
        return np.array(starts, dtype=np.int64)
    first = int(found[0]) if len(found) else len(data)
    return np.insert(found, 0, 0) if has_text_before(data, first) else found


def read_texts(data: bytes, parts: Sequence[int] = (0,)) -> Texts:
    """Return the move texts of the usual games of a chunk, or of several joined."""
    starts = np.append(find_games(data, parts), len(data))
    room = len(data) // 2 + 2
    texts = Texts(
        starts,
        np.empty(room, dtype=np.int32),
        np.empty(room, dtype=np.int32),
        np.zeros(len(starts), dtype=np.int64),
        np.zeros(len(starts) - 1, dtype=np.uint8),
        np.empty(2 * len(data) + 2, dtype=np.uint8),
        np.zeros(len(starts), dtype=np.int32),
    )
    read_usual(np.frombuffer(data, dtype=np.uint8), texts, _scratch())
    return texts


class FastScan(ChunkScan):
    """A chunk whose usual games are read here, and the others by python-chess.

    Raises:
        PathsDisagree: A game of the sample is read differently.
    """

    def __init__(self, chunk: Chunk, options: Options, texts: Texts | None = None) -> None:
        super().__init__(chunk, options)
        self._tags_of: dict[int, dict[str, str]] = {}
        self.strings = proven_table(options.proven)
        self.texts = read_texts(chunk.data) if texts is None else texts
        count = int(self.texts.bounds[-1])
        self.numbers = np.zeros(count, dtype=np.int32)  # the number of each move text's string
        self.deviating = np.zeros(count, dtype=np.int64)  # the bits of what deviates in it
        self.read = np.zeros(0, dtype=np.int64)  # the games, from 0, that were read here
        # Their listed deviations: the columns of Remark, but for the last.
        self.named = _no_columns()
        self._room = options.most  # the deviations that can still be listed
        self.is_left_out = np.zeros(len(self.texts.flags), dtype=np.bool_)

    def result(self) -> ChunkResult:
        """Read all games."""
        self.leave_games()
        self.compare()
        return self.whole_result()

    def whole_result(self) -> ChunkResult:
        """Read the games that were left, when the others are compared."""
        self._check_sample()
        data, options, read = self.chunk.data, self.options, self.read
        listed = len(self.named[0])
        self.counts["deviating_moves"] += listed + self.unlisted.total()
        if options.rewrite:
            columns = (self.named[at].tolist() for at in (0, 1, 4))
            for start, end, canonical in zip(*columns, strict=True):
                text = data[start:end].rstrip(b"!?")
                self.edits.append((start, start + len(text), canonical))
        for i in read.tolist() if options.strict else []:
            for kind, begin, stop, due in missing_tags(data, *self._ends(i), self._tags(i)):
                self.remark(Remark(begin, stop, i + 1, 1, due, kind.value, ""))
        self.count_left_out(int(self.is_left_out.sum()))
        is_left = ~self.is_left_out
        is_left[read] = False
        for i in np.flatnonzero(is_left).tolist():
            if not self.is_empty(*self._ends(i)):
                self.take_wanted(i + 1, parts_of(data, *self._ends(i)))
        if options.games:
            self.games += map(self._game_row, read.tolist())
        if options.find:
            self._find(options.find)
        bounds, flags = self.texts.bounds, self.texts.flags[read]
        self.counts.update(
            {
                "games": len(read),
                f"games_{READ}": len(read),
                "games_without_result": int((flags & HAS_RESULT == 0).sum()),
                "moves": int((bounds[read + 1] - bounds[read]).sum()),
            }
        )
        return super().result()

    def take_part(
        self, whole: "FastScan", base: int, first_game: int, seen: dict[str, Occurrence]
    ) -> None:
        """Take from what was compared of several chunks what is of this one.

        It begins there in them, with that game; these are its strings.
        """
        self.played.seen = seen
        last = first_game + len(self.texts.flags)
        at = int(whole.texts.bounds[first_game])
        end = at + int(self.texts.bounds[-1])
        self.numbers, self.deviating = whole.numbers[at:end], whole.deviating[at:end]
        begin, stop = np.searchsorted(whole.read, (first_game, last))
        self.read = whole.read[begin:stop] - first_game
        begin, stop = np.searchsorted(whole.named[2], (first_game + 1, last + 1))
        if begin < stop:
            self.named = [column[begin:stop] for column in whole.named]
            for column, less in ((0, base), (1, base), (2, first_game)):
                self.named[column] = self.named[column] - less
            self.named[4:] = map(pa.concat_arrays, ([c] for c in self.named[4:]))

    def _ends(self, game: int) -> tuple[int, int]:
        """Return where a game begins and ends."""
        begin, end = self.texts.starts[game : game + 2].tolist()
        return begin, end

    def _tags(self, game: int) -> dict[str, str]:
        """Return the tags of a game; they are kept, for they may be asked for again."""
        if game not in self._tags_of:
            self._tags_of[game] = tags_of(self.chunk.data, *self._ends(game))
        return self._tags_of[game]

    def leave_games(self) -> None:
        """Leave games that are not wanted or too long, and variations, which are not read here."""
        texts, options = self.texts, self.options
        texts.flags[np.diff(texts.bounds) > MAX_TEXTS] = 0
        if options.where:
            self.is_left_out[:] = [not self.selects(self._tags(i)) for i in range(len(texts.flags))]
            texts.flags[self.is_left_out] = 0
        if options.variations:
            text = np.frombuffer(self.chunk.data, dtype=np.uint8)
            places = np.flatnonzero(text == ord("("))
            texts.flags[np.searchsorted(texts.starts, places, side="right") - 1] = 0

    def compare(self) -> None:
        """Compare the usual games with how their moves are written."""
        texts, strings, options = self.texts, self.strings, self.options
        canonical = np.zeros(len(texts.flags), dtype=np.bool_)
        named = [self.named]
        if options.rows:
            self.moves = self._moves_table([()] * (7 + len(options.tags)))
        tables = [self.moves]
        for games in _batches(texts):
            batch = self._compare_batch(games)
            if batch is None:
                continue
            canonical[games[batch.read]] = True
            named.append(self._named(batch))
            if options.rows and len(batch.read):
                tables.append(self._rows(batch))
        self.named = joined(named)
        self.read = np.flatnonzero(canonical)
        sums = np.zeros((5, len(strings.names)), dtype=np.int32)
        count_games(texts.bounds, canonical, self.numbers, sums)
        played = np.flatnonzero(sums[0])
        names = map(strings.names.__getitem__, played.tolist())
        self.played.seen = dict(
            zip(names, zip(*sums[:4, played].tolist(), strict=True), strict=True)
        )
        if options.rows:
            self.moves = pa.concat_tables(tables)

    def _compare_batch(self, games: Int64) -> _Batch | None:
        """Compare some usual games; None if the native reader lost one."""
        texts = self.texts
        begin, end = texts.clean_bounds[games[0]], texts.clean_bounds[games[-1] + 1]
        clean = texts.clean[begin:end]
        bounds = np.append(texts.clean_bounds[games], end) - begin
        if (bounds[1:] == texts.clean_bounds[games + 1] - begin).all():
            array = _strings(clean, bounds)  # no other game has a text
        else:
            array = _strings(clean, texts.clean_bounds[games[0] : games[-1] + 2] - begin)
            array = array.take(pa.array(games - games[0]))
        (parsed,) = native.parse_games(pa.chunked_array([array]), num_threads=1).chunks
        if parsed.num_games != len(games):
            return None
        moves = Moves(
            parsed.move_offsets.astype(np.int64),
            parsed.boards.reshape(-1, 64),
            parsed.castling,
            parsed.en_passant,
            parsed.from_squares,
            parsed.to_squares,
            parsed.promotions,
            parsed.is_checkmate,
        )
        first = texts.bounds[games]
        canonical = parsed.valid & (np.diff(moves.bounds) == texts.bounds[games + 1] - first)
        text = np.frombuffer(self.chunk.data, dtype=np.uint8)
        found = MatchArrays(self.numbers, self.deviating, canonical)
        scratch, strict = _scratch(), self.options.strict
        compare_games(text, texts, first, moves, self.strings.table, found, strict, scratch)
        leave_ended(moves, canonical, scratch)
        is_draw = parsed.is_stalemate | parsed.is_insufficient.all(axis=1)
        for i in np.flatnonzero(canonical & (parsed.is_checkmate | is_draw)).tolist():
            canonical[i] = not self._is_contradicted(games[i], is_draw=is_draw[i])
        return _Batch(moves, np.flatnonzero(canonical), games)

    def _is_contradicted(self, game: int, *, is_draw: bool) -> bool:
        """Check whether a game may tell another result than its last position, a mate or draw."""
        texts, data = self.texts, self.chunk.data
        begin, end = texts.bounds[game], texts.bounds[game + 1]
        due = b"1/2-1/2" if is_draw else b"1-0" if (end - begin) % 2 else b"0-1"
        head = data[texts.starts[game] : texts.begins[begin]]
        tail = data[texts.finishes[end - 1] : texts.starts[game + 1]]
        others = (result for result in RESULTS[:3] if result != due)
        return any(result in tail or b'"%b"' % result in head for result in others)

    def _named(self, batch: _Batch) -> list[Any]:
        """Return the deviations of a batch that are listed, in order; the others are counted."""
        texts, numbers, deviating = self.texts, self.numbers, self.deviating
        begin, end = texts.bounds[batch.games[0]], texts.bounds[batch.games[-1] + 1]
        found = np.flatnonzero(deviating[begin:end]) + begin
        games = np.searchsorted(texts.bounds, found, side="right") - 1
        is_read = _mask(batch.games[batch.read], len(texts.flags))[games]
        found, games = found[is_read], games[is_read]
        if not len(found):
            return _no_columns()
        bits, times = np.unique(deviating[found[self._room :]], return_counts=True)
        for kind, count in zip(map(kind_of_bits, bits.tolist()), times.tolist(), strict=True):
            self.unlisted[kind, False] += count
        found, games = found[: self._room], games[: self._room]
        self._room -= len(found)
        plies = found - texts.bounds[games]
        ends = texts.finishes[found].astype(np.int64)
        if self.options.strict:
            ends = np.array([*map(self._text_end, ends.tolist())], dtype=np.int64)
        bits, numbered = np.unique(deviating[found], return_inverse=True)
        kinds = pa.array(map(kind_of_bits, bits.tolist()), pa.string())
        return [
            texts.begins[found].astype(np.int64),
            ends,
            games + 1,
            plies + 1,
            self.strings.strings.take(pa.array(numbers[found])),
            kinds.take(pa.array(numbered)),
            _fens(batch.moves, np.searchsorted(batch.games, games), plies),
        ]

    def _rows(self, batch: _Batch) -> pa.Table:
        """Return the table of the moves of a batch's games that were read."""
        from sanproof.verify.scan.arrow import joined_texts  # noqa: PLC0415 - takes long

        texts, moves, read, chunk = self.texts, batch.moves, batch.read, self.chunk
        games, bounds = batch.games[read], moves.bounds
        lengths = bounds[read + 1] - bounds[read]
        own = ranges(bounds[read], lengths)
        befores = ranges(np.cumsum(lengths + 1) - lengths - 1, lengths)
        fens = _fens(moves, np.repeat(read, lengths + 1), ranges(0 * read, lengths + 1))
        squares = (_SQUARES.take(pa.array(s[own])) for s in (moves.origins, moves.destinations))
        promoted = _PROMOTED.take(pa.array(moves.promotions[own] + 1))
        numbers = self.numbers[ranges(texts.bounds[games], lengths)]
        times = np.empty(len(own), dtype=np.int64)
        count_times(
            moves, np.repeat(read, lengths), ranges(0 * games + 1, lengths), times, _scratch()
        )
        values = (values_of(self._tags(i), self.options.tags) for i in games.tolist())
        each = pa.array(np.repeat(np.arange(len(games)), lengths))
        return self._moves_table(
            [
                fens.take(pa.array(befores)),
                self.strings.strings.take(pa.array(numbers)),
                fens.take(pa.array(befores + 1)),
                joined_texts([*squares, promoted]),
                np.repeat(chunk.first_game + games + 1, lengths),
                ranges(0 * games + 1, lengths),
                times,
                *(pa.array(c, pa.string()).take(each) for c in zip(*values, strict=True)),
            ]
        )

    def _moves_table(self, columns: Sequence[Any]) -> pa.Table:
        """Return a table of these columns, and the source after the first four."""
        from sanproof.verify.scan.arrow import table_of  # noqa: PLC0415 - takes long

        source = pa.repeat(pa.scalar(utf_8(self.chunk.source)), len(columns[0]))
        kinds = MOVES | dict.fromkeys(self.options.tags, str)
        return table_of(kinds, [*columns[:4], source, *columns[4:]])

    def _game_row(self, i: int) -> GameOutcome:
        """Return the row of a game that was read here, with its offset in place of its line."""
        begin, end = self.texts.bounds[i : i + 2].tolist()
        moves = " ".join(map(self.strings.names.__getitem__, self.numbers[begin:end]))
        tags, start = values_of(self._tags(i), ROSTER), int(self.texts.starts[i])
        more = "\n".join(values_of(self._tags(i), self.options.tags))
        row: tuple[Any, ...] = start, READ, "", end - begin, 0, *tags, hash_of(moves), more
        return GameOutcome(i + 1, *row)

    def _find(self, san: str) -> None:
        """Note where a string was played in the games that were read here."""
        texts = self.texts
        found = np.flatnonzero(self.numbers == self.strings.names.index(san))
        games = np.searchsorted(texts.bounds, found, side="right") - 1
        is_read = _mask(self.read, len(texts.flags))[games]
        for place, game in zip(found[is_read].tolist(), games[is_read].tolist(), strict=True):
            ply = place - int(texts.bounds[game]) + 1
            self.hits.append(FoundString(game + 1, ply, self.text_of(*self._ends(game))))

    def ends_of_games(self) -> dict[int, tuple[int, int]]:
        """Return where the games that are wanted begin and end, by number."""
        return super().ends_of_games() | {i + 1: self._ends(i) for i in self.read.tolist()}

    def broken_games(self) -> set[int]:
        """Return the numbers of the games that deviate anywhere, or were not read."""
        found = np.flatnonzero(self.deviating)
        games = np.searchsorted(self.texts.bounds, found, side="right") - 1
        is_read = _mask(self.read, len(self.texts.flags))
        return super().broken_games() | set((games[is_read[games]] + 1).tolist())

    def columns(self) -> list[Column]:
        """Return the columns of all that deviates."""
        if not (self.remarks or len(self.named[0])):
            return [()] * len(Remark._fields)
        return in_order([*self.named, self.named[0] * 0], self.remarks)

    def placed(self, starts: Sequence[int], ends: Sequence[int]) -> list[Column]:
        """Return the columns of the places of what deviates."""
        return placed(self.chunk.data, starts, ends)

    def _check_sample(self) -> None:
        """Read one in some games that were read here with python-chess too, and compare."""
        options, data, bounds = self.options, self.chunk.data, self.texts.bounds
        seed = hashlib.sha256(options.seed.to_bytes(8, "big") + data).digest()
        first = int.from_bytes(seed) % options.sample
        if first >= len(self.read):
            return
        lengths = bounds[self.read + 1] - bounds[self.read]
        befores = lengths.cumsum() - lengths
        for n in range(first, len(self.read), options.sample):
            i, before, length = (int(column[n]) for column in (self.read, befores, lengths))
            game = parts_of(data, *self._ends(i))
            asked = options._replace(fast=False, games=False, variations=False)
            slow = ChunkScan(self.chunk, asked)
            slow.take_wanted(i + 1, game)
            rows = []
            if options.rows:
                rows = [tuple(row.values()) for row in self.moves.slice(before, length).to_pylist()]
            agrees = slow.rows == rows and self._agrees(i, slow)
            if game.odd or "FEN" in game.tags or not agrees:
                text = decoded(data[game.start : game.end])
                raise PathsDisagree(self.chunk.source, text)

    def _agrees(self, i: int, slow: ChunkScan) -> bool:
        """Check whether in a game the same was found as python-chess found."""
        texts = self.texts
        begin, end = texts.bounds[i : i + 2].tolist()
        names = [self.strings.names[number] for number in self.numbers[begin:end]]
        bits = self.deviating[begin:end].tolist()
        counts = {
            "games": 1,
            f"games_{READ}": 1,
            "games_without_result": int(not texts.flags[i] & HAS_RESULT),
            "moves": end - begin,
            "deviating_moves": sum(map(bool, bits)),
        }
        strings = PlayedStrings()
        for ply, san in enumerate(names, start=1):
            strings.take(san, i + 1, ply)
        spans = zip(texts.begins[begin:end].tolist(), texts.finishes[begin:end], strict=True)
        found = [
            (start, self._text_end(int(stop)), ply, san, kind_of_bits(deviating))
            for ply, (deviating, san, (start, stop)) in enumerate(
                zip(bits, names, spans, strict=True), start=1
            )
            if deviating
        ]
        own = [r for r in slow.remarks if r.kind != Oddity.MISSING_TAG.value]
        of_game = slice(*(cut(self.named[2], i + 1) for cut in (bisect_left, bisect_right)))
        listed = zip(*(self.named[at][of_game].tolist() for at in (3, 6)), strict=True)
        return (
            slow.counts == Counter(counts)
            and slow.played.seen == strings.seen
            and [(r.start, r.end, r.ply, r.canonical, r.kind) for r in own] == found
            and set(listed) <= {(r.ply, r.fen) for r in own}
        )

    def _text_end(self, end: int) -> int:
        """Return where a move text ends: with its suffix annotation, if that deviates."""
        while self.options.strict and self.chunk.data[end : end + 1] in (b"!", b"?"):
            end += 1
        return end


def results_of(chunks: Sequence[Chunk], options: Options) -> Iterator[ChunkResult]:
    """Yield the results of small chunks, which are compared as one."""
    bases = [0, *accumulate(len(chunk.data) + 1 for chunk in chunks)]
    data = b"".join(chunk.data + b"\n" for chunk in chunks)
    texts = read_texts(data, bases[:-1])
    whole = FastScan(Chunk("", data), options._replace(most=len(data)), texts)
    firsts = np.searchsorted(texts.starts[:-1], bases).tolist()
    parts = []
    for chunk, base, (first, last) in zip(chunks, bases, pairwise(firsts), strict=False):
        at, end = texts.bounds[[first, last]].tolist()
        own = texts._replace(
            starts=np.append(texts.starts[first:last] - base, len(chunk.data)),
            begins=texts.begins[at:end] - base,
            finishes=texts.finishes[at:end] - base,
            bounds=texts.bounds[first : last + 1] - at,
            flags=texts.flags[first:last],  # the same memory: who leaves a game leaves it in both
        )
        parts.append(FastScan(chunk, options, own))
        parts[-1].leave_games()
    whole.compare()
    seen = _seen_in_parts(whole, firsts)
    for part, base, first, strings in zip(parts, bases, firsts, seen, strict=False):
        part.take_part(whole, base, first, strings)
        yield part.whole_result()


def _seen_in_parts(whole: FastScan, firsts: Sequence[int]) -> Iterator[dict[str, Occurrence]]:
    """Yield the strings of each part of what was compared; the parts begin with these games."""
    names, bounds, read = whole.strings.names, whole.texts.bounds, whole.read
    lengths = bounds[read + 1] - bounds[read]
    games, plies = np.repeat(read, lengths), ranges(0 * read + 1, lengths)
    parts = np.searchsorted(firsts, games, side="right") - 1
    keys = len(names) * parts + whole.numbers[ranges(bounds[read], lengths)]
    order = np.argsort(keys, kind="stable")
    keys, games, plies, parts = (column[order] for column in (keys, games, plies, parts))
    is_new = np.diff(keys, prepend=-1) != 0
    begins = np.flatnonzero(is_new)
    of_games = np.flatnonzero(is_new | (np.diff(games, prepend=-1) != 0))
    columns = (
        keys[begins] % len(names),
        np.diff(begins, append=len(keys)),
        np.diff(np.searchsorted(of_games, begins), append=len(of_games)),
        games[begins] - np.array(firsts)[parts[begins]] + 1,
        plies[begins],
    )
    numbers, *occurrences = (column.tolist() for column in columns)
    found = list(zip(map(names.__getitem__, numbers), zip(*occurrences, strict=True), strict=True))
    for begin, end in pairwise(np.searchsorted(parts[begins], range(len(firsts))).tolist()):
        yield dict(found[begin:end])


def _batches(texts: Texts) -> list[Int64]:
    """Return the usual games, in parts of some :data:`BATCH_MOVES` moves."""
    usual = np.flatnonzero(texts.flags & USUAL)
    if not len(usual):
        return []
    borders = np.flatnonzero(np.diff(texts.bounds[usual] // BATCH_MOVES)) + 1
    return np.split(usual, borders)


@cache
def kind_of_bits(bits: int) -> str:
    """Return the public names of deviations that are bits, in the order of all names."""
    return " ".join(name.value for i, name in enumerate(Deviation) if bits >> i & 1)


def _no_columns() -> list[Any]:
    """Return the columns of no deviation."""
    return [*[np.zeros(0, dtype=np.int64)] * 4, *[pa.array([], pa.string())] * 3]


def _mask(games: Int64, number: int) -> NDArray[np.bool_]:
    """Say of each of so many games whether it is one of these."""
    mask = np.zeros(number, dtype=np.bool_)
    mask[games] = True
    return mask


def _scratch() -> NDArray[np.uint8]:
    """Return room for a board, which a loop does not allocate."""
    return np.empty(64, dtype=np.uint8)


def _fens(moves: Moves, games: Int64, plies: Int64) -> pa.StringArray:
    """Return the FENs of positions of a batch, by their games and the moves before them."""
    text, ends = np.empty(96 * len(games), dtype=np.uint8), np.empty(len(games) + 1, dtype=np.int32)
    size = write_fens(moves, games, plies, text, ends, _scratch())
    return _strings(text[:size], ends)


def _strings(text: NDArray[np.uint8], ends: NDArray[np.int32]) -> pa.StringArray:
    return pa.StringArray.from_buffers(len(ends) - 1, pa.py_buffer(ends), pa.py_buffer(text))


def joined(parts: Sequence[Sequence[Any]]) -> list[Any]:
    """Return columns of NumPy's numbers and Arrow's texts, given in parts, as one each."""
    columns = zip(*parts, strict=True)
    return [
        np.concatenate(c) if isinstance(c[0], np.ndarray) else pa.concat_arrays(c) for c in columns
    ]


def in_order(named: Sequence[Any], remarks: Sequence[tuple[Any, ...]]) -> list[Column]:
    """Return such columns, and rows of the same fields, sorted by the first of these."""
    if remarks:
        theirs = [
            np.array(values, np.int64) if isinstance(ours, np.ndarray) else pa.array(values)
            for ours, values in zip(named, zip(*remarks, strict=True), strict=True)
        ]
        named = joined([named, theirs])
        order = np.argsort(named[0], kind="stable")
        named = [c[order] if isinstance(c, np.ndarray) else c.take(pa.array(order)) for c in named]
    return [numbers_of(c) if isinstance(c, np.ndarray) else _texts_of(c) for c in named]


def numbers_of(values: NDArray[np.int64]) -> "array[int]":
    """Return numbers of NumPy's as a column."""
    return array("q", np.ascontiguousarray(values, dtype=np.int64).tobytes())


def _texts_of(values: pa.StringArray) -> TextColumn:
    """Return texts of Arrow's, which are no part of another array, as a column."""
    if not len(values):
        return TextColumn.of([])
    _, ends, text = values.buffers()
    found = array("i", memoryview(ends)[: 4 * (len(values) + 1)].tobytes())
    return TextColumn(text.to_pybytes()[: found[-1]] if text else b"", found)


def placed(data: bytes, starts: Sequence[int], ends: Sequence[int]) -> list[Column]:
    """Do what :func:`verify.scan.reading.placed` does; by arithmetic, where all is ASCII."""
    text = np.frombuffer(data, dtype=np.uint8)
    begins = np.array(starts, dtype=np.int64)
    breaks = np.flatnonzero(text == ord("\n"))
    lines = np.searchsorted(breaks, begins)
    line_begins = np.append(0, breaks + 1)[lines]
    columns = begins - line_begins + 1
    wide = np.flatnonzero(text >= 128)
    line_ends = np.append(breaks, len(data))[lines]
    is_odd = np.searchsorted(wide, line_begins) < np.searchsorted(wide, line_ends)
    odd = reading.lines_and_columns(data, begins[is_odd].tolist())
    columns[is_odd] = [column for _, column in odd]
    lengths = np.array(ends, dtype=np.int64) - begins
    written = text[ranges(begins, lengths)]
    is_plain = (written < 128) & (written != ord("\n"))
    if lengths.max() > reading.LONGEST_WRITTEN or not is_plain.all():
        return reading.placed(data, starts, ends)
    bounds = np.append(0, np.cumsum(lengths)).astype(np.int32)
    texts = TextColumn(written.tobytes(), array("i", bounds.tobytes()))
    return [*map(numbers_of, (lines + 1, columns, columns + lengths)), texts]


def ranges(begins: NDArray[np.int64], lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the numbers from each begin on, as many as its length says, one after the other."""
    before = np.cumsum(lengths) - lengths
    found: NDArray[np.int64] = np.arange(int(lengths.sum())) + np.repeat(begins - before, lengths)
    return found
