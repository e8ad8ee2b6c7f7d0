"""The input of Coq, and that nothing is assumed there; the proofs themselves: `nox -s formal`."""

import csv
import lzma
import os
import re
from collections.abc import Iterable, Sequence
from contextlib import nullcontext
from pathlib import Path

import pytest

from sanproof.proofs.formal import generate
from sanproof.proofs.formal.build import (
    CLOSED,
    DEFINITIONS,
    HERE,
    PINNED,
    ROWS,
    MisuseError,
    NotProvedError,
    add_generated,
    check_again,
    check_form,
    check_language,
    check_sample,
    compile_all,
    dependencies,
    fingerprint,
    pin,
    prepare,
    published_forms,
    sources,
    statements,
)
from tests.campaigns.coq_lies import LIES
from tests.proofs.formal.planted import ERRORS, changed
from tests.verify.command import ROOT

DATA = ROOT / "data"
MAX_LINES = 420
MAIN_THEOREM_ENDS = "(** ** By suffix and by piece *)"
FORBIDDEN = (
    *("Admitted", "admit", "give_up", "Axiom", "Axioms", "Parameter", "Parameters", "Conjecture"),
    *("Variable", "Variables", "Hypothesis", "Hypotheses", "Context", "Primitive", "Register"),
    *("native_compute", "bypass_check", "Guard Checking", "Positivity Checking"),
    *("Universe Checking", "Cumulative StrictProp", "Declare ML", "Load", "Redirect"),
    *("Admit Obligations", "Declare Module", "Declare Instance", "Print Universes"),
)
IN_SECTIONS = {"Variable", "Variables", "Hypothesis", "Hypotheses"}
"""Inside a section they are what each of its theorems is told, and no assumption."""


def code(path: Path) -> str:
    """Return a file of Coq without its comments."""
    return re.sub(r"\(\*.*?\*\)", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)


def test_the_main_theorem_can_be_read_in_one_sitting() -> None:
    """The definitions and the statements, up to those of other theorems."""
    chess, said = ((HERE / f"{name}.v").read_text("utf-8") for name in ("Chess", "Statements"))
    main = said.partition(MAIN_THEOREM_ENDS)[0]
    assert "Definition exactly" in main
    assert len(chess.splitlines()) + len(main.splitlines()) <= MAX_LINES


def section_words(text: str) -> str:
    """Return a file's code outside its sections."""
    return re.sub(r"^Section (\w+)\..*?^End \1\.", "", text, flags=re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("path", sources(), ids=lambda path: path.name)
def test_nothing_is_assumed(path: Path) -> None:
    for word in FORBIDDEN:
        text = section_words(code(path)) if word in IN_SECTIONS else code(path)
        assert not re.search(rf"\b{word}\b", text), word
    required = re.findall(
        r"^From (\w+) Require|^Require (?:Import )?(\w+)\.", code(path), re.MULTILINE
    )
    assert {name for pair in required for name in pair if name} <= {"Coq", "Sanproof"}
    assert code(path).count("Require ") == len(required)


@pytest.mark.parametrize("name", DEFINITIONS)
def test_definitions_need_nothing_that_is_generated(name: str) -> None:
    required = dependencies(HERE)[name]
    assert required <= set(DEFINITIONS[: DEFINITIONS.index(name)])


def test_every_statement_is_pinned_with_whole_names() -> None:
    text = code(HERE / f"{PINNED}.v")
    statement = r"^Definition (\w+)(?: \(published : list .*\))? : Prop :="
    said = re.findall(statement, code(HERE / "Statements.v"), re.MULTILINE)
    assert set(statements()) == set(said)
    assert set(re.findall(r"Statements\.And _ (\w+)", text)) == set(said)
    assert "Import" not in text
    assert "Notation" not in text
    pinned, _, together = text.partition("Definition everything ")
    for name in re.findall(r"[\w.]+", pinned.partition("Definition")[2]):
        plain = name in {"Definition", *said} or name.startswith("Sanproof.")
        assert plain or not name.strip("."), name
    assert together.endswith("Print Assumptions everything.\n")


def test_the_trust_page_counts_statements_and_lies() -> None:
    page = (ROOT / "TRUST.md").read_text(encoding="utf-8")
    assert f" has {len(statements())} statements," in page
    assert f" writes {len(LIES)} false statements " in page
    with (ROOT / "docs" / "tables" / "lies.csv").open(encoding="utf-8", newline="") as file:
        assert list(csv.reader(file))[1:] == [[lie.says, lie.refused_by] for lie in LIES]


def test_names_of_ours_are_not_generated(tmp_path: Path) -> None:
    for name in ("Chess.v", "pinned.v", "../Games.v", "Games.vo", "games.v", "ListNotations.v"):
        with pytest.raises(NotProvedError, match="may not be called"):
            add_generated([(name, "")], tmp_path)
    add_generated([("Cover000.v", "text")], tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["Cover000.v"]


@pytest.mark.parametrize("san", ['e4". Axiom a : False. Definition b := "', "e4 e5", "", "e4\n"])
def test_a_string_cannot_close_its_literal(san: str) -> None:
    with pytest.raises(generate.UnsafeTextError):
        generate.literal(["e4", san])
    with pytest.raises(generate.UnsafeTextError):
        generate.moves_file([generate.PublishedGame(["e2e4", f"e7e5{san}."])])


def test_a_folder_of_somebody_elses_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "precious").touch()
    with pytest.raises(MisuseError, match="contains other files"):
        prepare(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["precious"]


def test_the_list_goes_in_byte_for_byte() -> None:
    text = generate.published_file(DATA)
    literals = "".join(re.findall(r':= "([^"]*)"', text))
    published = (DATA / "san_strings_with_symbols.txt").read_bytes()
    assert literals.encode() == published.rstrip(b"\n") + b"\n"


def test_a_tree_holds_its_games_and_claims() -> None:
    games = [
        generate.PublishedGame(["e2e4", "e7e5", "d1h5"], {1: "e4"}),
        generate.PublishedGame(["e2e4", "e7e5", "f1c4", "a7a6"], {3: "Bc4", 2: "e5"}),
        generate.PublishedGame(["e2e4", "f7f6"], {2: "f6"}),
    ]
    tree = generate.Tree(games)
    first = "F (H d1h5 Stop) (S f1c4 (H a7a6 Stop))"
    assert tree.term == f"S e2e4 (F (S e7e5 ({first})) (S f7f6 Stop))"
    assert tree.shown("white") == ["Bc4", "e4"]
    assert tree.shown("black") == ["f6", "e5"]


@pytest.mark.slow
def test_every_string_of_both_players_is_claimed_once() -> None:
    cover = generate.read_cover(DATA)
    shown = generate.claims(cover)
    rest = generate.claims(generate.read_rest(DATA, shown))
    assert not shown & rest
    assert {san for _, san in shown} == set(
        (DATA / "san_strings_with_symbols.txt").read_text().split()
    )
    assert len(shown | rest) == sum(1 for _ in generate.read_lines(DATA / "games.txt.xz"))


def test_files_are_compiled_after_what_they_require(tmp_path: Path) -> None:
    (tmp_path / "A.v").write_text("From Coq Require Import List.\n")
    (tmp_path / "B.v").write_text("From Sanproof Require Import A.\nFrom Sanproof Require C A.\n")
    text = "From Sanproof Require Import A.\nRequire Sanproof.A\n  Coq.C.\nOpaque a.\nSection B.\n"
    (tmp_path / "C.v").write_text(text)
    assert dependencies(tmp_path) == {"A": set(), "B": {"A", "C"}, "C": {"A"}}


def test_files_that_require_one_another_are_refused(tmp_path: Path) -> None:
    (tmp_path / "A.v").write_text("From Sanproof Require B.\n")
    (tmp_path / "B.v").write_text("From Sanproof Require A.\n")
    with pytest.raises(NotProvedError, match="require one another"):
        compile_all(tmp_path, 1)


@pytest.mark.parametrize(
    "said", ["", "Axioms:\nfunext : False\n", f"{CLOSED}\nAxioms:\nf : False\n"]
)
def test_an_axiom_is_noticed(said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in DEFINITIONS:
        (tmp_path / f"{name}.v").touch()
        (tmp_path / f"{name}.vo").touch()
    before = fingerprint(tmp_path)
    compiled = "sanproof.proofs.formal.build.compile_file"
    monkeypatch.setattr(compiled, lambda *_: f"{CLOSED}\n")
    pin(tmp_path, before)
    monkeypatch.setattr(compiled, lambda *_: said)
    with pytest.raises(NotProvedError, match="rest on more"):
        pin(tmp_path, before)
    (tmp_path / "Statements.vo").write_text("other")
    with pytest.raises(NotProvedError, match="were changed"):
        pin(tmp_path, before)


def answer_with(monkeypatch: pytest.MonkeyPatch, strings: Iterable[str], byte: str = "") -> None:
    """Have Coq print these; with another name for a byte, if it is given."""
    listed = ["; ".join(f"Byte.x{code:02x}" for code in string.encode()) for string in strings]
    texts = [text.replace(byte, f"Published.{byte}") if byte else text for text in listed]

    def ask(_build: Path, _about: str, _module: str, commands: Sequence[str]) -> str:
        slices = (texts[1000 * k : 1000 * (k + 1)] for k in range(len(commands) - 1))
        lines = ("; ".join(f"[\n {text}]" for text in part) for part in slices)
        return "".join(f"  = [{line}]\n  : list (list Byte.byte)\n" for line in lines)

    monkeypatch.setattr("sanproof.proofs.formal.build.ask", ask)


def test_another_list_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    strings = (DATA / "san_strings_with_symbols.txt").read_text().split()
    answer_with(monkeypatch, strings)
    check_language(tmp_path, DATA)
    for wrong in (strings[1:], ["a3", *strings[1:]]):
        answer_with(monkeypatch, wrong)
        with pytest.raises(NotProvedError, match="What Coq calls"):
            check_language(tmp_path, DATA)
    answer_with(monkeypatch, strings, "Byte.x38")
    with pytest.raises(NotProvedError, match="does not print"):
        check_language(tmp_path, DATA)


@pytest.mark.slow
def test_another_ply_of_a_sampled_string_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = generate.sample(DATA)
    assert {row.san for row in rows} > set(generate.FAMOUS)
    for later in (0, 1):
        said = "; ".join(f'(\n "{row.san}", {row.ply + later})' for row in rows)
        monkeypatch.setattr("sanproof.proofs.formal.build.ask", lambda *_, said=said: f"[{said}]")
        with nullcontext() if not later else pytest.raises(NotProvedError, match="sample"):
            check_sample(tmp_path, DATA)
    text = generate.sample_file(rows[:1])
    assert f'("{rows[0].san}", {rows[0].ply}, [{"; ".join(rows[0].moves)}])' in text


def test_other_texts_of_a_player_are_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = ["e2-e4,white,1,1,e2e4", "e7-e5,black,1,2,e7e5", "d2-d4,white,1,3,d2d4"]
    long_form(tmp_path, [], rows)
    with lzma.open(tmp_path / "games.txt.xz", "wt") as file:
        file.write("e2e4 e7e5 1 e4\ne2e4 a7a5 d2d4 1 e4\n")
    forms = published_forms(tmp_path)
    assert forms["lan", "White"] == ["d2-d4", "e2-e4"]
    assert forms["uci", "White"] == ["d2d4", "e2e4"]
    assert (forms["lan", "Black"], forms["uci", "Black"]) == (["e7-e5"], ["a7a5", "e7e5"])
    answer_with(monkeypatch, ["e2e4", "d2d4"])
    check_form(tmp_path, "uci", "White", forms["uci", "White"])
    for wrong in (["e2e4"], ["d2d4", "e2e4", "e2e4"], ["d2d4", "e2e5"]):
        with pytest.raises(NotProvedError, match="White cannot write"):
            check_form(tmp_path, "uci", "White", wrong)


def test_the_second_checker_is_stopped_or_refuses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "coqchk"
    program.write_text("#!/bin/sh\ncase $* in *Slow) exec sleep 60;; *Wrong) exit 1;; esac\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    assert check_again(tmp_path, ["Good", "Slow", "Fine"], 0.5) == (["Good", "Fine"], ["Slow"])
    with pytest.raises(NotProvedError, match="coqchk refuses Wrong"):
        check_again(tmp_path, ["Wrong"], 5)


def long_form(folder: Path, games: list[str], rows: list[str]) -> None:
    """Write published games and rows of the long form."""
    (folder / ROWS).parent.mkdir()
    for name, lines in (
        ("games.txt.xz", games),
        ("rows.csv.xz", ["lan,player,game,ply,uci", *rows]),
    ):
        with lzma.open(folder / "long_form" / name, "wt") as file:
            file.write("\n".join(lines))


def test_moves_are_noted_where_they_can_be_made(tmp_path: Path) -> None:
    games = [generate.PublishedGame(text.split()) for text in ("e2e4 e7e5 d2d4", "e2e4 c7c5")]
    rows = ["a2-a3,white,1,1,a2a3", "Nb8xc6+,black,1,2,b8c6", "O-O,white,2,3,e1g1"]
    rows += ["Qd1-d2,white,1,3,d1d2", "Ke1-e2#,white,2,3,e1e2"]
    long_form(tmp_path, ["e2e4 e7e5", "e2e4 d7d5 f1b5"], rows)
    (besides,) = generate.note_long_form(tmp_path, games)
    assert besides.moves == ["e2e4", "d7d5", "f1b5"]
    assert [uci for uci, _ in besides.notes[3]] == ["e1g1", "e1e2"]
    assert [sorted(game.notes) for game in games] == [[1, 2, 3], []]
    assert generate.Tree([*games]).notes == (
        "N White Pawn false a2a3 Quiet (Go 1 (N Black Knight true b8c6 Check ("
        "Both (Go 1 (N White Queen false d1d2 Quiet (Done))) (Done))))"
    )
    assert generate.Tree([besides]).notes == (
        "Go 2 (C White e1g1 Short Quiet (N White King false e1e2 Mate (Done)))"
    )


@pytest.mark.slow
def test_every_text_of_the_long_form_is_noted_once() -> None:
    games = [generate.PublishedGame([])]
    besides = generate.note_long_form(DATA, games)
    noted = [note for game in [*games, *besides] for notes in game.notes.values() for note in notes]
    assert len({term for _, term in noted}) == len(noted)
    assert len(noted) == len(generate.read_lines(DATA / ROWS)) - 1


def test_each_error_can_be_planted() -> None:
    plain = (HERE / "Chess.v").read_text(encoding="utf-8")
    assert len({changed(error) for error in ERRORS} - {plain}) == len(ERRORS)
