"""Games as text for the tests of the scan, and the two ways to read them."""

import io
import random
from collections.abc import Iterable
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import chess
import chess.pgn

from sanproof.verify.scan.movetext import game_starts
from sanproof.verify.scan.results import Chunk, ChunkResult, Options, proven_lines
from sanproof.verify.scan.scanning import scan_chunk


@cache
def options() -> Options:
    """Return options with the published strings."""
    return Options(proven_lines(), fast=find_spec("numba") is not None)


def scanned(text: bytes, wanted: Options | None = None) -> ChunkResult:
    """Return what a scan finds in a text that is one chunk; both paths must find the same."""
    wanted = wanted or options()
    chunk = Chunk("some.pgn", text, game_starts(text))
    fast = scan_chunk(chunk, wanted)
    slow = scan_chunk(chunk, wanted._replace(fast=False))
    assert fast == slow
    return slow


def game(movetext: str, *, fen: str = "", **tags: str) -> str:
    """Return a game as text."""
    if fen:
        tags |= {"FEN": fen, "SetUp": "1"}
    lines = [f'[{name} "{value}"]' for name, value in {"Event": "test", **tags}.items()]
    return "\n".join([*lines, "", movetext, "", ""])


@cache
def random_games(seed: int, count: int, longest: int = 120) -> tuple[str, ...]:
    """Play random legal games, once in each process; python-chess writes them."""
    return tuple(_random_games(random.Random(seed), count, longest))


def _random_games(chosen: random.Random, count: int, longest: int) -> Iterable[str]:
    for _ in range(count):
        board = chess.Board()
        for _ in range(chosen.randrange(1, longest)):
            moves = list(board.legal_moves)
            if not moves:
                break
            lively = [m for m in moves if board.is_capture(m) or board.gives_check(m)]
            board.push(chosen.choice(lively if lively and chosen.random() < 0.3 else moves))
        yield str(chess.pgn.Game.from_board(board)) + "\n\n"


def python_chess_counts(text: str) -> dict[str, int]:
    """Count how often each string is played, by python-chess alone: its reader and its writer."""
    counts: dict[str, int] = {}
    file = io.StringIO(text)
    while (read := chess.pgn.read_game(file)) is not None:
        board = read.board()
        for move in read.mainline_moves():
            san = board.san(move)
            board.push(move)
            counts[san] = counts.get(san, 0) + 1
    return counts


FOLDER = Path(__file__).parent
CORPUS: Final = (FOLDER / "corpus.pgn").read_bytes()
FOUND, COUNTS, REWRITTEN = (
    FOLDER / name for name in ("corpus.csv", "corpus.json", "rewritten.pgn")
)
