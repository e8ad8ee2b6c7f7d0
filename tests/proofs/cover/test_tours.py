"""The places of tours; legs: positions for a string with other pieces that keep its SAN."""

import random
from collections import Counter
from collections.abc import Iterator

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sanproof.proofs.cover.cover import Station, can_follow, pieces_after
from sanproof.proofs.cover.tours import (
    MAX_EDITS,
    Leg,
    Stations,
    Stop,
    board_of,
    edit_side,
    kinds_of,
    pieces_of,
)
from sanproof.proofs.games.pieces import (
    BISHOP,
    KINDS,
    KING,
    KNIGHT,
    PAWN,
    QUEEN,
    ROOK,
    distances,
    read_setting,
)

START = "8/8/8/3k4/1n6/6n1/8/QR2K2R w - - 0 1"
SQUARES = st.lists(st.integers(0, 63), min_size=7, max_size=7, unique=True)


def board_with(squares: list[int], symbols: str) -> chess.Board:
    """Put these pieces on these squares, White to move."""
    board = chess.Board(None)
    for square, symbol in zip(squares, symbols, strict=True):
        board.set_piece_at(square, chess.Piece.from_symbol(symbol))
    return board


@given(SQUARES, SQUARES, st.integers())
def test_edited_pieces_are_of_the_wanted_kinds_and_keep_the_moving_piece(
    squares: list[int], now: list[int], seed: int
) -> None:
    white, _ = pieces_of(read_setting(board_with(squares, "KQQQRnk").board_fen()))
    current, _ = pieces_of(read_setting(board_with(now, "KQRRNkn").board_fen()))
    moving = white[1] & 63
    edits = edit_side(white, current, 1 << moving, random.Random(seed))
    assert len(edits) <= MAX_EDITS
    assert edit_side(white, white, 0, random.Random(seed)) == [white]
    for pieces in edits:
        assert list(pieces) == sorted(pieces)
        distinct = len({piece & 63 for piece in pieces}) == len(pieces)
        assert not distinct or kinds_of(pieces) == kinds_of(current)
        assert moving in {piece & 63 for piece in pieces}


def legs_to(stations: list[Station], starts: list[Stop]) -> Iterator[Leg]:
    """Return the legs to these stations."""
    return Stations(stations).legs(starts, stations, random.Random(1))


def is_led_to(station: Station, start: Stop) -> list[bool]:
    """Say of each leg whether it leads to the string; python-chess agrees with the answer."""
    found = []
    for leg in legs_to([station], [start]):
        board = board_of(leg.setting)
        move = chess.Move.from_uci(station.uci)
        wanted = board.is_valid() and board.is_legal(move) and board.san(move) == station.san
        assert leg.leads_to_its_string() == wanted, (board.fen(), station)
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
        is_led_to(Station(san + suffix, board.fen(), move.uci(), ()), Stop.at(START))


@given(st.permutations(range(64)), st.sampled_from(["KQQRknn", "KRRRknb", "KPRNknb", "KBBBkbb"]))
def test_no_leg_is_shorter_than_it_must_be_and_the_shortest_come_first(
    order: list[int], symbols: str
) -> None:
    start = Stop.at(board_with(order[:7], "KQRRknn").fen())
    kinds = [symbols, *["KQRRknn"] * 4]
    boards = [board_with(order[7 * i : 7 * i + 7], pieces) for i, pieces in enumerate(kinds, 1)]
    uci = chess.Move(order[8], order[-1]).uci()
    stations = [Station(f"Ka{i}", board.fen(), uci, ()) for i, board in enumerate(boards, 1)]
    legs = list(legs_to(stations, [start, start]))
    assert [leg.plies for leg in legs] == sorted(leg.plies for leg in legs)
    named = Counter(leg.station.san for leg in legs)
    assert all(named[station.san] == 2 for station in stations[1:])


@given(
    st.permutations(range(64)),
    st.permutations(range(64)),
    st.sampled_from(["KQQRknn", "KRRRknb", "KPRNknb", "KBBBkbb", "KQRRknn"]),
)
def test_the_fewest_steps_are_to_the_nearest_piece_of_a_kind(
    now: list[int], there: list[int], symbols: str
) -> None:
    fens = [board_with(now[:7], "KQRRknn").fen(), board_with(there[:7], symbols).fen()]
    sides, station = (pieces_of(read_setting(fen)) for fen in fens)
    here, there_, again = (Station(f"Ka{i}", fens[i > 0], "a1a2", ()) for i in range(3))
    stations = Stations([here, there_, again])
    for side in (0, 1):
        expected, kinds = 0, [kinds_of(pieces[side]) for pieces in (sides, station)]
        for piece in sides[side]:
            kind = piece >> 6
            if kinds[0].count(kind) <= kinds[1].count(kind):
                same = [other for other in station[side] if other >> 6 == kind]
                expected += min(distances(kind, piece & 63)[other & 63] for other in same)
        fewest = stations.fewest_steps([again, here, there_], side, sides[side])
        assert fewest.tolist() == [expected, 0, expected]


def test_a_leg_is_found_and_played() -> None:
    station = Station("Rhd1+", "8/8/8/3k4/1n6/6n1/6K1/QR5R w - - 0 1", "h1d1", ())
    start = Stop.at(START.replace(" w ", " b "))
    legs = filter(Leg.leads_to_its_string, legs_to([station], [start]))
    stops = [leg.play(path) for leg in legs if (path := leg.search(500)) is not None]
    assert stops
    for stop in stops:
        assert stop is not None
        assert stop.sans[-1] == "Rhd1+"
        assert Counter(stop.setting.kinds) == Counter(start.setting.kinds)


def begin(first: Station) -> Stop | None:
    """Return where a tour stands that begins with a string."""
    return Stop.at(first.before_fen).play([first.uci], first.san)


QUIET = Station("Nc3", "4k3/8/5n2/8/8/8/8/1N2K3 w - - 0 1", "b1c3", ())


NEEDED = {"Kd1": (KING, 1), "Qb3#": (QUEEN, 1), "Rhxb3": (ROOK, 2), "B1b2+": (BISHOP, 2)}
NEEDED |= {"Nd1b2#": (KNIGHT, 3), "a4": (PAWN, 1), "axb8=Q#": (PAWN, 1)}


def test_a_string_needs_the_moving_piece_and_a_twin_for_what_is_written() -> None:
    for san, (kind, number) in NEEDED.items():
        others = dict.fromkeys(set(KINDS) - {kind}, 9)
        assert can_follow(san, {kind: number} | others)
        assert not can_follow(san, {kind: number - 1} | others)


def test_each_side_s_pieces_are_counted_alone_a_promoted_one_and_not_its_pawn() -> None:
    first = Station("b8=N", "8/1P6/8/8/5k2/8/8/K2Q3R w - - 0 1", "b7b8n", ())
    begun, quiet = begin(first), begin(QUIET)
    assert begun
    assert quiet
    assert pieces_after(first) == Counter([KING, QUEEN, ROOK, KNIGHT]) == begun.setting.white_pieces
    assert quiet.black_pieces == 1
    assert begin(QUIET._replace(san="Na3")) is None


CAPTURE = Station("Nxc3", "4k3/8/8/8/8/2n5/8/1N2K3 w - - 0 1", "b1c3", ())


@pytest.mark.parametrize("station", [QUIET, CAPTURE], ids=lambda station: station.san)
def test_no_game_goes_on_after_75_moves_without_progress(station: Station) -> None:
    """A capture does not count when the game is over."""
    for plies in (149, 150):
        last = station._replace(before_fen=station.before_fen.replace(" 0 1", f" {plies} 90"))
        begun = begin(last)
        assert (begun and begun.black_pieces) == ((station is QUIET) if plies < 150 else None)


def test_a_tour_goes_on_from_where_it_stands_or_after_a_reply_to_a_check() -> None:
    quiet = Stop.at("4k3/8/8/8/8/8/8/R3K3 b - - 0 1")
    assert quiet.continuations() == [quiet]
    replies = Stop.at("4k3/8/8/8/8/8/8/4RK2 b - - 0 1").continuations()
    assert [stop.sans for stop in replies] == [("Kf8",), ("Kd8",), ("Kf7",), ("Kd7",)]
    assert all(stop.board.turn for stop in replies)
    assert Stop.at("3qk3/3p4/8/8/8/8/8/4RK2 b - - 0 1").continuations()[0].black_pieces == 2
