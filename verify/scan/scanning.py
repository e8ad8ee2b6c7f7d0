"""Scanning a chunk: a chunk in, a result out, and nothing else. Any executor can do it anywhere."""

import hashlib
import os
import sys
from bisect import bisect_left
from collections import Counter
from functools import lru_cache
from importlib.util import find_spec
from itertools import pairwise
from operator import itemgetter
from typing import TYPE_CHECKING, Final, NamedTuple

import chess

from sanproof.verify.errors import Failure
from sanproof.verify.notation.reading import ReadingVerdict
from sanproof.verify.scan.borders import game_starts
from sanproof.verify.scan.chunks import (
    AFTER_RESULT,
    BAD_POSITION,
    LEFT_OUT,
    READ,
    TOO_LONG,
    UNCLOSED,
    VARIANT,
    Chunk,
    ChunkResult,
    DeviatingMove,
    FoundString,
    GameOutcome,
    Kinds,
    Occurrence,
    Options,
    RefutingMove,
)
from sanproof.verify.scan.movetext import (
    ROSTER,
    Oddity,
    OddSpan,
    TextOfGame,
    decoded,
    excess_right,
    missing_tags,
    result_missing,
    tags_of,
    wrong_result,
)
from sanproof.verify.scan.movetext import read_game as parts_of
from sanproof.verify.scan.reading import (
    LONGEST_WRITTEN,
    GameRead,
    MoveText,
    lines_and_columns,
    proven_set,
    read_game,
)
from sanproof.verify.scan.sources import EXTRA
from sanproof.verify.scan.tables import Row, moves_file, utf_8, values_of
from sanproof.verify.scan.variations import read_variations
from sanproof.verify.scan.where import selects

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from types import ModuleType

NEEDED: Final = ("numba", "numpy")
"""The packages that the fast path imports: the extra ``scan``."""
_LONGEST_REASON: Final = 200
_SPARE: Final = 1 << 17
"""The deviations beyond those listed that may be kept until the first are known."""
_REWRITTEN: Final = {
    *(Oddity.NO_BREAK_SPACE, Oddity.OTHER_RESULT, Oddity.JOINED_RESULT),
    *(Oddity.EVALUATION_SIGN, Oddity.DIAGRAM_SIGN),
    *(Oddity.CHECK_APART, Oddity.STRAY_PUNCTUATION),
}
"""Irregularities beside the moves, which rewritten games correct."""
_BEFORE_MARKS: Final = {b"", *(bytes([byte]) for byte in b' \t\r\n\v\f})"')}
_ENDS_READING: Final = {AFTER_RESULT, "ambiguous", "illegal", "not-san"}
_NOT_READ: Final = {VARIANT, BAD_POSITION, TOO_LONG}


def ends_reading(kind: str, variation: int) -> bool:
    """Check whether a deviation of this kind is the end of what was read of a game."""
    return not variation and kind.partition(" ")[0] in _ENDS_READING


NumberedGame = tuple[int, int, int]
"""The number of a game in its chunk, from 1, and where it begins and ends."""


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


FAST_FROM_BYTES: Final = 1 << 20
"""Below this size python-chess is done before the fast path is loaded."""


def suited(options: Options, size: int | None) -> Options:
    """Return the options without the fast path if it takes longer to load, or is not installed.

    Raises:
        Failure: Parquet is asked for and not installed.
    """
    if options.rows == "parquet" and find_spec("pyarrow") is None:
        raise Failure("Parquet needs pyarrow: pip install 'sanproof[parquet]', or --rows csv.")
    if not options.fast or (size is not None and size < FAST_FROM_BYTES):
        return options._replace(fast=False)
    if any(find_spec(name) is None for name in NEEDED):
        sys.stderr.write(
            f"The fast path is not installed ({EXTRA}): python-chess reads every game.\n"
        )
    return options


def scan_chunk(chunk: Chunk, options: Options) -> ChunkResult:
    """Scan a chunk."""
    scan = ChunkScan(chunk, options)
    starts = game_starts(chunk.data)
    games = [(n, *ends) for n, ends in enumerate(pairwise([*starts, len(chunk.data)]), start=1)]
    if options.where:
        wanted = [g for g in games if selects(options.where, tags_of(chunk.data, *g[1:]))]
        left = len(games) - len(wanted)
        scan.counts.update({"games": left, f"games_{LEFT_OUT}": left})
        games = wanted
    is_english = options.language in {"", "en"}
    if options.fast and is_english and not options.rows and (fast := fast_path()):
        games = fast.read_usual(scan, games)
    for number, begin, end in games:
        scan.take_wanted(number, parts_of(chunk.data, begin, end))
    return scan.result()


@lru_cache(maxsize=1)
def fast_path() -> "ModuleType | None":
    """Return the fast path, if it is installed and numba may compile."""
    if os.environ.get("NUMBA_DISABLE_JIT", "0") != "0":
        return None  # loops that are not compiled take longer than python-chess
    try:
        from sanproof.verify.scan import fast  # noqa: PLC0415 - takes long, and may not be there
    except ModuleNotFoundError:
        return None
    return fast


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
        self.unlisted: Kinds = Counter()
        self.hits: list[FoundString] = []
        self.deviating: set[int] = set()  # the numbers of the games about which there are remarks
        self.ends_of: dict[int, tuple[int, int]] = {}  # where the games are that were read
        self._proven = proven_set(options.proven)
        self._most = options.most + _SPARE

    def remark(self, remark: Remark) -> None:
        """Note what deviates; of too much only the first in the text is kept, the rest counted."""
        self.remarks.append(remark)
        self.deviating.add(remark.game)
        if len(self.remarks) >= self._most:
            self.drop_unlisted()
            self._most = len(self.remarks) + _SPARE

    def drop_unlisted(self) -> None:
        """Count the deviations beyond those listed, but keep all that end the reading of a game."""
        self.remarks.sort(key=itemgetter(0))
        rest = self.remarks[self.options.most :]
        del self.remarks[self.options.most :]
        for r in rest:
            if ends_reading(r.kind, r.variation):
                self.remarks.append(r)
            else:
                self.unlisted[r.kind, r.variation > 0] += 1

    def take_usual(self, game: NumberedGame, moves: list[str], fen: str) -> None:
        """Take a game in which nothing deviates, and its first position if that is another."""
        number, begin, end = game
        options, text = self.options, self.text_of(begin, end)
        plies = [ply for ply, san in enumerate(moves, start=1) if san == options.find]
        self.hits += [FoundString(number, ply, text) for ply in plies]
        if options.games:
            start = "" if fen == chess.STARTING_FEN else fen
            self._note_game(number, begin, tags_of(self.chunk.data, begin, end), moves, start)

    def _note_game(
        self,
        number: int,
        begin: int,
        tags: "Mapping[str, str]",
        moves: "Sequence[str]",
        start: str,
        outcome: str = READ,
        reason: str = "",
        left: int = 0,
        place: tuple[int, int] | None = None,
    ) -> None:
        """Note the row of a game, with the offset at which it begins in place of its line."""
        digest = "" if outcome in _NOT_READ else hash_of(f"{start} {' '.join(moves)}".lstrip())
        more = "\n".join(values_of(tags, self.options.tags))
        row = (number, begin, outcome, reason[:_LONGEST_REASON], len(moves), left)
        self.games.append(GameOutcome._make((*row, *values_of(tags, ROSTER), digest, more, place)))

    def take_wanted(self, number: int, game: TextOfGame) -> None:
        """Read a game that is wanted, and count it."""
        options = self.options
        read = read_game(game, self.chunk.data, options, fens=bool(options.rows))
        self.ends_of[number] = game.start, game.end
        self._count_game(game, read)
        if read.played and (variant := read.played[0].apart) not in {"", Oddity.NULL_MOVE.value}:
            self._count_variant(variant, read)
        if options.games or read.outcome != READ:
            place = (game.opened, 0) if read.outcome == UNCLOSED else None
            moves = [text.san for text in read.played]
            told = read.outcome, read.reason, len(game.moves) - len(moves) + game.left, place
            self._note_game(number, game.start, game.tags, moves, read.start, *told)
        for text in read.played:
            self._take_text(number, game, text)
        if read.outcome not in _NOT_READ:
            self._remark_odd(number, game, read)
            if options.variations:
                self._take_variations(number, game, read)
            if options.rewrite and not (game.has_result or game.is_open):
                self.edits.append(result_missing(game, self.chunk.data))
        if read.stop:
            ply = len(read.played) + 1
            start, _, end = game.moves[ply - 1]
            self.remark(Remark(start, end, number, ply, "", read.reason, read.fen))
        if game.after_result is not None:
            ply = len(game.moves) + 1
            self.remark(Remark(*game.after_result, number, ply, "", AFTER_RESULT, ""))

    def _remark_odd(self, number: int, game: TextOfGame, read: GameRead) -> None:
        """Name the irregularities beside the moves."""
        starts = [span.start for span in game.moves]
        data = self.chunk.data
        odd = game.odd + wrong_result(game, data, read.due)
        if read.drops_right:
            odd = odd + excess_right(game, data)
        is_word = read.stop and read.reason == ReadingVerdict.NOT_SAN.value
        if read.ended >= 0 and not (is_word and read.ended == len(read.played)):
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
                "games_from_position": int("FEN" in game.tags),
                "games_without_moves": int(not (game.moves or game.is_too_long)),
                "games_without_result": int(not game.has_result),
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

    def _take_text(self, number: int, game: TextOfGame, text: MoveText) -> None:
        """Count a text of a game or a variation, and name what deviates in it."""
        self._remark_text(number, text)
        options, counts, variation = self.options, self.counts, text.variation
        if not text.uci:
            counts["variation_texts_not_read"] += 1
            return
        counts["deviating_variation_moves" if variation else "deviating_moves"] += bool(text.kind)
        if variation:
            counts["variation_moves_apart" if text.apart else "variation_moves"] += 1
        if text.apart:
            return
        (self.in_variations if variation else self.played).take(text.san, number, text.ply)
        if text.san not in self._proven:
            self.refuting.append(RefutingMove(text.san, number, text.before))
        if variation:
            return
        if text.san == options.find:
            self.hits.append(FoundString(number, text.ply, self.text_of(game.start, game.end)))
        if options.rows:
            move = text.before, text.san, text.after, text.uci
            place_of_row = utf_8(self.chunk.source), self.chunk.first_game + number, text.ply
            self.rows.append(
                (*move, *place_of_row, text.times, *values_of(game.tags, options.tags))
            )

    def _remark_text(self, number: int, text: MoveText) -> None:
        start, end, full_end = text.span
        whole = self.options.strict or not text.uci
        place = start, full_end if whole else end, number, text.ply
        if text.is_null:
            null = Oddity.NULL_MOVE.value
            self.remark(Remark(*place, "", null, text.before, text.variation))
        if text.kind:
            self.remark(Remark(*place, text.san, text.kind, text.before, text.variation))
            if self.options.rewrite and text.uci:
                self.edits.append((start, end, text.san))

    def _take_variations(self, number: int, game: TextOfGame, read: GameRead) -> None:
        """Check the texts of a game's variations, and count them apart from what was played."""
        last = 0
        found = read_variations(game, self.chunk.data, read, self.options)
        for variation, ply, text in found:
            last = max(last, variation)
            if isinstance(text, MoveText):
                self._take_text(number, game, text)
            else:
                self._take_odd(text, number, ply, "", variation)
        self.counts["variations"] += last

    def text_of(self, start: int, end: int) -> bytes:
        """Return the text of a game, with an empty line after it."""
        return self.chunk.data[start:end].strip() + b"\n\n"

    def _split(self) -> tuple[bytes, bytes]:
        """Return the games that deviate nowhere, and the others."""
        broken = self.deviating | {game.game for game in self.games if game.outcome != READ}
        parts = ([b""], [b""])
        for number, ends in sorted(self.ends_of.items()):
            parts[number in broken].append(self.text_of(*ends))
        return b"".join(parts[0]), b"".join(parts[1])

    def result(self) -> ChunkResult:
        """Return what was found."""
        options, data = self.options, self.chunk.data
        self.counts["lines"] = data.count(b"\n")
        self.games.sort(key=itemgetter(0))
        rows = moves_file(self.rows, options.rows, options.tags) if options.rows else b""
        clean, broken = self._split() if options.split else (b"", b"")
        return ChunkResult(
            {name: count for name, count in sorted(self.counts.items()) if count},
            self.played.seen,
            self._found(),
            self.refuting,
            rows,
            sorted(self.edits),
            games=self._placed_games(),
            in_variations=self.in_variations.seen,
            unlisted=self.unlisted,
            hits=sorted(self.hits),
            clean=clean,
            broken=broken,
        )

    def _placed_games(self) -> list[GameOutcome]:
        """Return the rows of games with lines instead of offsets."""
        lines = lines_and_columns(self.chunk.data, [game.line for game in self.games])
        games = [g._replace(line=line) for g, (line, _) in zip(self.games, lines, strict=True)]
        opened = {n: game.place[0] for n, game in enumerate(games) if game.place}
        places = lines_and_columns(self.chunk.data, list(opened.values()))
        for n, place in zip(opened, places, strict=True):
            games[n] = games[n]._replace(place=place)
        return games

    def _found(self) -> list[DeviatingMove]:
        """Return what deviates and is listed, in the order of the text."""
        self.drop_unlisted()
        found = []
        places = lines_and_columns(self.chunk.data, [r.start for r in self.remarks])
        for r, (line, column) in zip(self.remarks, places, strict=True):
            text = decoded(self.chunk.data[r.start : r.end])
            after = column + len(text.split("\n", 1)[0])
            place = r.game, r.ply, line, column, after
            written = text[:LONGEST_WRITTEN]
            found.append(DeviatingMove(*place, written, r.canonical, r.kind, r.fen, r.variation))
        self.remarks = []
        return found


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


@lru_cache(maxsize=1024)  # many games without a move share one hash
def hash_of(moves: str) -> str:
    """Return the hash of a game's moves."""
    return hashlib.sha256(moves.encode()).hexdigest()[:32]
