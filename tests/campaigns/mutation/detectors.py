"""The tests that can notice mutants of each module, the cheapest first.

For the trusted rooms a table says it. For all others it is a convention: the tests that mirror the
module, then those of its room.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).parents[3]

PYTEST: Final = (
    *("-x", "-q", "--no-header", "-p", "no:cacheprovider", "-m", "not slow and not browser"),
    "--hypothesis-profile=mutants",
)


class Detector(NamedTuple):
    """A program that must end with exit code 0 on the right tree, and not on the mutant.

    Attributes:
        name: What it is called in the table.
        module: A module that is run with the arguments.
        arguments: The arguments.
    """

    name: str
    module: str
    arguments: tuple[str, ...]


def tests(*names: str) -> Detector:
    """Return a detector of test files, or tests in them, under ``tests/proofs/``."""
    paths = tuple(f"tests/proofs/{name}" for name in names)
    return Detector(", ".join(n.rpartition("/")[2] for n in names), "pytest", (*PYTEST, *paths))


def _tests_in(path: Path) -> Detector:
    name = str(path.relative_to(ROOT))
    return Detector(name, "pytest", (*PYTEST, name))


def by_convention(module: str) -> tuple[Detector, ...]:
    """Return the tests that mirror a module, if there are any, and all tests of its room.

    A room without a folder of tests has its tests in the folder of the room around it.
    """
    *room, name = module.split(".")
    folder = ROOT.joinpath("tests", *room)
    while not folder.is_dir():
        folder = folder.parent
    mirror = folder / f"test_{name}.py"
    return (*([_tests_in(mirror)] if mirror.exists() else []), _tests_in(folder))


def detectors_of(module: str) -> tuple[Detector, ...]:
    """Return what may notice a mutant of a module."""
    return DETECTORS.get(module) or (*BESIDES.get(module, ()), *by_convention(module))


def room_of(module: str) -> str:
    """Return the folder that a module is in, as a module's name: at most two levels."""
    return ".".join(module.split(".")[:-1][:2])


def modules() -> Iterator[str]:
    """Yield every module that does something, in the order of the folders."""
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            is_of_the_tree = not any(folder.is_symlink() for folder in path.parents)
            if path.name != "__init__.py" and is_of_the_tree:
                name = ".".join(parts)
                if path.name != "__main__.py" or name in DETECTORS:
                    yield name


ROOMS: Final = ("generator", "proofs", "reports", "verify", "sanproof")

FORGERIES: Final = Detector("forgeries", "tests.campaigns.mutation.formulas", ("--forgeries",))
STRINGS: Final = Detector("strings", "tests.campaigns.mutation.formulas", ("--strings",))
POSITIONS: Final = Detector("positions", "tests.campaigns.mutation.formulas", ())
SQUARES: Final = tests("rules/test_squares.py")
CUBES: Final = tests("rules/test_cubes.py")
SAN: Final = tests("rules/test_san.py")
CNF: Final = tests("encoding/test_cnf.py")
ENCODING: Final = (STRINGS, POSITIONS)

DETECTORS: Final[dict[str, tuple[Detector, ...]]] = {
    "proofs.kernel.files": (tests("kernel/test_files.py"), FORGERIES),
    "proofs.kernel.refutation": (tests("kernel/test_refutation.py"), FORGERIES),
    "proofs.kernel.games": (tests("kernel/test_games.py"), FORGERIES),
    "proofs.kernel.certificates": (tests("kernel/test_certificates.py"), FORGERIES),
    "proofs.kernel.theorem": (tests("kernel/test_theorem.py"), FORGERIES),
    "proofs.kernel.workers": (tests("kernel/test_main.py"),),
    "proofs.kernel.__main__": (tests("kernel/test_main.py"),),
    "proofs.rules.squares": (SQUARES, *ENCODING),
    "proofs.rules.san": (SAN, CUBES),
    "proofs.rules.cubes": (CUBES, tests("kernel/test_theorem.py")),
    "proofs.rules.moves": (STRINGS, SQUARES, POSITIONS),
    "proofs.encoding.cnf": (CNF, *ENCODING),
    "proofs.encoding.written": ENCODING,
    "proofs.encoding.relaxation": ENCODING,
}
EXACT: Final = ("board", "exact", "mate", "moves")
BESIDES: Final = {f"proofs.search.{name}": (POSITIONS,) for name in EXACT}
"""Detectors of modules that have others by convention: the exact formula models chess too."""
