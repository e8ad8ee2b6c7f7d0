import random

import chess
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sanproof.proofs.games import hubs, paths, pieces, unmoves
from sanproof.proofs.games import search as games
from sanproof.proofs.games.endings import search_mate
from sanproof.proofs.games.game import (
    check_game,
    has_quiet_reply,
    quiet_replies,
    read_line,
    write_line,
)
from sanproof.proofs.games.pieces import ManStep, Scene, Setting, moves, read_setting
from sanproof.proofs.rules.san import parse_san
from sanproof.proofs.search import preferences
from sanproof.proofs.search.decide import search_witness, search_witnesses
from sanproof.proofs.verdicts.witness import Witness, check_witness
from tests.examples import examples
from tests.proofs.games.path_oracle import Oracle

ALL_HUBS = [hub for found in hubs.load_hubs().values() for hub in found]
STRINGS = [
    "Qa1b2",
    "Qd4xe5#",
    "Q1h8+",
    "Rba6#",
    "Rxd5",
    "Ke1",
    "Kxh8#",
    "Nc3e4+",
    "Nc4",
    "Ba1xb2#",
    "Bh1",
    "O-O",
    "O-O#",
    "O-O-O+",
    "a4",
    "h8=N#",
    "exd8=B+",
    "cxd6",
]


@pytest.mark.parametrize("san", STRINGS)
def test_strings_of_every_kind_are_played_by_both_players(san: str) -> None:
    witness = search_witness(parse_san(san))
    assert witness is not None
    (found,) = games.solve_games([witness])
    white, black = found.games
    assert (white.san, white.colour) == (san, "white")
    assert black.colour == "black"
    checked = check_game(white)
    if not found.given_up:
        assert checked.before_fen.split(" ")[0] == witness.fen.split(" ")[0]
    exchanged = check_game(black)
    assert chess.Board(exchanged.before_fen).mirror().board_fen() == checked.before_fen.split()[0]
    assert read_line(write_line(white)) == white


def test_another_position_is_found_when_a_move_ends_the_game() -> None:
    """After the capture Black is stalemated, so no mate follows, and the position is not tried."""
    witness = Witness("Bd2xc3", "7Q/8/8/8/3B4/2n5/1B1B1K1n/7k w - - 0 1", "d2c3")
    assert games.search_games(witness) is games.Obstacle.NO_MATE
    (found,) = games.solve_games([witness])
    assert games.Obstacle.NO_MATE not in found.given_up
    checked = check_game(found.games[0])
    assert checked.game.san == "Bd2xc3"
    assert checked.before_fen.split(" ")[0] != witness.fen.split(" ")[0]


def test_another_position_is_found_when_no_game_leads_to_the_first() -> None:
    """Nothing but a double check by two knights: no last move of Black's leads there."""
    witness = Witness("Kg2", "8/8/8/8/2k5/6n1/5n2/QR1R3K w - - 0 1", "h1g2")
    assert check_witness(witness).san == "Kg2"
    assert games.search_games(witness) is games.Obstacle.NO_PATH
    (found,) = games.solve_games([witness])
    assert found.given_up[0] is games.Obstacle.NO_PATH
    assert check_game(found.games[0]).game.san == "Kg2"


def test_positions_with_a_quiet_reply_come_first() -> None:
    """After exd7 Black can only take the pawn, and the cover needs its men."""
    witness = Witness("exd7", "3knR2/3n4/4P3/2Q5/K7/8/8/8 w - - 0 1", "e6d7")
    check_witness(witness)
    first = next(games._positions(witness))
    assert check_witness(first).san == "exd7"
    board = chess.Board(first.fen)
    board.push_uci(first.uci)
    assert any(quiet_replies(board))


LOUD = {
    "none": ("4k3/8/8/8/8/8/4R3/4K3 b - - 0 1", set(), 4),
    "stalemate": ("7k/5Q2/8/8/8/8/8/K7 b - - 0 1", set(), 0),
    "nothing but a capture": ("7k/6R1/8/8/8/8/8/K7 b - - 0 1", {"h8g7"}, 0),
    "two checks": ("8/8/8/8/7r/8/3k4/K7 b - - 0 1", {"h4a4", "h4h1"}, 20),
}
"""Positions, the moves in them that capture or check, and the number of the others."""


@pytest.mark.parametrize(("fen", "loud", "number"), LOUD.values(), ids=LOUD)
def test_quiet_replies_neither_capture_nor_check(fen: str, loud: set[str], number: int) -> None:
    board = chess.Board(fen)
    quiet = {move.uci() for move in quiet_replies(board)}
    assert len(quiet) == number
    assert has_quiet_reply(board) == bool(number)
    assert quiet == {move.uci() for move in board.legal_moves} - loud


def test_other_witnesses_are_witnesses_and_differ() -> None:
    found = [w for w, _ in zip(search_witnesses(parse_san("Rba6#")), range(5), strict=False)]
    assert len({witness.fen for witness in found}) == 5
    for witness in found:
        assert check_witness(witness).san == "Rba6#"


# Hubs


def test_every_family_has_hubs() -> None:
    assert set(hubs.load_hubs()) == set(preferences.FAMILIES)


UNMOVED = {"O-O": "e1 h1", "O-O-O": "e1 a1", **{f"P{file}": f"{file}2" for file in "abcdefgh"}}
"""The squares whose pieces must not have moved, for castling and for a pawn still to move."""


@pytest.mark.parametrize("hub", ALL_HUBS, ids=lambda hub: f"{hub.family}-{hub.placement}")
def test_a_hub_is_what_its_line_leads_to_and_black_gets_there_a_move_later(hub: hubs.Hub) -> None:
    board = hubs.replay(hub.line)
    assert board is not None
    assert (board.turn, board.board_fen()) == (chess.WHITE, hub.placement)
    wanted = preferences.FAMILIES[hub.family]
    for colour, letters in zip((chess.WHITE, chess.BLACK), wanted, strict=True):
        placed = [
            (s, p.symbol().upper()) for s, p in board.piece_map().items() if p.color == colour
        ]
        found = [preferences.bishop_letter(s) if letter == "B" else letter for s, letter in placed]
        assert sorted(found) == sorted(f"K{letters}")
    touched = {uci[i : i + 2] for uci in hub.line for i in (0, 2)}
    assert touched.isdisjoint(UNMOVED.get(hub.family, "").split())
    line = hubs.lose_a_move(hub.line)
    assert line is not None
    exchanged = hubs.replay(line)
    assert exchanged is not None
    assert len(line) == len(hub.line) + 1
    assert exchanged.mirror().board_fen() == hub.placement


def test_a_line_in_which_nobody_can_lose_a_move() -> None:
    assert hubs.lose_a_move(("g1f3", "g8f6")) is None


# Men


SYMBOLS = {
    pieces.KING: "K",
    pieces.QUEEN: "Q",
    pieces.ROOK: "R",
    pieces.BISHOP: "B",
    pieces.KNIGHT: "N",
}


@pytest.mark.parametrize("kind", SYMBOLS)
def test_reach_and_attacks_agree_with_python_chess(kind: int) -> None:
    for square in chess.SQUARES:
        board = chess.BaseBoard.empty()
        board.set_piece_at(square, chess.Piece.from_symbol(SYMBOLS[kind]))
        assert set(pieces.REACH[kind][square]) == set(board.attacks(square))
        for target in chess.SQUARES:
            between = pieces.ATTACK[kind][square][target]
            assert (between != pieces.NEVER) == (target in board.attacks(square))
            if between != pieces.NEVER:
                assert between == int(chess.SquareSet.between(square, target))


@given(st.integers(8, 55), st.data())
def test_a_pawn_comes_from_behind(square: int, data: st.DataObject) -> None:
    origin = data.draw(st.integers(8, 55))
    board = chess.Board(None)
    board.set_piece_at(origin, chess.Piece(chess.PAWN, chess.WHITE))
    is_back = origin in pieces.BACK[pieces.PAWN][square]
    assert is_back == (chess.Move(origin, square) in board.legal_moves)


@given(st.sampled_from(sorted(SYMBOLS)), st.integers(0, 63), st.integers(0, 63))
def test_an_unmove_changes_the_distance_by_a_step_at_most(
    kind: int, square: int, home: int
) -> None:
    far = pieces.distances(kind, home)
    if far[square] < pieces.FAR:
        changes = {far[s] - far[square] for s in pieces.BACK[kind][square] if far[s] < pieces.FAR}
        assert changes <= {-1, 0, 1}
        assert -1 in changes or square == home


# Paths


HUB = read_setting("6k1/8/8/8/8/8/8/QRR1K1nn")


def test_a_path_leads_from_the_hub_to_the_setting() -> None:
    setting = read_setting("8/8/3R4/1n2k3/8/2K4R/5n2/Q7")
    homes = paths.match_homes(setting, HUB)
    found = paths.search_path(setting, homes, frozenset(), 5000)
    assert found is not None
    board = chess.Board("6k1/8/8/8/8/8/8/QRR1K1nn w - - 0 1")
    for step in found:
        board.push(next(m for m in board.legal_moves if (m.from_square, m.to_square) == step))
    assert board.turn == chess.WHITE
    assert board.board_fen() == "8/8/3R4/1n2k3/8/2K4R/5n2/Q7"


def needed_steps(setting: Setting, homes: tuple[int, ...]) -> tuple[int, int]:
    """The steps that White's and Black's men are away from their homes."""
    ways = [
        pieces.distances(kind, home)[s]
        for kind, home, s in zip(setting.kinds, homes, setting.squares, strict=True)
    ]
    return sum(ways[: setting.whites]), sum(ways[setting.whites :])


def test_equal_men_are_matched_with_the_least_way() -> None:
    setting = read_setting("8/8/8/8/8/8/8/R6R")
    hub = Setting(setting.kinds, 2, (63, 56))
    assert paths.match_homes(setting, hub) == (56, 63)
    assert needed_steps(setting, (56, 63)) == (2, 0)
    assert paths.least_steps(setting, hub) == (2, 0)


@given(st.permutations(range(64)))
def test_the_least_steps_are_those_to_the_matched_homes(squares: list[int]) -> None:
    setting = HUB._replace(squares=tuple(squares[: len(HUB.squares)]))
    homes = paths.match_homes(setting, HUB)
    assert paths.least_steps(setting, HUB) == needed_steps(setting, homes)


def test_men_that_must_not_move_do_not() -> None:
    setting = read_setting("8/8/3R4/1n2k3/8/8/5n2/Q3K2R")
    hub = read_setting("6k1/8/8/8/8/6n1/8/QR2K1nR")
    homes = paths.match_homes(setting, hub)
    unmoved = frozenset(i for i, s in enumerate(homes) if s in {4, 7})
    found = paths.search_path(setting, homes, unmoved, 5000)
    assert found is not None
    assert not {4, 7} & {square for step in found for square in step}


def after_random_moves(placement: str, seed: int) -> tuple[Setting, tuple[int, ...]]:
    """Men where legal moves without captures have led them, and where each of them came from.

    Black mostly stays, so that the two sides need different numbers of steps.
    """
    rng = random.Random(seed)
    board = chess.Board(f"{placement} b - - 0 1")
    homes = {s: s for s in chess.scan_forward(board.occupied)}
    for _ in range(rng.choice([5, 9, 15])):
        quiet = [move for move in board.legal_moves if not board.is_capture(move)]
        if not quiet:
            break
        if not board.turn and not board.is_check() and rng.random() < 0.7:
            board.push(chess.Move.null())
            continue
        move = rng.choice(quiet)
        homes[move.to_square] = homes.pop(move.from_square)
        board.push(move)
    setting = pieces.setting_of(board)
    return setting, tuple(homes[s] for s in setting.squares)


@settings(deadline=None)
@given(
    st.sampled_from(ALL_HUBS),
    st.integers(),
    st.sets(st.integers(0, 6), max_size=1),
    st.booleans(),
    st.sampled_from([20, 60, 150, 400]),
)
@example(ALL_HUBS[108], 108, set(), False, 20)  # with two moves to lose, a king may go further off
@example(ALL_HUBS[5], 5, set(), False, 20)  # with a man on a1
def test_compiled_code_searches_as_plain_python_does(
    hub: hubs.Hub, seed: int, stays: set[int], black_begins: bool, most_nodes: int
) -> None:
    setting, homes = after_random_moves(hub.placement, seed)
    unmoved = frozenset(stays)
    expected = Oracle(setting, homes, unmoved, black_begins=black_begins).search(most_nodes)
    found = paths.search_path(setting, homes, unmoved, most_nodes, black_begins=black_begins)
    assert found == expected


def test_compiled_code_has_room_for_ranks_as_high_as_they_come() -> None:
    nodes = np.full((2, unmoves.COLUMNS), unmoves.NONE, np.int64)
    heads = np.full(8, unmoves.NONE, np.int32)
    for node in range(2):
        heads = unmoves._put(nodes, heads, node, 20)
    assert {rank: int(node) for rank, node in enumerate(heads) if node != unmoves.NONE} == {20: 1}
    assert nodes[:, unmoves.NEXT].tolist() == [unmoves.NONE, 0]


@given(st.integers(0, 9), st.integers(0, 9), st.booleans(), st.booleans())
def test_compiled_code_counts_plies_as_plain_python_does(
    white: int, black: int, black_first: bool, black_begins: bool
) -> None:
    left = paths.plies_left(white, black, black_first=black_first, black_last=black_begins)
    assert unmoves.plies_left(white, black, int(not black_first), black_begins) == left


def test_a_search_gives_up() -> None:
    setting = read_setting("8/8/3R4/1n2k3/8/2K4R/5n2/Q7")
    assert paths.search_path(setting, paths.match_homes(setting, HUB), frozenset(), 3) is None


@pytest.mark.parametrize(
    ("white", "black", "black_first", "plies"),
    [
        (0, 0, True, 0),
        (0, 0, False, 1),
        (3, 1, True, 6),
        (1, 3, True, 6),
        (3, 1, False, 5),
        (1, 3, False, 7),
    ],
)
def test_the_fewest_plies_left(white: int, black: int, black_first: bool, plies: int) -> None:
    assert paths.plies_left(white, black, black_first=black_first) == plies


# Endings


def scene_of(placement: str) -> Scene:
    setting = read_setting(placement)
    men_ = list(zip(setting.kinds, setting.squares, strict=True))
    return Scene(tuple(men_[: setting.whites]), tuple(men_[setting.whites :]))


@pytest.mark.parametrize(
    "placement",
    [
        "8/8/8/3k4/8/1n6/8/QRRK4",
        "k7/8/8/8/3n4/2K5/3PQ3/R6n",
        "8/2k5/3n4/3N4/3N4/8/N7/K2Q4",
        "7k/8/5K1P/8/8/8/8/n5R1",
    ],
)
def test_an_ending_ends_in_mate(placement: str) -> None:
    """So it does in all images of the position, which share one search; with a pawn, two do."""
    boards = [chess.Board(f"{placement} b - - 0 1")]
    flips = (chess.flip_horizontal, chess.flip_vertical, chess.flip_diagonal)
    for flip in flips[:1] if boards[0].pawns else flips:
        boards += [board.transform(flip) for board in boards]
    assert len({_length_to_mate(board) for board in boards}) == 1


def _length_to_mate(board: chess.Board) -> int:
    line = search_mate(scene_of(board.board_fen()))
    assert line is not None
    board = board.copy()
    for step in line:
        board.push(
            next(m for m in board.legal_moves if (m.from_square, m.to_square) == ManStep(*step))
        )
    assert board.is_checkmate()
    return len(line)


@pytest.mark.parametrize("placement", ["7k/1R6/5PP1/8/8/8/8/K6n", "K6k/1R6/5PP1/8/8/8/8/n7"])
def test_pawns_guard_what_is_ahead_of_them(placement: str) -> None:
    """Rb8# is mate because of the pawns; reflected from front to back, they would guard nothing."""
    assert _length_to_mate(chess.Board(f"{placement} b - - 0 1")) == 2


@settings(max_examples=examples(400))
@given(st.lists(st.integers(0, 63), min_size=8, max_size=8, unique=True), st.booleans())
def test_moves_of_a_scene_are_python_chess_s(squares: list[int], turn: bool) -> None:
    """With pins, checks and discovered checks, as they come."""
    board = chess.Board(None)
    for square, symbol in zip(squares, "KQRNkrbn", strict=True):
        board.set_piece_at(square, chess.Piece.from_symbol(symbol))
    board.turn = turn
    if not board.is_valid():
        return
    white, black = scene_of(board.board_fen())
    own, other = (white, black) if turn else (black, white)
    found = {chess.Move(step.origin, step.destination) for _, step in moves(own, other)}
    assert found == set(board.legal_moves)


@pytest.mark.parametrize("placement", ["7k/5Q2/6K1/8/8/8/8/8", "8/8/8/3k4/8/8/8/3K4"])
def test_no_ending_after_stalemate_or_in_a_dead_position(placement: str) -> None:
    assert search_mate(scene_of(placement)) is None
