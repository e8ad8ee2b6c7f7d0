"""The JSON Schema of a suite's file (draft 2020-12)."""

from typing import Any, Final

from sanproof.verify.conformance.suite import FORMAT, LICENCE, NAME, Demand, Level, Operation

_SAN: Final = {"type": "string", "pattern": r"^\S{2,10}$"}
_UCI: Final = {"type": "string", "pattern": "^[a-h][1-8][a-h][1-8][qrbn]?$"}
_FEN: Final = {"type": "string", "pattern": r"^\S+ [wb] \S+ \S+ [0-9]+ [1-9][0-9]*$"}
_FENS: Final = {
    "type": "object",
    "properties": dict.fromkeys(("always", "pseudo-legal", "legal"), _FEN),
    "required": ["always", "pseudo-legal", "legal"],
    "additionalProperties": False,
}
_MOVES: Final = {"type": "array", "items": _SAN}


def _of(operation: Operation, asked: dict[str, Any], expected: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of what an operation takes; only a must-not case expects nothing."""
    has_result = {"required": ["expected"]}
    return {
        "if": {"properties": {"operation": {"const": operation.value}}},
        "then": {
            "properties": asked | {"expected": expected},
            "required": list(asked),
            "if": {"properties": {"class": {"const": Demand.MUST.value}}},
            "then": has_result,
            "else": {
                "if": {"properties": {"class": {"const": Demand.MUST_NOT.value}}},
                "then": {"not": has_result},
            },
        },
    }


SCHEMA: Final[dict[str, Any]] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "A conformance suite for Standard Algebraic Notation (SAN)",
    "type": "object",
    "properties": {
        "format": {"const": FORMAT},
        "suite": {"const": NAME},
        "version": {"type": "string", "pattern": r"^[0-9]+\.[0-9]+\.[0-9]+$"},
        "level": {"enum": [level.value for level in Level]},
        "licence": {"const": LICENCE},
        "games": {
            "description": "Moves in UCI from the initial position, with blanks between them.",
            "type": "array",
            "items": {
                "type": "string",
                "pattern": "^([a-h][1-8][a-h][1-8][qrbn]?( [a-h][1-8][a-h][1-8][qrbn]?)*)?$",
            },
            "uniqueItems": True,
        },
        "cases": {"type": "array", "items": {"$ref": "#/$defs/case"}},
    },
    "required": ["format", "suite", "version", "level", "licence", "games", "cases"],
    "additionalProperties": False,
    "$defs": {
        "case": {
            "type": "object",
            "properties": {
                "id": {"type": "string", "pattern": r"^[!-~]+$"},
                "operation": {"enum": [operation.value for operation in Operation]},
                "class": {"enum": [demand.value for demand in Demand]},
                "mechanism": {"type": "string", "pattern": r"^[a-z.-]+$"},
                "colour": {"enum": ["white", "black"]},
                "why": {"type": "string", "minLength": 1},
                "fen": _FEN,
                "game": {"type": "integer", "minimum": 0},
                "plies": {"type": "integer", "minimum": 0},
                "san": {"type": "string"},
                "uci": _UCI,
                "pgn": {"type": "string"},
                "expected": True,
                "reports": {
                    "type": "array",
                    "items": {"type": "string", "pattern": "^https://"},
                    "minItems": 1,
                },
            },
            "required": ["id", "operation", "class", "mechanism", "colour", "why"],
            "additionalProperties": False,
            "dependentRequired": {"game": ["plies"], "plies": ["game", "fen"]},
            "allOf": [
                _of(Operation.READ, {"fen": _FEN, "san": {"type": "string"}}, _UCI),
                _of(Operation.WRITE, {"fen": _FEN, "uci": _UCI}, _SAN),
                _of(Operation.MOVES, {"fen": _FEN}, _MOVES),
                _of(Operation.PLAY, {"fen": _FEN, "san": {"type": "string"}}, _FENS),
                _of(
                    Operation.GAME,
                    {"pgn": {"type": "string"}},
                    {
                        "type": "object",
                        "properties": {"moves": _MOVES, "fen": _FENS},
                        "required": ["moves", "fen"],
                        "additionalProperties": False,
                    },
                ),
            ],
        }
    },
}
"""The schema, which every published suite keeps."""
