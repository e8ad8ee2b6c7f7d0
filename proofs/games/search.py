"""Searches proof games: from the initial position to a witness, its move, and on to checkmate.

A game is a hub's line, a path from the hub to the witness, the move, and moves to mate::

    initial position ──line──▶ hub ──path──▶ witness ──the string's move──▶ ... ──▶ checkmate

Black's games are White's with the colours exchanged, after White has wasted a move. Untrusted: a
game counts when :mod:`proofs.kernel.games` has checked it.
"""

import random
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import chain, islice, tee
from typing import Final

import chess

from sanproof.proofs.board.witness import Witness, witness_on
from sanproof.proofs.games.endings import search_mate
from sanproof.proofs.games.game import ProofGame, quiet_replies
from sanproof.proofs.games.hubs import Line, load_hubs, with_tempo_loss
from sanproof.proofs.games.paths import least_steps, match_homes, plies_left, search_path
from sanproof.proofs.games.pieces import FAR, Setting, read_setting
from sanproof.proofs.rules.cubes import exchanged_ranks, exchanged_san
from sanproof.proofs.rules.san import CASTLINGS, San, parse_san
from sanproof.proofs.rules.squares import parse_square
from sanproof.proofs.search.decide import search_witnesses
from sanproof.proofs.search.material import families_of
from sanproof.proofs.theory.arrangements import ROOKS

EFFORTS: Final = ((5, 60), (16, 200), (16, 1000), (16, 5000))
"""Round by round, the number of hubs to try, the nearest first, and of positions for each."""
OTHER_POSITIONS: Final = 12
QUIET_POSITIONS: Final = 12
SHIFTS: Final = 200
"""The number of attempts to shift a piece before the solver is asked for another position."""


def compile_search() -> None:
    """Compile everything that searches need, by searching a path without steps, and a mate."""
    setting = read_setting("8/8/8/8/8/k7/8/2K4R")
    search_path(setting, setting.squares, frozenset(), 1)
    search_mate(setting)
    plies_left(1, 1, True, False)


def solve_games(row: Witness) -> tuple[tuple[ProofGame, ...], int]:
    """Search proof games for a witness of White's, or for another position of its string.

    Returns:
        A game for White, and one for Black of the string that mirrors it, or no game at all; and
        the number of positions that were tried in vain.
    """
    given_up: set[Witness] = set()
    for witness in _positions(row):
        if witness not in given_up:
            if (games := search_games(witness)) is not None:
                return games, len(given_up)
            given_up.add(witness)
    return (), len(given_up)


def _positions(row: Witness) -> Iterator[Witness]:
    """Yield the witness; a few like it, with a piece shifted; and others, which cost more.

    Positions in which Black has a quiet reply come first: from there the cover can go on
    with the same pieces.
    """
    others: Iterator[Witness] = islice(search_witnesses(parse_san(row.san)), OTHER_POSITIONS)
    if not row.san.endswith("#") and not _leaves_a_quiet_reply(row):
        others, quiet = tee(others)
        calm = filter(_leaves_a_quiet_reply, chain(_shifted(row), quiet))
        yield from islice(calm, QUIET_POSITIONS)
    yield row
    yield from islice(_shifted(row), OTHER_POSITIONS)
    yield from others


def _leaves_a_quiet_reply(witness: Witness) -> bool:
    return any(quiet_replies(chess.Board(witness.after_fen)))


def _shifted(row: Witness) -> Iterator[Witness]:
    """Witnesses of the same string with one piece, not the one that moves, on another square."""
    rng = random.Random(row.san)
    board = chess.Board(row.fen)
    move = chess.Move.from_uci(row.uci)
    ends = chess.BB_SQUARES[move.from_square] | chess.BB_SQUARES[move.to_square]
    free = list(chess.scan_forward(board.occupied & ~ends))
    for _ in range(SHIFTS):
        origin, destination = rng.choice(free), rng.randrange(64)
        if board.piece_type_at(origin) == chess.PAWN or board.occupied >> destination & 1:
            continue
        shifted = board.copy(stack=False)
        shifted.set_piece_at(destination, shifted.remove_piece_at(origin))
        if (witness := witness_on(shifted, move, row.san)) is not None:
            yield witness


def search_games(witness: Witness) -> tuple[ProofGame, ...] | None:
    """Return White's game to this witness, and Black's with the colours exchanged.

    The result is None if no path to the position was found, or no mate after it.
    """
    san = parse_san(witness.san)
    ending = [] if san.suffix == "#" else search_mate(read_setting(witness.after_fen))
    found = None if ending is None else _search_from_hubs(san, read_setting(witness.fen))
    if ending is None or found is None:
        return None
    line, path = found
    moves = [*path, witness.uci, *ending]
    ply = len(line) + len(path)
    white = ProofGame(witness.san, ply, (*line, *moves))
    blacks = with_tempo_loss(line)
    if blacks is None:
        raise ValueError(f"no move can be lost on the way to a hub: {' '.join(line)}")
    exchanged = (*blacks, *map(exchanged_ranks, moves))
    return white, ProofGame(str(exchanged_san(san)), ply + 1, exchanged)


def _search_from_hubs(san: San, setting: Setting) -> tuple[Line, list[str]] | None:
    """Return a hub's line and a path on to the setting, looked for with growing effort."""
    ranked = _ranked_hubs(san, setting)
    for number, most_nodes in EFFORTS:
        for _, _, line, hub in ranked[:number]:
            homes = match_homes(setting, hub)
            path = search_path(setting, homes, _unmoved(san, homes), most_nodes)
            if path is not None:
                return line, path
    return None


def _ranked_hubs(san: San, setting: Setting) -> list[tuple[int, int, Line, Setting]]:
    """Return the hubs of the setting's material, with the shortest game first."""
    ranked = []
    for family in families_of(san.piece, san.destination, san.file):
        for i, (line, hub) in enumerate(_hub_settings(family).items()):
            white, black = least_steps(setting, hub) if hub.kinds == setting.kinds else (FAR, FAR)
            if max(white, black) < FAR:
                plies = len(line) + plies_left(white, black, True, False)
                ranked.append((plies, i, line, hub))
    return sorted(ranked)


@cache
def _hub_settings(family: str) -> dict[Line, Setting]:
    return {line: read_setting(placement) for line, placement in load_hubs()[family].items()}


def _unmoved(san: San, homes: Sequence[int]) -> frozenset[int]:
    """Return the pieces that must not move before a castling."""
    if san.piece not in CASTLINGS:
        return frozenset()
    squares = {parse_square("e1"), parse_square(ROOKS[san.piece][0])}
    return frozenset(i for i, s in enumerate(homes) if s in squares)
