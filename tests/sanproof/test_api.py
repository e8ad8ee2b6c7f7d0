"""The functions that a notebook's user calls."""

import doctest
import io
import json
import re
import sys
from importlib import metadata
from pathlib import Path
from types import ModuleType
from typing import cast
from xml.etree import ElementTree as ET

import chess
import chess.pgn
import pytest

import sanproof
import sanproof.api
import sanproof.positions
from sanproof.generator.strings import suffixed_strings
from sanproof.reports.archive.door import published_directory
from tests.reports.archive.archives import files, write_run
from tests.verify.command import completed

REACHABLE = sanproof.strings()
EXPORTED = cast("list[str]", sanproof.__all__)
PINNED = "4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1"


@pytest.mark.parametrize("module", [sanproof, sanproof.positions])
def test_the_examples_run(module: ModuleType) -> None:
    failed, attempted = doctest.testmod(module)
    assert attempted > 3
    assert failed == 0


def test_help_needs_no_extra() -> None:
    """It looks at every name."""
    missing = ("pysolvers", "pysat", "z3", "numba", "numpy", "pyarrow", "zstandard")
    code = f"import sys; sys.modules |= dict.fromkeys({missing}); import sanproof; help(sanproof)"
    done = completed([sys.executable, "-c", code])
    assert done.returncode == 0, done.stderr
    first_screen = "\n".join(done.stdout.splitlines()[:40])
    functions = [name for name in EXPORTED if name.islower() and name[0] != "_"]
    assert ">>> sanproof.look_up(" in first_screen
    assert [name for name in functions if name not in first_screen] == []


def test_strings_are_those_of_the_generator() -> None:
    assert suffixed_strings() == REACHABLE
    assert sanproof.strings(bare=True) == [san for san in REACHABLE if san[-1] not in "+#"]
    assert len(sanproof.automaton(bare=True).states) < len(sanproof.automaton().states)
    legal = re.compile(sanproof.language("regex", fen=chess.Board(PINNED)))
    assert list(filter(legal.fullmatch, REACHABLE)) == sanproof.legal_sans(PINNED)
    found = sanproof.strings("Q*d4#")
    assert found == [s for s in REACHABLE if s[0] == "Q" and s.endswith("d4#")] != []
    assert sanproof.strings("Ba1b2+") == []


def test_every_witness_is_written_so_and_played_in_its_game() -> None:
    rows = list(sanproof.witnesses())
    assert [row.san for row in rows] == REACHABLE
    assert next(sanproof.cover())[0] == REACHABLE[0]
    for row in rows[::97]:
        board = chess.Board(row.before_fen)
        assert board.san_and_push(chess.Move.from_uci(row.uci)) == row.san
        assert board.fen() == row.after_fen
    known = sanproof.game(rows[-1].game)  # it takes long to find one of so many
    game = chess.pgn.read_game(io.StringIO(known.pgn))
    assert game is not None
    assert sanproof.look_up(rows[-1].san).witness.fen == known.fen
    nodes = list(game.mainline())
    assert tuple(node.san() for node in nodes) == known.sans
    assert nodes[known.ply - 1].board().fen() == rows[-1].after_fen


def test_how_often_strings_were_played() -> None:
    observed = sanproof.observed()
    for san in ("Nf3", min(set(REACHABLE) - set(observed.times))):
        seen = sanproof.look_up(san).observed
        assert seen is not None
        assert seen.times == observed.times.get(san, 0)


def test_any_list_of_texts_can_be_filtered() -> None:
    texts = ["e4", "e9", "", "Nf3\n", "Ba1b2+", "0-0", "O-O", "e4\ne5"]
    assert list(filter(sanproof.is_reachable, texts)) == ["e4", "O-O"]
    assert sanproof.meant("0-0") == ("O-O",)


def test_gating_a_collection() -> None:
    bare = sanproof.strings(bare=True)
    assert sanproof.gate(set(REACHABLE)).exact
    assert sanproof.gate(reversed(bare)).exact
    assert not sanproof.gate(reversed(bare), ordered=True).exact
    assert not sanproof.gate(bare, bare=False).exact
    report = sanproof.gate([*REACHABLE[1:], "Ba1b2+"])
    assert [missing.san for missing in report.missing] == REACHABLE[:1]
    assert [(extra.san, extra.place) for extra in report.too_many] == [("Ba1b2+", len(REACHABLE))]
    for given in (REACHABLE, REACHABLE[9:], [*REACHABLE, *["x" * 1000] * 1000]):
        assert re.fullmatch("<GateReport: .{,280}", repr(sanproof.gate(given)))


def test_a_run_is_known_by_what_it_is_and_not_by_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same relative name may be another run after a change of directory, or a new one."""
    strings = {"here": files(), "there": files() | {"san_strings_with_symbols.txt": b"e5\nf3"}}
    for name, content in strings.items():
        (tmp_path / name).mkdir()
        write_run(tmp_path / name / "run", content)
    for name, expected in (("here", True), ("there", False), ("here", True)):
        monkeypatch.chdir(tmp_path / name)
        assert sanproof.is_reachable("g4", run="run") is expected
        assert sanproof.look_up("Kae1", run="run").verdict is sanproof.Verdict.IMPOSSIBLE
    write_run(Path("run"), strings["there"])
    assert not sanproof.is_reachable("g4", run="run")


def test_the_version_is_that_of_the_installed_package() -> None:
    assert sanproof.__version__ == metadata.version("sanproof")
    assert set(EXPORTED) <= set(dir(sanproof))
    assert all(hasattr(sanproof, name) for name in EXPORTED)
    manifest = published_directory() / "manifest.json"
    assert sanproof.data_version() == json.loads(manifest.read_text())["sha256"]


def test_a_text_is_read_and_a_move_written_in_a_position() -> None:
    board = chess.Board(PINNED)
    for move in board.legal_moves:
        san = board.san(move)
        assert sanproof.write(move.uci(), PINNED).san == san
        reading = sanproof.read(san, PINNED)
        assert (reading.verdict.value, reading.uci) == ("canonical", move.uci())
    assert sorted(sanproof.legal_sans(PINNED)) == sorted(map(board.san, board.legal_moves))
    assert sanproof.read("Nge2", PINNED).canonical == "Ne2"
    assert sanproof.read("Ne2", board).move == board.push_san("Ne2")
    assert sanproof.read("Ne2", board).move is None
    assert sanproof.read("Kf8", board) == sanproof.read("Kf8", board.fen())
    assert board.move_stack


def test_boards_and_tables_in_a_notebook(tmp_path: Path) -> None:
    answer = sanproof.look_up("Qb6e3#")
    game = sanproof.game(1, run=write_run(tmp_path / "run", files()))
    (hit,) = sanproof.find("Nf3", game=True).answers
    assert "Nf3" in hit.game
    drawn = [item._repr_svg_() for item in (answer, hit, sanproof.write("g1f3"))]
    drawn += [sanproof.read("Nf3")._repr_svg_(), next(sanproof.witnesses())._repr_svg_()]
    for drawing in [*drawn, game._repr_html_().partition("<p>")[0]]:
        assert drawing is not None
        assert ET.fromstring(drawing).tag.endswith("svg")
        assert 'class="arrow"' in drawing
    assert "Qh4#" in game._repr_html_().partition("<p>")[2]
    assert "arrow" not in sanproof.read("Nf6")._repr_svg_()
    assert sanproof.look_up("Ba1b2+")._repr_svg_() is None


def test_the_parts_of_a_string() -> None:
    assert sanproof.parse("Nbxd2+") == sanproof.San("N", "b", "", "x", "d2", "", "+")
    assert [str(sanproof.parse(san)) for san in REACHABLE] == REACHABLE
    assert list(map(sanproof.is_san, ("e8=K", "O-O-O+", "e9", "", "Nf3\n"))) == [1, 1, 0, 0, 0]


def test_the_witness_is_a_position_and_the_game_another() -> None:
    for black in (False, True):
        answer = sanproof.look_up("Qb6e3#", black=black)
        assert answer.game is not None
        assert answer.game.colour == ("black" if black else "white")
        assert answer.shown.fen == answer.game.fen == answer.shown.board.fen()
    witness = sanproof.look_up("Qb6e3#").witness
    shown = chess.pgn.read_game(io.StringIO(witness.pgn))
    assert shown is not None
    assert (shown.board().fen(), shown.next().san()) == (witness.fen, "Qb6e3#")  # type: ignore[union-attr]


REFUSED: list[tuple[str, type[Exception], str]] = [
    ("is_reachable(None)", TypeError, "None is not a string"),
    ("look_up('Nf3\\n')", sanproof.MalformedSan, "is not a SAN string"),
    ("prove('e4!')", sanproof.MalformedSan, "is not a SAN string"),
    ("gate('e4')", TypeError, "list of texts"),
    ("gate(['e4', 7])", TypeError, "7 is not a string"),
    ("strings(run=empty)", sanproof.ArchiveError, "holds no finished run"),
    ("audit(run=empty)", sanproof.EvidenceError, "manifest.json"),
    ("observed(run=run)", sanproof.ArchiveError, "no counts"),
    ("look_up('h4', run=run)", sanproof.ArchiveError, "is not a genuine run: .*h4"),
    ("write('Ne2', pinned)", ValueError, r"\.$"),
    ("write(7)", TypeError, "7 is not a string"),
    ("write('e2e4', sanproof.read('e4').move)", TypeError, "neither a FEN nor"),
    ("look_up(5)", TypeError, "5 is not a string"),
    ("look_up('Ba1b2+').witness", ValueError, r"Ba1b2\+ is impossible: there is no witness\."),
    ("game(1.5)", TypeError, "integer"),
    ("game(None, run=run)", sanproof.ArchiveError, "has no game 0"),
    ("read(7)", TypeError, "7 is not a string"),
    ("read('e4', None)", TypeError, "neither a FEN nor"),
    ("read('e4', chess960)", ValueError, "variant"),
    ("language('words')", ValueError, "not one of tokenizer"),
    ("language('regex', 'pgn')", ValueError, "regex cannot be written as pgn"),
    ("language('regex', special='x')", TypeError, "special should be a list"),
    ("language('regex', nothing=1)", TypeError, "nothing"),
    ("scan('x.pgn', out='none', rows='xml')", ValueError, "rows"),
    ("audit(workers=0)", ValueError, "workers"),
    ("conformance('python-chess', only='castling.*')", TypeError, "only"),
]


@pytest.mark.parametrize(("call", "error", "words"), REFUSED)
def test_what_cannot_be_answered_is_refused(
    call: str, error: type[Exception], words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "empty").mkdir()
    run = write_run(tmp_path / "run", files())
    monkeypatch.chdir(tmp_path)
    names = {"pinned": PINNED, "chess960": chess.Board(chess960=True), "run": run}
    with pytest.raises(error, match=words):
        eval(f"sanproof.{call}", {"sanproof": sanproof, "empty": tmp_path / "empty", **names})
    assert sorted(path.name for path in tmp_path.iterdir()) == ["empty", "run"]


def test_scans_and_conformance(tmp_path: Path) -> None:
    pgn = tmp_path / "game.pgn"
    pgn.write_text("1. e4 e5 *\n")
    assert sanproof.scan(pgn, out=tmp_path / "scan")["total"]["games"] == 1
    (report,) = sanproof.conformance("python-chess", only=["castling.check.*"])
    assert report.records
    assert isinstance(report, sanproof.Report)
