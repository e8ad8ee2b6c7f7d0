"""Small wrong changes to three generators: the gate must fail each list that they change.

And its line on what the differences share must name the rule that was changed, in four of five.
The generators are sanproof's own, one that follows SAN-strings' three algorithms, and one that puts
twins on the board. Which function holds which rule is said here, before anything is measured. As a
program it prints each mutant to which the line does not lead, and a table; it ends with exit code 1
if the gate was wrong about any list, or if the line leads too seldom.
"""

import argparse
import random
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from sanproof.reports.archive.door import open_archive
from sanproof.verify.gate.compare import Gate, GateReport
from sanproof.verify.gate.lists import parse_list
from tests.campaigns.mutation.operators import Mutant, mutate
from tests.verify.command import ROOT
from tests.verify.gate.test_compare import MADE_UP

TIMEOUT_SECONDS: Final = 60
MAX_BYTES: Final = 1 << 24
WANTED: Final = 0.8
OWN: Final = ("__init__", "strings")
OTHERS: Final = ("three_algorithms", "placements")
LIMITS: Final = (
    "from resource import RLIMIT_AS, RLIMIT_CPU, setrlimit\n"
    "setrlimit(RLIMIT_CPU, (15, 15))\n"  # a mutant may run without end, and ask for all memory
    "setrlimit(RLIMIT_AS, (1 << 29, 1 << 29))\n"
)

MOVES: Final = "the moves of"
TWINS: Final = "discriminators"
CHECK: Final = "check and mate"
PAWNS: Final = "of pawns"
ORDER: Final = "the order"
ALL: Final = "all pieces"

RULES: Final[Mapping[str, Mapping[str, tuple[str, ...]]]] = {
    "strings": {
        "": (ALL, MOVES, CHECK),
        "attacks": (MOVES, CHECK),
        "arrangements": (TWINS, MOVES),
        "piece_moves": (MOVES, TWINS, "captures", ALL),
        "pawn_moves": (PAWNS, "promotions"),
        "castling": ("castling", CHECK),
        "can_check": (CHECK,),
        "both_lists": (ORDER, ALL, CHECK),
        "suffixed_strings": (ALL, CHECK),
    },
    "three_algorithms": {
        "": (ALL,),
        "attacks": (MOVES,),
        "shadow": (TWINS,),
        "twins": (TWINS,),
        "moves": (MOVES, ALL),
        "written": ("captures", MOVES, ALL),
        "plain_sans": (MOVES,),
        "file_sans": ("file discriminators",),
        "rank_sans": ("rank discriminators",),
        "square_sans": ("square discriminators",),
        "king_sans": ("the moves of kings",),
        "pawn_sans": (PAWNS, "promotions"),
        "castling_sans": ("castling",),
        "san_strings": (ORDER, ALL, MOVES, TWINS, PAWNS, "castling"),
    },
    "placements": {
        "": (MOVES, ALL),
        "on_board": (MOVES, ALL),
        "lines": (MOVES, ALL),
        "twins_of": (TWINS,),
        "name": (ALL,),
        "discriminator": (TWINS,),
        "officers": (MOVES, TWINS),
        "both": ("captures", MOVES, ALL),
        "kings": ("the moves of kings", "castling"),
        "pawns": (PAWNS, "promotions"),
        "san_strings": (ORDER, ALL, MOVES, TWINS, PAWNS),
    },
}
"""For each function, or else its module, how the line may name the rule that it holds."""


def path_of(name: str) -> Path:
    """Where a module of a generator is."""
    folder = Path(__file__).parent if name in OTHERS else ROOT / "generator"
    return folder / f"{name}.py"


def mutants() -> Iterator[Mutant]:
    """All mutants of the three generators."""
    for name in (*OWN[1:], *OTHERS):
        yield from mutate(name, path_of(name).read_text("utf-8"))


def generated(mutant: Mutant, directory: Path) -> bytes | None:
    """Return the list that a changed generator prints; None if it fails or hangs."""
    if mutant.module in OTHERS:
        program = LIMITS + mutant.source
    else:
        package = directory / "sanproof" / "generator"
        package.mkdir(parents=True, exist_ok=True)
        (directory / "sanproof" / "__init__.py").touch()
        for name in OWN:
            shutil.copy2(path_of(name), package)
        (package / f"{mutant.module}.py").write_text(mutant.source, "utf-8")
        program = LIMITS + (
            "from sanproof.generator.strings import suffixed_strings\n"
            "print(*suffixed_strings(), sep='\\n')"
        )
    try:
        run = subprocess.run(
            [sys.executable, "-B", "-c", program],
            cwd=directory,
            env={"PYTHONPATH": str(directory), "PYTHONSAFEPATH": "1"},
            capture_output=True,
            timeout=TIMEOUT_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return None
    return run.stdout if run.returncode == 0 and len(run.stdout) < MAX_BYTES else None


def line_of(report: GateReport) -> str:
    """Return what the gate says of all differences: what they share, and the order."""
    parts = [report.shared.sentence] if report.shared else []
    if any("order" in note for note in report.notes):
        parts.append("Look at the order.")
    return " ".join(parts)


def leads(mutant: Mutant, line: str) -> bool:
    """Whether the line names the rule that was changed."""
    rules = RULES[mutant.module]
    wanted = rules.get(mutant.where, rules[""])
    return any(rule in line.partition("Look at")[2] for rule in wanted)


def check(count: int, seed: int) -> bool:
    """Judge so many mutants of each module; whether the gate and its line did as they should."""
    archive = open_archive()
    gates = {bare: Gate(archive, bare=bare, evidence=MADE_UP) for bare in (True, False)}
    results: dict[str, Counter[str]] = {}
    found = list(mutants())
    wrong = 0
    for name in RULES:
        mine = [mutant for mutant in found if mutant.module == name]
        chosen = random.Random(f"{seed} {name}").sample(mine, min(count, len(mine)))
        counts = results[name] = Counter[str]()
        right = archive.strings(bare=name in OTHERS)
        for mutant in chosen:
            with TemporaryDirectory(prefix="sanproof-gate-") as directory:
                content = generated(mutant, Path(directory))
            if content is None:
                counts["ends"] += 1
                continue
            report = gates[name in OTHERS].compare(parse_list("list", content))
            given = content.decode("ascii", "replace").splitlines()
            if (given == list(right)) != (report.exact and not report.notes):
                wrong += 1
                say(f"{mutant}: the gate is wrong")
            if given == list(right):
                counts["same list"] += 1
            elif leads(mutant, line_of(report)):
                counts["led to"] += 1
            else:
                counts["not led to"] += 1
                say(f"{mutant}: {line_of(report)[:300] or report.headline[:300]}")
    return verdict(results, wrong)


def verdict(results: Mapping[str, Counter[str]], wrong: int) -> bool:
    """Print the table; whether the line leads often enough, and the gate was never wrong."""
    columns = ("led to", "not led to", "same list", "ends")
    say(f"{'module':18}" + "".join(f"{name:>12}" for name in columns))
    whole = sum(results.values(), Counter[str]())
    for name, counts in {**results, "all": whole}.items():
        say(f"{name:18}" + "".join(f"{counts[column]:12}" for column in columns))
    share = whole["led to"] / max(1, whole["led to"] + whole["not led to"])
    say(f"The line names the changed rule in {share:.0%} of the lists that are changed.")
    return share >= WANTED and not wrong


def say(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main() -> int:
    """1 if the gate was wrong about any mutant, or leads to too few."""
    parser = argparse.ArgumentParser(description="Check that the gate finds wrong generators.")
    parser.add_argument("--count", type=int, default=40, help="how many mutants of each module")
    parser.add_argument("--seed", type=int, default=1, help="which of them are taken")
    options = parser.parse_args()
    return 0 if check(options.count, options.seed) else 1


if __name__ == "__main__":
    sys.exit(main())
