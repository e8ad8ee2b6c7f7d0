"""What the adapters of this folder share: greets, and answers the cases of standard input.

An adapter that stands alone, as one of yours will, is ``python_chess.py``.
"""

import json
import sys
from collections.abc import Callable
from importlib.metadata import version as version_of
from typing import IO, Any


def answer_cases(
    name: str,
    *operations: Callable[[dict[str, Any]], Any],
    version: str = "",
    language: str = "Python",
    settings: str = "",
    out: IO[str] = sys.stdout,
) -> None:
    """Answer every case with the function that has the name of its operation."""
    by_name = {operation.__name__: operation for operation in operations}
    greeting = {"sanproof": 1, "name": name, "version": version or version_of(name)}
    greeting |= {"language": language, "settings": settings, "operations": list(by_name)}
    print(json.dumps(greeting), file=out, flush=True)
    for line in sys.stdin:
        case = json.loads(line)
        try:
            answer = {"result": by_name[case["operation"]](case)}
        except Exception as error:  # whatever the library raises, it did not take the move
            answer = {"rejected": f"{type(error).__name__}: {error}"}
        print(json.dumps({"id": case["id"]} | answer), file=out, flush=True)
