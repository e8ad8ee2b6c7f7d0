"""Games as text for the tests of the scan, and the two ways to read them."""

import random
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import chess
import chess.pgn

from sanproof.verify.scan.movetext import game_starts
from sanproof.verify.scan.results import ChunkResult, Options, Piece, proven_lines
from sanproof.verify.scan.scanning import scan_chunk


@cache
def options() -> Options:
    """Return options with the published strings."""
    return Options(proven_lines(), fast=find_spec("numba") is not None)


def piece(text: bytes) -> Piece:
    """Return a text as a source that is a piece of a chunk."""
    return Piece("some.pgn", text, game_starts(text))


def scanned(text: bytes, wanted: Options | None = None) -> ChunkResult:
    """Return what a scan finds in a text that is one chunk; both paths must find the same."""
    wanted, chunk = wanted or options(), [piece(text)]
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
    chosen = random.Random(seed)
    return tuple(_random_game(chosen, chosen.randrange(1, longest)) for _ in range(count))


def _random_game(chosen: random.Random, plies: int) -> str:
    board = chess.Board()
    for _ in range(plies):
        moves = list(board.legal_moves)
        if not moves:
            break
        lively = [m for m in moves if board.is_capture(m) or board.gives_check(m)]
        board.push(chosen.choice(lively if lively and chosen.random() < 0.3 else moves))
    return str(chess.pgn.Game.from_board(board)) + "\n\n"


FOLDER = Path(__file__).parent
CORPUS: Final = (FOLDER / "corpus.pgn").read_bytes()
FOUND, COUNTS, REWRITTEN = (
    FOLDER / name for name in ("corpus.csv", "corpus.json", "rewritten.pgn")
)
