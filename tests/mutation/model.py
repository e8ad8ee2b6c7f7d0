"""What a mutant is, and what may catch it."""

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

PYTEST: Final = (
    *("-m", "pytest", "-x", "-q", "--no-header", "-p", "no:cacheprovider"),
    *("-p", "_hypothesis_pytestplugin"),  # the only plugin that is needed: see ``run_in``
)
FORGERIES: Final = "tests.mutation.forgeries"


class Detector(NamedTuple):
    """A program that must end with exit code 0 on the right tree, and not on the mutant.

    Attributes:
        name: What it is called in the table.
        arguments: Python's, in the root of the tree.
        timeout_seconds: After that time it is stopped, which counts as noticed.
    """

    name: str
    arguments: tuple[str, ...]
    timeout_seconds: int = 150


class Mutant(NamedTuple):
    """A small wrong change.

    Attributes:
        file: The file that it changes.
        what: What is wrong with it, in a few words.
        old: What is replaced: it must stand in the file exactly once.
        new: What takes its place.
        detectors: What may notice it, in the order in which it is tried, the cheapest first.
    """

    file: str
    what: str
    old: str
    new: str
    detectors: tuple[Detector, ...]


Change = tuple[str, str, str] | tuple[str, str, str, tuple[Detector, ...]]


def mutants(file: str, changes: Iterable[Change], *also: Detector) -> Iterator[Mutant]:
    """The mutants of a file, from what, old, new, and detectors; also those for all of them."""
    for what, old, new, *own in changes:
        yield Mutant(file, what, old, new, (*(own[0] if own else ()), *also))


def tests(*names: str) -> Detector:
    """Test files, or tests in them, under ``tests/``."""
    files = dict.fromkeys(name.rpartition("/")[2].partition("::")[0] for name in names)
    short = ", ".join(files) + " (some)" * any("::" in name for name in names)
    paths = (f"tests/{name}" for name in names)
    return Detector(short, (*PYTEST, "--hypothesis-seed=0", *paths))


def told(cubes: str, families: str = "") -> Detector:
    """The check of adequacy on some cubes: positions of some families, and models."""
    where = f"{cubes}; {families}" if families else f"{cubes}; models"
    return Detector(f"adequacy ({where})", ("-m", "tests.mutation.probe", cubes, families))


def forged(*kinds: str) -> Detector:
    """A sound run and corruptions of some kinds, or of all, shown to the audit."""
    name = f"forgeries ({', '.join(kinds)})" if kinds else "forgeries"
    return Detector(name, ("-m", FORGERIES, *kinds))


def decided(pattern: str) -> Detector:
    """``sanproof verify --only`` and ``sanproof audit``: all must be decided as claimed."""
    return Detector(f"verify and audit ({pattern})", ("-m", "tests.mutation.rerun", pattern))
