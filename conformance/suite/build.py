"""Builds the core of the suite, and what the full suite has besides of the same kind.

Everything is derived from ``known.txt`` and the table of broken input: the same code makes the
same bytes. Expected answers come from :mod:`verify.notation` and python-chess; a source that is no
case of its mechanism is an error.
"""

import csv
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal

import chess

from conformance.suite.mechanisms import MECHANISMS
from conformance.suite.pgn import PGNS, pgn_of
from conformance.suite.recognise import wrong_with
from conformance.suite.recognise_positions import PLAYED
from conformance.suite.sources import SourcePosition, position, sources
from sanproof.reports.tables.rows import RowError, table
from sanproof.verify.conformance.suite import (
    Case,
    Suite,
    case_of,
    read_and_write,
    suite_of,
    with_games,
)
from sanproof.verify.notation.reading import judge

VERSION: Final = "2.5.0"
"""The version of the suite. New cases raise the second number; a changed answer the first."""

CUSTOMS: Final[dict[str, Literal["fen", "xfen", "legal"]]] = {
    "always": "fen",
    "pseudo-legal": "xfen",
    "legal": "legal",
}
"""The customs for the en passant square, and what python-chess calls them."""

SQUARE_NAMED: Final = frozenset(
    {
        "moves.illegal-in-passing",
        *(
            f"en-passant.{n}"
            for n in ("idle", "rank", "diagonal-pin", "file-pin", "not-by-piece", "around-edge")
        ),
    }
)
"""Mechanisms whose FEN names the en passant square though no capture there is legal."""

MOVES: Final = "All legal moves of the position, as they are written (PGN standard 8.2.3)."


REPORTS: Final = Path(__file__).parents[2] / "docs" / "tables" / "reports.csv"
"""Public reports of errors in SAN: each names the cases that catch it, or says why no case can."""


def public_reports() -> list[dict[str, str]]:
    """Return the rows of the table of public reports."""
    with REPORTS.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@cache
def core_suite() -> Suite:
    """Return the suite that a project copies into its repository."""
    return _suite("core")


@cache
def further_suite() -> Suite:
    """Return the core, and what the full suite adds of the same kind; not yet the strings."""
    return _suite("full")


def _suite(level: str) -> Suite:
    games: dict[str, int] = {}
    found = [case for of, case in _numbered(games) if level in {of, "full"}]
    placed, texts = with_games(found, list(games))
    cases = {case["id"]: case for case in (*placed, *broken_cases())}
    if len(cases) < len(placed) + len(broken_cases()):
        raise RowError("two cases have the same id")
    for report in public_reports():
        for name in report["cases"].split():
            if name not in cases:
                raise RowError(f"{report['report']} names a case that is not there: {name}")
            cases[name].setdefault("reports", []).append(report["report"])
    return suite_of(VERSION, level, texts, (cases[name] for name in sorted(cases)))


def _numbered(games: dict[str, int]) -> Iterator[tuple[str, Case]]:
    """Yield the cases of all sources with their levels; games are added as they are met."""
    counts: Counter[tuple[str, bool]] = Counter()
    for source in sources():
        board = position(source)
        number = counts[numbered_with(source, board)] + 1
        counts[numbered_with(source, board)] = number
        if source.level is None:
            continue
        game = games.setdefault(" ".join(source.moves), len(games))
        for case in cases_of(source, board, number):
            place = {"game": game, "plies": len(source.moves)}
            yield source.level, case if case["operation"] == "game" else case | place


def numbered_with(source: SourcePosition, board: chess.Board) -> tuple[str, bool]:
    """Return what is the same in sources that are counted together; ids of games name no player."""
    return source.mechanism, board.turn and not source.mechanism.startswith("game.")


def cases_of(source: SourcePosition, board: chess.Board, number: int) -> list[Case]:
    """Return the cases of a source: reading and writing, or the one operation that it names.

    The board has the position that its moves lead to. The number counts the positions of its
    mechanism and of the player who moves, from 1.

    Raises:
        RowError: It is no case of its mechanism.
    """
    name, text = source.mechanism, source.text
    if wrong := wrong_with(name, board, text):
        raise RowError(wrong)
    colour = "white" if board.turn else "black"
    stem = f"{name}.{colour}.{number}"

    def case(operation: str, demand: str, why: str, expected: object, identity: str = stem) -> Case:
        about = {"mechanism": name, "colour": colour, "why": why, "fen": fen_of(board, name)}
        about |= {"id": identity, "operation": operation, "demand": demand}
        return case_of(text, expected, **about)

    match name.partition(".")[0]:
        case "moves":
            expected = sorted(map(board.san, board.legal_moves))
            return [case("moves", "must", MOVES, expected)]
        case "play":
            after = board.copy()
            after.push_san(text or "")
            return [case("play", "must", PLAYED[name][1], fens(after))]
        case "game":
            return [_game(source, board, number)]
        case _:
            mechanism, reading = MECHANISMS[name], judge(text or "", board)
            canonical = reading.canonical or ""
            why = mechanism.why.replace("{canonical}", canonical)
            read = case("read", mechanism.demand, why, reading.uci, f"{stem}.read")
            return read_and_write(read, canonical) if mechanism.sort == "move" else [read]


def fen_of(board: chess.Board, mechanism: str) -> str:
    """Return the FEN of a case: the en passant square is named if such a capture is legal.

    All programs read that. Where a mechanism is about a capture there that is not legal, the
    square is named as the PGN standard has it, after every double push (16.1.3.4): otherwise the
    FEN would say that there is nothing to capture.
    """
    return board.fen(en_passant="fen" if mechanism in SQUARE_NAMED else "legal")


def fens(board: chess.Board) -> dict[str, str]:
    """Return a position's FEN by each custom for the en passant square."""
    return {custom: board.fen(en_passant=named) for custom, named in CUSTOMS.items()}


def _game(source: SourcePosition, board: chess.Board, number: int) -> Case:
    """Return the case of a game; who made the last move counts as its colour."""
    form = PGNS[source.mechanism.partition(".")[2]]
    replayed = chess.Board()
    for move in board.move_stack[: form.skipped]:
        replayed.push(move)
    start = replayed.fen(en_passant="legal")
    sans = [replayed.san_and_push(move) for move in board.move_stack[form.skipped :]]
    expected: dict[str, Any] = {"moves": sans, "fen": fens(board)}
    return case_of(
        id=f"{source.mechanism}.{number}",
        operation="game",
        demand=form.demand,
        mechanism=source.mechanism,
        colour="black" if board.turn else "white",
        why=form.why,
        asked=pgn_of(form, sans, board.result(), source.text, start),
        expected=None if form.demand == "must not" else expected,
    )


def broken_cases() -> list[Case]:
    """Return the cases about broken input: unreachable positions, and texts that are no SAN.

    They stand in ``broken.txt``: the name after ``broken.``, the FEN, what is read, the move that
    is expected if the library accepts (``-`` if none is), and why. What a library does with them
    is up to it.
    """
    return [
        case_of(
            id=f"broken.{name}",
            operation="read",
            demand="may",
            mechanism=f"broken.{name}",
            colour="white",
            why=why,
            fen=fen,
            asked=san,
            expected=None if uci == "-" else uci,
        )
        for name, fen, san, uci, why in table(__package__, "broken.txt", 5)
    ]
