"""Which tests can notice mutants of which module, the cheapest first."""

from typing import Final, NamedTuple

PYTEST: Final = (
    *("-x", "-q", "--no-header", "-p", "no:cacheprovider", "-m", "not slow"),
    *("-p", "_hypothesis_pytestplugin", "--hypothesis-seed=0"),  # the only plugin that is needed
)


class Detector(NamedTuple):
    """A program that must end with exit code 0 on the right tree, and not on the mutant.

    Attributes:
        name: What it is called in the table.
        module: A module with a function ``main`` that takes arguments.
        arguments: The arguments.
    """

    name: str
    module: str
    arguments: tuple[str, ...]


def tests(*names: str) -> Detector:
    """Test files, or tests in them, under ``tests/proofs/``."""
    paths = tuple(f"tests/proofs/{name}" for name in names)
    return Detector(", ".join(n.rpartition("/")[2] for n in names), "pytest", (*PYTEST, *paths))


FORGERIES: Final = Detector("forgeries", "tests.mutation.forgeries", ())
STRINGS: Final = Detector("strings", "tests.mutation.formulas", ("--strings",))
POSITIONS: Final = Detector("positions", "tests.mutation.formulas", ())
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
    "proofs.kernel.__main__": (tests("kernel/test_main.py"),),
    "proofs.rules.squares": (SQUARES, *ENCODING),
    "proofs.rules.san": (SAN, CUBES),
    "proofs.rules.cubes": (CUBES, tests("kernel/test_theorem.py")),
    "proofs.rules.moves": (STRINGS, SQUARES, POSITIONS),
    "proofs.encoding.cnf": (CNF, *ENCODING),
    "proofs.encoding.written": ENCODING,
    "proofs.encoding.relaxation": ENCODING,
}
