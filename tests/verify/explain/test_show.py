"""Answers as they are shown: what is drawn and written can be read back."""

import io
import json
import re

import chess
import chess.pgn
import pytest

from sanproof.proofs.theory.reasons import Verdict
from sanproof.reports.archive.door import GameRow, WitnessRow, open_archive
from sanproof.reports.archive.observed import Sighting
from sanproof.verify.explain.answers import Answer, look_up
from sanproof.verify.explain.show import exit_code, to_json, to_text
from tests.reports.archive.archives import FENS, MOVES, SANS

ARCHIVE = open_archive()
MATE = Answer(
    "Qh4#",
    Verdict.REACHABLE,
    WitnessRow("Qh4#", FENS[3], MOVES[3], FENS[4], 1),
    proof_game=GameRow(1, "Qh4#", "black", 4, SANS, "0-1"),
)


def field(text: str, name: str) -> str:
    (line,) = [line for line in text.splitlines() if line.startswith(name)]
    return line.removeprefix(name).strip()


@pytest.mark.parametrize("san", ["e4", "a1=Q#", "O-O-O+", "Qb6e3#"])
def test_the_board_is_drawn_as_it_stands(san: str) -> None:
    """Read back square by square, from the coordinates that are drawn."""
    text = to_text(look_up(ARCHIVE, san), "x")
    board = chess.Board(field(text, "FEN before"))
    (below,) = [line.split() for line in text.splitlines() if line.split()[:8] == list("abcdefgh")]
    files, turn = below[:8], " ".join(below[8:])
    assert turn == f"{'White' if board.turn else 'Black'} to move"
    drawn: dict[str, str] = {}
    for line in text.splitlines():
        rank, *letters = line.split() or [""]
        if rank in tuple("12345678") and len(letters) == 8:
            drawn |= {f + rank: letter for f, letter in zip(files, letters, strict=True)}
    assert len(drawn) == 64
    for name, letter in drawn.items():
        piece = board.piece_at(chess.parse_square(name))
        assert letter == (piece.symbol() if piece else ".")
    move = board.parse_san(san)
    assert move.uci() in text.partition("\n")[0]
    board.push(move)
    assert board.fen() == field(text, "FEN after")


@pytest.mark.parametrize("san", ["exd1=N+", "e4", "O-O"])
def test_the_game_stops_at_the_move_and_its_rest_is_mate(san: str) -> None:
    text = to_text(look_up(ARCHIVE, san), "x")
    ply = int(re.search(r"at ply (\d+), (?:White|Black)'s", text)[1])  # type: ignore[index]
    _, _, moves = text.partition(" move,")
    moves, _, rest = moves.partition("\n")[2].partition("{here}")
    rest = re.split("To see why|No game has", rest.partition("dead:\n")[2])[0]
    game = chess.pgn.read_game(io.StringIO(moves))
    assert game is not None
    assert not game.errors
    end = game.end()
    assert (end.ply(), end.san()) == (ply, san)  # type: ignore[attr-defined]
    board = end.board()
    for word in rest.split():
        if word[0].isalpha():
            board.push_san(word)
        else:
            number, dots = word.rstrip("."), word.count(".")
            assert dots in {1, 3}
            assert (int(number), dots == 1) == (board.fullmove_number, board.turn)
    assert board.is_checkmate()
    assert "sanproof.proofs.shortest.bounds" in text


@pytest.mark.parametrize(
    ("players", "words"),
    [
        (("white",), "\nOnly White can play it.\n"),
        (("black",), "\nOnly Black can play it.\n"),
        (("white", "black"), "\nWhite can play it too: --player white shows how.\n"),
        ((), "2. g4 Qh4# {here}\n\nLooked"),
    ],
)
def test_who_else_can_play_it_is_said_as_far_as_it_is_known(
    players: tuple[str, ...], words: str
) -> None:
    assert words in to_text(MATE._replace(players=players), "x")
    assert "can play it" in words or "can play it" not in to_text(MATE, "x")
    assert "at ply 4, Black's 2nd move:\n1. f3 e5" in to_text(MATE, "x")


@pytest.mark.parametrize(
    ("san", "player", "exact"),
    [("Qh4#", None, True), ("O-O#", "white", False), ("O-O-O", "black", True)],
)
def test_the_shortest_game_is_shown(san: str, player: str | None, exact: bool) -> None:
    answer = look_up(ARCHIVE, san, player=player)
    assert answer.earliest is not None
    ply, bound = answer.earliest.ply, answer.earliest.bound
    text = to_text(answer, "x")
    assert f"ply {ply}, " in text
    assert ("earliest possible" in text, f"before ply {bound}" in text) == (exact, not exact)
    (entry,) = json.loads(to_json([answer]))
    assert (entry["ply"], entry["bound"], entry["exact"]) == (ply, bound, exact)
    assert entry["moves"][ply - 1] == san


def test_it_is_said_whether_an_answer_was_looked_up_or_proved() -> None:
    for answer in (MATE, look_up(ARCHIVE, "Kae1")):
        assert "Looked up in x; use --prove" in to_text(answer, "x")
        assert to_text(answer._replace(proved=True), "x").endswith("Proved now, with a solver.")
    answer = Answer("O-O", Verdict.UNDECIDED, sentence="O-O is undecided: no.", proved=True)
    assert to_text(answer, "x") == "O-O is undecided: no.\nTried now, with a solver."


def test_moves_are_counted_and_the_other_player_is_named() -> None:
    text = to_text(look_up(ARCHIVE, "Nbd2"), "x")
    assert "ply 5, White's 3rd move" in text
    assert "Black can play it too: --player black" in text
    assert "ply 1, White's 1st move" in to_text(look_up(ARCHIVE, "e4"), "x")
    assert "Black's 7th move" in to_text(look_up(ARCHIVE, "O-O#", player="black"), "x")


def test_why_the_origin_is_written_and_which_squares_are_no_check() -> None:
    assert "knight on f3 can go to d2" in to_text(look_up(ARCHIVE, "Nbd2"), "x")
    assert "too:" not in to_text(look_up(ARCHIVE, "Nd2"), "x").partition("FEN")[0]
    text = " ".join(to_text(look_up(ARCHIVE, "Ba1b2+"), "x").split())
    for squares in ("already (c3, d4, e5, f6, g7, h8)", "left (a1)", "bishop (c1, a3)"):
        assert squares in text


@pytest.mark.parametrize("san", ["Nbd2", "Ba1b2+", "Qd4b2+", "Kae1", "O-O#", "Nh6xg8#"])
@pytest.mark.parametrize("width", [40, 80])
def test_lines_fit(san: str, width: int) -> None:
    lines = to_text(look_up(ARCHIVE, san), "x", width).splitlines()
    assert all(len(line) <= width or line.startswith(("FEN", "python")) for line in lines)


def test_exit_codes() -> None:
    reachable, impossible, undecided = Verdict
    assert exit_code({reachable}) == 0
    assert exit_code({reachable, undecided}) == 3
    assert exit_code({undecided, impossible, reachable}) == 1


def test_json_says_the_same() -> None:
    answers = [look_up(ARCHIVE, "e4"), look_up(ARCHIVE, "Kae1"), MATE._replace(proved=True)]
    e4, king, mate = json.loads(to_json(answers))
    assert (e4["san"], e4["verdict"], e4["source"]) == ("e4", "reachable", "looked up")
    assert e4["players"] == ["white", "black"]
    assert e4["moves"][e4["ply"] - 1] == "e4"
    told = {"san": "Kae1", "verdict": "impossible", "source": "looked up"}
    told["reason"] = "king-with-discriminator"
    assert king == dict.fromkeys(mate) | told | {"sentence": king["sentence"]}
    assert mate == {
        "san": "Qh4#",
        "verdict": "reachable",
        "source": "proved",
        "reason": None,
        "sentence": None,
        "players": None,
        "before_fen": FENS[3],
        "uci": MOVES[3],
        "after_fen": FENS[4],
        "player": "black",
        "ply": 4,
        "moves": list(SANS),
        "result": "0-1",
        "bound": None,
        "exact": None,
        "observed": None,
    }
    assert e4["observed"]["times"] > 10**9
    assert e4["observed"]["moves"] > e4["observed"]["times"]


def test_it_is_said_how_often_a_string_was_played() -> None:
    seen = Sighting(12, 397_801_292_866, "club games")
    text = to_text(MATE._replace(observed=seen), "x")
    assert "\nPlayed 12 times in 398 billion moves of club games.\nLooked up" in text
    (entry,) = json.loads(to_json([MATE._replace(observed=seen)]))
    assert entry["observed"] == {"times": 12, "moves": 397_801_292_866, "games_of": "club games"}
    assert "layed" not in to_text(MATE, "x")
