"""What a text means in a position, and why the move that it means is written as it is there."""

from typing import NamedTuple

import chess

from sanproof.verify.notation import reading as reading_module
from sanproof.verify.notation import writing as writing_module
from sanproof.verify.notation.reading import Reading, judge
from sanproof.verify.notation.writing import Writing, explain_move


class Explanation(NamedTuple):
    """What a text means, and how the move is written that it denotes, if it is exactly one."""

    reading: Reading
    writing: Writing | None


def explain(text: str, board: chess.Board) -> Explanation:
    """What a text means in a position, which is statically valid and of standard chess."""
    reading = judge(text, board)
    if reading.uci is None:
        return Explanation(reading, None)
    return Explanation(reading, explain_move(chess.Move.from_uci(reading.uci), board))


def as_json(explanation: Explanation, board: chess.Board) -> dict[str, object]:
    """An explanation as it is written in JSON: the reading, and in it the writing."""
    reading, writing = explanation
    written = None if writing is None else writing_module.as_json(writing)
    return reading_module.as_json(reading) | {"fen": board.fen(), "writing": written}
