"""What a notebook's user calls."""

import doctest
import io
import json
import re
from importlib import metadata
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import chess
import chess.pgn
import pytest

import sanproof
import sanproof.api
from sanproof.generator.strings import bare_strings, suffixed_strings
from sanproof.reports.archive.door import published_directory
from tests.reports.archive.archives import files, write_run
from tests.strings import universe_size

REACHABLE = sanproof.strings()


def test_the_examples_run() -> None:
    failed, attempted = doctest.testmod(sanproof.api)
    assert attempted > 3
    assert failed == 0


def test_strings_are_those_of_the_generator() -> None:
    assert suffixed_strings() == REACHABLE
    assert sanproof.strings(bare=True) == bare_strings()


def test_every_witness_is_written_so_and_played_in_its_game() -> None:
    rows = list(sanproof.witnesses())
    assert [row.san for row in rows] == [row.san for row in sanproof.cover()] == REACHABLE
    number = rows[-1].game
    assert number is not None
    known = sanproof.game(number)
    game = chess.pgn.read_game(io.StringIO(sanproof.pgn(known)))
    assert game is not None
    nodes = list(game.mainline())
    assert tuple(node.san() for node in nodes) == known.sans
    assert nodes[known.ply - 1].board().fen() == rows[-1].after_fen
    with pytest.raises(sanproof.ArchiveError, match="has no game 0"):
        sanproof.game(0)
    for row in rows[::97]:
        board = chess.Board(row.before_fen)
        assert board.san_and_push(chess.Move.from_uci(row.uci)) == row.san
        assert board.fen() == row.after_fen


def test_reachable_and_impossible_make_up_the_universe() -> None:
    impossible = [san for san, _ in sanproof.impossible()]
    assert len({*impossible, *REACHABLE}) == len(impossible) + len(REACHABLE) == universe_size()


def test_how_often_strings_were_played(tmp_path: Path) -> None:
    observed = sanproof.observed()
    assert set(observed.times) < set(REACHABLE)
    assert sum(observed.times.values()) == observed.source["moves"]
    never = min(set(REACHABLE) - set(observed.times))
    for san in ("Nf3", never):
        answer = sanproof.look_up(san)
        assert answer.observed == observed.sighting(san)
        assert answer.observed.times == observed.times.get(san, 0)
    run = write_run(tmp_path / "run", files())
    assert sanproof.look_up("f3", run=run).observed is None
    with pytest.raises(sanproof.ArchiveError, match="how often"):
        sanproof.observed(run=run)
    with pytest.raises(sanproof.ArchiveError, match="holds no finished run"):
        sanproof.strings(run=tmp_path)
    with pytest.raises((sanproof.EvidenceError, sanproof.Failure)):
        sanproof.audit(run=tmp_path)


@pytest.mark.parametrize("text", ["", "e9", "Nf3\n", "e4!", "e4\ne5"])
def test_what_is_no_san_string_is_refused(text: str) -> None:
    for ask in (sanproof.look_up, sanproof.spoken, sanproof.prove):
        with pytest.raises(sanproof.MalformedSan):
            ask(text)


def test_any_list_of_texts_can_be_filtered() -> None:
    texts = ["e4", "e9", "", "Nf3\n", "Ba1b2+", "0-0", "O-O", "e4\ne5"]
    assert list(filter(sanproof.is_reachable, texts)) == ["e4", "O-O"]
    assert sanproof.meant("0-0") == ("O-O",)
    with pytest.raises(TypeError, match="None is not a string"):
        sanproof.is_reachable(None)  # type: ignore[arg-type]


def test_gating_a_collection() -> None:
    assert sanproof.gate(set(REACHABLE)).exact
    assert sanproof.gate(reversed(sanproof.strings(bare=True))).exact
    report = sanproof.gate([*REACHABLE[1:], "Ba1b2+"])
    assert [missing.san for missing in report.missing] == REACHABLE[:1]
    assert [(extra.san, extra.place) for extra in report.too_many] == [("Ba1b2+", len(REACHABLE))]


def test_what_is_no_collection_of_strings_is_refused() -> None:
    with pytest.raises(TypeError, match="not one string"):
        sanproof.gate("e4")
    with pytest.raises(TypeError, match="7 is not a string"):
        sanproof.gate(["e4", 7])  # type: ignore[list-item]


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


def test_a_list_that_lacks_what_no_rule_excludes_is_not_a_runs(tmp_path: Path) -> None:
    directory = write_run(tmp_path, files())
    with pytest.raises(sanproof.ArchiveError, match=r"is not a genuine run: .*h4"):
        sanproof.look_up("h4", run=directory)
    with pytest.raises(sanproof.ArchiveError, match=r"is not a genuine run: .*h4"):
        sanproof.gate(["h4"], run=directory)


def test_the_version_is_that_of_the_installed_package() -> None:
    assert sanproof.__version__ == metadata.version("sanproof")
    assert set(sanproof.__all__) <= set(dir(sanproof))
    assert all(hasattr(sanproof, name) for name in sanproof.__all__)
    assert not hasattr(sanproof, "version")


def test_a_report_of_everything_is_shown_in_a_line() -> None:
    for given in (REACHABLE, [], [*REACHABLE, *["x" * 1000] * 1000]):
        shown = repr(sanproof.gate(given))
        assert shown.startswith("<GateReport: ")
        assert len(shown) < 300
        assert "\n" not in shown


PINNED = "4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1"


def test_a_text_is_read_and_a_move_written_in_a_position() -> None:
    board = chess.Board(PINNED)
    for move in board.legal_moves:
        san = board.san(move)
        assert sanproof.write(move.uci(), PINNED).san == san
        reading = sanproof.read(san, PINNED)
        assert (reading.verdict.value, reading.uci) == ("canonical", move.uci())
    assert sanproof.read("Nge2", PINNED).canonical == "Ne2"
    assert sanproof.INITIAL == chess.STARTING_FEN


def test_what_cannot_be_read_or_written_is_a_value_error() -> None:
    for uci, fen in (("g1g3", PINNED), ("Ne2", PINNED), ("g1e2", "x"), ("g1e2", "8/8/8/8 w - -")):
        with pytest.raises(ValueError, match=r"\.$"):
            sanproof.write(uci, fen)
    with pytest.raises(ValueError, match="is not a FEN"):
        sanproof.read("Ne2", "x")
    for call in (sanproof.read, sanproof.write):
        with pytest.raises(TypeError, match="7 is not a string"):
            call(7)  # type: ignore[arg-type]


def test_a_board_is_as_good_as_its_fen() -> None:
    board = chess.Board(PINNED)
    board.push_san("Ne2")
    assert sanproof.read("Kf8", board) == sanproof.read("Kf8", board.fen())
    assert sanproof.write("e8f8", board).san == "Kf8"
    assert board.move_stack
    with pytest.raises(ValueError, match="variant"):
        sanproof.read("e4", chess.Board(chess960=True))
    for position in (None, 7):
        with pytest.raises(TypeError, match="neither a FEN nor"):
            sanproof.read("e4", position)  # type: ignore[arg-type]


def test_strings_of_a_pattern() -> None:
    found = sanproof.strings("Q*d4#")
    assert found == [s for s in REACHABLE if s[0] == "Q" and s.endswith("d4#")]
    assert sanproof.strings("[KQ]x?8", bare=True)[:2] == ["Kxa8", "Kxb8"]
    assert sanproof.strings("Ba1b2+") == []


def test_the_version_of_the_data() -> None:
    manifest = published_directory() / "manifest.json"
    assert sanproof.data_version() == json.loads(manifest.read_text())["sha256"]


def test_boards_in_a_notebook() -> None:
    shown: list[Any] = [
        sanproof.look_up("Qb6e3#"),
        next(sanproof.witnesses()),
        sanproof.write("g1f3"),
    ]
    for item in shown:
        drawing = item._repr_svg_()
        assert drawing is not None
        assert ET.fromstring(drawing).tag.endswith("svg")
        assert 'class="arrow"' in drawing
    assert sanproof.look_up("Ba1b2+")._repr_svg_() is None


def test_the_language() -> None:
    assert re.fullmatch(sanproof.language("regex", bare=True), "Nf3")
    for wrong in (("words",), ("regex", "pgn")):
        with pytest.raises(ValueError, match=r"none of tokenizer|There is no pgn"):
            sanproof.language(*wrong)
    assert sanproof.automaton(bare=True).string_of(0) == sanproof.strings(bare=True)[0]


def test_exports_scans_and_conformance(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", files())
    sanproof.export("strings", tmp_path / "a.csv", columns=["san", "id"], run=run)
    assert (tmp_path / "a.csv").read_text().splitlines()[:2] == ["san,id", "e5,0"]
    with pytest.raises(sanproof.Failure, match="columns"):
        sanproof.export("strings", tmp_path / "b.csv", columns=["fen"], run=run)
    with pytest.raises(sanproof.Failure, match="no table nonsense"):
        sanproof.export("nonsense", tmp_path / "b.csv", run=run)
    pgn = tmp_path / "game.pgn"
    pgn.write_text(sanproof.pgn(sanproof.game(1)))
    with pytest.raises(ValueError, match="workers"):
        sanproof.scan(pgn, out=tmp_path / "none", workers=0)
    with pytest.raises(ValueError, match="rows"):
        sanproof.scan(pgn, out=tmp_path / "none", rows="xml")
    with pytest.raises(ValueError, match="workers"):
        sanproof.audit(workers=0)
    with pytest.raises(TypeError, match="only"):
        sanproof.conformance("python-chess", only="castling.*")
    summary = sanproof.scan(pgn, out=tmp_path / "scan")
    assert summary["total"]["games"] == 1
    (report,) = sanproof.conformance("python-chess", only=["castling.b-attacked.*"])
    assert report.entries
    assert isinstance(report, sanproof.LibraryReport)
