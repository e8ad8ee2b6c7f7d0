"""The definitions of `proofs/formal/Chess.v` as a program: built, started, asked."""

from __future__ import annotations

import shutil
import subprocess
from typing import TYPE_CHECKING, Final, Self

import chess

from sanproof.proofs.formal.build import HERE, compile_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

EXTRACTED: Final = ("Chess", "Quick", "Extract")
TOOLS: Final = ("coqc", "ocamlopt")


def missing_tools() -> list[str]:
    """What has to be installed before the definitions can be extracted and compiled."""
    return [tool for tool in TOOLS if not shutil.which(tool)]


def build_player(folder: Path, definitions: str | None = None) -> Path:
    """The program, built in ``folder`` from `Chess.v`, or from another text of it.

    Raises:
        NotProvedError: Coq refuses a file.
        subprocess.CalledProcessError: OCaml refuses what Coq extracted.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for name in EXTRACTED:
        shutil.copy(HERE / f"{name}.v", folder)
    if definitions is not None:
        (folder / "Chess.v").write_text(definitions, encoding="utf-8")
    shutil.copy(HERE / "player.ml", folder)
    for name in EXTRACTED:
        compile_file(folder, name)
    sources = ("chess.mli", "chess.ml", "player.ml")
    command = ["ocamlopt", "-w", "-a", "-inline", "200", *sources, "-o", "player"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return folder / "player"


class Player:
    """The running program: a line is asked, a line is answered."""

    def __init__(self, program: Path) -> None:
        self._process = subprocess.Popen(
            [program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()

    def ask(self, question: str) -> str:
        """The answer to one question; ``""`` if the program broke down."""
        stdin, stdout = self._process.stdin, self._process.stdout
        if stdin is None or stdout is None:
            raise RuntimeError("the program has no pipes")
        stdin.write(question + "\n")
        stdin.flush()
        return stdout.readline().rstrip("\n")


def short_fen(board: chess.Board) -> str:
    """A FEN as the program knows it: the square that a pawn passed, no number of the move.

    `chess.Board.fen` takes most of the time of a comparison, so its letters are put together here.
    """
    men = ["1"] * 64
    for color, letters in ((chess.WHITE, "PNBRQK"), (chess.BLACK, "pnbrqk")):
        for kind, letter in zip(chess.PIECE_TYPES, letters, strict=True):
            for square in board.pieces(kind, color):
                men[square] = letter
    text = "/".join("".join(men[start : start + 8]) for start in range(56, -1, -8))
    for run in range(8, 1, -1):
        text = text.replace("1" * run, str(run))
    passed = "-" if board.ep_square is None else chess.square_name(board.ep_square)
    turn = "w" if board.turn else "b"
    return f"{text} {turn} {board.castling_xfen()} {passed} {board.halfmove_clock}"


def moves_by_chess(board: chess.Board) -> str:
    """What ``moves`` has to answer, by python-chess."""
    flags = "C" if board.is_check() else ""
    flags += "M" if board.is_checkmate() else ""
    flags += "S" if board.is_stalemate() else ""
    said = []
    for move in board.legal_moves:
        san = board.san_and_push(move)
        said.append(f'{move.uci()}="{san}"={short_fen(board).replace(" ", "_")}')
        board.pop()
    return f"{flags}; {' '.join(sorted(said))}"


def all_by_chess(board: chess.Board) -> str:
    """What ``all`` has to answer."""
    return " ".join(sorted(move.uci() for move in board.legal_moves))


def game_by_chess(ucis: Iterable[str]) -> str:
    """What ``game`` has to answer: how often each position has appeared, draws, and the strings."""
    board = chess.Board()

    def said() -> str:
        times = 1
        while times < len(board.move_stack) + 1 and board.is_repetition(times + 1):
            times += 1
        five = "f" if board.is_fivefold_repetition() else ""
        return f"{times}{five}{'s' if board.halfmove_clock >= 150 else ''}"

    counts, strings = [said()], []
    for ply, uci in enumerate(ucis, 1):
        move = chess.Move.from_uci(uci)
        if not board.is_legal(move):
            return f"illegal {ply}"
        strings.append(board.san_and_push(move))
        counts.append(said())
    return f"{' '.join(counts)}; {' '.join(strings)}"


def differences(asked: Iterable[tuple[str, str]], player: Player) -> Iterator[tuple[str, str, str]]:
    """Questions to which the program does not answer what it has to: those, and both answers."""
    for question, due in asked:
        if (answer := player.ask(question)) != due:
            yield question, due, answer
