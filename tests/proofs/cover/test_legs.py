"""Legs: positions for a string with other men, and whether its string is written so there."""

import random
from collections import Counter
from collections.abc import Iterator
from itertools import permutations

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sanproof.proofs.cover.legs import (
    MAX_EDITS,
    Current,
    Leg,
    Ways,
    edit_side,
    find_legs,
    kinds_of,
    leads_to_its_string,
    men_of,
    targets_of,
)
from sanproof.proofs.cover.parts import Station
from sanproof.proofs.cover.stops import Stop, stop_at
from sanproof.proofs.games.pieces import board_of, distances, read_setting, setting_of

START = "8/8/8/3k4/1n6/6n1/8/QR2K2R w - - 0 1"
SQUARES = st.lists(st.integers(0, 63), min_size=7, max_size=7, unique=True)


def board_with(squares: list[int], symbols: str) -> chess.Board:
    """These men on these squares, White to move."""
    board = chess.Board(None)
    for square, symbol in zip(squares, symbols, strict=True):
        board.set_piece_at(square, chess.Piece.from_symbol(symbol))
    return board


@given(SQUARES, st.sampled_from(["KQRRknn", "KQQRknn", "KPRNknr", "KBBNknn"]))
def test_settings_and_boards_are_the_same_men(squares: list[int], symbols: str) -> None:
    board = board_with(squares, symbols)
    setting = setting_of(board)
    assert setting == read_setting(board.board_fen())
    assert board_of(setting) == board


@given(st.permutations(range(64)), st.integers(1, 4), st.integers(1, 4))
def test_men_go_home_in_the_fewest_steps(order: list[int], rooks: int, knights: int) -> None:
    squares, homes = order[: rooks + knights], order[20 : 20 + rooks + knights]
    kinds = [2] * rooks + [4] * knights

    def men(places: list[int]) -> tuple[int, ...]:
        return tuple(sorted(k << 6 | s for k, s in zip(kinds, places, strict=True)))

    least = 0
    for kind, part in ((2, slice(rooks)), (4, slice(rooks, None))):
        least += min(
            sum(distances(kind, h)[s] for s, h in zip(squares[part], order_of, strict=True))
            for order_of in permutations(homes[part])
        )
    side = Current(men(homes)).side(men(squares))
    assert side.steps == least
    assert side.occupied == sum(1 << s for s in squares)


@given(SQUARES, SQUARES, st.integers())
def test_edited_men_are_of_the_wanted_kinds_and_keep_the_moving_man(
    squares: list[int], now: list[int], seed: int
) -> None:
    white, _ = men_of(setting_of(board_with(squares, "KQQQRnk")))
    current, _ = men_of(setting_of(board_with(now, "KQRRNkn")))
    moving = white[1] & 63
    edits = edit_side(white, current, kinds_of(current), 1 << moving, random.Random(seed))
    assert len(edits) <= MAX_EDITS
    for men in edits:
        assert list(men) == sorted(men)
        distinct = len({man & 63 for man in men}) == len(men)
        assert not distinct or kinds_of(men) == kinds_of(current)
        assert moving in {man & 63 for man in men}


def test_men_of_the_wanted_kinds_are_not_edited() -> None:
    white, _ = men_of(read_setting("8/8/8/3k4/8/8/8/QR2K2R"))
    assert edit_side(white, white, kinds_of(white), 0, random.Random(1)) == [white]


def legs_to(stations: list[Station], starts: list[Stop]) -> Iterator[Leg]:
    """The legs to these stations."""
    targets = targets_of(stations)
    return find_legs(starts, targets.ways, list(targets.by_san.values()), random.Random(1))


def is_led_to(station: Station, start: Stop) -> list[bool]:
    """For each leg whether it leads to the string; and, as the oracle says, python-chess agrees."""
    found = []
    for leg in legs_to([station], [start]):
        board = board_of(leg.setting)
        move = chess.Move.from_uci(station.uci)
        wanted = board.is_valid() and board.is_legal(move) and board.san(move) == station.san
        assert leads_to_its_string(leg) == wanted, (board.fen(), station)
        found.append(wanted)
    return found


@given(SQUARES, st.data())
def test_a_leg_leads_to_its_string_if_python_chess_says_so(
    squares: list[int], data: st.DataObject
) -> None:
    board = board_with(squares, "KQRRknn")
    moves = [m for m in board.pseudo_legal_moves if board.piece_type_at(m.to_square) != chess.KING]
    if not moves:
        return
    move = data.draw(st.sampled_from(moves))
    san = board.san(move).rstrip("+#") if board.is_legal(move) else "Nc3"
    for suffix in ("", "+", "#"):
        is_led_to(Station(san + suffix, board.fen(), move.uci(), ()), stop_at(START))


@pytest.mark.parametrize(
    ("placement", "uci", "san"),
    [
        ("8/6k1/8/8/8/8/nn6/KQRR4", "c1c7", "Rc7+"),
        ("7k/8/6K1/8/8/8/nn6/RR2Q3", "e1e8", "Qe8#"),
        ("7k/8/8/8/3n4/8/nQ6/RR4K1", "b2d4", "Qxd4+"),
        ("7k/8/8/8/8/1n6/n7/K1RRQ3", "a1a2", "Kxa2"),
    ],
)
def test_some_legs_lead_to_their_strings(placement: str, uci: str, san: str) -> None:
    fen = f"{placement} w - - 0 1"
    assert is_led_to(Station(san, fen, uci, ()), stop_at(START)) == [True]
    assert is_led_to(Station("Rd7", fen, uci, ()), stop_at(START)) == [False]


def test_men_that_are_there_and_those_at_the_station_may_differ() -> None:
    station = Station("Qc4+", "8/8/8/3k4/1n6/6n1/2Q5/QQ2K2R w - - 0 1", "c2c4", ())
    legs = list(legs_to([station], [stop_at(START)]))
    assert legs
    for leg in legs:
        assert leg.setting.kinds == stop_at(START).setting.kinds
        assert leg.plies >= 2 * max(leg.white.steps, leg.black.steps)


@given(st.permutations(range(64)), st.sampled_from(["KQQRknn", "KRRRknb", "KPRNknb", "KBBBkbb"]))
def test_no_leg_is_shorter_than_it_must_be_and_the_shortest_come_first(
    order: list[int], symbols: str
) -> None:
    start = stop_at(board_with(order[:7], "KQRRknn").fen())
    kinds = [symbols, *["KQRRknn"] * 4]
    boards = [board_with(order[7 * i : 7 * i + 7], men) for i, men in enumerate(kinds, 1)]
    uci = chess.Move(order[8], order[-1]).uci()
    stations = [Station(f"Ka{i}", board.fen(), uci, ()) for i, board in enumerate(boards, 1)]
    legs = list(legs_to(stations, [start, start]))
    assert [leg.plies for leg in legs] == sorted(leg.plies for leg in legs)
    named = Counter(leg.target.station.san for leg in legs)
    assert all(named[station.san] == 2 for station in stations[1:])


@given(
    st.permutations(range(64)),
    st.permutations(range(64)),
    st.sampled_from(["KQQRknn", "KRRRknb", "KPRNknb", "KBBBkbb", "KQRRknn"]),
)
def test_the_fewest_steps_are_to_the_nearest_man_of_a_kind(
    now: list[int], there: list[int], symbols: str
) -> None:
    sides = men_of(setting_of(board_with(now[:7], "KQRRknn")))
    station = men_of(setting_of(board_with(there[:7], symbols)))
    ways = Ways([sides, station, station])
    for side in (0, 1):
        expected, kinds = 0, [kinds_of(men[side]) for men in (sides, station)]
        for man in sides[side]:
            kind = man >> 6
            if kinds[0].count(kind) <= kinds[1].count(kind):
                same = [other for other in station[side] if other >> 6 == kind]
                expected += min(distances(kind, man & 63)[other & 63] for other in same)
        assert ways.fewest_steps([2, 0, 1], side, sides[side]).tolist() == [expected, 0, expected]


def test_a_leg_is_found_and_played() -> None:
    station = Station("Rhd1+", "8/8/8/3k4/1n6/6n1/6K1/QR5R w - - 0 1", "h1d1", ())
    start = stop_at(START.replace(" w ", " b "))
    legs = filter(leads_to_its_string, legs_to([station], [start]))
    stops = [leg.play(path) for leg in legs if (path := leg.search(500)) is not None]
    assert stops
    for stop in stops:
        assert stop is not None
        assert stop.sans[-1] == "Rhd1+"
        assert Counter(stop.setting.kinds) == Counter(start.setting.kinds)
