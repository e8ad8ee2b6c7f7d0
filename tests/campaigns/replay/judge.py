"""Holding what programs say of games against the file, and against python-chess."""

import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from sys import intern
from typing import Final

import chess

from sanproof.reports.tables.names import GAMES_PGN
from sanproof.verify.errors import NegativeAnswer
from tests.campaigns.replay.games import GameText, read_games
from tests.campaigns.replay.programs import (
    Answer,
    EnPassant,
    Final4,
    Program,
    replay_with_python_chess,
)

EXAMPLES: Final = 5
"""So many disagreements of each kind are described."""


@dataclass
class Result:
    """What came of replaying a file with one program.

    Attributes:
        program: Its name.
        version: Its version.
        games: The games that it read.
        plies: The moves that it played.
        sans: The different SAN strings that it wrote.
        wrong_games: The games about which it disagrees with the file or with python-chess.
        kinds: How many disagreements of each kind there are.
        examples: The first of each kind.
        seconds: How long it took.
    """

    program: str
    version: str
    games: int = 0
    plies: int = 0
    sans: set[str] = field(default_factory=set)
    wrong_games: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    examples: list[str] = field(default_factory=list)
    seconds: float = 0.0

    def object_to(self, kind: str, what: str) -> None:
        """Note a disagreement."""
        self.kinds[kind] += 1
        if self.kinds[kind] <= EXAMPLES:
            self.examples.append(f"{kind}: {what}")


@dataclass(frozen=True)
class Replayed:
    """What came of a file.

    Attributes:
        name: The file.
        games: The games in it.
        results: What came of each program, python-chess first.
    """

    name: str
    games: int
    results: list[Result]

    @property
    def agreed(self) -> bool:
        """Whether nobody objects to anything."""
        return not any(result.kinds for result in self.results)


def replay_file(
    path: Path, programs: list[Program], listed: set[str], tell: Callable[[str], None]
) -> Replayed:
    """Replay all games of a file with python-chess and with each of the programs.

    Args:
        path: The file.
        programs: The programs.
        listed: The strings that are to be written, by each program.
        tell: Takes lines about the progress.

    Raises:
        Failure: The file cannot be read, or a program broke down.
        NegativeAnswer: There is no game in the file, or games are not numbered.
    """
    finals: list[Final4] = []
    judges = [partial(_judge_python_chess, path, finals)]
    judges += [partial(_judge, path, program, finals) for program in programs]
    results = []
    for judge in judges:
        result = _timed(judge)
        if not finals:
            raise NegativeAnswer(f"{path.name}: there is no game in it.")
        results.append(result)
        tell(
            f"{path.name}: {result.program} read {result.games:,} games and disagrees about "
            f"{result.wrong_games:,}, {result.seconds:.0f} s"
        )
    for result in results:
        for san in sorted(listed - result.sans):
            result.object_to("string not written", san)
    return Replayed(path.name, len(finals), results)


def _timed(judge: Callable[[], Result]) -> Result:
    started = time.perf_counter()
    result = judge()
    result.seconds = time.perf_counter() - started
    return result


def _judge_python_chess(path: Path, finals: list[Final4]) -> Result:
    """Replay a file with python-chess, and keep the last positions."""
    result = Result("python-chess", chess.__version__)
    for number, game in enumerate(read_games(path), 1):
        answer, final = replay_with_python_chess(number, game)
        finals.append(final)
        _hold(result, path, game, answer, answer.position)
    return result


def _judge(path: Path, program: Program, finals: list[Final4]) -> Result:
    """Hold a program's answers against a file and against python-chess's last positions."""
    result = Result(program.name, program.version)
    answers: Iterator[Answer | None] = iter(program.answers(path))
    answer = next(answers, None)
    for number, (game, final) in enumerate(zip(read_games(path), finals, strict=True), 1):
        if answer is None or answer.number != number:
            result.wrong_games += 1
            result.object_to("game missing", f"game {number}")
            continue
        _hold(result, path, game, answer, _as_written(final, program.en_passant))
        answer = next(answers, None)
    while answer is not None:
        result.object_to("answer out of place", f"game {answer.number}")
        answer = next(answers, None)
    return result


def _as_written(final: Final4, en_passant: EnPassant) -> str:
    return final.legal if en_passant == "legal" else final.fen


def _hold(result: Result, path: Path, game: GameText, answer: Answer, position: str) -> None:
    """Hold an answer against the game and against the last position that is right."""
    result.games += 1
    result.plies += len(answer.sans)
    result.sans.update(map(intern, answer.sans))
    found = list(_disagreements(game, answer, position, tagged=path.name == GAMES_PGN))
    result.wrong_games += bool(found)
    for kind, what in found:
        result.object_to(kind, f"game {answer.number}: {what}")


def _disagreements(
    game: GameText, answer: Answer, position: str, *, tagged: bool
) -> Iterator[tuple[str, str]]:
    """Each disagreement about a game: its kind, and what is said."""
    if answer.error is not None:
        yield "move refused", f"ply {len(answer.sans) + 1}: {answer.error}"
        return
    if len(answer.sans) != len(game.sans):
        yield "other length", f"{len(game.sans)} plies in the file, {len(answer.sans)} played"
        return
    for ply, (right, found) in enumerate(zip(game.sans, answer.sans, strict=True), 1):
        if right != found:
            yield "other SAN", f"ply {ply}: {right} in the file, {found} by the program"
            break
    if not answer.sans or answer.sans[-1][-1] != "#":
        yield "no mate", f"the last move is {answer.sans[-1] if answer.sans else 'none'}"
    if answer.position != position:
        yield "other position", f"{position} by python-chess, {answer.position} by the program"
    if tagged or game.tags.get("Shows"):
        shown = _move_at(answer)
        if shown is None or {shown, answer.shows} != {game.tags.get("Shows")}:
            yield "other string", f"{answer.shows} at ply {answer.shown_at}, which is {shown}"


def _move_at(answer: Answer) -> str | None:
    """What the program wrote for the move that the tags name."""
    at = answer.shown_at or ""
    within = at.isdecimal() and 1 <= int(at) <= len(answer.sans)
    return answer.sans[int(at) - 1] if within else None
