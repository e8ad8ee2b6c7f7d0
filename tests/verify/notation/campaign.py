"""The judge against python-chess on many moves, and against the definition on many positions.

python -m tests.verify.notation.campaign --moves 100000 --positions 20
"""

import argparse
from collections import Counter
from itertools import islice
from random import Random
from time import perf_counter
from zlib import crc32

import chess

from sanproof.verify.notation.reading import ReadingVerdict, judge
from sanproof.verify.notation.writing import Writing, explain_move
from tests.games import REAL_GAMES
from tests.proofs.encoding.positions import recorded_games
from tests.verify.notation.oracle import ILLEGAL, Expected, bare_strings, expectations
from tests.verify.notation.positions import crowds, mixed
from tests.verify.notation.spellings import misspelled


def check_writing(move: chess.Move, board: chess.Board) -> None:
    """What is written, and that the facts which explain it give the same string.

    The string is read again, too, and so is one misspelling of it.
    """
    san, fen = board.san(move), board.fen()
    written = explain_move(move, board)
    assert written.san == san
    assert string_of_facts(written, board) == san, (written, fen)
    reading = judge(san, board)
    assert (reading.verdict, reading.uci) == (ReadingVerdict.CANONICAL, move.uci()), (reading, fen)
    text, names = max(misspelled(move, board), key=lambda case: crc32(f"{case[0]} {fen}".encode()))
    reading = judge(text, board)
    assert (reading.verdict, reading.uci) == (ReadingVerdict.UNDERSTANDABLE, move.uci()), (
        reading,
        fen,
    )
    assert {deviation.value for deviation in reading.deviations} == names, (reading, fen)
    assert board.fen() == fen


def string_of_facts(written: Writing, board: chess.Board) -> str:
    """The string that follows from twins, capture, checkers and replies by PGN 8.2.3."""
    move = chess.Move.from_uci(written.uci)
    if board.is_castling(move):
        bare = "O-O" if chess.square_file(move.to_square) == 6 else "O-O-O"
    else:
        kind = board.piece_type_at(move.from_square) or chess.PAWN
        letter = "" if kind == chess.PAWN else chess.piece_symbol(kind).upper()
        file, rank = tuple(chess.square_name(move.from_square))
        twins = written.twins
        if kind == chess.PAWN:
            origin = file if written.captured else ""
        elif not any(file in twin for twin in twins):
            origin = file if twins else ""
        else:
            origin = file + rank if any(rank in twin for twin in twins) else rank
        promotion = f"={chess.piece_symbol(move.promotion).upper()}" if move.promotion else ""
        x = "x" if written.captured else ""
        bare = letter + origin + x + chess.square_name(move.to_square) + promotion
    if not written.checkers:
        return bare
    return bare + ("+" if written.replies else "#")


def differences(board: chess.Board) -> tuple[list[str], Counter[str]]:
    """The bare strings of which judge and definition say different things; and the verdicts."""
    expected = expectations(board)
    wrong, verdicts = [], Counter[str]()
    for text in bare_strings():
        found = judged(text, board)
        verdicts[found.verdict] += 1
        if found != expected.get(text, ILLEGAL):
            wrong.append(f"{text} in {board.fen()}: {found}, not {expected.get(text, ILLEGAL)}")
    return wrong, verdicts


def judged(text: str, board: chess.Board) -> Expected:
    """What the judge says, in the oracle's form."""
    reading = judge(text, board)
    moves = [candidate.uci for candidate in reading.candidates]
    if reading.uci is not None:
        moves.append(reading.uci)
    named = frozenset(deviation.value for deviation in reading.deviations)
    return Expected(reading.verdict.value, tuple(sorted(moves)), named)


def check_moves(count: int, rng: Random) -> Counter[str]:
    """Write and read so many moves, half of them of recorded games if those have as many."""
    seen = Counter[str]()
    for board in recorded_games(REAL_GAMES)(rng):
        moves = list(board.legal_moves)
        for move in rng.sample(moves, min(len(moves), 2)):
            check_writing(move, board)
            seen["recorded games"] += 1
        if seen.total() >= count // 2:
            break
    for board in mixed(rng):
        if seen.total() >= count:
            return seen
        moves = list(board.legal_moves)
        for move in rng.sample(moves, min(len(moves), 8)):
            check_writing(move, board)
            seen["random positions"] += 1
    return seen


def main() -> None:
    """Run as many checks as asked for, and say how many and how fast."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--moves", type=int, default=100_000)
    parser.add_argument("--positions", type=int, default=0, help="universes to judge")
    parser.add_argument("--seed", type=int, default=14)
    arguments = parser.parse_args()
    rng = Random(arguments.seed)
    start = perf_counter()
    seen = check_moves(arguments.moves, rng)
    print(f"{seen.total():,} moves agree ({dict(seen)}), {perf_counter() - start:.0f} s")  # noqa: T201
    start = perf_counter()
    verdicts = Counter[str]()
    sources = [islice(crowds(rng), arguments.positions // 2), mixed(rng)]
    boards = (board.copy() for source in sources for board in source)
    for board in islice(boards, arguments.positions):
        wrong, found = differences(board)
        assert not wrong, wrong[:5]
        verdicts += found
    seconds = perf_counter() - start
    print(f"{verdicts.total():,} readings agree ({dict(verdicts)}), {seconds:.0f} s")  # noqa: T201


if __name__ == "__main__":
    main()
