"""The deviations that the fast path names are those that the judge names."""

import random
from collections import Counter

import chess
import pytest

pytest.importorskip("numba", reason="the fast path is not installed")

from sanproof.verify.scan import fast
from sanproof.verify.scan.chunks import Chunk
from tests.verify.scan.pgn import game, options, scanned

OPENING = "e4 d5 exd5 c6 dxc6 Nf6 cxb7 Nbd7 "


COMMON = [
    ("Nf3 d5 g3 c5 Bg2 Nc6 0-0", "0-0", "O-O", "zeros-in-castling"),
    ("e2e4 e7e5 g1f3", "g1f3", "Nf3", "coordinate-notation"),
    ("e2e4 d7d5 e4d5", "e4d5", "exd5", "coordinate-notation"),
    (OPENING + "bxa8Q", "bxa8Q", "bxa8=Q", "missing-promotion-sign"),
    ("Ngf3", "Ngf3", "Nf3", "excess-file"),
    ("N1f3", "N1f3", "Nf3", "excess-rank"),
    ("Ng1f3", "Ng1f3", "Nf3", "excess-square"),
    ("Nf3 d5 d4 c5 N1d2", "N1d2", "Nbd2", "rank-instead-of-file"),
    ("e4 d5 e4xd5", "e4xd5", "exd5", "excess-rank"),
    ("e4 f6 Qh5", "Qh5", "Qh5+", "missing-check"),
    ("e4 f6 Qh5#", "Qh5#", "Qh5+", "check-written-as-mate"),
    ("e4+", "e4+", "e4", "superfluous-check"),
    ("e4#", "e4#", "e4", "superfluous-mate"),
    ("f3 e5 g4 Qh4", "Qh4", "Qh4#", "missing-mate"),
    ("f3 e5 g4 Qh4+", "Qh4+", "Qh4#", "mate-written-as-check"),
    ("f2f3 e7e5 g2g4 d8h4", "d8h4", "Qh4#", "coordinate-notation"),
    ("f3 e5 g4 Qd8h4+", "Qd8h4+", "Qh4#", "excess-square mate-written-as-check"),
    ("e4!?", "e4!?", "e4", "annotation"),
    ("e4 e5 Nf3+??", "Nf3+??", "Nf3", "annotation superfluous-check"),
    ("e2e4!", "e2e4!", "e4", "coordinate-notation annotation"),
]


def named(*movetexts: str) -> list[tuple[str, str, str]]:
    """What the fast path names; both paths must find the same."""
    data = "".join(game(f"{text} *") for text in movetexts).encode()
    scanned(data, options()._replace(strict=True, rewrite=True, games=True))
    compared = fast.FastScan(Chunk("a", data), options()._replace(strict=True))
    compared.compare()
    assert len(compared.read) == len(movetexts), "python-chess would read it"
    rows = zip(*(column.tolist() for column in compared.named), strict=True)
    return [(data[a:b].decode(), canonical, kind) for a, b, _, _, canonical, kind, _ in rows]


def test_common_deviations_are_named() -> None:
    for movetext, *expected in COMMON:
        assert list(named(movetext, "e4 e5")[-1]) == expected


def test_uci_is_followed_through_castling_passing_and_promotion() -> None:
    found = named(
        "g1f3 b8c6 g2g3 d7d5 f1g2 c8g4 e1g1 d8d6 h2h3 e8c8 h3g4 d6b4 c2c3 d8e8 c3b4 e7e5 b4b5 a7a5 "
        "b5a6 e5e4 a6b7 c8b8"
    )
    assert [canonical for _, canonical, _ in found if canonical in ("O-O", "O-O-O", "bxa6")] == [
        *("O-O", "O-O-O", "bxa6")
    ]
    assert {kind for *_, kind in found} == {"coordinate-notation"}
    assert named("a2a4 b7b5 a4b5 a7a6 b5a6 b8c6 a6a7 a8b8 a7b8n")[-1][1] == "axb8=N"


def written_badly(board: chess.Board, move: chess.Move, chosen: random.Random) -> str:
    """A move with a common deviation, or something like one."""
    san = board.san(move)
    body = san.rstrip("+#")
    suffix = san[len(body) :]
    origin, destination = chess.square_name(move.from_square), chess.square_name(move.to_square)
    sign = "x" * ("x" in body)
    piece = body[0] if body[0] in "KQRBN" else ""
    promotion = f"={body[-1]}" * bool(move.promotion)
    part = chosen.choice(["", origin, origin[0], origin[1]])
    return chosen.choice(
        [
            body,
            body + chosen.choice("+#"),
            san + "+",
            san.replace("O", "0"),
            san.replace("=", ""),
            board.uci(move) + chosen.choice(["", suffix]),
            piece + part + sign + destination + promotion + suffix,
            piece + part + destination + promotion,
        ]
    )


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.usually(1)
def test_random_games_written_badly_are_the_same_on_both_paths(seed: int) -> None:
    chosen = random.Random(seed)
    games = []
    for number in range(12):
        board = chess.Board()
        texts: list[str] = []
        share = (0.03, 0.3, 1)[number % 3]
        for _ in range(chosen.randrange(2, 60)):
            moves = list(board.legal_moves)
            if not moves:
                break
            rare = [m for m in moves if m.promotion or board.is_castling(m) or board.is_capture(m)]
            move = chosen.choice(rare if rare and chosen.random() < 0.4 else moves)
            if seed >= 2:
                is_uci = seed == 2 or ((number % 2 or len(texts) > 9) and chosen.random() < share)
                texts.append(board.uci(move) if is_uci else board.san(move))
            else:
                bad = chosen.random() < share
                text = written_badly(board, move, chosen) if bad else board.san(move)
                texts.append(text + chosen.choice(["", "", "", "!", "?", "!?"]))
            board.push(move)
        games.append(game(f"{' '.join(texts)} *"))
    data = "".join(games).encode()
    scanned(data, options()._replace(rewrite=True, rows="csv", games=True))
    scanned(data, options()._replace(rewrite=True, strict=True))
    compared = fast.FastScan(Chunk("a", data), options())
    compared.compare()
    assert len(compared.named[0])
    assert seed != 2 or len(compared.read) == len(games)


@pytest.mark.parametrize(("most", "sample"), [(0, 1), (7, 2), (7, 100), (1000, 1)])
def test_what_is_not_told_is_counted_on_both_paths(most: int, sample: int) -> None:
    """The first are told in the order of the file, whichever path reads their games."""
    games = [
        game("1. e2e4 e7e5 2. g1f3 b8c6 3. f1b5+ *"),
        game("1. Ng1f3 (1. e2e4) *"),
        game("1. O-O+ Kd8! *", fen="4k3/8/8/8/8/8/8/4K2R w K - 0 1"),
        game("1. e2e4 Z0 2. 0-0 *"),
        game("1. e2e4 e7e5 2. d1h5 b8c6 3. f1c4 g8f6 4. h5f7+ *"),
    ]
    data = "".join(games).encode()
    wanted = options()._replace(strict=True, variations=True, sample=sample)
    every = scanned(data, wanted)
    assert not every.unlisted
    some = scanned(data, wanted._replace(most=most))
    assert some.deviations == every.deviations[:most]
    counted = Counter((d.kind, d.variation > 0) for d in every.deviations[most:])
    assert dict(some.unlisted) == counted
    assert some.counts == every.counts
