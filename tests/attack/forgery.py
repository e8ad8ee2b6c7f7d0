"""What a forgery is, and how the texts of the evidence are taken apart and put together."""

from collections.abc import Callable, Sequence
from random import Random
from typing import NamedTuple, TypeVar

from sanproof.proofs.kernel.certificates import split_certificates
from sanproof.proofs.rules.san import list_order
from tests.proofs.kernel.evidence import Evidence

Part = TypeVar("Part")
KEYWORDS = 3
"""How many lines of a certificate come before its refutation."""


class Scene(NamedTuple):
    """What a forger starts from.

    Attributes:
        evidence: Sound evidence.
        random: Where the chance comes from.
    """

    evidence: Evidence
    random: Random


class Forgery(NamedTuple):
    """A change of the evidence.

    Attributes:
        name: What was done, in a few words.
        make: Makes the changed evidence.
        harmless: Whether what is changed may be as good as before. Then the kernel may accept it,
            but it must establish the same; else it must refuse it.
    """

    name: str
    make: Callable[[Scene], Evidence]
    harmless: bool = False


Forgeries = list[Forgery]


def sorted_list(strings: Sequence[str]) -> str:
    """A list of strings as a forger who knows the form writes it."""
    return "\n".join(sorted(set(strings), key=list_order))


def sorted_games(lines: Sequence[str]) -> str:
    """Games as a forger who knows the form writes them."""
    return "".join(f"{line}\n" for line in sorted(set(lines)))


class Game(NamedTuple):
    """A line of the file of games."""

    moves: list[str]
    ply: int
    san: str

    def __str__(self) -> str:
        return " ".join([*self.moves, str(self.ply), self.san])

    @property
    def white(self) -> bool:
        """Whether White writes the string."""
        return self.ply % 2 == 1


def read_game(line: str) -> Game:
    """A line of the file of games, taken apart."""
    *moves, ply, san = line.split(" ")
    return Game(moves, int(ply), san)


class Paragraph(NamedTuple):
    """A certificate, taken apart."""

    cube: str
    scope: str
    open: list[str]
    lines: list[str]

    def __str__(self) -> str:
        header = [f"cube {self.cube}", f"scope {self.scope}", " ".join(["open", *self.open])]
        return "\n".join([*header, *self.lines]) + "\n\n"


def read_paragraph(text: str) -> Paragraph:
    """A paragraph of the file of certificates, taken apart."""
    lines = text.removesuffix("\n\n").split("\n")
    cube, scope, opened = (line.partition(" ")[2] for line in lines[:KEYWORDS])
    return Paragraph(cube, scope, opened.split(), lines[KEYWORDS:])


def paragraphs(evidence: Evidence) -> list[Paragraph]:
    """All certificates, taken apart."""
    return [read_paragraph(text) for text in split_certificates(evidence.certificates)]


def games(evidence: Evidence) -> list[Game]:
    """All games, taken apart."""
    return [read_game(line) for line in evidence.games.splitlines()]


def with_paragraphs(evidence: Evidence, changed: Sequence[Paragraph]) -> Evidence:
    """The evidence with other certificates."""
    return evidence._replace(certificates="".join(map(str, changed)))


def with_games(evidence: Evidence, changed: Sequence[Game]) -> Evidence:
    """The evidence with other games, in the form that they need."""
    return evidence._replace(games=sorted_games([str(game) for game in changed]))


def _change_one(
    read: Callable[[Evidence], list[Part]],
    write: Callable[[Evidence, Sequence[Part]], Evidence],
    change: Callable[[Part, Random], Part],
    fits: Callable[[Part], bool],
) -> Callable[[Scene], Evidence]:
    def make(scene: Scene) -> Evidence:
        parts = read(scene.evidence)
        at = scene.random.choice([i for i, part in enumerate(parts) if fits(part)])
        parts[at] = change(parts[at], scene.random)
        return write(scene.evidence, parts)

    return make


def change_paragraph(
    change: Callable[[Paragraph, Random], Paragraph],
    fits: Callable[[Paragraph], bool] = lambda _: True,
) -> Callable[[Scene], Evidence]:
    """Change one certificate, drawn from those that fit."""
    return _change_one(paragraphs, with_paragraphs, change, fits)


def change_game(
    change: Callable[[Game, Random], Game], fits: Callable[[Game], bool] = lambda _: True
) -> Callable[[Scene], Evidence]:
    """Change one game, drawn from those that fit."""
    return _change_one(games, with_games, change, fits)
