"""The full suite: the core, then every string for each player who can play it.

A string is read and written, and so are texts near it. The positions are those of the published
games (``games.txt.xz``): the position before the move that a game shows. The games stand in order,
so one that begins like the last goes on from there. The suite is larger than one would hold in
memory, so it is made a line at a time.
"""

from collections.abc import Iterable, Iterator
from itertools import chain, islice
from pathlib import Path
from typing import Final, NamedTuple

import chess

from sanproof.proofs.kernel.files import GAMES, EvidenceError, read_bytes, text_of
from sanproof.proofs.rules.san import CASTLINGS, San, parse_san
from sanproof.reports.tables.rows import table
from sanproof.verify.conformance import sanproof_runner as runner
from sanproof.verify.conformance.suite import (
    Case,
    case_of,
    read_and_write,
    suite_lines,
)
from sanproof.verify.errors import Failure
from sanproof.verify.notation.reading import denoted
from sanproof.verify.notation.text import NotSan, read_text
from sanproof.verify.work.progress import Scale, progress_display

_KINDS: Final = {"K": "king", "Q": "queen", "R": "rook", "B": "bishop", "N": "knight"}
_SUFFIXES: Final = {
    "": [("superfluous-check", "+"), ("superfluous-mate", "#")],
    "+": [("missing-check", ""), ("check-as-mate", "#")],
    "#": [("missing-mate", ""), ("mate-as-check", "+")],
}
"""The wrong suffixes in place of each, with their names."""
MAX_WRONG: Final = 2
"""The number of near misses per string that must be rejected."""
NEAR_MISSES: Final = {
    "near-miss.origin": "No piece of the kind that stands there can make the move (FIDE 3.10.1).",
    "near-miss.kind": "No piece of this kind can make the move (FIDE 3.10.1).",
    "near-miss.castling": "Castling to this side is not legal here (FIDE 3.8.2).",
}
"""Texts that differ little from a legal move and denote none: their names, and why."""
MECHANISMS: Final = {
    name: (sort, words.split(), why)
    for name, sort, words, why in table(__package__, "mechanisms.txt", 4)
}
"""Mechanisms of texts: ``refused``, ``usual`` (as many programs read it) or ``spelling``.

Then how ``sanproof read`` explains or describes them, and the rule.
"""
WHY: Final = NEAR_MISSES | {name: why for name, (_, _, why) in MECHANISMS.items()}
"""The rule of each mechanism of a text."""
STRING: Final = "The text is how this move is written (PGN standard 8.2.3)."


class Line(NamedTuple):
    """A line of the published games: the moves to a position, the next one, and its string."""

    moves: tuple[str, ...]
    uci: str
    san: str


def published_lines(directory: Path) -> list[str]:
    """Return the lines of the published games; a Failure if the file cannot be read."""
    try:
        content = read_bytes(directory / GAMES)
        return text_of(GAMES, content).splitlines()
    except EvidenceError as error:
        raise Failure(f"{directory}: {error}.") from error


def read_line(text: str) -> Line:
    """Read a line of the published games, which numbers the ply of its string; or a Failure."""
    *moves, ply, san = text.split(" ")
    if not ply.isdecimal() or not 0 < int(ply) <= len(moves):
        raise Failure(f"This is no line of the published games: {text[:80]}.")
    shown = int(ply) - 1
    return Line(tuple(moves[:shown]), moves[shown], san)


def string_cases(lines: Iterable[tuple[Line, int]]) -> Iterator[list[Case]]:
    """Yield the cases of each line, as a list; a line comes with the index of its game.

    Raises:
        Failure: A move is illegal, or written otherwise.
    """
    board = chess.Board()
    for number, (line, game) in enumerate(lines):
        try:
            go_to(board, line.moves)
            move = board.parse_uci(line.uci)
        except ValueError as error:
            raise Failure(f"The game of {line.san}: {error}.") from error
        if board.san(move) != line.san:
            raise Failure(f"{line.uci} is not written {line.san} in {board.fen()}.")
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
    colour, san = "white" if board.turn else "black", parse_san(line.san)
    kind = "castling" if san.piece in CASTLINGS else _KINDS.get(san.piece, "pawn")
    case = case_of(
        id=f"string.{san}.{colour}.read",
        operation="read",
        demand="must",
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
    stem = case["id"].removesuffix("read")
    refused = (pair for pair in _near(san, move) if _is_refused(*pair, board))
    for number, (name, text) in enumerate(islice(refused, MAX_WRONG), 1):
        near = case | {"id": f"{stem}must-not.{number}", "class": "must not", "mechanism": name}
        del near["expected"]
        yield near | {"why": WHY[name], "san": text}
    spellings = list(_spellings(san, line.uci))
    name, text = spellings[turn % len(spellings)]
    why = WHY[name].replace("{canonical}", line.san)
    yield case | {"id": f"{stem}may", "class": "may", "mechanism": name, "why": why, "san": text}


def _is_refused(name: str, text: str, board: chess.Board) -> bool:
    """Check whether a text denotes no move; or, unless it is a near miss, several or no SAN."""
    written = read_text(text)
    if isinstance(written, NotSan):
        return name not in NEAR_MISSES
    number = len(denoted(written, board))
    return number == 0 if name in NEAR_MISSES else number > 1


def _near(san: San, move: chess.Move) -> Iterator[tuple[str, str]]:
    """Yield texts near a string that most positions refuse, each after its mechanism."""
    if san.piece in CASTLINGS:
        (other,) = {*CASTLINGS} - {san.piece}
        yield "near-miss.castling", other + san.suffix
        to = chess.square_name(move.to_square)
        yield from (("near-miss.kind", f"{kind}{to}{san.suffix}") for kind in "QRBN")
        return
    if san.promotion:
        yield "promotion.missing", str(san._replace(promotion=""))
    if san.piece and san.file and san.rank:
        yield "wrong.file-where-square-is-due", str(san._replace(rank=""))
        yield "wrong.rank-where-square-is-due", str(san._replace(file=""))
    elif san.piece and (san.file or san.rank):
        yield "wrong.less-than-needed", str(san._replace(file="", rank=""))
    if san.piece != "K":
        origin = chess.square_file(move.from_square)
        for step in range(1, 8):
            file = chess.FILE_NAMES[(origin + step) % 8]
            if san.piece or abs(ord(file) - ord(san.destination[0])) == 1:
                yield "near-miss.origin", str(san._replace(file=file, rank=""))
    for kind in "QRBNK":
        if kind != san.piece and not san.promotion:
            yield "near-miss.kind", str(san._replace(piece=kind, file="", rank=""))


def _spellings(san: San, uci: str) -> Iterator[tuple[str, str]]:
    """Yield texts that denote the move and are not how it is written, with their deviation."""
    for name, suffix in _SUFFIXES[san.suffix]:
        yield f"text.{name}", f"{san.bare}{suffix}"
    if san.piece in CASTLINGS:
        yield "text.zeros", str(san).replace("O", "0")
        return
    if san.promotion:
        yield "text.missing-equals", str(san).replace("=", "")
    if san.piece:
        name = "missing-x" if san.capture else "superfluous-x"
        yield f"text.{name}", str(san._replace(capture="" if san.capture else "x"))
    if san.piece and not san.file and not san.rank:
        yield "text.excess-square", str(san._replace(file=uci[0], rank=uci[1]))


def full_suite_lines(directory: Path) -> Iterator[str]:
    """Yield the lines of the full suite's file; progress is shown on standard error.

    The published games are in the directory. A Failure says what is wrong with those.
    """
    first = runner.load(str(directory / "conformance" / "core.json"))
    texts = published_lines(directory)
    games: dict[str, int] = {game: number for number, game in enumerate(first["games"])}
    indices = [games.setdefault(" ".join(read_line(text).moves), len(games)) for text in texts]

    def done(scale: Scale) -> str:
        return f"{scale.done:,.0f} of {len(texts):,} strings"

    with progress_display(len(texts), text=done) as display:
        display.begin("Writing the suite", 0)

        def lines() -> Iterator[tuple[Line, int]]:
            for text, game in zip(texts, indices, strict=True):
                yield read_line(text), game
                display.advance(1)

        cases: Iterator[Case] = chain(first["cases"], chain.from_iterable(string_cases(lines())))
        yield from suite_lines(first["version"], "full", games, cases)
