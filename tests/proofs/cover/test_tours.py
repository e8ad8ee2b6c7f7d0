"""The places of tours; legs: positions for a string with other pieces that keep its SAN."""

import random
from collections import Counter
from collections.abc import Iterable

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sanproof.proofs.cover.cover import MatesPart, Station, can_follow, pieces_after, starts
from sanproof.proofs.cover.tours import (
    MAX_EDITS,
    Stop,
    board_of,
    edit_side,
    is_written,
    kinds_of,
    legs,
    pieces_of,
    tour_part,
)
from sanproof.proofs.games.game import check_game
from sanproof.proofs.games.paths import least_steps, plies_left
from sanproof.proofs.games.pieces import (
    BISHOP,
    KINDS,
    KING,
    KNIGHT,
    PAWN,
    QUEEN,
    ROOK,
    read_setting,
)
from sanproof.proofs.rules.cubes import WHITE
from tests.games import published_games

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
    edits = edit_side(white, current, {moving}, random.Random(seed))
    assert len(edits) <= MAX_EDITS
    assert edit_side(white, white, (), random.Random(seed)) == [white]
    for pieces in edits:
        assert list(pieces) == sorted(pieces)
        distinct = len({piece & 63 for piece in pieces}) == len(pieces)
        assert not distinct or kinds_of(pieces) == kinds_of(current)
        assert moving in {piece & 63 for piece in pieces}


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
        station = Station(san + suffix, board.fen(), move.uci(), ())
        for _, _, setting in legs([Stop.at(START)], [station], random.Random(1)):
            edited = board_of(setting)
            wanted = (
                edited.is_valid() and edited.is_legal(move) and edited.san(move) == station.name
            )
            assert is_written(station.name, station.uci, setting) == wanted, (edited.fen(), station)


@given(st.permutations(range(64)), st.sampled_from(["KQQRknn", "KRRRknb", "KPRNknb", "KBBBkbb"]))
def test_the_shortest_legs_come_first_and_none_is_left_out(order: list[int], symbols: str) -> None:
    start = Stop.at(board_with(order[:7], "KQRRknn").fen())
    kinds = [symbols, *["KQRRknn"] * 4]
    boards = [board_with(order[7 * i : 7 * i + 7], pieces) for i, pieces in enumerate(kinds, 1)]
    uci = chess.Move(order[8], order[-1]).uci()
    stations = [Station(f"Ka{i}", board.fen(), uci, ()) for i, board in enumerate(boards, 1)]
    found = list(legs([start, start], stations, random.Random(1)))
    steps = [least_steps(setting, start.setting) for _, _, setting in found]
    plies = [plies_left(*both, True, False) for both in steps]
    assert plies == sorted(plies)
    named = Counter(station.name for _, station, _ in found)
    assert all(named[station.name] == 2 for station in stations[1:])


def begin(first: Station) -> Stop | None:
    """Return where a tour stands that begins with a string."""
    return Stop.at(first.fen).play([first.uci], first.name)


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
    assert begin(QUIET._replace(name="Na3")) is None


CAPTURE = Station("Nxc3", "4k3/8/8/8/8/2n5/8/1N2K3 w - - 0 1", "b1c3", ())


@pytest.mark.parametrize("station", [QUIET, CAPTURE], ids=lambda station: station.name)
def test_no_game_goes_on_after_75_moves_without_progress(station: Station) -> None:
    """A capture does not count when the game is over."""
    for plies in (149, 150):
        last = station._replace(fen=station.fen.replace(" 0 1", f" {plies} 90"))
        begun = begin(last)
        assert (begun and begun.black_pieces) == ((station is QUIET) if plies < 150 else None)


def test_a_tour_goes_on_from_where_it_stands_or_after_a_reply_to_a_check() -> None:
    quiet = Stop.at("4k3/8/8/8/8/8/8/R3K3 b - - 0 1")
    assert quiet.continuations() == [quiet]
    replies = Stop.at("4k3/8/8/8/8/8/8/4RK2 b - - 0 1").continuations()
    assert [stop.sans for stop in replies] == [("Kf8",), ("Kd8",), ("Kf7",), ("Kd7",)]
    assert all(stop.board.turn for stop in replies)
    assert Stop.at("3qk3/3p4/8/8/8/8/8/4RK2 b - - 0 1").continuations()[0].black_pieces == 2


@pytest.mark.parametrize(
    ("firsts", "plies"),
    [
        ((), [("R 6", 49), ("Qd7#", 1), ("Rd5#", 1), ("Rh1#", 1)]),
        (("axb8=Q",), [("axb8=Q", 23)]),
    ],
)
def test_tours_lead_over_strings_to_each_mate(
    firsts: tuple[str, ...], plies: list[tuple[str, int]]
) -> None:
    """From a hub, from a string that begins a game, or where none is found from the mate itself."""
    games = {game.san: check_game(game) for game in published_games() if game.san in PLAYED}

    def stations(sans: Iterable[str]) -> tuple[Station, ...]:
        shown = [(games[san].witness, games[san]) for san in sans]
        return tuple(Station(w.san, w.fen, w.uci, game.sans[: game.game.ply]) for w, game in shown)

    hubs = tuple(start for name, (start, _) in starts(WHITE).items() if name.startswith("R "))
    strings = [] if firsts else ["Rdd4", "Rd1+", "Qxc4"]
    part = MatesPart(
        "white R 7 0", WHITE, stations(firsts), stations(strings), stations(MATES), hubs
    )
    tours = tour_part(part)
    assert tour_part(part._replace(mates=())) == []
    begin = {start.name: start.fen for start in hubs}
    begin |= {station.name: station.fen for station in (*part.firsts, *part.mates)}
    for tour in tours:
        board = chess.Board(begin[tour.start])
        assert [board.san_and_push(chess.Move.from_uci(uci)) for uci in tour.moves] == [*tour.sans]
        assert board.is_checkmate()
    # A run writes what is published: other tours would be as good, but other bytes.
    assert [(tour.start, len(tour.moves)) for tour in tours] == plies
    mates = [tour.mate for tour in tours]
    assert len(set(mates) & set(MATES)) == len(mates)
    assert firsts or {san for tour in tours for san in tour.sans} & set(strings)


MATES = ("Qd7#", "Rd5#", "Rh1#", "Qb6#")
PLAYED = {"Rdd4", "Rd1+", "Qxc4", "axb8=Q", *MATES}
