"""Outputs of two neural networks for chess: which number stands for which move.

AlphaZero: 8 x 8 x 73 (Silver et al., "Mastering Chess and Shogi by Self-Play", 2017, table S2). The
paper leaves the order of the planes open; here it is that of gym-chess: queen's moves in eight
directions clockwise from north, by distance; knight's moves clockwise; underpromotions. Black's
moves are those of the board turned by half.

Lc0: 1,858 numbers, one for each pair of squares that a queen or knight connects, then promotions
to queen, rook and bishop; a promotion to a knight has that of the plain move, castling that of the
king's move to its rook (``kIdxToMove`` of lc0). Black's moves are mirrored.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from sanproof.proofs.rules.cubes import COLOURS, WHITE
from sanproof.proofs.rules.squares import FILES, RANKS
from sanproof.reports.archive import ArchiveError
from sanproof.reports.exports.long_form import ROWS, ShownText

DIRECTIONS: Final = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))
LEAPS: Final = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))
"""Steps of a knight, in files and ranks: clockwise, as the directions."""
UNDERPROMOTIONS: Final = "nbr"
PLANES: Final = 7 * len(DIRECTIONS) + len(LEAPS) + 3 * len(UNDERPROMOTIONS)
ALPHAZERO_OUTPUTS: Final = 64 * PLANES

Coordinates = tuple[int, int, int, int]


def outputs(network: str, moves: Iterable[ShownText]) -> Iterator[tuple[int, str, str]]:
    """Yield each output of a network with the moves it stands for, White's and Black's.

    Castling is written as such.

    Raises:
        ArchiveError: No output stands for a move.
    """
    table = lc0_outputs()
    found: dict[tuple[int, str], dict[str, None]] = {}
    for row in moves:
        castling = row.lan.startswith("O")
        try:
            if network == "lc0":
                number = table[lc0_text(row.uci, row.player, castling=castling)]
            else:
                number = alphazero_output(row.uci, row.player)
        except (ValueError, KeyError) as error:
            sentence = f"{ROWS} is damaged: no output stands for {row.uci}"
            raise ArchiveError(sentence) from error
        text = row.lan.rstrip("+#") if castling else row.uci
        found.setdefault((number, row.player), {})[text] = None
    for number in range(len(table) if network == "lc0" else ALPHAZERO_OUTPUTS):
        white, black = (" ".join(found.get((number, player), ())) for player in COLOURS)
        yield number, white, black


def alphazero_output(uci: str, player: str) -> int:
    """Return the output of AlphaZero's network for a move of UCI.

    Raises:
        ValueError: No plane has it.
    """
    file, rank, to_file, to_rank = _coordinates(uci)
    if player != WHITE:
        file, rank, to_file, to_rank = 7 - file, 7 - rank, 7 - to_file, 7 - to_rank
    step = (to_file - file, to_rank - rank)
    promotion = uci[4:]
    distance = max(map(abs, step))
    if promotion and (distance > 1 or step[1] != 1):
        raise ValueError(uci)
    if promotion and promotion in UNDERPROMOTIONS:
        plane = 64 + 3 * (step[0] + 1) + UNDERPROMOTIONS.index(promotion)
    elif step in LEAPS:
        plane = 56 + LEAPS.index(step)
    elif distance and set(map(abs, step)) <= {0, distance}:
        direction = (step[0] // distance, step[1] // distance)
        plane = 7 * DIRECTIONS.index(direction) + distance - 1
    else:
        raise ValueError(uci)
    return (8 * rank + file) * PLANES + plane


def lc0_outputs() -> dict[str, int]:
    """Return the number of each move in the table of Lc0, which are White's."""
    squares = [file + rank for rank in RANKS for file in FILES]
    pairs = [a + b for a in squares for b in squares if a != b and _is_connected(a + b)]
    last = [pair for pair in pairs if pair[1] == "7" and pair[3] == "8"]
    steps = sorted(pair for pair in last if abs(FILES.index(pair[0]) - FILES.index(pair[2])) <= 1)
    return {
        text: n for n, text in enumerate([*pairs, *(pair + x for pair in steps for x in "qrb")])
    }


def lc0_text(uci: str, player: str, *, castling: bool) -> str:
    """Return a move of UCI as the table of Lc0 has it."""
    if player != WHITE:
        uci = "".join(str(9 - int(x)) if x.isdigit() else x for x in uci)
    if castling:
        return {"e1g1": "e1h1", "e1c1": "e1a1"}.get(uci, "")
    return uci.removesuffix("n")


def _coordinates(uci: str) -> Coordinates:
    origin = FILES.index(uci[0]), RANKS.index(uci[1])
    return *origin, FILES.index(uci[2]), RANKS.index(uci[3])


def _is_connected(pair: str) -> bool:
    """Check whether a queen or a knight goes from one square to the other on an empty board."""
    file, rank, to_file, to_rank = _coordinates(pair)
    width, height = abs(to_file - file), abs(to_rank - rank)
    return 0 in (width, height) or width == height or {width, height} == {1, 2}
