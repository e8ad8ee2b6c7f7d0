"""The three files of the evidence: the published ones, and those of a few cubes among them."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple
from unittest import mock

from sanproof.proofs.kernel import theorem
from sanproof.proofs.kernel.certificates import CUBES_BY_NAME, split_certificates
from sanproof.proofs.kernel.files import CERTIFICATES, GAMES, STRINGS, read_bytes, text_of
from sanproof.proofs.rules.cubes import Cube, cube_of
from sanproof.proofs.rules.san import parse_san
from sanproof.verify.work.executors import Inline
from tests.strings import strings_of
from tests.verify.command import ROOT

DATA: Final = ROOT / "data"
NAMES: Final = "O-O O-O-O a1 a3 a6 a8 Kxa1 Kxa8 Nxb1 Nxb8 Rxa1 Rxa8"
PART: Final = tuple(CUBES_BY_NAME[name] for name in NAMES.split(" "))
"""A few cubes of each kind, in the order of all; each with the one that Black's exchange needs."""


class Evidence(NamedTuple):
    """The texts of the three files."""

    strings: str
    games: str
    certificates: str


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
    """Return a paragraph of the file of certificates, taken apart."""
    lines = text.removesuffix("\n\n").split("\n")
    cube, scope, opened = (line.partition(" ")[2] for line in lines[:3])
    return Paragraph(cube, scope, opened.split(), lines[3:])


def paragraphs(evidence: Evidence) -> list[Paragraph]:
    """Take all certificates apart."""
    return [read_paragraph(text) for text in split_certificates(evidence.certificates)]


def text(name: str, directory: Path = DATA) -> str:
    """Return the text of a file of the evidence, as the kernel reads it."""
    return text_of(name, read_bytes(directory / name))


@cache
def published(directory: Path = DATA) -> Evidence:
    """Return the evidence for the whole universe."""
    return Evidence(*(text(name, directory) for name in (STRINGS, GAMES, CERTIFICATES)))


@cache
def part(cubes: Sequence[Cube] = PART, directory: Path = DATA) -> Evidence:
    """Return what the published evidence says of these cubes."""
    strings, games, certificates = published(directory)
    names = {f"cube {cube}" for cube in cubes}
    kept = {san for san in strings.split("\n") if cube_of(parse_san(san)) in cubes}
    lines = (line for line in games.splitlines() if line.rpartition(" ")[2] in kept)
    paragraphs = split_certificates(certificates)
    return Evidence(
        "\n".join(san for san in strings.split("\n") if san in kept),
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
