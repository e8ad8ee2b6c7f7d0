"""Games and certificates, taken apart and put together without a check, and plain checks of them.

A forger asks these checks whether what he has made is still sound: by the definitions, and by
python-chess.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

import chess

from sanproof.proofs.encoding.cnf import Clause
from sanproof.proofs.encoding.relaxation import Scope
from sanproof.proofs.kernel.certificates import CUBES_BY_NAME, closing_formula, split_certificates
from sanproof.proofs.kernel.files import CERTIFICATES, GAMES
from sanproof.proofs.rules.cubes import Cube
from sanproof.proofs.theory.rulings import bare_strings, with_suffixes
from tests.campaigns.forging.model import Files, text_of

REMEMBERED = 1024
"""Games of which it is remembered how they go: most are the sound runs', and come with each lie."""


# --- Games ---


class Game(NamedTuple):
    """A line of the file of games."""

    moves: tuple[str, ...]
    ply: int
    san: str

    @classmethod
    def read(cls, line: str) -> "Game":
        """Return the game on a line."""
        *moves, ply, san = line.split(" ")
        return cls(tuple(moves), int(ply), san)

    def __str__(self) -> str:
        return " ".join([*self.moves, str(self.ply), self.san])

    @property
    def white(self) -> bool:
        """Check whether White writes the string."""
        return self.ply % 2 == 1

    def after(self, moves: Sequence[str]) -> "Game":
        """Return the game after moves that lead back to its beginning."""
        return self._replace(ply=self.ply + len(moves), moves=(*moves, *self.moves))

    def with_move(self, at: int, text: str) -> "Game":
        """Return the game with another move in one place."""
        return self._replace(moves=(*self.moves[:at], text, *self.moves[at + 1 :]))


def read_games(text: str) -> list[Game]:
    """Return the games of a file's text."""
    return list(map(Game.read, text.splitlines()))


def games_of(files: Files, name: str = GAMES) -> list[Game]:
    """Return the games of a run."""
    return read_games(text_of(files, name))


def write_games(games: Iterable[Game]) -> str:
    """Return a file's text with these games, in the order that it needs."""
    return "".join(f"{line}\n" for line in sorted(map(str, games)))


def replay(moves: Sequence[str]) -> chess.Board:
    """Return the position after some moves, whether they are legal or not."""
    board = chess.Board()
    for uci in moves:
        board.push_uci(uci)
    return board


@lru_cache(maxsize=REMEMBERED)
def is_played(game: Game) -> bool:
    """Return whether python-chess plays the game to its mate, and writes the move at the ply so."""
    board = chess.Board()
    for number, text in enumerate(game.moves, 1):
        try:
            move = board.parse_uci(text)
        except ValueError:
            return False
        if not move or move.uci() != text or (number == game.ply and board.san(move) != game.san):
            return False
        board.push(move)
    return board.is_checkmate() and 1 <= game.ply <= len(game.moves)


@lru_cache(maxsize=REMEMBERED)
def is_over_early(game: Game) -> bool:
    """Return whether it is drawn before its end: the fifth occurrence, or 75 moves each."""
    board = chess.Board()
    seen = Counter[str]()
    for text in game.moves:
        epd = board.epd()
        seen[epd] += 1
        if seen[epd] == 5 or board.halfmove_clock >= 150:
            return True
        board.push_uci(text)
    return False


def is_sound(game: Game) -> bool:
    """Return whether the game is one that the audit may pass."""
    return is_played(game) and not is_over_early(game)


# --- Certificates ---


class Step(NamedTuple):
    """A line of a refutation."""

    number: int
    literals: tuple[int, ...]
    hints: tuple[int, ...]

    @classmethod
    def read(cls, line: str) -> "Step":
        """Return the step on a line."""
        number, *rest = map(int, line.split(" "))
        zero = rest.index(0)
        return cls(number, tuple(rest[:zero]), tuple(rest[zero + 1 : -1]))

    def __str__(self) -> str:
        return " ".join(map(str, (self.number, *self.literals, 0, *self.hints, 0)))


class Certificate(NamedTuple):
    """A paragraph of the file of certificates."""

    cube: str
    scope: str
    left_open: tuple[str, ...]
    steps: tuple[Step, ...]

    @classmethod
    @lru_cache(maxsize=REMEMBERED)
    def read(cls, paragraph: str) -> "Certificate":
        """Return the certificate of a paragraph."""
        cube, scope, left_open, *lines = paragraph.removesuffix("\n\n").split("\n")
        strings = left_open.split(" ")[1:]
        steps = map(Step.read, lines)
        return cls(cube.split(" ")[1], scope.split(" ")[1], tuple(strings), tuple(steps))

    @property
    def header(self) -> list[str]:
        """The three lines before the refutation."""
        return [f"cube {self.cube}", f"scope {self.scope}", " ".join(["open", *self.left_open])]

    def __str__(self) -> str:
        return "\n".join([*self.header, *map(str, self.steps)]) + "\n\n"


def read_certificates(text: str) -> list[Certificate]:
    """Return the certificates of a file's text."""
    return list(map(Certificate.read, split_certificates(text)))


def certificates_of(files: Files) -> list[Certificate]:
    """Return the certificates of a run."""
    return read_certificates(text_of(files, CERTIFICATES))


@cache
def formula_of(cube: str, scope: str, left_open: tuple[str, ...]) -> tuple[Clause, ...]:
    """Return the formula that a certificate refutes."""
    return tuple(closing_formula(CUBES_BY_NAME[cube], Scope(scope), left_open).clauses)


def is_refutation(certificate: Certificate) -> bool:
    """Return whether each step follows by its hints, and the last one is empty: by definition."""
    cube, scope, left_open, steps = certificate
    known = dict(enumerate(map(set, formula_of(cube, scope, left_open)), 1))
    for number, literals, hints in steps:
        if number != len(known) + 1 or not _follows(literals, hints, known):
            return False
        known[number] = set(literals)
    return bool(steps) and not steps[-1].literals


def _follows(literals: Sequence[int], hints: Sequence[int], known: dict[int, set[int]]) -> bool:
    true = {-literal for literal in literals}
    for hint in hints:
        if hint not in known:
            return False
        possible = [x for x in known[hint] if -x not in true]
        if not possible:
            return True
        if len(possible) > 1:
            return False
        true.add(possible[0])
    return False


def is_as_good(name: str, old: str, new: str) -> bool:
    """Return whether the kernel may accept a text for the sound one: it is no lie, only another.

    It is written as it must be, and its games are sound and show the same, or its certificates
    close the same cubes.
    """
    try:
        if name == GAMES:
            return _games_as_good(read_games(old), read_games(new), new)
        return name == CERTIFICATES and _certificates_as_good(
            read_certificates(old), read_certificates(new), new
        )
    except (ValueError, IndexError):  # it cannot be read
        return False


def _games_as_good(old: list[Game], games: list[Game], text: str) -> bool:
    shown, due = ({(game.san, game.white) for game in each} for each in (games, old))
    alike = shown == due and len(set(games)) == len(games) and write_games(games) == text
    return alike and all(map(is_sound, set(games).difference(old)))


def _certificates_as_good(old: list[Certificate], new: list[Certificate], text: str) -> bool:
    alike = [(c.cube, c.left_open) for c in new] == [(c.cube, c.left_open) for c in old]
    return (alike and "".join(map(str, new)) == text) and all(
        one == other or is_refutation(one) for one, other in zip(new, old, strict=True)
    )


def without_number(steps: Iterable[Step], gone: int) -> Iterator[Step]:
    """Return the steps after one clause less: numbers move up, hints to it are left out."""
    for number, literals, hints in steps:
        kept = tuple(hint - (hint > gone) for hint in hints if hint != gone)
        yield Step(number - 1, literals, kept)


def without_open_string(certificate: Certificate, gone: str) -> Certificate:
    """Return it without an open string's clause, all numbers after it made to fit."""
    left_open = tuple(san for san in certificate.left_open if san != gone)
    before = certificate.steps[0].number - len(certificate.left_open)
    number = before + certificate.left_open.index(gone)
    steps = tuple(without_number(certificate.steps, number))
    return certificate._replace(left_open=left_open, steps=steps)


def strings_of(cube: Cube) -> list[str]:
    """Return every string of a cube."""
    return [str(san) for bare in bare_strings(cube) for san in with_suffixes(bare)]
