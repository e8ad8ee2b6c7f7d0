"""The check of adequacy on a few cubes, which ends at the first failure.

As a program: ``python -m tests.mutation.probe "Nc3 xd6" "twins, en passant"``.
"""

import sys
from collections.abc import Collection, Iterator
from itertools import islice
from random import Random
from typing import Final

from proofs.kernel.certificates import CUBES_BY_NAME
from proofs.rules.cubes import Cube
from tests.proofs.encoding.adequacy import Adequacy, draw_cases
from tests.proofs.encoding.positions import FAMILIES

CASES: Final = 120
MODELS: Final = 16


def failures(cubes: Collection[Cube], families: Collection[str]) -> Iterator[str | None]:
    """What the check says of each case of the families and of each model: None if it is right."""
    adequacy = Adequacy(capacity=len(cubes))
    for family in families:
        for case in islice(draw_cases(Random(family), family, FAMILIES[family], cubes), CASES):
            yield adequacy.check_case(case)
    for cube in cubes:
        yield from adequacy.check_models(cube, Random(str(cube)), MODELS).failures


def main(cubes: str, families: str) -> int:
    """1 if something is wrong, which is then said."""
    chosen = [CUBES_BY_NAME[name] for name in cubes.split()]
    named = [family.strip() for family in families.split(",") if family]
    wrong = next(filter(None, failures(chosen, named)), None)
    sys.stdout.write(f"{wrong or 'nothing is wrong'}\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
