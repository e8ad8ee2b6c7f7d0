"""Answers that a game reaches: positions of the material from which games are built. Untrusted.

A question that such material cannot answer has no game here, which says nothing about whether its
positions are legal.
"""

from collections.abc import Iterator
from itertools import islice
from typing import Final

import chess

from sanproof.proofs.board.witness import Witness
from sanproof.proofs.find.formulas import QuestionPart, encode_part
from sanproof.proofs.games.game import ProofGame, check_game
from sanproof.proofs.games.search import search_games
from sanproof.proofs.rules.cubes import BLACK
from sanproof.proofs.search.board import encode_not_in_check
from sanproof.proofs.search.decide import witnesses_by_king
from sanproof.proofs.search.material import Material, materials_of

MOST_POSITIONS: Final = 8
"""The number of positions of each material that are tried."""


def search_game_positions(
    part: QuestionPart,
) -> Iterator[tuple[chess.Board, chess.Move, str, tuple[str, ...]]]:
    """Positions of checked games that may answer a part of a question, which is still to be asked.

    They have the pieces that hubs have, and begin quietly: White is not in check, and does not take
    in passing.

    Yields:
        A position, with the castling rights that the game has left; a move, also in SAN; and all
        moves of the game in SAN.
    """
    for games in search_proof_games(part):
        for game in games:
            if game.colour == part.colour:
                checked = check_game(game)
                shown = checked.witness
                move = chess.Move.from_uci(shown.uci)
                yield chess.Board(shown.fen), move, game.san, checked.sans


def search_proof_games(part: QuestionPart) -> Iterator[tuple[ProofGame, ...]]:
    """Games to such positions: White's each time, and Black's of the string that mirrors it."""
    for material in [] if part.cube is None else materials_of(part.cube):
        yield from filter(None, map(search_games, _witnesses(part, material)))


def _witnesses(part: QuestionPart, material: Material) -> Iterator[Witness]:
    """Positions with these pieces, Black's king on another square in each."""
    scene = encode_part(part, material)
    encode_not_in_check(scene.cnf, scene.board, BLACK, scene.white_king)
    scene.cnf.add(-scene.move.en_passant)
    return islice(witnesses_by_king(scene.encoding), MOST_POSITIONS)
