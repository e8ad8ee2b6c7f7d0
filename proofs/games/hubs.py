"""Hubs: positions of given material that many proof games pass, each with its line of moves.

A line is found by a cooperative beam search from the initial position; ``hubs.txt`` keeps
the lines. Untrusted: every move of a game, a hub's line included, is checked by
:mod:`proofs.kernel.games`. This regenerates the file, in about an hour::

    python -m sanproof.proofs.games.hubs > hubs.txt
"""

import random
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

import chess

from sanproof.proofs.games.men import FAR, Setting, mask_of, read_setting
from sanproof.proofs.games.paths import least_steps, plies_left
from sanproof.proofs.rules.squares import SQUARES
from sanproof.proofs.search.preferences import FAMILIES, Family, bishop_letter, is_light

HUBS_FILE: Final = "hubs.txt"
LONGEST_LINE_PLIES: Final = 44
BEAM: Final = 40
SAMPLES: Final = 200
_LIGHT: Final = mask_of(s for s in SQUARES if is_light(s))
_HOPELESS: Final = 1000.0
_EXCHANGE_RANKS: Final = str.maketrans("12345678", "87654321")


class Hub(NamedTuple):
    """A family's name, the moves (UCI) that lead there, and the position reached (a FEN's board).

    White is to move.
    """

    family: str
    line: tuple[str, ...]
    placement: str


@cache
def load_hubs() -> dict[str, tuple[Hub, ...]]:
    """The stored hubs of each family."""
    hubs: dict[str, list[Hub]] = {}
    text = files("sanproof.proofs.games").joinpath(HUBS_FILE).read_text(encoding="ascii")
    for row in text.splitlines():
        family, placement, *line = row.split(" ")
        hubs.setdefault(family, []).append(Hub(family, tuple(line), placement))
    return {family: tuple(found) for family, found in hubs.items()}


@dataclass
class _Node:
    board: chess.Board
    line: tuple[str, ...]


def search_hub(family: Family, rng: random.Random, width: int) -> Hub | None:
    """A short line to the family's material with White to move, None if the beam loses it."""
    level = [_Node(chess.Board(), ())]
    for _ in range(LONGEST_LINE_PLIES):
        ranked = _children(family, level, rng)
        level = [node for _, node in _best(ranked, width)]
        if not level:
            return None
        for node in level:
            if node.board.turn and _distance(family, node.board) == 0:
                return Hub(family.name, node.line, node.board.board_fen())
    return None


def _children(
    family: Family, level: list[_Node], rng: random.Random
) -> list[tuple[float, _Node, chess.Move]]:
    ranked = []
    for node in level:
        board = node.board
        for move in board.legal_moves:
            if move.from_square in family.unmoved or move.to_square in family.unmoved:
                continue
            if move.promotion and not _wanted(family, board, move):
                continue
            board.push(move)
            distance = _distance(family, board)
            board.pop()
            if distance < _HOPELESS:
                ranked.append((distance + 0.8 * rng.random(), node, move))
    ranked.sort(key=lambda item: item[0])
    return ranked


def _best(
    ranked: list[tuple[float, _Node, chess.Move]], width: int
) -> Iterator[tuple[float, _Node]]:
    """The best children, each position once."""
    seen: set[tuple[int, ...]] = set()
    for distance, node, move in ranked:
        if len(seen) >= width:
            return
        board = node.board.copy(stack=False)
        board.push(move)
        board.clear_stack()
        key = (board.occupied_co[True], board.pawns, board.occupied, board.knights, board.rooks)
        if key not in seen and any(board.legal_moves):
            seen.add(key)
            yield distance, _Node(board, (*node.line, move.uci()))


def _wanted(family: Family, board: chess.Board, move: chess.Move) -> bool:
    letter = chess.piece_symbol(move.promotion or chess.QUEEN).upper()
    if letter == "B":
        letter = bishop_letter(move.to_square)
    return letter in (family.white if board.turn else family.black)


def _distance(family: Family, board: chess.Board) -> float:
    """About how many plies are missing to the family's material."""
    white = _moves_needed(board, chess.WHITE, family.white)
    black = _moves_needed(board, chess.BLACK, family.black)
    promotions_white, surplus_white = white
    promotions_black, surplus_black = black
    moves_white = promotions_white + max(surplus_black - 0.4 * promotions_white, 0)
    moves_black = promotions_black + max(surplus_white - 0.4 * promotions_black, 0)
    if not surplus_white and not surplus_black and not promotions_white and not promotions_black:
        return 0
    return 2 * max(moves_white, moves_black) + 0.7 * min(moves_white, moves_black) + 0.01


def _moves_needed(board: chess.Board, colour: chess.Color, wanted: str) -> tuple[float, int]:
    """The steps of the pawns that promote, and the number of this colour's men to be captured."""
    own = board.occupied_co[colour]
    have = _count(board, own)
    missing = surplus = 0
    target = _target(wanted)
    for letter in "QRNLD":
        difference = target[letter] - have[letter]
        if difference > 0:
            missing += difference
        else:
            surplus -= difference
    idle = have["P"] - missing - target["P"]
    if idle < 0:
        return _HOPELESS, 0
    return (_pawn_steps(board, colour, missing) if missing else 0), surplus + idle


@cache
def _target(wanted: str) -> Counter[str]:
    return Counter(wanted)


def _count(board: chess.Board, own: chess.Bitboard) -> dict[str, int]:
    bishops = own & board.bishops
    light = (bishops & _LIGHT).bit_count()
    return {
        "Q": (own & board.queens).bit_count(),
        "R": (own & board.rooks).bit_count(),
        "N": (own & board.knights).bit_count(),
        "P": (own & board.pawns).bit_count(),
        "L": light,
        "D": bishops.bit_count() - light,
    }


def _pawn_steps(board: chess.Board, colour: chess.Color, missing: int) -> float:
    """The steps that the furthest pawns still need, a little more where something is in the way."""
    enemy_pawns = board.pawns & board.occupied_co[not colour]
    steps = []
    for square in chess.scan_forward(board.pawns & board.occupied_co[colour]):
        rank = square >> 3 if colour else 7 - (square >> 3)
        ahead = _ahead(square, colour)
        blocked = 0.6 if ahead & enemy_pawns else 0.2 if ahead & board.occupied else 0
        steps.append(min(7 - rank, 5) + blocked)
    steps.sort()
    return sum(steps[:missing])


@cache
def _ahead(square: chess.Square, colour: chess.Color) -> chess.Bitboard:
    squares = range(square + 8, 64, 8) if colour else range(square - 8, -1, -8)
    return sum(chess.BB_SQUARES[s] for s in squares)


def lose_a_move(line: tuple[str, ...]) -> tuple[str, ...] | None:
    """The line with colours exchanged: White first loses a move; None if that is not so easy.

    The line begins with a White that has nothing to do. A double push that is White's in the
    exchanged line is made in two steps, the first of them at once::

        1. e4 c5 2. Nf3      becomes      1. c3 e5 2. c4 Nf6
    """
    exchanged = [exchange_move(move) for move in line]
    hub = replay(line)
    for i in range(1, len(exchanged), 2):
        origin, destination = exchanged[i][:2], exchanged[i][2:]
        if origin[1] == "2" and destination == origin[0] + "4":
            halfway = origin[0] + "3"
            candidate = (
                origin + halfway,
                *exchanged[:i],
                halfway + destination,
                *exchanged[i + 1 :],
            )
            board = replay(candidate)
            if board and hub and board.mirror().board_fen() == hub.board_fen():
                return candidate
    return None


def exchange_move(move: str) -> str:
    """The same move (UCI) of the other player."""
    return move.translate(_EXCHANGE_RANKS)


def replay(line: Iterable[str]) -> chess.Board | None:
    """The position after these moves from the initial position, None if one is not legal."""
    board = chess.Board()
    for uci in line:
        move = chess.Move.from_uci(uci)
        if not board.is_legal(move):
            return None
        board.push(move)
    return board


def select_hubs(candidates: list[Hub], number: int, rng: random.Random) -> list[Hub]:
    """The hubs that together are nearest to positions taken at random, added one by one."""
    settings = [read_setting(hub.placement) for hub in candidates]
    samples = [_scatter(settings[0], rng) for _ in range(SAMPLES)]
    costs = [
        [len(hub.line) + _plies(sample, setting) for sample in samples]
        for hub, setting in zip(candidates, settings, strict=True)
    ]
    chosen: list[int] = []
    best = [float("inf")] * SAMPLES
    while len(chosen) < min(number, len(candidates)):
        rest = [i for i in range(len(candidates)) if i not in chosen]
        totals = {i: sum(map(min, best, costs[i])) for i in rest}
        nearest = min(rest, key=lambda i: totals[i])
        chosen.append(nearest)
        best = list(map(min, best, costs[nearest]))
    return [candidates[i] for i in chosen]


def _scatter(setting: Setting, rng: random.Random) -> Setting:
    """The same men on squares taken at random; bishops keep their colour."""
    while True:
        squares = rng.sample(range(64), len(setting.squares))
        moved = setting._replace(squares=tuple(squares))
        if max(least_steps(moved, setting)) < FAR:
            return moved


def _plies(sample: Setting, hub: Setting) -> int:
    return plies_left(*least_steps(sample, hub), black_first=True)


def main(names: list[str]) -> None:
    """Write hub lines for all families, or those named."""
    for family in FAMILIES.values():
        if names and family.name not in names:
            continue
        found = []
        for seed in range(family.tries):
            hub = search_hub(family, random.Random(f"{family.name} {seed}"), BEAM)
            if hub is not None and lose_a_move(hub.line) is not None:
                found.append(hub)
        for hub in select_hubs(found, family.hubs, random.Random(family.name)):
            sys.stdout.write(" ".join([family.name, hub.placement, *hub.line]) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
