"""The replay agrees on games that hold, and notices every kind of game or answer that does not."""

import gzip
import json
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import pytest

from sanproof.reports.tables.names import GAMES_PGN
from sanproof.reports.tables.pgn import PgnGame, write_pgn
from sanproof.verify.errors import Failure
from tests.campaigns.replay import __main__ as command
from tests.campaigns.replay.__main__ import Result, replay_file
from tests.campaigns.replay.programs import Program, find_programs, read_library

FOOLS_MATE: Final = "f3 e5 g4 Qh4#"
SCHOLARS_MATE: Final = "e4 e5 Qh5 Nc6 Bc4 Nf6 Qxf7#"
DOUBLE_PUSH_MATES: Final = (
    "e4 f5 exf5 a6 Bxa6 Rxa6 Qf3 Rxa2 Qxb7 Rxa1 Qxc8 Rxb1 Qxd8+ Kf7 Qxc7 Rxb2 Qxd7 Rxc2 Bb2 Rxd2 "
    "Bxg7 Rxf2 Bxf8 Rxg2 Bxe7 Nxe7 Qd4 Rxg1+ Rxg1 Nxf5 Qxh8 Ke6 Qxh7 Nd7 Kf2 Ne5 Rg4 Ne3 Kg3 Nf7 "
    "Qh5 Nh6 Qe8+ Kf5 Rf4+ Kg5 h4#"
)
SOUND: Final = (FOOLS_MATE, SCHOLARS_MATE, DOUBLE_PUSH_MATES)
POSITIONS: Final = (
    "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq -",
    "r1bqkb1r/pppp1Qpp/2n2n2/4p3/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq -",
    "4Q3/8/7n/6k1/5R1P/4n1K1/8/8 b - -",
)

REFUSED: Final = frozenset({"move refused", "game missing", "other length"})
OTHER_SAN: Final = frozenset({"other SAN"})
NO_MATE: Final = frozenset({"no mate"})
WRONG_GAMES: Final = {
    "an illegal move": ("f3 e5 g4 Qh5#", REFUSED),
    "a move through a piece": ("f3 Ra5 g4 Qh4#", REFUSED),
    "a move that leaves the king in check": ("e4 e5 Qh5 f6 Bc4 Qf7 Qxf7#", REFUSED),
    "a capture that is none": ("fxe5 e5 g4 Qh4#", REFUSED),
    "a game that goes on after mate": ("f3 e5 g4 Qh4# a3 Qg3#", REFUSED),
    "no such move": ("Zz9 e5 g4 Qh4#", REFUSED),
    "a discriminator missing": ("Nf3 a6 d4 b6 Nd2 c6", REFUSED),
    # chess.js does not read what it would not write, but for the suffix.
    "a discriminator too many": ("f3 e5 g4 Qdh4#", OTHER_SAN | REFUSED),
    "a pinned twin taken for a twin": ("d4 e6 Nf3 Bb4+ Nc3 a6 Nfd2 a5 Nde4", OTHER_SAN | REFUSED),
    "check that is not written": ("e4 f5 Qh5 g6 g3 gxh5", OTHER_SAN),
    "check that is none": ("f3 e5+ g4 Qh4#", OTHER_SAN),
    "mate written as check": ("f3 e5 g4 Qh4+", OTHER_SAN),
    "mate that is not written": ("f3 e5 g4 Qh4", OTHER_SAN),
    "no mate": ("f3 e5 g4 Qg5", NO_MATE),
    "no moves": ("", NO_MATE),
}


def pgn_file(directory: Path, *games: str, name: str = GAMES_PGN) -> Path:
    """Return a file of games, each about its last move."""
    path = directory / name
    texts = []
    for number, game in enumerate(games, 1):
        sans = tuple(game.split())
        texts.append(write_pgn(PgnGame(number, "".join(sans[-1:]), len(sans) - 1, sans)))
    content = "".join(texts).encode()
    path.write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    return path


def replay(path: Path, *with_programs: Program, listed: Sequence[str] = ()) -> list[Result]:
    return replay_file(path, list(with_programs), set(listed))


@pytest.fixture(scope="module", params=["python-chess alone", "all"])
def real_programs(request: pytest.FixtureRequest) -> list[Program]:
    """Return the real programs beside python-chess, or none of them."""
    if request.param != "all":
        return []
    try:
        return find_programs()
    except Failure as failure:
        pytest.skip(str(failure))


def test_programs_agree_on_sound_games(tmp_path: Path, real_programs: list[Program]) -> None:
    sans = {san for game in SOUND for san in game.split()}
    replayed = replay(pgn_file(tmp_path, *SOUND), *real_programs, listed=sorted(sans))
    assert [result.examples for result in replayed] == [[]] * (1 + len(real_programs))
    plies = sum(len(game.split()) for game in SOUND)
    for result in replayed:
        assert (result.games, result.plies, result.sans) == (3, plies, sans)


@pytest.fixture(scope="module")
def results_with_wrong_games(
    tmp_path_factory: pytest.TempPathFactory, real_programs: list[Program]
) -> list[Result]:
    """Replay a file in which each wrong game stands after a sound one."""
    games = [game for wrong, _ in WRONG_GAMES.values() for game in (FOOLS_MATE, wrong)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(command, "EXAMPLES", len(games))
        path = pgn_file(tmp_path_factory.mktemp("wrong"), *games, SCHOLARS_MATE)
        return replay(path, *real_programs)


@pytest.mark.parametrize("name", WRONG_GAMES)
def test_every_program_notices_a_wrong_game(
    results_with_wrong_games: list[Result], name: str
) -> None:
    number = 2 * (1 + list(WRONG_GAMES).index(name))
    for result in results_with_wrong_games:
        found = {
            example.partition(": ")[0]
            for example in result.examples
            if re.search(rf": game {number}\b", example)
        }
        assert found & WRONG_GAMES[name][1], result.program


def test_no_program_objects_to_the_sound_games_between(
    results_with_wrong_games: list[Result],
) -> None:
    for result in results_with_wrong_games:
        assert result.wrong_games == len(WRONG_GAMES)


def test_every_program_notices_a_string_played_elsewhere(
    tmp_path: Path, real_programs: list[Program]
) -> None:
    path = pgn_file(tmp_path, FOOLS_MATE)
    path.write_bytes(
        gzip.compress(gzip.decompress(path.read_bytes()).replace(b'ly "4"', b'ly "3"'))
    )
    for result in replay(path, *real_programs):
        assert result.kinds == {"other string": 1}
        assert result.examples == ["other string: game 1: Qh4# at ply 3, which is g4"]


# --- Programs that say something else, in the place of real ones ---


def right_answer(number: int, **changes: Any) -> dict[str, Any]:  # noqa: ANN401 - answers of any kind
    """Return what a right program says of a sound game, but for the changes."""
    sans = SOUND[number - 1].split()
    right = {
        "number": number,
        "shows": sans[-1],
        "shown_at": str(len(sans)),
        "sans": sans,
        "fen": f"{POSITIONS[number - 1]} 0 1",
        "error": None,
    }
    return right | changes


def program_that_says(*answers: object, exit_code: int = 0) -> Program:
    """Return a program that reads everything and says this."""
    text = "".join(f"{json.dumps(answer)}\n" for answer in answers)
    code = f"import sys; sys.stdin.buffer.read(); print(end={text!r}); sys.exit({exit_code})"
    return Program("other", "1", "legal", (sys.executable, "-c", code), read_library)


def result_of(directory: Path, program: Program) -> Result:
    replayed = replay(pgn_file(directory, *SOUND), program)
    assert not replayed[0].kinds
    return replayed[1]


WRONG_ANSWERS: Final[dict[str, tuple[dict[str, Any], str]]] = {
    "a man elsewhere": ({"fen": POSITIONS[1].replace("2B1", "1B2")}, "other position"),
    "no position": ({"fen": ""}, "other position"),
    "another move": ({"sans": ["e4", "e5", "Qf3", "Nc6", "Bc4", "Nf6", "Qxf7#"]}, "other SAN"),
    "a move less": ({"sans": SCHOLARS_MATE.split()[1:]}, "other length"),
    "a move more": ({"sans": [*SCHOLARS_MATE.split(), "a6#"]}, "other length"),
    "an objection": ({"error": "I do not like it"}, "move refused"),
    "another string": ({"shows": "Qxf7+"}, "other string"),
    "no string": ({"shows": None}, "other string"),
    "the string at another ply": ({"shown_at": "6"}, "other string"),
    "the string before the first ply": ({"shown_at": "0"}, "other string"),
    "the string after the last ply": ({"shown_at": "8"}, "other string"),
}


@pytest.mark.parametrize(("changes", "kind"), WRONG_ANSWERS.values(), ids=WRONG_ANSWERS)
def test_a_wrong_answer_is_noticed(tmp_path: Path, changes: dict[str, Any], kind: str) -> None:
    result = result_of(
        tmp_path, program_that_says(right_answer(1), right_answer(2, **changes), right_answer(3))
    )
    assert result.wrong_games == 1
    assert result.kinds[kind] == 1
    assert all(": game 2: " in example for example in result.examples)


@pytest.mark.parametrize(
    ("numbers", "missing", "out_of_place"),
    [
        ((), 3, 0),
        ((1, 3), 1, 0),
        ((1, 2, 3, 3), 0, 1),
        ((2, 1, 3), 1, 1),
    ],
)
def test_answers_that_are_missing_or_out_of_place_are_noticed(
    tmp_path: Path, numbers: tuple[int, ...], missing: int, out_of_place: int
) -> None:
    result = result_of(tmp_path, program_that_says(*map(right_answer, numbers)))
    assert (result.wrong_games, result.kinds["game missing"]) == (missing, missing)
    assert result.kinds["answer out of place"] == out_of_place
    assert result.games == 3 - missing
