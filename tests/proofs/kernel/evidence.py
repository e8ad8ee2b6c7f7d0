"""The three files of the evidence, published or of a few cubes, and plain checks of them.

The checks are by definition, and by python-chess's own judgement of a game.
"""

import lzma
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple
from unittest import mock

import chess

from sanproof.proofs.encoding.relaxation import Scope
from sanproof.proofs.kernel import theorem
from sanproof.proofs.kernel.certificates import CUBES_BY_NAME, closing_formula, split_certificates
from sanproof.proofs.kernel.files import CERTIFICATES, GAMES, STRINGS, read_bytes, text_of
from sanproof.proofs.rules.cubes import Cube, cube_of
from sanproof.proofs.rules.san import parse_san
from sanproof.verify.work.executors import Inline
from tests.strings import strings_of
from tests.verify.command import ROOT

DATA: Final = ROOT / "data"
NAMES: Final = "O-O O-O-O a1 a3 a6 a8 Kxa1 Kxa8 Nxb1 Nxb8 Rxa1 Rxa8"
Clause = tuple[int, ...]
Step = tuple[Clause, tuple[int, ...]]
"""A derived clause with its hints."""
PART: Final = tuple(CUBES_BY_NAME[name] for name in NAMES.split(" "))
"""A few cubes of each kind, in the order of all; each with the one that Black's exchange needs."""


class Evidence(NamedTuple):
    """The texts of the three files."""

    strings: str
    games: str
    certificates: str

    @property
    def files(self) -> dict[str, bytes]:
        """The files, by their names."""
        strings, games, certificates = (text.encode("utf-8", "surrogateescape") for text in self)
        return {
            STRINGS: strings,
            GAMES: lzma.compress(games, preset=1),
            CERTIFICATES: lzma.compress(certificates, preset=1),
        }


@cache
def published(directory: Path = DATA) -> Evidence:
    """Return the evidence for the whole universe."""
    names = (STRINGS, GAMES, CERTIFICATES)
    return Evidence(*(text_of(name, read_bytes(directory / name)) for name in names))


@cache
def part() -> Evidence:
    """Return what the published evidence says of the cubes of `PART`."""
    strings, games, certificates = published()
    names = {f"cube {cube}" for cube in PART}
    kept = [san for san in strings.split("\n") if cube_of(parse_san(san)) in PART]
    lines = (line for line in games.splitlines() if line.rpartition(" ")[2] in kept)
    paragraphs = split_certificates(certificates)
    return Evidence(
        "\n".join(kept),
        "".join(f"{line}\n" for line in lines),
        "".join(p for p in paragraphs if p.partition("\n")[0] in names),
    )


@contextmanager
def only(cubes: Sequence[Cube] = PART) -> Iterator[None]:
    """Have the kernel meanwhile take these cubes for all that there are."""
    strings = [san for cube in cubes for san in strings_of(cube)]
    with (
        mock.patch.object(theorem, "all_cubes", return_value=list(cubes)),
        mock.patch.object(theorem, "universe", side_effect=lambda: iter(strings)),
    ):
        yield


def establish(evidence: Evidence) -> theorem.Theorem:
    """Return what the kernel says of the evidence, in this process."""
    return theorem.establish(*evidence, Inline())


def lay_down(files: dict[str, bytes], directory: Path) -> None:
    """Write files to a folder."""
    directory.mkdir(exist_ok=True)
    for name, content in files.items():
        (directory / name).write_bytes(content)


# Games


class Game(NamedTuple):
    """A line of the file of games."""

    moves: tuple[str, ...]
    ply: int
    san: str

    def __str__(self) -> str:
        return " ".join([*self.moves, str(self.ply), self.san])

    @property
    def white(self) -> bool:
        """Check whether White writes the string."""
        return self.ply % 2 == 1


def games_of(evidence: Evidence) -> list[Game]:
    """Return the games of the evidence."""
    lines = (line.split(" ") for line in evidence.games.splitlines())
    return [Game(tuple(moves), int(ply), san) for *moves, ply, san in lines]


def replay(moves: Iterable[str]) -> chess.Board:
    """Return the position after some moves, whether they are legal or not."""
    board = chess.Board()
    for uci in moves:
        board.push_uci(uci)
    return board


@cache
def written(moves: Sequence[str]) -> tuple[list[str], bool]:
    """Return the moves in SAN up to an illegal one or one after the end, and whether they mate.

    By python-chess's own rule for when a game is over, and its list of legal moves.
    """
    board = chess.Board()
    sans: list[str] = []
    for uci in moves:
        legal = {move.uci(): move for move in board.legal_moves}
        over = board.outcome() is not None and not board.is_insufficient_material()
        if over or uci not in legal:
            return sans, False
        sans.append(board.san_and_push(legal[uci]))
    return sans, board.is_checkmate()


def shows(moves: Sequence[str], ply: int, san: str) -> bool:
    """Check whether a game ends in mate, and its move at the ply is written so."""
    sans, mates = written(tuple(moves))
    return mates and 1 <= ply <= len(sans) and sans[ply - 1] == san


# Certificates


class Paragraph(NamedTuple):
    """A certificate, taken apart."""

    cube: str
    scope: str
    open: list[str]
    lines: list[str]

    def __str__(self) -> str:
        header = [f"cube {self.cube}", f"scope {self.scope}", " ".join(["open", *self.open])]
        return "\n".join([*header, *self.lines]) + "\n\n"

    @property
    def steps(self) -> list[Step]:
        """The clauses of the refutation, with their hints."""
        return read_steps(self.lines)


def read_paragraph(text: str) -> Paragraph:
    """Return a paragraph of the file of certificates, taken apart."""
    lines = text.removesuffix("\n\n").split("\n")
    cube, scope, opened = (line.partition(" ")[2] for line in lines[:3])
    return Paragraph(cube, scope, opened.split(), lines[3:])


def paragraphs(text: str) -> list[Paragraph]:
    """Take all certificates apart."""
    return list(map(read_paragraph, split_certificates(text)))


def read_steps(lines: Iterable[str]) -> list[Step]:
    """Return the clauses of a refutation's lines, with their hints."""
    rows = [list(map(int, line.split(" ")))[1:] for line in lines]
    return [(tuple(row[: row.index(0)]), tuple(row[row.index(0) + 1 : -1])) for row in rows]


def write_steps(steps: Iterable[tuple[Sequence[int], Sequence[int]]], first: int) -> list[str]:
    """Return the lines of a refutation, numbered from the first."""
    return [
        " ".join(map(str, (number, *literals, 0, *hints, 0)))
        for number, (literals, hints) in enumerate(steps, first)
    ]


def refutes(formula: Sequence[Clause], steps: Sequence[Step]) -> bool:
    """Check by definition: each hint, in its turn, is unit or false under what is assumed."""
    known = list(formula)
    for literals, hints in steps:
        false = dict.fromkeys(literals, True)
        for hint in hints:
            rest = [x for x in known[hint - 1] if x not in false]
            if len(rest) != 1:
                break
            false[-rest[0]] = True
        else:
            return False  # the last hint leaves something over
        if rest:
            return False
        known.append(tuple(dict.fromkeys(literals)))  # a clause is a set of literals
    return bool(steps) and not steps[-1][0]


@cache
def closes(paragraph: str) -> bool:
    """Check by definition whether a certificate's refutation holds."""
    found = read_paragraph(paragraph)
    formula = closing_formula(CUBES_BY_NAME[found.cube], Scope(found.scope), found.open)
    return refutes(formula.clauses, found.steps)


def is_sound(evidence: Evidence) -> bool:
    """Check whether each game and each certificate holds by itself."""
    games = all(shows(*game) for game in games_of(evidence))
    return games and all(map(closes, split_certificates(evidence.certificates)))
