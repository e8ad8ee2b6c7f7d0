"""Have programs replay the games of a run: ``... replay [DIR] [--report FILE]``.

pgn-extract (C) and chess.js share no code with python-chess; chessops is other code by its author.
A program agrees if it answers for every game once and in order, writes each move as the file does,
and ends in python-chess's position; over all games it must write every string of the list. Exit
codes: 0 all agree, 1 they do not, 2 misuse or a program is missing.
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from sys import intern
from typing import Final

import chess

from sanproof.reports.tables.files import write_whole
from sanproof.reports.tables.names import FULL_LIST, GAMES_PGN
from sanproof.verify.errors import ANSWER_NO, Failure
from tests.campaigns.replay.programs import (
    Answer,
    GameText,
    Program,
    find_programs,
    read_games,
    replay_with_python_chess,
)

COVER: Final = "cover.pgn"
FULL: Final = Path(__file__).parents[3] / ".nox/full/tmp/run"
"""The run of the session `full`."""
EXAMPLES: Final = 5
"""So many disagreements of each kind are described."""


@dataclass
class Result:
    """The result of replaying a file with one program.

    Attributes:
        program: Its name and version.
        games: The games that it read.
        plies: The moves that it played.
        sans: The different SAN strings that it wrote.
        wrong_games: The games about which it disagrees with the file or with python-chess.
        kinds: How many disagreements of each kind there are.
        examples: The first of each kind.
        seconds: How long it took.
    """

    program: str
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

    def compare(self, game: GameText, answer: Answer, position: str, *, tagged: bool) -> None:
        """Compare an answer with the game, and with the last position that is right."""
        self.games += 1
        self.plies += len(answer.sans)
        self.sans.update(map(intern, answer.sans))
        found = list(_disagreements(game, answer, position, tagged=tagged))
        self.wrong_games += bool(found)
        for kind, what in found:
            self.object_to(kind, f"game {answer.number}: {what}")


def _disagreements(
    game: GameText, answer: Answer, position: str, *, tagged: bool
) -> Iterator[tuple[str, str]]:
    """Yield each disagreement about a game: its kind, and what is said."""
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
        at = answer.shown_at or ""
        within = at.isdecimal() and 1 <= int(at) <= len(answer.sans)
        shown = answer.sans[int(at) - 1] if within else None
        if shown is None or {shown, answer.shows} != {game.tags.get("Shows")}:
            yield "other string", f"{answer.shows} at ply {answer.shown_at}, which is {shown}"


def replay_file(path: Path, programs: Sequence[Program], listed: set[str]) -> list[Result]:
    """Replay all games of a file with python-chess and with each of the programs.

    Args:
        path: The file.
        programs: The programs.
        listed: The strings that are to be written, by each program.

    Raises:
        Failure: The file has no numbered games, or a program broke down.
    """
    games, tagged = read_games(path), path.name == GAMES_PGN
    finals: list[chess.Board] = []
    results = [Result(f"python-chess {chess.__version__}")]
    results += [Result(f"{program.name} {program.version}") for program in programs]
    for result, program in zip(results, (None, *programs), strict=True):
        started = time.perf_counter()
        if program is None:
            for number, game in enumerate(games, 1):
                answer, board = replay_with_python_chess(number, game)
                finals.append(board)
                result.compare(game, answer, answer.position, tagged=tagged)
        else:
            last = 0
            missing = set(range(1, len(games) + 1))
            for answer in program.answers(path):
                if not last < answer.number <= len(games):
                    result.object_to("answer out of place", f"game {answer.number}")
                    continue
                last = answer.number
                missing.remove(last)
                position = finals[last - 1].epd(en_passant=program.en_passant)
                result.compare(games[last - 1], answer, position, tagged=tagged)
            result.wrong_games += len(missing)
            for number in sorted(missing):
                result.object_to("game missing", f"game {number}")
        result.seconds = time.perf_counter() - started
        for san in sorted(listed - result.sans):
            result.object_to("string not written", san)
    return results


def report(name: str, results: Sequence[Result]) -> str:
    """Return what came of a file, in Markdown."""
    lines = [
        f"## {name}",
        "",
        "| program | games read | plies | strings | games that disagree | seconds |",
        "| --- | --: | --: | --: | --: | --: |",
    ]
    lines += [
        f"| {r.program} | {r.games:,} | {r.plies:,} | {len(r.sans):,} | {r.wrong_games:,} "
        f"| {r.seconds:.0f} |"
        for r in results
    ]
    objecting = [result for result in results if result.kinds]
    lines += ["", "All agree."] * (not objecting)
    for result in objecting:
        kinds = ", ".join(f"{kind} {count:,}" for kind, count in sorted(result.kinds.items()))
        lines += ["", f"{result.program} disagrees: {kinds}.", ""]
        lines += [f"- {example}" for example in sorted(result.examples)]
    return "\n".join([*lines, ""])


def replay_run(directory: Path) -> dict[str, list[Result]]:
    """Replay all games of a run, by all programs.

    Raises:
        Failure: No games were found, a program is missing or breaks down, or a file cannot be read.
    """
    if not (directory / GAMES_PGN).is_file():
        raise Failure(
            f"There is no {GAMES_PGN} in {directory}: `nox -s full -- --games` makes one."
        )
    programs = find_programs()
    listed = set((directory / FULL_LIST).read_text("ascii").splitlines())
    return {
        name: replay_file(directory / name, programs, listed)
        for name in (GAMES_PGN, COVER)
        if (directory / name).exists()
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Replay the games of a run, and write what came of it."""
    parser = argparse.ArgumentParser(prog="replay", description="Replay the games of a run.")
    parser.add_argument("run", type=Path, nargs="?", default=FULL, metavar="DIR")
    parser.add_argument("--report", type=Path, metavar="FILE", help="where to write the report too")
    options = parser.parse_args(arguments)
    try:
        replayed = replay_run(options.run)
    except Failure as failure:
        sys.stderr.write(f"{failure}\n")
        return failure.exit_code
    text = "\n".join(report(name, results) for name, results in replayed.items())
    sys.stdout.write(text)
    if options.report:
        write_whole(options.report, text.encode())
    if any(result.kinds for results in replayed.values() for result in results):
        sys.stderr.write("The programs do not agree.\n")
        return ANSWER_NO
    return 0


if __name__ == "__main__":
    sys.exit(main())
