"""The full suite: the further cases, then every string for each player who can play it.

A string is read and written, and so are texts near it. The positions are those of the published
games (``games.txt.xz``): the position before the move that a game shows. The games stand in order,
so one that begins like the last goes on from there. The suite is larger than one would hold in
memory, so it is made a line at a time.
"""

import lzma
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Final, NamedTuple

import chess

from sanproof.proofs.kernel.files import GAMES, EvidenceError, read_bytes, text_of
from sanproof.reports.tables.rows import table
from sanproof.verify.conformance.suite import (
    Case,
    Demand,
    Operation,
    Suite,
    read_and_write,
    read_suite,
    suite_lines,
)
from sanproof.verify.notation.reading import denoted
from sanproof.verify.notation.text import NotSan, read_text
from sanproof.verify.work.progress import Scale, progress_display

FURTHER: Final = Path(__file__).with_name("further.json.xz")
"""The full suite without the strings, which `nox -s harden -- suite` writes."""
_PARTS: Final = re.compile(
    r"(?P<piece>[KQRBN]?)(?P<file>[a-h]?)(?P<rank>[1-8]?)(?P<x>x?)(?P<to>[a-h][1-8])"
    r"(?P<promotion>(?:=[QRBN])?)(?P<suffix>[+#]?)"
)
_KINDS: Final = {
    "K": "king",
    "Q": "queen",
    "R": "rook",
    "B": "bishop",
    "N": "knight",
    "O": "castling",
}
MAX_WRONG: Final = 2
"""How many near misses that must be rejected are taken for a string."""
NEAR_MISSES: Final = {
    "near-miss.origin": "No piece of the kind that stands there can make the move (FIDE 3.10.1).",
    "near-miss.kind": "No piece of this kind can make the move (FIDE 3.10.1).",
    "near-miss.castling": "Castling to this side is not legal here (FIDE 3.8.2).",
}
"""Texts that differ little from a legal move and denote none: their names, and why."""
WHY: Final = NEAR_MISSES | {
    name: why for name, _, _, why in table(__package__, "mechanisms.txt", 4)
}
"""The rule of each mechanism of a text."""
STRING: Final = "The text is how this move is written (PGN standard 8.2.3)."


class Line(NamedTuple):
    """A line of the published games: the moves to a position, the next one, and its string."""

    moves: tuple[str, ...]
    uci: str
    san: str


class LineError(ValueError):
    """The published games do not say what they should; the message names the line."""


class Parts(NamedTuple):
    """The parts of a string."""

    piece: str
    file: str
    rank: str
    x: str
    to: str
    promotion: str
    suffix: str


def published_lines(directory: Path) -> list[str]:
    """Return the lines of the published games; a LineError if the file cannot be read."""
    try:
        content = read_bytes(directory / GAMES)
        return text_of(GAMES, content).splitlines()
    except EvidenceError as error:
        raise LineError(f"{directory}: {error}") from error


def read_line(text: str) -> Line:
    """Read a line of the published games, which numbers the ply of its string; or a LineError."""
    *moves, ply, san = text.split(" ")
    if not ply.isdecimal() or not 0 < int(ply) <= len(moves):
        raise LineError(f"this is no line of the published games: {text[:80]}")
    shown = int(ply) - 1
    return Line(tuple(moves[:shown]), moves[shown], san)


def string_cases(lines: Iterable[tuple[Line, int]]) -> Iterator[list[Case]]:
    """Yield the cases of each line, as a list; a line comes with the index of its game.

    Raises:
        LineError: A move is illegal, or written otherwise.
    """
    board = chess.Board()
    for number, (line, game) in enumerate(lines):
        try:
            go_to(board, line.moves)
            move = board.parse_uci(line.uci)
        except ValueError as error:
            raise LineError(f"the game of {line.san}: {error}") from error
        if board.san(move) != line.san:
            raise LineError(f"{line.uci} is not written {line.san} in {board.fen()}")
        yield list(_cases(board, move, line, game, number))


def go_to(board: chess.Board, moves: tuple[str, ...]) -> None:
    """Bring a board to the end of a game from the one it is in; a ValueError if it cannot go on."""
    stack = board.move_stack
    same = 0
    while same < min(len(stack), len(moves)) and stack[same].uci() == moves[same]:
        same += 1
    while len(board.move_stack) > same:
        board.pop()
    for uci in moves[same:]:
        board.push(board.parse_uci(uci))


def _cases(
    board: chess.Board, move: chess.Move, line: Line, game: int, turn: int
) -> Iterator[Case]:
    """Yield the cases of a string: it is read and written; near texts and a spelling are read."""
    colour = "white" if board.turn else "black"
    kind = _KINDS.get(line.san[0], "pawn")
    case = Case(
        id=f"string.{line.san}.{colour}.read",
        operation=Operation.READ,
        demand=Demand.MUST,
        mechanism=f"string.{kind}",
        colour=colour,
        why=STRING,
        fen=board.fen(),
        asked=line.san,
        expected=line.uci,
        game=game,
        plies=len(line.moves),
    )
    yield from read_and_write(case, line.san)
    stem = case.id.removesuffix("read")
    for number, (name, text) in enumerate(_wrong(board, move, line.san), 1):
        near = replace(
            case, id=f"{stem}must-not.{number}", mechanism=name, why=WHY[name], asked=text
        )
        yield replace(near, demand=Demand.MUST_NOT, expected=None)
    spellings = list(_spellings(line.san, line.uci))
    name, text = spellings[turn % len(spellings)]
    why = WHY[name].replace("{canonical}", line.san)
    near = replace(case, id=f"{stem}may", mechanism=name, why=why, asked=text)
    yield replace(near, demand=Demand.MAY)


def parts_of(san: str) -> Parts | None:
    """Return the parts of a string; None for castling."""
    match = _PARTS.fullmatch(san)
    return None if match is None else Parts(*match.groups())


def _wrong(board: chess.Board, move: chess.Move, san: str) -> Iterator[tuple[str, str]]:
    """Yield a few texts close to the string that denote no move, or more than one."""
    found = 0
    for name, text in _near(san, move):
        if found < MAX_WRONG and _is_refused(text, board, ambiguous=name not in NEAR_MISSES):
            found += 1
            yield name, text


def _is_refused(text: str, board: chess.Board, *, ambiguous: bool) -> bool:
    """Check whether a text denotes several moves (or is no SAN); or, if not so asked, none."""
    written = read_text(text)
    if isinstance(written, NotSan):
        return ambiguous
    number = len(denoted(written, board))
    return number > 1 if ambiguous else number == 0


def _near(san: str, move: chess.Move) -> Iterator[tuple[str, str]]:
    """Yield texts near a string, with the mechanism of each if it is refused."""
    parts = parts_of(san)
    if parts is None:
        suffix = san.lstrip("O-")
        other = "O-O" if san.startswith("O-O-O") else "O-O-O"
        yield "near-miss.castling", other + suffix
        to = chess.square_name(move.to_square)
        yield from (("near-miss.kind", f"{kind}{to}{suffix}") for kind in "QRBN")
        return
    if parts.promotion:
        yield "promotion.missing", _text(parts._replace(promotion=""))
    if parts.piece and parts.file and parts.rank:
        yield "wrong.file-where-square-is-due", _text(parts._replace(rank=""))
        yield "wrong.rank-where-square-is-due", _text(parts._replace(file=""))
    elif parts.piece and (parts.file or parts.rank):
        yield "wrong.less-than-needed", _text(parts._replace(file="", rank=""))
    if parts.piece != "K":
        origin = chess.square_file(move.from_square)
        for step in range(1, 8):
            file = chess.FILE_NAMES[(origin + step) % 8]
            if parts.piece or abs(ord(file) - ord(parts.to[0])) == 1:
                yield "near-miss.origin", _text(parts._replace(file=file, rank=""))
    for kind in "QRBNK":
        if kind != parts.piece and not parts.promotion:
            yield "near-miss.kind", _text(parts._replace(piece=kind, file="", rank=""))


def _spellings(san: str, uci: str) -> Iterator[tuple[str, str]]:
    """Yield texts that denote the move and are not how it is written, with their deviation."""
    parts = parts_of(san)
    bare = san.rstrip("+#")
    suffix = san[len(bare) :]
    if suffix == "":
        yield "text.superfluous-check", f"{bare}+"
        yield "text.superfluous-mate", f"{bare}#"
    elif suffix == "+":
        yield "text.missing-check", bare
        yield "text.check-as-mate", f"{bare}#"
    else:
        yield "text.missing-mate", bare
        yield "text.mate-as-check", f"{bare}+"
    if parts is None:
        yield "text.zeros", san.replace("O", "0")
        return
    if parts.promotion:
        yield "text.missing-equals", san.replace("=", "")
    if parts.piece and parts.x:
        yield "text.missing-x", _text(parts._replace(x=""))
    if parts.piece and not parts.x:
        yield "text.superfluous-x", _text(parts._replace(x="x"))
    if parts.piece and not parts.file and not parts.rank:
        yield "text.excess-square", _text(parts._replace(file=uci[0], rank=uci[1]))


def _text(parts: Parts) -> str:
    return "".join(parts)


@cache
def further_suite() -> Suite:
    """Return the full suite without the strings: the core, and more of the same kind."""
    return read_suite(lzma.decompress(FURTHER.read_bytes()), FURTHER.name)


def full_suite_lines(directory: Path) -> Iterator[str]:
    """Yield the lines of the full suite's file; progress is shown on standard error.

    The published games are in the directory. A LineError says what is wrong with those.
    """
    first = further_suite()
    texts = published_lines(directory)
    games: dict[str, int] = {game: number for number, game in enumerate(first.games)}
    indices = [games.setdefault(" ".join(read_line(text).moves), len(games)) for text in texts]

    def done(scale: Scale) -> str:
        return f"{scale.done:,.0f} of {len(texts):,} strings"

    with progress_display(len(texts), text=done) as display:
        display.begin("Writing the suite", 0)

        def lines() -> Iterator[tuple[Line, int]]:
            for text, game in zip(texts, indices, strict=True):
                yield read_line(text), game
                display.advance(1)

        cases: Iterator[Case] = chain(first.cases, chain.from_iterable(string_cases(lines())))
        yield from suite_lines(first.version, first.level, games, cases)
