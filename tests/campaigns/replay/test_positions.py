"""The exported table of positions, read by libraries that share no code with python-chess."""

import json
import subprocess
from typing import Any, Final

import pytest

from sanproof.verify.errors import Failure
from tests.campaigns.replay.programs import HERE, find_library
from tests.verify.command import sanproof

HEADER: Final = "before_fen,san,after_fen"
START: Final = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
E4: Final = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
KNIGHTS: Final = "4k3/8/8/8/8/8/8/1N2KN2 w - - 0 1"
PINNED: Final = "4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1"
BEFORE_MATE: Final = "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2"
MATE: Final = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"
PASSED: Final = "4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1"
SOUND: Final = (
    f"{START},e4,{E4}",
    f"{BEFORE_MATE},Qh4#,{MATE}",
    f"{PASSED},e4,4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1",
    f"{PINNED},Ne2,4k3/8/8/8/1b6/2N5/4N3/4K3 b - - 1 1",
)
REFUSED: Final = frozenset({"refused"})
OTHER_SAN: Final = frozenset(
    {"other SAN", "refused"}
)  # chess.js does not read what it would not write
WRONG: Final = {
    "an illegal move": (f"{START},e5,{E4}", REFUSED),
    "two knights": (f"{KNIGHTS},Nd2,{KNIGHTS}", REFUSED),
    "no such string": (f"{START},Zz9,{E4}", REFUSED),
    "no position": (f"8/8,e4,{E4}", REFUSED),
    "a discriminator too many": (f"{START},Ngf3,{START}", OTHER_SAN),
    "a pinned twin taken for a twin": (f"{PINNED},Nge2,{PINNED}", OTHER_SAN),
    "check that is none": (f"{START},e4+,{E4}", OTHER_SAN),
    "mate written as check": (f"{BEFORE_MATE},Qh4+,{MATE}", OTHER_SAN),
    "another position": (f"{START},e3,{E4}", frozenset({"other position"})),
    "another counter": (f"{START},e4,{E4[:-1]}2", frozenset({"other position"})),
    "a square that cannot be captured on": (
        f"{START},e4,{E4.replace(' -', ' e3')}",
        frozenset({"other en passant square"}),
    ),
    "a square that can be, and is not named": (
        SOUND[2].replace("e3", "-"),
        frozenset({"other en passant square"}),
    ),
}


def read(library: str, table: str) -> dict[str, Any]:
    """What a library makes of a table."""
    try:
        find_library(library)
    except Failure as failure:
        pytest.skip(str(failure))
    run = subprocess.run(
        ["node", str(HERE / "positions.mjs"), library],
        input=table,
        capture_output=True,
        text=True,
        check=True,
    )
    found: dict[str, Any] = json.loads(run.stdout)
    return found


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The table as it is exported."""
    path = tmp_path_factory.mktemp("exported") / "positions.csv"
    run = sanproof("export", "--what", "witnesses", "--format", "csv", "--out", str(path))
    assert (run.returncode, run.stderr) == (0, "")
    return path.read_text("ascii")


@pytest.mark.slow
def test_chessops_agrees_with_every_row(exported: str) -> None:
    found = read("chessops", exported)
    assert found["examples"] == []
    assert set(found["kinds"].values()) == {0}
    assert (found["rows"], found["named"]) == (28_938, 0)


def test_chess_js_agrees_with_some_rows(exported: str) -> None:
    """With one in twenty: it takes half a millisecond for each."""
    header, *rows = exported.splitlines()
    some = [header, *rows[::20]]
    found = read("chess.js", "\n".join(some))
    assert found["examples"] == []
    assert (found["rows"], found["named"]) == (len(some) - 1, 0)


@pytest.mark.parametrize("library", ["chessops", "chess.js"])
def test_sound_rows_are_sound(library: str) -> None:
    found = read(library, "\n".join([HEADER, *SOUND]))
    assert found["examples"] == []
    assert (found["rows"], found["named"]) == (len(SOUND), 1)


@pytest.mark.parametrize("library", ["chessops", "chess.js"])
@pytest.mark.slow
def test_every_wrong_row_is_noticed(library: str) -> None:
    for name, (row, kinds) in WRONG.items():
        found = read(library, "\n".join([HEADER, SOUND[0], row, SOUND[0]]))
        wrong = {kind for kind, count in found["kinds"].items() if count}
        assert wrong, name
        assert wrong <= kinds | {"other position"}, (name, wrong)
        assert wrong & kinds, (name, wrong)
        assert {example.split(": ")[1] for example in found["examples"]} == {"row 2"}, name
