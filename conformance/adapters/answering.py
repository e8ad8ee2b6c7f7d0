"""The common part of the adapters here: prints the first line, and answers the cases of the input.

An adapter is a function for each operation, named after it, from a case to the result: read returns
UCI, write SAN, moves a list of SAN, play a FEN, and game its moves and last FEN.
``python_chess.py`` is an adapter without this module, as yours will be.
"""

import atexit
import contextlib
import json
import re
import select
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import version as version_of
from typing import IO, Any


class Skip(Exception):
    """The library cannot be asked this case. The message says why."""


def answer_cases(
    name: str,
    *operations: Callable[[dict[str, Any]], Any],
    version: str = "",
    language: str = "Python",
    settings: str = "",
    out: IO[str] = sys.stdout,
) -> None:
    """Answer each case of the input with the function that is named like its operation."""
    by_name = {operation.__name__: operation for operation in operations}
    greeting = {"sanproof": 1, "name": name, "version": version or version_of(name)}
    greeting |= {"language": language, "settings": settings, "operations": list(by_name)}
    print(json.dumps(greeting), file=out, flush=True)
    for line in sys.stdin:
        case = json.loads(line)
        try:
            answer = {"result": by_name[case["operation"]](case)}
        except Skip as reason:
            answer = {"skip": str(reason)}
        except Exception as error:  # whatever the library raises, it did not take the move
            answer = {"rejected": f"{type(error).__name__}: {error}"}
        print(json.dumps({"id": case["id"]} | answer), file=out, flush=True)


def game_of(fen: str, move: str) -> str:
    """Return a PGN that begins from a position and has the text as its only move."""
    return f'[Event "?"]\n[SetUp "1"]\n[FEN "{fen}"]\n[Result "*"]\n\n{move} *\n'


def version_of_program(program: str, pattern: str) -> str:
    """Return the version that a program prints, which is the group of the pattern."""
    said = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
    found = re.search(pattern, said.stdout + said.stderr)
    return found[1] if found else "?"


def said_by(command: list[str], *lines: str) -> str:
    """Start a program for these lines of input alone, and return its output."""
    typed = "".join(line + "\n" for line in _typed(lines))
    return subprocess.run(command, input=typed, capture_output=True, text=True, check=False).stdout


def _typed(lines: tuple[str, ...]) -> tuple[str, ...]:
    if not all(character.isprintable() for line in lines for character in line):
        raise ValueError("control characters cannot be typed in")
    return lines


class Program:
    """A program that gets case after case, and that refuses the word :attr:`END` by repeating it.

    The word has a number, so that a late answer is not taken for the next one.
    """

    END = "enough"
    STARTS = 2
    """The number of times that it is started for a case, because it may have ended."""
    PATIENCE_SECONDS = None
    """The seconds of silence after which the last word is sent again, because some fall asleep."""

    def __init__(self, command: list[str]) -> None:
        self._command = command
        self._running: subprocess.Popen[bytes] | None = None
        self._number = 0
        atexit.register(self._stop)

    def said(self, *lines: str) -> str:
        """Return its output for lines of input. If it has ended, it is started and asked again."""
        typed = _typed(lines)
        for _ in range(self.STARTS):
            self._number += 1
            end = f"{self.END}{self._number}"
            written, whole = self._written("".join(f"{line}\n" for line in (*typed, end)), end)
            if whole:
                break
            self._stop()
        return "".join(line for line in written if f": {self.END}" not in line)

    def _written(self, typed: str, end: str) -> tuple[list[str], bool]:
        """Return the lines that it wrote, and whether it refused the word at the end."""
        if self._running is None:
            self._running = self._start()
        self._type(typed)
        text = b""
        while not (whole := f": {end}\n".encode() in text):
            if not select.select([self._output], [], [], self.PATIENCE_SECONDS)[0]:
                self._type(f"{end}\n")
            elif piece := self._read():
                text += piece
            else:
                break
        return text.decode(errors="replace").splitlines(keepends=True), whole

    def _start(self) -> subprocess.Popen[bytes]:
        pipe, null = subprocess.PIPE, subprocess.DEVNULL
        process = subprocess.Popen(self._command, bufsize=0, stdin=pipe, stdout=pipe, stderr=null)
        self._input, self._output = process.stdin, process.stdout
        return process

    def _type(self, lines: str) -> None:
        with contextlib.suppress(BrokenPipeError):  # it has ended; what it wrote shows why
            self._input.write(lines.encode())

    def _read(self) -> bytes:
        """Return what it has written; nothing if it has ended."""
        return self._output.read(1 << 16)

    def _stop(self) -> None:
        """End it, if it runs."""
        if self._running is not None:
            self._running.kill()
            self._running.wait()
            self._input.close()
            self._output.close()
            self._running = None


def fens(said: str) -> list[str]:
    """Return the FENs in a program's output."""
    return re.findall(r"(?:[pnbrqkPNBRQK1-8]+/){7}\S+ [wb] \S+ \S+ -?\d+ \d+", said)


def placed(fen: str) -> dict[str, str]:
    """Return the pieces of a FEN by square."""
    placement = fen.partition(" ")[0]
    for digit in "12345678":
        placement = placement.replace(digit, "." * int(digit))
    return pieces_on(placement.split("/"))


def pieces_on(ranks: list[str]) -> dict[str, str]:
    """Return the piece on each square, given the ranks from the eighth, or a dot for none."""
    return {
        "abcdefgh"[file] + str(8 - rank): piece
        for rank, row in enumerate(ranks)
        for file, piece in enumerate(row)
    }


def move_between(before: dict[str, str], after: dict[str, str], *, white: bool) -> str:
    """Return the move in UCI, given the squares that the player's pieces left and reached."""
    changed = [square for square in before if before[square] != after[square]]
    left = [
        square for square in changed if after[square] == "." and before[square].isupper() == white
    ]
    reached = [square for square in changed if after[square] != "."]
    if len(left) == 2:  # castling is the king's move
        left = [square for square in left if before[square] in "Kk"]
        reached = [square for square in reached if after[square] in "Kk"]
    (origin,), (destination,) = left, reached
    promoted = before[origin] in "Pp" and after[destination] not in "Pp"
    return origin + destination + (after[destination].lower() if promoted else "")


def read_by(case: dict[str, Any], after: str) -> str:
    """Return the move of a text, in UCI, given the FEN after it."""
    return move_between(placed(case["fen"]), placed(after), white=" w " in case["fen"])
