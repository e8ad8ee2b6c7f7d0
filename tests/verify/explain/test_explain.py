"""Strings looked up in a finished run, or proved now; and what is shown of the answers."""

import io
import json
import lzma
import re
from collections.abc import Callable
from pathlib import Path

import chess
import chess.pgn
import pytest

from sanproof.proofs.board.witness import Witness
from sanproof.proofs.games.game import ProofGame
from sanproof.proofs.rules.san import San
from sanproof.proofs.search import SolverGaveUp
from sanproof.proofs.search.decide import search_witness
from sanproof.proofs.theory.reasons import Reason, Verdict
from sanproof.reports.archive.door import ArchiveError, GameRow, open_archive
from sanproof.reports.tables.pgn import PgnGame, write_pgn
from sanproof.verify.explain.answers import Answer, look_up
from sanproof.verify.explain.prove import prove
from sanproof.verify.explain.show import exit_code, to_json, to_text
from tests.reports.archive.archives import (
    FENS,
    MOVES,
    SANS,
    SHORTEST,
    TIMES,
    files,
    write_observed,
    write_run,
    write_shortest,
)

ARCHIVE = open_archive()
REACHABLE = ARCHIVE.strings()
MATE = Answer("Qh4#", Verdict.REACHABLE, proof=GameRow(0, "Qh4#", "black", 4, SANS, "0-1"))
UNDECIDED = Answer("O-O", Verdict.UNDECIDED, sentence="O-O is undecided: no.")


def expect_evidence(answer: Answer) -> None:
    """Check that the game is legal and mates, and has the position shown at the string's ply."""
    assert answer.verdict is Verdict.REACHABLE
    assert answer.game is not None
    shown, board = answer.shown, chess.Board()
    for ply, san in enumerate(answer.game.sans, 1):
        if ply == answer.game.ply:
            assert (san, board.fen()) == (answer.san, shown.before_fen)
            assert board.parse_san(san).uci() == shown.uci
            assert chess.COLOR_NAMES[board.turn] == answer.game.colour
        board.push_san(san)
        if ply == answer.game.ply:
            assert board.fen() == shown.after_fen
    assert board.is_checkmate()
    assert board.result() == answer.game.result


# Looked up


@pytest.mark.parametrize("player", [None, "white", "black"])
@pytest.mark.parametrize(
    "san",
    [REACHABLE[0], *REACHABLE[6000::9000], REACHABLE[-1], "a8=Q", "a1=Q", "a2"],
)
def test_a_reachable_string_comes_with_the_shortest_game(san: str, player: str | None) -> None:
    """Of the player, if he can play it; of the one who is earlier, if none is named."""
    answer = look_up(ARCHIVE, san, player)
    expect_evidence(answer)
    assert answer.game is not None
    assert answer.earliest is not None
    assert answer.game == GameRow.of_row(answer.earliest)
    assert answer.witness == ARCHIVE.witness_of(san)
    known = {"a8=Q": ("white",), "a1=Q": ("black",), "a2": ("black",)}
    assert answer.players == known.get(san, answer.witness.players)
    players = [player] if player in answer.players else answer.players
    plies = {who: look_up(ARCHIVE, san, who).game.ply for who in players}  # type: ignore[union-attr]
    assert answer.game.colour == min(plies, key=plies.__getitem__)


def test_the_bound_of_a_string_and_of_one_player() -> None:
    found, white = (look_up(ARCHIVE, "Qh4#", player).earliest for player in (None, "white"))
    assert found is not None
    assert (found.ply, found.bound, found.exact) == (4, 4, True)
    assert white is not None
    assert (white.player, white.bound) == ("white", 9)
    assert look_up(ARCHIVE, "Kae1").earliest is None


def test_what_a_run_lacks_is_not_shown(tmp_path: Path) -> None:
    """Without a shortest game one of the run is shown, and without games the witness."""
    run = write_run(tmp_path / "run", files())
    for archive in (open_archive(run), open_archive(write_shortest(run, SHORTEST[:1]))):
        answer = look_up(archive, "g4", "black")
        assert answer.game is not None
        assert (answer.game.number, answer.game.colour) == (answer.witness.game, "white")
        assert (answer.players, answer.observed) == (("white",), None)
        expect_evidence(answer)
    answer = look_up(open_archive(write_run(tmp_path / "bare", files(games=False))), "Qh4#")
    assert (answer.verdict, answer.game, answer.players) == (Verdict.REACHABLE, None, ())
    assert answer.shown == answer.witness
    assert "A legal game" not in to_text(answer, "x")
    assert json.loads(to_json([answer]))[0]["uci"] == answer.witness.uci


def test_how_often_a_string_was_played_is_looked_up_beside_the_run(tmp_path: Path) -> None:
    archive = open_archive(write_observed(write_run(tmp_path, files())))
    for san in SANS:
        seen = look_up(archive, san).observed
        assert seen is not None
        assert (seen.times, seen.moves) == (TIMES.get(san, 0), sum(TIMES.values()))
        assert seen.sentence() in to_text(look_up(archive, san), "x")
    assert look_up(archive, "e4e5").observed is None


@pytest.mark.parametrize("text", ["f2f3e7e4g2g4", "f2f3e7e5a2a3"])
def test_a_shortest_game_that_is_damaged(tmp_path: Path, text: str) -> None:
    run = write_shortest(write_run(tmp_path, files()), [SHORTEST[3]._replace(text=text)])
    with pytest.raises(ArchiveError, match="game of g4 is damaged"):
        _ = look_up(open_archive(run), "g4").shown


@pytest.mark.parametrize("sans", [("f3", "e6", "g4", "Qh4#"), ("f3",), ("Qf3", "e5", "g4", "Qh4#")])
def test_a_game_of_a_run_that_is_damaged(tmp_path: Path, sans: tuple[str, ...]) -> None:
    games = {"games.pgn.xz": lzma.compress(write_pgn(PgnGame(1, sans[0], 0, sans)).encode())}
    archive = open_archive(write_run(tmp_path, files() | games))
    with pytest.raises(ArchiveError, match="game of e5 is damaged"):
        _ = look_up(archive, "e5").shown


# Proved now


@pytest.mark.parametrize(
    ("san", "black", "player"),
    [
        ("e5", False, "white"),
        ("a8=Q#", True, "white"),
        ("hxg1=N+", False, "black"),
        ("O-O-O#", False, "white"),
        ("Qb6e3#", False, "white"),
        ("O-O", True, "black"),
    ],
)
def test_a_reachable_string_comes_with_what_can_be_replayed(
    san: str, black: bool, player: str
) -> None:
    """By White if White can play it, unless Black is asked for."""
    answer = prove(san, black=black)
    assert (answer.san, answer.archive) == (san, None)
    assert answer.game is not None
    assert answer.game.colour == player
    assert answer.witness == answer.shown
    assert (answer.players, answer.earliest, answer.observed) == ((), None, None)
    expect_evidence(answer)


@pytest.mark.parametrize(
    ("san", "why"),
    [
        ("Kd4=Q", Reason.PROMOTION_OF_A_PIECE),
        ("e1", Reason.PROMOTION_MISSING),
        ("Kae1", Reason.KING_WITH_DISCRIMINATOR),
        ("N2b1", Reason.NO_TWINS),
        ("Ba1b2+", Reason.NO_CHECK),
    ],
)
def test_an_impossible_string_comes_with_its_reason(san: str, why: Reason) -> None:
    answer, looked_up = prove(san), look_up(ARCHIVE, san)
    assert (answer.san, answer.verdict, answer.reason) == (san, Verdict.IMPOSSIBLE, why.value)
    assert (answer.game, answer.players, answer.archive) == (None, (), None)
    assert answer == looked_up._replace(archive=None)
    assert san.rstrip("+#") in f"{answer.sentence}"


def gives_up(_: San) -> None:
    raise SolverGaveUp("Z3 gave up: timeout")


WITNESS, GAMES = "search.decide.search_witness", "games.search.solve_games"
WRONG = ProofGame("O-O", 2, ("f2f3", "e7e5", "g2g4", "d8h4"))


@pytest.mark.parametrize(
    ("place", "found", "words"),
    [
        (WITNESS, lambda _: None, "no game was found, and no refutation either"),
        (WITNESS, gives_up, "O-O is undecided: Z3 gave up: timeout."),
        (GAMES, lambda _: ((), 0), "no game was found"),
        (GAMES, lambda _: ((WRONG,), 0), "writes its move as g4"),
    ],
)
def test_what_is_not_shown_is_undecided(
    place: str, found: Callable[[object], object], words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"sanproof.proofs.{place}", found)
    answer = prove("O-O")
    assert (answer.verdict, answer.reason, answer.game) == (Verdict.UNDECIDED, None, None)
    assert words in f"{answer.sentence}"


@pytest.mark.parametrize(
    ("text", "expected"), [("N2b1+", []), ("Ba1b2+", ["Ba1b2"]), ("a1=Q", ["a8=Q"])]
)
def test_for_what_is_refuted_no_game_is_looked_for(
    text: str, expected: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """That would take long; but that it can be played without the suffix is shown by a game.

    a1=Q is Black's; seen from White it is a8=Q.
    """
    looked_for = []

    def searched(san: San) -> Witness | None:
        looked_for.append(str(san))
        return search_witness(san)

    monkeypatch.setattr("sanproof.proofs.search.decide.search_witness", searched)
    prove(text)
    assert looked_for == expected


# Shown


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
    rest = re.split("To see why|No game has", rest.partition("5.2.2):\n")[2])[0]
    game = chess.pgn.read_game(io.StringIO(moves))
    assert game is not None
    end = game.end()
    assert (game.errors, end.ply(), end.san()) == ([], ply, san)  # type: ignore[attr-defined]
    board = end.board()
    for word in rest.split():
        if word[0].isalpha():
            board.push_san(word)
        else:
            number, dots = word.rstrip("."), word.count(".")
            assert dots in {1, 3}
            assert (int(number), dots == 1) == (board.fullmove_number, board.turn)
    assert board.is_checkmate()


NO_CHECK = ("already (c3, d4, e5, f6, g7, h8)", "left (a1)", "bishop (c1, a3)")


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (look_up(ARCHIVE, "Nbd2"), ("knight on f3 can go to d2, too", "ply 5, White's 3rd move")),
        (look_up(ARCHIVE, "Nbd2"), ("Black can play it too: --player black", "Looked up in x;")),
        (look_up(ARCHIVE, "e4"), ("ply 1, White's 1st move", "earliest possible", "bounds e4")),
        (look_up(ARCHIVE, "O-O#", "black"), ("ply 14, Black's 7th move", "before ply")),
        (look_up(ARCHIVE, "O-O#"), ("bounds 'O-O#'",)),
        (look_up(ARCHIVE, "a2"), ("Only Black can play it.",)),
        (look_up(ARCHIVE, "Ba1b2+"), ("cannot occur (no-check)", *NO_CHECK)),
        (look_up(ARCHIVE, "N2b1"), ("(no-twins)", "no such knight", "Looked up in x; use --prove")),
        (MATE, ("Black plays d8h4", "Black's 2nd move: 1. f3 e5 2. g4 Qh4# {here} Proved now,")),
        (UNDECIDED, ("O-O is undecided: no. Tried now, with a solver.",)),
    ],
)
def test_what_is_said_of_a_string(answer: Answer, words: tuple[str, ...]) -> None:
    text = " ".join(to_text(answer, "x").split())
    assert [word for word in words if word not in text] == []


def test_a_piece_without_twins_is_told_apart_from_none() -> None:
    assert "too:" not in to_text(look_up(ARCHIVE, "Nd2"), "x").partition("FEN")[0]


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
    e4, king, mate = json.loads(to_json([look_up(ARCHIVE, "e4"), look_up(ARCHIVE, "Kae1"), MATE]))
    assert (e4["san"], e4["verdict"], e4["source"]) == ("e4", "reachable", "looked up")
    assert (e4["players"], e4["ply"], e4["bound"], e4["exact"]) == (["white", "black"], 1, 1, True)
    assert e4["observed"] == look_up(ARCHIVE, "e4").observed._asdict()  # type: ignore[union-attr]
    told = {"san": "Kae1", "verdict": "impossible", "source": "looked up"}
    told |= {"reason": "king-with-discriminator", "sentence": king["sentence"]}
    assert king == dict.fromkeys(mate) | told
    told = {"san": "Qh4#", "verdict": "reachable", "source": "proved", "player": "black"}
    told |= {"before_fen": FENS[3], "uci": MOVES[3], "after_fen": FENS[4], "result": "0-1"}
    assert mate == dict.fromkeys(mate) | told | {"ply": 4, "moves": list(SANS)}
