"""Shows each forgery once to this tree's kernel: ``python -m tests.campaigns.mutation.forgeries``.

Exit code 1 if it handles one of them wrongly, or does not accept the evidence that is not forged.
"""

import sys
from collections.abc import Sequence

from tests.campaigns.forging.__main__ import EVIDENCE, before_the_kernel


def main(_arguments: Sequence[str] = ()) -> int:
    """1 at the first mistake, which is then said."""
    wrong = next((row.wrong for row in before_the_kernel(EVIDENCE, 1, 1) if row.wrong), None)
    sys.stdout.write(f"{wrong or 'nothing is wrong'}\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
