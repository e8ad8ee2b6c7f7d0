"""Small wrong changes to two generators: the gate must fail every list that they change.

Each mutant differs from its generator in one operator, constant or branch. It is run on its own;
its list is compared with the unchanged generator's, and handed to ``sanproof gate``, as a user
would. The gate has to say no if and only if the two lists differ. As a program (``nox -s
gate_mutants``) it prints what became of the mutants, and ends with exit code 1 if the gate was
wrong about any, or if there are fewer than were asked for.
"""

import argparse
import ast
import random
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from copy import copy
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from tests.verify.command import ROOT, command

TIMEOUT_SECONDS: Final = 60
BOUNDS: Final = (
    "from resource import RLIMIT_AS, RLIMIT_CPU, setrlimit\n"
    "setrlimit(RLIMIT_CPU, (15, 15))\n"
    "setrlimit(RLIMIT_AS, (1 << 29, 1 << 29))\n"
)
"""A mutant may run without end, and ask for all memory there is."""
MOST_BYTES: Final = 1 << 24

COMPARISONS: Final[dict[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
OPERATORS: Final[dict[type[ast.operator], type[ast.operator]]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitOr,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}


class Generator(NamedTuple):
    """A generator.

    Attributes:
        name: What it is called.
        files: Its files.
        changed: Which of them are changed.
        program: Prints its list.
        package: The package in which its files are imported; empty for none.
    """

    name: str
    files: tuple[str, ...]
    changed: tuple[str, ...]
    program: str
    package: str = ""


OURS: Final = Generator(
    "generator",
    tuple(f"generator/{name}.py" for name in ("__init__", "checks", "geometry", "strings")),
    tuple(f"generator/{name}.py" for name in ("checks", "geometry", "strings")),
    "from sanproof.generator.strings import suffixed_strings as s; print(*s(), sep='\\n')",
    "sanproof",
)
SECOND: Final = Generator(
    "second",
    ("tests/__init__.py", "tests/gating/__init__.py", "tests/gating/second.py"),
    ("tests/gating/second.py",),
    "from tests.gating.second import all_strings; print(*all_strings(), sep='\\n')",
)


class Mutant(NamedTuple):
    """One change: the file, the line, what is done there; the node's place, and the way."""

    file: str
    line: int
    change: str
    place: int
    way: int

    def text(self) -> str:
        """The changed file."""
        tree = _tree(self.file)
        _change(_nodes(tree)[self.place], self.way)
        return ast.unparse(tree)


def mutants_of(file: str) -> Iterator[Mutant]:
    """Every mutant of a file, from its syntax tree."""
    for place, node in enumerate(_nodes(_tree(file))):
        for way in range(3):
            if change := _change(copy(node), way):
                yield Mutant(file, getattr(node, "lineno", 0), change, place, way)


def _tree(file: str) -> ast.Module:
    return ast.parse((ROOT / file).read_text(encoding="utf-8"))


def _nodes(tree: ast.Module) -> list[ast.AST]:
    """The nodes that can be changed: not those of annotations, which do nothing."""
    skipped: set[ast.AST] = set()
    for node in ast.walk(tree):
        for annotation in (getattr(node, "annotation", None), getattr(node, "returns", None)):
            if annotation is not None:
                skipped.update(ast.walk(annotation))
    return [node for node in ast.walk(tree) if node not in skipped]


def _change(node: ast.AST, way: int) -> str:
    """Change a node in the first, second or third way there is; what was done, or nothing."""
    if isinstance(node, ast.Compare):
        return _change_comparison(node, way)
    if isinstance(node, (ast.BinOp, ast.AugAssign)):
        return _change_operator(node, way)
    if isinstance(node, ast.Constant):
        return _change_constant(node, way)
    if isinstance(node, (ast.If, ast.IfExp)) and way < 2:
        node.test = ast.Constant(value=way == 0)
        return f"condition is {way == 0}"
    if isinstance(node, ast.BoolOp) and way == 0:
        node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        return "and for or, or the other way round"
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.Invert, ast.USub)) and way == 0:
        node.op = ast.UAdd()
        return "sign or complement left out"
    return ""


def _change_comparison(node: ast.Compare, way: int) -> str:
    known = COMPARISONS.get(type(node.ops[0]))
    if way or known is None:
        return ""
    node.ops = [known(), *node.ops[1:]]
    return f"comparison {known.__name__}"


def _change_operator(node: ast.BinOp | ast.AugAssign, way: int) -> str:
    known = OPERATORS.get(type(node.op))
    if way or known is None:
        return ""
    node.op = known()
    return f"operator {known.__name__}"


def _change_constant(node: ast.Constant, way: int) -> str:
    value = node.value
    if isinstance(value, bool):
        node.value = not value
        return f"{not value} for {value}" if way == 0 else ""
    if isinstance(value, int) and way < 2:
        node.value = value + (1, -1)[way]
        return f"{node.value} for {value}"
    if isinstance(value, str) and value and " " not in value:
        node.value = (value[1:], value[:-1], value[::-1])[way]
        return f"{node.value!r} for {value!r}" if node.value != value else ""
    return ""


def run_generator(generator: Generator, mutant: Mutant | None, directory: Path) -> bytes | None:
    """The list that a generator prints, changed or not; None if it fails or hangs."""
    package = directory / generator.package
    for file in generator.files:
        (package / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / file, package / file)
    if generator.package:
        (package / "__init__.py").touch()
    if mutant is not None:
        (package / mutant.file).write_text(mutant.text(), encoding="utf-8")
    try:
        run = subprocess.run(
            [sys.executable, "-B", "-c", BOUNDS + generator.program],
            cwd=directory,
            env={"PYTHONPATH": str(directory), "PYTHONSAFEPATH": "1"},
            capture_output=True,
            timeout=TIMEOUT_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return None
    return run.stdout if run.returncode == 0 and len(run.stdout) < MOST_BYTES else None


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


def judge(generator: Generator, mutant: Mutant, right: list[bytes], directory: Path) -> str:
    """What became of a mutant."""
    content = run_generator(generator, mutant, directory)
    if content is None:
        return "ends with an error"
    changed = sorted(content.split()) != right
    if gate_says_yes(content, directory) == changed:
        return "MISSED by the gate" if changed else "FAILED without reason"
    return "caught by the gate" if changed else "changes nothing, and passes"


def check(generator: Generator, count: int, seed: int) -> bool:
    """Judge so many mutants of a generator; whether the gate was right about all."""
    started = time.perf_counter()
    mutants = [mutant for file in generator.changed for mutant in mutants_of(file)]
    chosen = random.Random(seed).sample(mutants, min(count, len(mutants)))
    results = Counter[str]()
    with TemporaryDirectory(prefix="sanproof-gate-") as name:
        content = run_generator(generator, None, Path(name))
        if content is None or not gate_says_yes(content, Path(name)):
            say(f"{generator.name}: its unchanged list does not pass")
            return False
        right = sorted(content.split())
        for mutant in chosen:
            result = judge(generator, mutant, right, Path(name))
            results[result] += 1
            if result[:6].isupper():
                say(f"{mutant.file}:{mutant.line}: {mutant.change}: {result}")
    seconds = time.perf_counter() - started
    say(f"{generator.name}: {len(chosen)} of {len(mutants)} mutants in {seconds:.0f} s")
    for result, number in results.most_common():
        say(f"{number:5} {result}")
    wrong = results["MISSED by the gate"] + results["FAILED without reason"]
    return not wrong and len(chosen) >= count and results["caught by the gate"] > count // 4


def say(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main() -> int:
    """1 if the gate was wrong about any mutant, or if there were too few."""
    parser = argparse.ArgumentParser(description="Check that the gate fails changed lists.")
    parser.add_argument("--count", type=int, default=200, help="mutants of each generator")
    parser.add_argument("--seed", type=int, default=1, help="which of them are taken")
    parser.add_argument("--only", default="", help="a generator: generator or second")
    options = parser.parse_args()
    chosen = [made for made in (OURS, SECOND) if options.only in made.name]
    right = [check(made, options.count, options.seed) for made in chosen]
    return 0 if all(right) else 1


if __name__ == "__main__":
    sys.exit(main())
