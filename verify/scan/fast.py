"""The fast path: a compiled loop reads the games in which nothing deviates."""

import re
from functools import lru_cache
from typing import Final, NamedTuple

import chess
import numpy as np
from numpy.typing import NDArray

from sanproof.proofs.games.boards import INITIAL
from sanproof.verify.notation.position import FenError
from sanproof.verify.scan.borders import RESULTS
from sanproof.verify.scan.loops import (
    BREAKS_OFF,
    CASTLES,
    MIXER,
    TABLE_BITS,
    Games,
    Room,
    Strings,
    new_room,
    read_games,
)
from sanproof.verify.scan.movetext import ROSTER, WHOLE_TAG, tags_of
from sanproof.verify.scan.reading import OtherVariant, board_and_variant
from sanproof.verify.scan.results import Outcome
from sanproof.verify.scan.scanning import ChunkScan, NumberedGame

_RESULT_TAG: Final = rb'\[Result[ \t]++"(1-0|0-1|1/2-1/2|\*)"[ \t]*+\][ \t\r]*+\n'
_USUAL_TAGS: Final = re.compile(
    rb"[\r\n]*+(?:%(tag)b|(?!))*+(?:%(result)b(?:%(tag)b|(?!))*+)?(?!\[)"
    % {b"tag": rb"(?!\[Result\b)%b\n" % WHOLE_TAG, b"result": _RESULT_TAG}
)
"""The tags before the moves, none of them malformed, and one at most a result."""
_BEGINNING: Final = re.compile(rb"\[[ \t]*+(?:FEN|Variant(?! \"Standard\"))\b")
_PARTS: Final = re.compile(
    r"^(?:(O-O(-O)?)|([KQRBN]?)([a-h]?)([1-8]?)(x?)([a-h])([1-8])=?([QRBN]?))([+#]?)$", re.MULTILINE
)
_CODES: Final = {None: 0} | {text: code for code, text in enumerate(RESULTS, start=1)}
_CORNERS: Final = (chess.H1, chess.A1, chess.H8, chess.A8)
_MOST_QUIET: Final = 1 << 20
"""More quiet moves before a position no game has that is read here."""


class ProvenStrings(NamedTuple):
    """The proven strings, and what the loop needs to find and count them."""

    names: list[str]
    strings: Strings
    sums: NDArray[np.int32]
    room: Room


@lru_cache(maxsize=1)
def proven_strings(lines: bytes) -> ProvenStrings:
    """Return the proven strings, one a line, with the tables of the loop."""
    names = lines.decode("ascii").split()
    keys = np.array(lines.split(), "S8").view(np.uint64)
    slots = (keys * MIXER >> np.uint64(64 - TABLE_BITS)).astype(np.int64)
    table, values = np.zeros(1 << TABLE_BITS, np.uint64), np.zeros(1 << TABLE_BITS, np.int32)
    left = np.arange(len(keys))
    while len(left):  # each takes the first place that no other has
        free = left[table[slots[left]] == 0]
        table[slots[free]] = keys[free]
        left = left[table[slots[left]] != keys[left]]
        slots[left] = (slots[left] + 1) & ((1 << TABLE_BITS) - 1)
    values[slots] = np.arange(len(keys))
    parts = np.array([_parts_of(m) for m in _PARTS.finditer("\n".join(names))], np.int8)
    sums = np.zeros((5, len(names)), np.int32)
    return ProvenStrings(names, Strings(table, values, parts), sums, new_room())


def _parts_of(match: re.Match[str]) -> tuple[int, ...]:
    """Return the parts of a string, in the order of :data:`verify.scan.loops.KIND`."""
    castles, long, piece, file, rank, x, to_file, to_rank, promotion, suffix = match.groups("")
    ending = ord(suffix or "\0")
    if castles:
        return chess.KING, 0, -1, -1, CASTLES + bool(long), 0, ending
    kinds = "PNBRQK"
    to = chess.parse_square(to_file + to_rank)
    origin = "abcdefgh".find(file or "-"), "12345678".find(rank or "-")
    become = kinds.index(promotion) + 1 if promotion else 0
    return kinds.index(piece or "P") + 1, bool(x), *origin, to, become, ending


def read_usual(scan: ChunkScan, games: list[NumberedGame]) -> list[NumberedGame]:
    """Read the usual ones among games of a chunk, tell the scan what was found; the others."""
    options, data = scan.options, scan.chunk.data
    names, strings, sums, room = proven_strings(options.proven)
    found, starts = _games(scan, games)
    text = np.frombuffer(data or b"\n", np.uint8)
    must_end = options.rewrite  # otherwise the result is written
    read_games(text, found, strings, options.strict, must_end, sums, room)
    numbers = np.array([number for number, *_ in games], np.int32)
    played = np.flatnonzero(sums[0])
    first_games = numbers[sums[2, played] - 1]
    columns = (sums[0, played], sums[1, played], first_games, sums[3, played])
    rows = zip(*(column.tolist() for column in columns), strict=True)
    scan.played = dict(zip(map(names.__getitem__, played.tolist()), rows, strict=True))
    sums[:, played] = 0
    left = []
    bounds = found.bounds.tolist()
    moves = found.numbers.tolist() if options.games or options.find else []
    for i, (game, outcome) in enumerate(zip(games, found.outcomes.tolist(), strict=True)):
        if not outcome:
            left.append(game)
            continue
        if options.split:
            scan.ends_of[game[0]] = game[1:]
        if moves:
            sans = [names[number] for number in moves[bounds[i] : bounds[i + 1]]]
            scan.take_usual(game, sans, starts.get(i, ""))
    lengths = np.diff(found.bounds)
    scan.counts.update(
        {
            "games": len(games) - len(left),
            f"games_{Outcome.READ}": len(games) - len(left),
            "games_without_result": int((found.outcomes == BREAKS_OFF).sum()),
            "games_from_position": int(((found.first > 0) & (found.outcomes > 0)).sum()),
            "games_without_moves": int(((lengths == 0) & (found.outcomes > 0)).sum()),
            "moves": int(found.bounds[-1]),
        }
    )
    return left


def _games(scan: ChunkScan, games: list[NumberedGame]) -> tuple[Games, dict[int, str]]:
    """Return what the loop needs to know of games; and the FENs from which some begin."""
    options, data = scan.options, scan.chunk.data
    count, may_vary = len(games), _BEGINNING.search(data) is not None
    begins, first, told = [0] * count, [-1] * count, [0] * count
    ends = [end for *_, end in games]
    positions, fens = [[*INITIAL.tolist(), 1, 1, 1, 1, -1, 0, 0]], dict[int, str]()
    for i, (_, begin, end) in enumerate(games):
        head = _USUAL_TAGS.match(data, begin, end)
        if head is None or (options.variations and data.find(b"(", head.end(), end) >= 0):
            continue
        if options.strict and not ROSTER.keys() <= tags_of(data, begin, end).keys():
            continue
        begins[i], told[i], first[i] = head.end(), _CODES[head[1]], 0
        if may_vary and _BEGINNING.search(data, begin, head.end()):
            tags = tags_of(data, begin, end)
            board = _first_position(tags)
            if board is None:
                first[i] = -1
            elif "FEN" in tags:
                first[i] = len(positions)
                positions.append(_as_numbers(board))
                fens[i] = board.fen()
    given = (np.array(column, np.int32) for column in (begins, ends, first, told, positions))
    bounds, numbers = np.zeros(count + 1, np.int32), np.empty(len(data) // 2 + 2, np.int32)
    outcomes = np.zeros(count, np.uint8)
    found = Games(*given, outcomes, bounds, numbers)  # type: ignore[arg-type,call-arg]
    return found, fens


def _first_position(tags: dict[str, str]) -> chess.Board | None:
    """Return the position from which a game of chess begins; None to leave it."""
    try:
        board, variant, drops_right = board_and_variant(tags)
    except (FenError, OtherVariant):
        return None
    is_usual = not (variant or drops_right) and board.halfmove_clock < _MOST_QUIET
    return board if is_usual else None


def _as_numbers(board: chess.Board) -> list[int]:
    """Return a first position as the loop has it."""
    squares = [0] * 64
    for square, piece in board.piece_map().items():
        squares[square] = piece.piece_type + 6 * (not piece.color)
    rights = [bool(board.castling_rights & chess.BB_SQUARES[s]) for s in _CORNERS]
    passing = -1 if board.ep_square is None else board.ep_square
    return [*squares, *rights, passing, int(not board.turn), board.halfmove_clock]
