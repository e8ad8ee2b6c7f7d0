"""Adapter for rust_pgn_reader_python_binding (PyPI), which reads PGN with Rust's shakmaty.

It shows moves in UCI and positions as arrays, so it can be asked which move a string denotes.
"""

import json
import sys
from importlib.metadata import version
from typing import Any

from rust_pgn_reader_python_binding import parse_game


def read(case: dict[str, Any]) -> str:
    """The move that a SAN string denotes, in UCI: of a game of one move."""
    tags = f'[Event "?"]\n[SetUp "1"]\n[FEN "{case["fen"]}"]\n[Result "*"]'
    record = parse_game(f"{tags}\n\n{case['san']} *\n")[0]
    if record.parse_error:
        raise ValueError(record.parse_error)
    (move,) = record.moves_uci()
    return str(move)


OPERATIONS = {"read": read}
GREETING = {
    "sanproof": 1,
    "name": "rust_pgn_reader_python_binding",
    "version": version("rust_pgn_reader_python_binding"),
    "language": "Python",
    "operations": list(OPERATIONS),
}

print(json.dumps(GREETING), flush=True)
for line in sys.stdin:
    case = json.loads(line)
    try:
        answer = {"result": OPERATIONS[case["operation"]](case)}
    except Exception as error:  # whatever the library raises, it did not take the move
        answer = {"rejected": f"{type(error).__name__}: {error}"}
    print(json.dumps({"id": case["id"]} | answer), flush=True)
