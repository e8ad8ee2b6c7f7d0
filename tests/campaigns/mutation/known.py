"""Mutants that are known by name, as the campaign prints them.

``by_hand.txt`` has wrong changes that no operator makes, each with what is wrong about it.
``argued.txt`` has mutants that nothing can notice, followed by the reason: the module does the
same. Neither depends on how a module is formatted; what fits no mutant is an error.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

from tests.campaigns.mutation.operators import Mutant, places, replaced

HERE: Final = Path(__file__).parent
NAMED: Final = re.compile(r"(\S+):(\S+): (.+): `(.+)` -> `(.+)`")


@cache
def argued() -> dict[str, str]:
    """Return why each mutant that is argued to do the same does."""
    found, waiting = {}, list[str]()
    for line in (HERE / "argued.txt").read_text("utf-8").splitlines():
        if line.startswith(" "):
            found.update(dict.fromkeys(waiting, line.strip()))
            waiting = []
        else:
            waiting.append(line)
    return found


def by_hand(root: Path, lines: str = "") -> Iterator[Mutant]:
    """Yield the mutants that were thought out.

    Raises:
        ValueError: The node of one is not in its function exactly once.
    """
    for line in (lines or (HERE / "by_hand.txt").read_text("utf-8")).splitlines():
        match = NAMED.fullmatch(line)
        if match is None:
            raise ValueError(f"no mutant: {line}")
        module, where, what, old, new = match.groups()
        path = Path(root, *module.split(".")).with_suffix(".py")
        tree, wanted = ast.parse(path.read_text(encoding="utf-8")), _parsed(old)
        ways = [
            path
            for node, path, place in places(tree)
            if place == where and type(node) is type(wanted) and ast.unparse(node).strip() == old
        ]
        if len(ways) != 1:
            raise ValueError(f"{module}:{where}: {what}: its node is found {len(ways)} times")
        source = replaced(tree, ways[0], _parsed(new))
        yield Mutant(module, where, what, old, new, 1, source)


def _parsed(text: str) -> ast.AST:
    """Return a node, of the kind that stands where it is to be put."""
    statement = ast.parse(text).body[0]
    return statement.value if isinstance(statement, ast.Expr) else statement
