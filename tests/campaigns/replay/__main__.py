"""Replay the games of a run: ``... replay [DIR] [--report FILE] [--without PROGRAM]``.

Exit codes: 0 all agree, 1 they do not, 2 misuse or a program is missing, 130 interrupted.
"""

import argparse
import sys
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Final

from sanproof.reports.tables.files import write_whole
from sanproof.reports.tables.names import FULL_LIST, GAMES_PGN
from sanproof.verify.errors import ANSWER_NO, INTERRUPTED, Failure
from tests.campaigns.replay.judge import Replayed, replay_file
from tests.campaigns.replay.programs import find_programs

COVER: Final = "cover.pgn"
FULL: Final = Path(__file__).parents[3] / ".nox/full/tmp/run"
"""The run of the session `full`."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Replay the games of a run, and write what came of it."""
    parser = argparse.ArgumentParser(prog="replay", description="Replay the games of a run.")
    parser.add_argument(
        "run", type=Path, nargs="?", default=FULL, metavar="DIR", help="a run directory with games"
    )
    parser.add_argument("--report", type=Path, metavar="FILE", help="where to write the report too")
    parser.add_argument(
        "--without",
        action="append",
        default=[],
        metavar="PROGRAM",
        help="leave a program out, such as chess.js, which takes most of the time",
    )
    options = parser.parse_args(arguments)
    try:
        replayed = replay_run(options.run, options.without)
        text = "\n".join(map(report, replayed))
        sys.stdout.write(text)
        if options.report:
            write_whole(options.report, text.encode())
    except Failure as failure:
        return _fail(str(failure), failure.exit_code)
    except KeyboardInterrupt:
        return _fail("Interrupted.", INTERRUPTED)
    except OSError as error:
        return _fail(f"{error.filename}: {error.strerror}.", Failure.exit_code)
    if not all(file.agreed for file in replayed):
        return _fail("The programs do not agree.", ANSWER_NO)
    return 0


def replay_run(directory: Path, without: Collection[str] = ()) -> list[Replayed]:
    """Replay all games of a run, by all programs but some that are named.

    Raises:
        Failure: There are none, a program is missing or breaks down, none is so named, or a file
            cannot be read.
    """
    if not (directory / GAMES_PGN).is_file():
        raise Failure(
            f"There is no {GAMES_PGN} in {directory}: `nox -s full -- --cover` makes one."
        )
    programs = find_programs()
    names = {program.name for program in programs}
    if unknown := set(without) - names:
        raise Failure(f"{min(unknown)!a} is none of {', '.join(sorted(names))}.")
    programs = [program for program in programs if program.name not in without]
    listed = set((directory / FULL_LIST).read_text("ascii").splitlines())
    files = [directory / name for name in (GAMES_PGN, COVER) if (directory / name).exists()]
    return [replay_file(file, programs, listed, _tell) for file in files]


def report(file: Replayed) -> str:
    """What came of a file, in Markdown."""
    lines = [
        f"## {file.name}: {file.games:,} games",
        "",
        "| program | version | games read | plies | strings | games that disagree | seconds |",
        "| --- | --- | --: | --: | --: | --: | --: |",
    ]
    lines += [
        f"| {result.program} | {result.version} | {result.games:,} | {result.plies:,} "
        f"| {len(result.sans):,} | {result.wrong_games:,} | {result.seconds:.0f} |"
        for result in file.results
    ]
    objecting = [result for result in file.results if result.kinds]
    if not objecting:
        lines += ["", "All agree."]
    for result in objecting:
        kinds = ", ".join(f"{kind} {count:,}" for kind, count in sorted(result.kinds.items()))
        lines += ["", f"{result.program} disagrees: {kinds}.", ""]
        lines += [f"- {example}" for example in sorted(result.examples)]
    return "\n".join([*lines, ""])


def _tell(line: str) -> None:
    sys.stderr.write(f"{line}\n")


def _fail(message: str, exit_code: int) -> int:
    sys.stderr.write(f"{message}\n")
    return exit_code


if __name__ == "__main__":
    sys.exit(main())
