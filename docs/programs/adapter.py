"""An adapter in Python: python adapter.py. MIT: copy it and put your library in."""

import json
import sys


def missing(case):
    raise ValueError("put your library in")  # so it rejects a text


OPERATIONS = {
    "read": missing,  # of case["fen"] and case["san"]: a move in UCI
    "write": missing,  # of case["fen"] and case["uci"]: SAN
    "moves": missing,  # of case["fen"]: a list of all legal moves in SAN
    "play": missing,  # of case["fen"] and case["san"]: the FEN after the move
    "game": missing,  # of case["pgn"]: {"moves": all in SAN, "fen": the last}
}

greeting = {"sanproof": 1, "name": "my library", "version": "1.0", "language": "Python"}
print(json.dumps(greeting | {"operations": list(OPERATIONS)}), flush=True)
for line in sys.stdin:
    case = json.loads(line)
    try:
        answer = {"result": OPERATIONS[case["operation"]](case)}
    except Exception as error:
        answer = {"rejected": str(error)}
    print(json.dumps({"id": case["id"]} | answer), flush=True)
