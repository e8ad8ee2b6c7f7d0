"""A sound run and corruptions of it, shown to this tree's audit, which ends at the first mistake.

As a program: ``python -m tests.mutation.forgeries [--make | --bombs | KIND...]``. The runs are made
by the unchanged tree (``--make``) and come along with its copies: the audit alone is on trial.
"""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tests.verify.audit.corruption import (
    GROUPS,
    KINDS,
    NotCaught,
    audit_here,
    bombs_not_caught,
    check_caught,
    fast_audits,
    make_runs,
    read_runs,
    scene_of,
)

RUNS: Final = Path("runs")
TRIES: Final = 8


def first_mistake(kinds: Sequence[str], tries: int) -> str:
    """What the audit gets wrong first; empty if nothing."""
    runs = read_runs(RUNS)
    for name in sorted({"played" if "games" in kind else "run" for kind in kinds}):
        audit_here(RUNS / name)
    for kind in kinds:
        for number in range(tries):
            try:
                check_caught(KINDS[kind](scene_of(runs, kind, number)))
            except NotCaught as error:
                return f"{kind} {number}: {error}"
    return ""


def main(arguments: Sequence[str]) -> int:
    """1 if the audit refuses the sound run, or does not refuse a corrupted one."""
    if arguments == ["--make"]:
        RUNS.mkdir()
        make_runs(RUNS)
        return 0
    if arguments == ["--bombs"]:
        told = bombs_not_caught((RUNS / "run").resolve(), next(iter(GROUPS)))
        wrong = "; ".join(f"{kind}: {said}" for kind, said in told.items() if said)
    else:
        chosen = [k for k in KINDS if not arguments or any(a in k for a in arguments)]
        with fast_audits():
            wrong = first_mistake(chosen, TRIES if arguments else 1)
    sys.stdout.write(f"{wrong or 'nothing is wrong'}\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
