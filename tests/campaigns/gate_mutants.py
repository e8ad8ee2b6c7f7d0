"""Small wrong changes to the generator: the gate must fail every list that they change.

Each mutant is run on its own; its list is compared with the unchanged generator's, and handed to
``sanproof gate``, as a user would. The gate has to say no if and only if the two lists differ. As a
program it prints what became of the mutants, and ends with exit code 1 if the gate was wrong about
any, or if there are fewer than were asked for.
"""

import argparse
import random
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tests.campaigns.mutation.operators import Mutant, mutate
from tests.verify.command import ROOT, command

TIMEOUT_SECONDS: Final = 60
MAX_BYTES: Final = 1 << 24
FILES: Final = ("__init__", "checks", "geometry", "strings")
PROGRAM: Final = (
    "from resource import RLIMIT_AS, RLIMIT_CPU, setrlimit\n"
    "setrlimit(RLIMIT_CPU, (15, 15))\n"  # a mutant may run without end, and ask for all memory
    "setrlimit(RLIMIT_AS, (1 << 29, 1 << 29))\n"
    "from sanproof.generator.strings import suffixed_strings\n"
    "print(*suffixed_strings(), sep='\\n')"
)


def mutants() -> list[Mutant]:
    """All mutants of the generator's modules."""
    sources = {name: (ROOT / "generator" / f"{name}.py").read_text("utf-8") for name in FILES[1:]}
    return [mutant for name, source in sources.items() for mutant in mutate(name, source)]


def generated(mutant: Mutant | None, directory: Path) -> bytes | None:
    """The list that the generator prints, changed or not; None if it fails or hangs."""
    package = directory / "sanproof"
    (package / "generator").mkdir(parents=True, exist_ok=True)
    (package / "__init__.py").touch()
    for name in FILES:
        shutil.copy2(ROOT / "generator" / f"{name}.py", package / "generator")
    if mutant is not None:
        (package / "generator" / f"{mutant.module}.py").write_text(mutant.source, "utf-8")
    try:
        run = subprocess.run(
            [sys.executable, "-B", "-c", PROGRAM],
            cwd=directory,
            env={"PYTHONPATH": str(directory), "PYTHONSAFEPATH": "1"},
            capture_output=True,
            timeout=TIMEOUT_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return None
    return run.stdout if run.returncode == 0 and len(run.stdout) < MAX_BYTES else None


def gate_says_yes(content: bytes, directory: Path) -> bool:
    """The gate's answer to a list."""
    path = directory / "list.txt"
    path.write_bytes(content)
    run = subprocess.run(
        command("gate", "--suffixed", str(path)), cwd=ROOT, capture_output=True, check=False
    )
    if run.returncode not in (0, 1):
        raise RuntimeError(run.stderr.decode())
    return run.returncode == 0


def judge(mutant: Mutant, right: list[bytes], directory: Path) -> str:
    """What became of a mutant; in capitals if the gate was wrong."""
    content = generated(mutant, directory)
    if content is None:
        return "ends with an error"
    changed = sorted(content.split()) != right
    if gate_says_yes(content, directory) == changed:
        return "MISSED by the gate" if changed else "FAILED without reason"
    return "caught by the gate" if changed else "changes nothing, and passes"


def check(count: int, seed: int) -> bool:
    """Judge so many mutants, and print what became of them; whether the gate was always right."""
    made = mutants()
    results = Counter[str]()
    with TemporaryDirectory(prefix="sanproof-gate-") as name:
        content = generated(None, Path(name))
        if content is None or not gate_says_yes(content, Path(name)):
            say("the unchanged list does not pass")
            return False
        right = sorted(content.split())
        for mutant in random.Random(seed).sample(made, min(count, len(made))):
            result = judge(mutant, right, Path(name))
            results[result] += 1
            if result[:6].isupper():
                say(f"{mutant}: {result}")
    say(f"{results.total()} of {len(made)} mutants: {dict(results)}")
    wrong = results["MISSED by the gate"] + results["FAILED without reason"]
    return not wrong and results.total() >= count and results["caught by the gate"] > count // 4


def say(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main() -> int:
    """1 if the gate was wrong about any mutant, or if there were too few."""
    parser = argparse.ArgumentParser(description="Check that the gate fails changed lists.")
    parser.add_argument("--count", type=int, default=200, help="how many mutants")
    parser.add_argument("--seed", type=int, default=1, help="which of them are taken")
    options = parser.parse_args()
    return 0 if check(options.count, options.seed) else 1


if __name__ == "__main__":
    sys.exit(main())
