"""Builds the core of the suite, and what the full suite has besides of the same kind.

Everything is derived from ``known.txt`` and the table of broken input: the same code makes the
same bytes. Expected answers come from :mod:`verify.notation`; a source that is no case of its
mechanism is an error.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Final, Literal, NamedTuple

import chess

from conformance.suite.mechanisms import MECHANISMS, MoveMechanism, RefusedMechanism
from conformance.suite.pgn import PGNS, pgn_of
from conformance.suite.recognise import wrong_with
from conformance.suite.recognise_positions import NAMES, wrong_position
from conformance.suite.sources import SourcePosition, position, sources
from sanproof.reports.tables.rows import RowError, table
from sanproof.verify.conformance.suite import Case, Demand, Level, Operation, Suite, read_and_write
from sanproof.verify.notation.reading import judge

Games = tuple[str, ...]

VERSION: Final = "2.2.0"
"""The version of the suite. New cases raise the second number; a changed answer the first."""

CUSTOMS: Final[dict[str, Literal["fen", "xfen", "legal"]]] = {
    "always": "fen",
    "pseudo-legal": "xfen",
    "legal": "legal",
}
"""The customs for the en passant square, and what python-chess calls them."""

SQUARE_NAMED: Final = frozenset(
    f"en-passant.{name}" for name in ("idle", "rank", "diagonal-pin", "file-pin", "not-by-piece")
)
"""Mechanisms whose FEN names the en passant square though no capture there is legal."""

POSITIONS: Final = {
    "moves": "All legal moves of the position, as they are written (PGN standard 8.2.3).",
    "play.castling-right": "The move ends a right to castle (FIDE 3.8.2.1).",
    "play.castling": "Castling moves the rook too, and ends both rights (FIDE 3.8.2).",
    "play.rook-captured": "The captured rook can no longer castle (FIDE 3.8.2).",
    "play.passed-square": "A piece goes to the square that a pawn has passed, and captures nothing "
    "(FIDE 3.7.3.1).",
    "play.rook-two-ranks": "A rook goes two squares ahead, and passes no square as a pawn does "
    "(FIDE 3.7.3.1).",
    "play.queen-two-ranks": "A queen goes two squares ahead, and passes no square as a pawn does "
    "(FIDE 3.7.3.1).",
    "play.double-push": "The FEN names the square that the pawn has passed, or does not, by the "
    "library's custom (PGN standard 16.1.3.4).",
    "play.double-push-idle": "Nobody can capture on the square that the pawn has passed; it is "
    "named or not, by the library's custom (PGN standard 16.1.3.4).",
    "play.double-push-pinned": "A pawn stands ready and may not capture; the square is named or "
    "not, by the library's custom (PGN standard 16.1.3.4).",
    "play.in-passing": "The captured pawn leaves a square that the move does not reach "
    "(FIDE 3.7.3.1).",
    "play.promotion": "The pawn is exchanged for the piece that is named (FIDE 3.7.3.3).",
    "play.capture": "A capture sets the count of half moves to zero (PGN standard 16.1.3.5).",
    "play.quiet": "A quiet move raises the count of half moves (PGN standard 16.1.3.5).",
}
"""What is tested by the operations moves and play, and why."""


class PublicReport(NamedTuple):
    """A public report of an error in SAN: where it is, what went wrong, and which cases catch it.

    If there are none, ``why_none`` says why.
    """

    url: str
    symptom: str
    cases: tuple[str, ...]
    why_none: str


_NONE: Final = "- "

PUBLIC: Final = tuple(
    PublicReport(url, symptom, (), cases.removeprefix(_NONE))
    if cases.startswith(_NONE)
    else PublicReport(url, symptom, tuple(cases.split()), "")
    for url, symptom, cases in table(__package__, "reports.txt", 3)
)
"""The lines of ``reports.txt``."""

REPORTS: Final[dict[str, tuple[str, ...]]] = {report.url: report.cases for report in PUBLIC}
"""For each report the ids of the cases."""


def core_suite() -> Suite:
    """The suite that a project copies into its repository."""
    return _suite(Level.CORE)


def further_suite() -> Suite:
    """The core, and what the full suite adds of the same kind; not yet the strings."""
    return _suite(Level.FULL)


def with_games(cases: Iterable[Case], games: Sequence[str]) -> tuple[tuple[Case, ...], Games]:
    """Cases with the games that they need, and only these."""
    cases = tuple(cases)
    used = sorted({case.game for case in cases if case.game is not None})
    index = {old: new for new, old in enumerate(used)}
    renumbered = (
        case if case.game is None else replace(case, game=index[case.game]) for case in cases
    )
    return tuple(renumbered), tuple(games[old] for old in used)


def _suite(level: Level) -> Suite:
    games: dict[str, int] = {}
    cases = [
        case for case in _numbered(sources(), games) if level is Level.FULL or case[0] is level
    ]
    chosen = [case for _, case in cases]
    placed, texts = with_games(chosen, list(games))
    chosen = [*placed, *broken_cases()]
    known = {case.id for case in chosen}
    if len(known) < len(chosen):
        raise RowError("two cases have the same id")
    if lost := {name for names in REPORTS.values() for name in names} - known:
        raise RowError(f"reports name cases that there are not: {sorted(lost)}")
    reported = [
        replace(case, reports=tuple(url for url, names in REPORTS.items() if case.id in names))
        for case in chosen
    ]
    reported.sort(key=lambda case: case.id)
    return Suite(VERSION, level, texts, tuple(reported))


def _numbered(
    lines: Iterable[SourcePosition], games: dict[str, int]
) -> Iterator[tuple[Level, Case]]:
    """The cases of the sources with their levels; games are added as they are met."""
    counts: Counter[tuple[str, str]] = Counter()
    for source in lines:
        board = position(source)
        colour = "white" if board.turn else "black"
        counts[source.mechanism, colour] += 1
        number = counts[source.mechanism, colour]
        if source.level is None:
            continue
        game = games.setdefault(" ".join(source.moves), len(games))
        for case in cases_of(source, board, colour, number):
            is_game = case.operation is Operation.GAME
            placed = case if is_game else replace(case, game=game, plies=len(source.moves))
            yield source.level, placed


def cases_of(
    source: SourcePosition, board: chess.Board, colour: str, number: int
) -> Iterator[Case]:
    """The cases of a source: reading and writing, or the one operation that it names.

    The board has the position that its moves lead to, and the colour is who moves there. The number
    counts the positions of its mechanism and colour, from 1.

    Raises:
        RowError: It is no case of its mechanism.
    """
    operation = source.mechanism.partition(".")[0]
    if source.mechanism in NAMES:
        wrong = wrong_position(source.mechanism, board, source.text)
        if wrong is not None:
            raise RowError(wrong)
        yield MAKERS[operation](source, board, colour, number)
    elif source.mechanism in MECHANISMS and source.text is not None:
        yield from _texts(source, source.text, board, colour, number)
    else:
        raise RowError(f"there is no mechanism {source.mechanism}")


def _texts(
    source: SourcePosition, text: str, board: chess.Board, colour: str, number: int
) -> Iterator[Case]:
    name = source.mechanism
    wrong = wrong_with(name, board, text)
    if wrong is not None:
        raise RowError(wrong)
    mechanism = MECHANISMS[name]
    reading = judge(text, board)
    demand = Demand.MAY
    if isinstance(mechanism, MoveMechanism):
        demand = Demand.MUST
    elif isinstance(mechanism, RefusedMechanism) and not mechanism.is_usual:
        demand = Demand.MUST_NOT
    why = mechanism.why.replace("{canonical}", reading.canonical or "")
    case = Case(
        id=f"{name}.{colour}.{number}.read",
        operation=Operation.READ,
        demand=demand,
        mechanism=name,
        colour=colour,
        why=why,
        fen=fen_of(board, name),
        asked=text,
        expected=reading.uci,
    )
    is_pair = demand is Demand.MUST and reading.canonical is not None
    yield from read_and_write(case, reading.canonical or "") if is_pair else [case]


def fen_of(board: chess.Board, mechanism: str) -> str:
    """The FEN of a case: the en passant square is named if such a capture is legal.

    All programs read that. Where a mechanism is about a capture there that is not legal, the
    square is named as the PGN standard has it, after every double push (16.1.3.4): otherwise the
    FEN would say that there is nothing to capture.
    """
    return board.fen(en_passant="fen" if mechanism in SQUARE_NAMED else "legal")


def _moves(source: SourcePosition, board: chess.Board, colour: str, number: int) -> Case:
    return Case(
        id=f"{source.mechanism}.{colour}.{number}",
        operation=Operation.MOVES,
        demand=Demand.MUST,
        mechanism=source.mechanism,
        colour=colour,
        why=POSITIONS["moves"],
        fen=fen_of(board, source.mechanism),
        expected=sorted(board.san(move) for move in board.legal_moves),
    )


def _play(source: SourcePosition, board: chess.Board, colour: str, number: int) -> Case:
    fen = fen_of(board, source.mechanism)
    board.push_san(source.text or "")
    return Case(
        id=f"{source.mechanism}.{colour}.{number}",
        operation=Operation.PLAY,
        demand=Demand.MUST,
        mechanism=source.mechanism,
        colour=colour,
        why=POSITIONS[source.mechanism],
        fen=fen,
        asked=source.text,
        expected=fens(board),
    )


def fens(board: chess.Board) -> dict[str, str]:
    """A position's FEN by each custom for the en passant square."""
    return {custom: board.fen(en_passant=named) for custom, named in CUSTOMS.items()}


def _game(source: SourcePosition, board: chess.Board, _: str, number: int) -> Case:
    """A game; the player to move in its last position counts as its colour."""
    name = source.mechanism.partition(".")[2]
    kind = PGNS[name]
    replayed, sans = chess.Board(), []
    for move in board.move_stack:
        sans.append(replayed.san(move))
        replayed.push(move)
    expected: dict[str, Any] = {"moves": sans, "fen": fens(board)}
    return Case(
        id=f"{source.mechanism}.{number}",
        operation=Operation.GAME,
        demand=kind.demand,
        mechanism=source.mechanism,
        colour="white" if len(sans) % 2 else "black",
        why=kind.why,
        asked=pgn_of(kind, sans, board.result(), source.text),
        expected=None if kind.demand is Demand.MUST_NOT else expected,
    )


MAKERS: Final[dict[str, Callable[[SourcePosition, chess.Board, str, int], Case]]] = {
    "moves": _moves,
    "play": _play,
    "game": _game,
}
"""The operations that a source can name in place of a mechanism."""


def broken_cases() -> list[Case]:
    """Make the cases about broken input: positions that no game reaches, and texts that are none.

    They stand in ``broken.txt``: the name after ``broken.``, the FEN, what is read, the move that
    is expected if the library accepts (``-`` if none is), and why. What a library does with them
    is up to it.
    """
    return [
        Case(
            id=f"broken.{name}",
            operation=Operation.READ,
            demand=Demand.MAY,
            mechanism=f"broken.{name}",
            colour="white",
            why=why,
            fen=fen,
            asked=san,
            expected=None if uci == "-" else uci,
        )
        for name, fen, san, uci, why in table(__package__, "broken.txt", 5)
    ]
