"""Answers the conformance suite with python-chess: pip install chess==1.11.2."""

import importlib.metadata
import io
import json
import sys

import chess
import chess.pgn


def read(question):
    return chess.Board(question["fen"]).parse_san(question["san"]).uci()


def write(question):
    board = chess.Board(question["fen"])
    return board.san(board.parse_uci(question["uci"]))


def moves(question):
    board = chess.Board(question["fen"])
    return [board.san(move) for move in board.legal_moves]


def play(question):
    board = chess.Board(question["fen"])
    board.push_san(question["san"])
    return board.fen()


def game(question):
    played = chess.pgn.read_game(io.StringIO(question["pgn"]))
    if played is None or played.errors:
        raise ValueError(f"not a game: {played and played.errors}")
    board, sans = played.board(), []
    for move in played.mainline_moves():
        sans.append(board.san_and_push(move))
    return {"moves": sans, "fen": board.fen()}


operations = {"read": read, "write": write, "moves": moves, "play": play, "game": game}
greeting = {"sanproof": 1, "name": "chess", "version": importlib.metadata.version("chess")}
greeting |= {"language": "Python", "operations": list(operations)}
print(json.dumps(greeting), flush=True)
for line in sys.stdin:
    question = json.loads(line)
    try:
        answer = {"result": operations[question["operation"]](question)}
    except Exception as error:
        answer = {"rejected": f"{type(error).__name__}: {error}"}
    print(json.dumps({"id": question["id"]} | answer), flush=True)
