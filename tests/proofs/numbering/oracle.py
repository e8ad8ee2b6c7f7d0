"""Plausible positions found the slow way: every board is looked at, every choice is listed.

It shares no code with proofs.numbering but the description of a board. The material rule is written
as in the source's `src/Legality.hs`, one side after the other.
"""

import re
from collections import Counter
from collections.abc import Iterator
from itertools import chain, combinations, permutations, product

from sanproof.proofs.numbering.setup import Setup

Pair = tuple[int, int]


def boards(setup: Setup, start: dict[int, str]) -> Iterator[str]:
    """Yields all boards with one king each and at most as many pawns as files; `start` is fixed."""
    free = [square for square in range(setup.squares) if square not in start]
    officers = "".join(setup.officers)
    for kings in permutations(free, 2):
        rest = [square for square in free if square not in kings]
        inner = set(setup.pawn_squares)
        allowed = [
            "." + officers + officers.lower() + ("Pp" if square in inner else "") for square in rest
        ]
        for men in product(*allowed):
            board = ["."] * setup.squares
            for square, man in chain(
                start.items(), zip(kings, "Kk", strict=True), zip(rest, men, strict=True)
            ):
                board[square] = man
            yield "".join(board)


def needed_pairs(setup: Setup, board: str) -> int | None:
    """On how many files pawns must be opposed; None for impossible material."""
    count = Counter(board)
    pawns = {"white": count["P"], "black": count["p"]}
    promoted = {
        "white": sum(max(0, count[kind] - start) for kind, start in setup.officers.items()),
        "black": sum(max(0, count[kind.lower()] - start) for kind, start in setup.officers.items()),
    }
    lost = {side: setup.files - pawns[side] - promoted[side] for side in pawns}
    captures = setup.men - (len(board) - count["."])
    free_white = lost["black"] + captures - promoted["white"]
    free_black = lost["white"] + captures - promoted["black"]
    if min(*lost.values(), free_white, free_black) < 0:
        return None
    assert pawns["white"] - free_white == pawns["black"] - free_black
    return max(0, pawns["white"] - free_white)


def opposed(setup: Setup, board: str) -> list[Pair]:
    """Lists the pairs: a black pawn, and below it a white one with no pawn between."""
    return [
        (black, white)
        for black in range(setup.squares)
        for white in range(black + setup.files, setup.squares, setup.files)
        if board[black] == "p"
        and board[white] == "P"
        and not set("Pp") & set(board[black + setup.files : white : setup.files])
    ]


def count_choices(setup: Setup, board: str, passing: Pair | None) -> int:
    """Counts the ways to pick as many pairs as needed, on different files.

    `passing` names the squares of the white and the black pawn of a capture in passing: on their
    files only pairs of these two count.
    """
    needed, files, pairs = needed_pairs(setup, board), setup.files, opposed(setup, board)
    if needed is None:
        return 0
    if passing:
        white, black = passing
        pairs = [
            pair
            for pair in pairs
            if (pair[0] % files != white % files or pair[1] == white)
            and (pair[0] % files != black % files or pair[0] == black)
        ]
    picks = combinations(pairs, needed)
    return sum(len({pair[0] % files for pair in picked}) == needed for picked in picks)


def passing_places(setup: Setup, board: str, *, white_to_move: bool) -> dict[int, list[Pair]]:
    """Lists for each pawn that can be captured in passing the pairs (white pawn, black pawn)."""
    files = setup.files
    rank, back = (3, -files) if white_to_move else (4, files)
    found: dict[int, list[Pair]] = {}
    for file in range(files):
        stepper = rank * files + file
        if board[stepper] != ("p" if white_to_move else "P"):
            continue
        if board[stepper + back] != "." or board[stepper + 2 * back] != ".":
            continue
        for side in (-1, 1):
            if 0 <= file + side < files:
                other = stepper + side
                if white_to_move and board[other] == "P":
                    found.setdefault(stepper, []).append((other, stepper))
                if not white_to_move and board[other] == "p":
                    found.setdefault(stepper, []).append((stepper, other))
    return found


def fen_board(setup: Setup, board: str) -> str:
    """The first field of a FEN."""
    ranks = [board[start : start + setup.files] for start in range(0, setup.squares, setup.files)]
    return re.sub(r"\.+", lambda run: str(len(run[0])), "/".join(ranks))


def pawn_boards(setup: Setup, fixed: dict[int, str]) -> list[str]:
    """All boards with these men and up to as many pawns of each colour as there are files."""
    boards = ["".join(fixed.get(square, ".") for square in range(setup.squares))]
    for square in setup.pawn_squares:
        boards += [
            board[:square] + pawn + board[square + 1 :]
            for board in boards
            for pawn in "Pp"
            if board.count(pawn) < setup.files
        ]
    return boards
