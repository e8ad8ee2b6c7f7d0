"""Positions that a game reaches, which may answer a question: it is still to be asked. Untrusted.

A question that none of them answers has no game here, which says nothing about whether its
positions are legal.

The known games are the lines of ``known.txt``: ``level | mechanism | text | moves``, the moves in
UCI from the initial position, and a text, as JSON, that is read or played after them; ``-`` without
one. The conformance suite begins with them, and takes the texts that a reader may accept.
"""

import json
from collections.abc import Iterator
from importlib.resources import files
from itertools import islice
from typing import Final

import chess

from sanproof.proofs.board.witness import Witness
from sanproof.proofs.find.formulas import QuestionPart, encode_part
from sanproof.proofs.find.patterns import Pattern
from sanproof.proofs.find.search import Hit
from sanproof.proofs.games.game import check_game
from sanproof.proofs.rules.cubes import BLACK
from sanproof.proofs.search.board import encode_not_in_check
from sanproof.proofs.search.decide import witnesses_by_king
from sanproof.proofs.search.material import Material, materials_of

KNOWN: Final = ("sanproof.proofs.find", "known.txt")
"""The package and the name of the file of known games."""
MOST_POSITIONS: Final = 8
"""The number of positions of each material that are tried."""


def known_games() -> Iterator[tuple[list[str], str]]:
    """Yield the known games with a text, which may denote no move, or be written otherwise."""
    package, name = KNOWN
    for line in files(package).joinpath(name).read_text("utf-8").splitlines():
        if not line.startswith("#"):
            *_, text, moves = line.split(" | ")
            if text != "-":
                yield moves.split(), json.loads(text)


def known_positions(pattern: Pattern) -> Iterator[Hit]:
    """Yield the positions of known games in which a text that matches is a move."""
    for moves, text in known_games():
        if pattern.takes(text):
            board, sans = chess.Board(), []
            for uci in moves:
                sans.append(board.san(board.parse_uci(uci)))
                board.push_uci(uci)
            try:
                move = board.parse_san(text)
            except ValueError:  # it denotes no move there, or several
                continue
            yield Hit(board.fen(), text, move.uci(), (*sans, text))


def search_game_positions(part: QuestionPart) -> Iterator[Hit]:
    """Yield positions of checked games, with the castling rights that the game has left.

    They have the pieces that hubs have, and begin quietly: White is not in check, and does not take
    in passing.
    """
    from sanproof.proofs.games.search import search_games  # noqa: PLC0415 - known games need no numba

    for material in [] if part.cube is None else materials_of(part.cube):
        for games in filter(None, map(search_games, _witnesses(part, material))):
            for game in games:  # White's, and Black's of the string that mirrors it
                if game.colour == part.colour:
                    checked = check_game(game)
                    yield Hit(checked.witness.fen, game.san, checked.witness.uci, checked.sans)


def _witnesses(part: QuestionPart, material: Material) -> Iterator[Witness]:
    """Positions with these pieces, Black's king on another square in each."""
    scene = encode_part(part, material)
    encode_not_in_check(scene.cnf, scene.board, BLACK, scene.white_king)
    scene.cnf.add(-scene.move.en_passant)
    return islice(witnesses_by_king(scene.encoding), MOST_POSITIONS)
