"""Asks chess the cases of a suite, and prints those that it fails: python suite.py core.json."""

import json
import sys

import chess


def answer(case):
    board = chess.Board(case["fen"])
    if case["operation"] == "read":
        return board.parse_san(case["san"]).uci()
    if case["operation"] == "write":
        return board.san(chess.Move.from_uci(case["uci"]))
    if case["operation"] == "moves":
        return sorted(board.san(move) for move in board.legal_moves)
    board.push_san(case["san"])
    return board.fen()


for case in json.load(open(sys.argv[1]))["cases"]:
    if case["class"] == "may" or case["operation"] == "game":
        continue
    try:
        result = answer(case)
    except ValueError:
        result = None
    right = [case.get("expected")]  # nothing is expected of what must be rejected
    if case["operation"] == "play":
        right = list(case["expected"].values())
    if result not in right:
        print(case["id"], result, case["why"])
