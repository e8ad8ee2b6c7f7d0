"""What Coq is given, and that nothing is assumed there; the proofs themselves: `nox -s formal`."""

import csv
import lzma
import re
import shutil
from collections.abc import Callable, Iterable
from contextlib import nullcontext
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from sanproof.proofs.formal import build as theorem
from sanproof.proofs.formal import coq, generate
from sanproof.proofs.formal import suite as answers
from sanproof.proofs.formal.coq import CLOSED, HERE, Build, MisuseError, NotProvedError
from sanproof.proofs.formal.generate import LIST, PublishedGame
from sanproof.proofs.kernel.files import EvidenceError
from tests.campaigns.coq_lies import LIES
from tests.proofs.formal.planted import ERRORS, changed
from tests.proofs.formal.suite_lies import CORE
from tests.verify.command import ROOT

DATA = ROOT / "data"
Suite = dict[str, Any]


class Coq(Build):
    """A folder in which nothing is compiled: what Coq would print is given."""

    said: Callable[[str], str] = staticmethod(lambda _: CLOSED)

    def compile(self, name: str, text: str | None = None) -> str:
        (self.folder / f"{name}.vo").touch()
        return self.said(text or name)


def printed(strings: Iterable[str], byte: str = "") -> Callable[[str], str]:
    """Return what Coq prints of a list; with another name for a byte, if it is given."""
    listed = ["; ".join(f"Byte.x{code:02x}" for code in string.encode()) for string in strings]
    texts = [text.replace(byte, f"Published.{byte}") if byte else text for text in listed]

    def said(asked: str) -> str:
        slices = (texts[1000 * k : 1000 * (k + 1)] for k in range(asked.count("Eval ")))
        lines = ("; ".join(f"[\n {text}]" for text in part) for part in slices)
        return "".join(f"  = [{line}]\n  : list (list Byte.byte)\n" for line in lines)

    return said


# What is believed


def test_definitions_need_nothing_that_is_generated() -> None:
    required = Build(HERE).dependencies()
    for definitions in (theorem.DEFINITIONS, answers.DEFINITIONS):
        for place, name in enumerate(definitions):
            assert required[name] <= set(definitions[:place])


def test_every_statement_is_pinned_with_whole_names() -> None:
    pinned, said = ((HERE / f"{name}.v").read_text("utf-8") for name in ("Pinned", "Statements"))
    text = re.sub(r"\(\*.*?\*\)", "", pinned, flags=re.DOTALL)
    names = set(
        re.findall(r"^Definition (\w+)(?: \(published : list .*\))? : Prop :=", said, re.MULTILINE)
    )
    assert set(theorem.statements()) == names
    assert set(re.findall(r"Statements\.And _ (\w+)", text)) == names
    assert "Import" not in text
    assert "Notation" not in text
    pinned, _, together = text.partition("Definition everything ")
    for name in re.findall(r"[\w.]+", pinned.partition("Definition")[2]):
        plain = name in {"Definition", *names} or name.startswith("Sanproof.")
        assert plain or not name.strip("."), name
    assert together.endswith("Print Assumptions everything.\n")


def test_the_trust_page_counts_lines_statements_and_lies() -> None:
    page = (ROOT / "TRUST.md").read_text(encoding="utf-8")
    chess, said = ((HERE / f"{name}.v").read_text("utf-8") for name in ("Chess", "Statements"))
    main, by_suffix, _ = said.partition("(** ** By suffix and by piece *)")
    assert by_suffix
    assert "at most 420 lines" in page
    assert len(f"{chess}{main}".splitlines()) <= 420
    assert f" has {len(theorem.statements())} statements," in page
    assert f" planted {len(ERRORS)} errors " in page
    assert f" writes {len(LIES)} false statements " in page
    with (ROOT / "docs" / "tables" / "lies.csv").open(encoding="utf-8", newline="") as file:
        assert list(csv.reader(file))[1:] == [[lie.says, lie.refused_by] for lie in LIES]


@pytest.mark.parametrize("said", ["", "Axioms:\nfunext : False\n", f"{CLOSED}Axioms:\nf : False\n"])
def test_an_axiom_or_another_definition_is_noticed(said: str, tmp_path: Path) -> None:
    for name in ("Chess.v", "Chess.vo"):
        (tmp_path / name).touch()
    build = Coq(tmp_path, ["Chess"])
    build.pin("Pinned", "")
    build.said = lambda _: said
    with pytest.raises(NotProvedError, match="rests on more"):
        build.pin("Pinned", "")
    (tmp_path / "Chess.vo").write_text("other")
    with pytest.raises(NotProvedError, match="were changed"):
        build.pin("Pinned", "")


# Compiling


def test_a_folder_of_somebody_elses_is_left_alone(tmp_path: Path) -> None:
    Coq.begin(tmp_path, ["Chess"])
    (tmp_path / "Old.v").touch()
    Coq.begin(tmp_path, ["Chess"])
    assert {path.name for path in tmp_path.glob("*.v*")} == {
        *(path.name for path in HERE.glob("*.v")),
        "Chess.vo",
    }
    other = tmp_path / "other"
    other.mkdir()
    (other / "precious").touch()
    with pytest.raises(MisuseError, match="contains other files"):
        Coq.begin(other, [])
    assert [path.name for path in other.iterdir()] == ["precious"]


def test_files_are_compiled_once_after_what_they_require(tmp_path: Path) -> None:
    (tmp_path / "A.v").write_text("From Coq Require Import List.\n")
    (tmp_path / "B.v").write_text("From Sanproof Require Import A.\nFrom Sanproof Require C A.\n")
    text = "From Sanproof Require Import A.\nRequire Sanproof.A\n  Coq.C.\nOpaque a.\nSection B.\n"
    (tmp_path / "C.v").write_text(text)
    (tmp_path / "D.v").touch()
    build, compiled = Coq(tmp_path), list[str]()
    assert build.dependencies() == {"A": set(), "B": {"A", "C"}, "C": {"A"}, "D": set()}
    build.said = mock.Mock(side_effect=compiled.append)
    assert [build.compile_all(["B"], 2), build.compile_all(["B", "D"], 2)] == [3, 1]
    assert compiled == ["A", "C", "B", "D"]
    (tmp_path / "A.vo").unlink()
    build.said = mock.Mock(side_effect=NotProvedError("A"))
    with pytest.raises(NotProvedError, match="A"):
        build.compile_all(["B"], 1)


def test_what_coq_refuses_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coq, "COMPILE", ("sh", "-c", 'echo "said of $0"; exec grep -q good "$0"'))
    assert Build(tmp_path).compile("A", "good") == "said of A.v\n"
    with pytest.raises(NotProvedError, match=r"Coq refuses B.v:\nsaid of B.v"):
        Build(tmp_path).compile("B", "bad")


def test_names_of_ours_are_not_generated(tmp_path: Path) -> None:
    for name in ("Chess.v", "pinned.v", "../Games.v", "Games.vo", "games.v", "ListNotations.v"):
        with pytest.raises(NotProvedError, match="may not be called"):
            theorem.add_generated([(name, "")], tmp_path)
    theorem.add_generated([("Cover000.v", "text")], tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["Cover000.v"]


ENDINGS = [
    (None, 0, ""),
    (NotProvedError("why"), 1, "Not proved. why\n"),
    (EvidenceError("why"), 1, "Not proved. why\n"),
    (MisuseError("why"), 2, "why"),
    (OSError("why"), 4, "Could not finish: why\n"),
]


@pytest.mark.parametrize(("error", "code", "said"), ENDINGS)
def test_a_command_ends_with_its_exit_code(
    error: Exception | None,
    code: int,
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    prove = mock.Mock(side_effect=error, return_value="proved")
    monkeypatch.setattr("sys.argv", ["prove", "data", "build", "--workers", "3"])
    for coqc in ("/bin/coqc", None):
        monkeypatch.setattr(shutil, "which", lambda _, coqc=coqc: coqc)
        with pytest.raises(SystemExit) as caught:
            coq.run("About", "the data", prove)
        told = capsys.readouterr()
        assert caught.value.code == (code if coqc else 4)
        assert (said if coqc else "install Coq") in told.err
        assert told.out == ("proved\n" if coqc and not code else "")
    prove.assert_called_once_with(Path("data"), Path("build"), 3)
    monkeypatch.setattr("sys.argv", ["prove", "data", "build", "--workers", "0"])
    with pytest.raises(SystemExit, match="2"):
        coq.run("About", "the data", prove)


# The published list and games


def test_the_list_goes_in_byte_for_byte_and_comes_out(tmp_path: Path) -> None:
    text = generate.published_file(DATA)
    literals = "".join(re.findall(r':= "([^"]*)"', text))
    assert literals == (DATA / LIST).read_text() + "\n"
    build, strings = Coq(tmp_path), literals.split()[::9]
    asked = (build, "Published", "Published.language", strings)
    for shown, byte, wrong in (
        (strings, "", ""),
        (strings[1:], "", "What Coq calls"),
        (["a3", *strings[1:]], "", "What Coq calls"),
        (strings[::-1], "", "What Coq calls"),
        (strings, "Byte.x38", "does not print"),
    ):
        build.said = printed(shown, byte)
        with pytest.raises(NotProvedError, match=wrong) if wrong else nullcontext():
            theorem.check_list(*asked)


@pytest.mark.slow
def test_another_ply_of_a_sampled_string_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = generate.sample(DATA)
    assert {row.san for row in rows} > set(generate.FAMOUS)
    build = Coq(tmp_path)
    for later in (0, 1):
        said = "; ".join(f'(\n "{row.san}", {row.ply + later})' for row in rows)
        monkeypatch.setattr(build, "ask", lambda *_, said=said: f"[{said}]")
        with nullcontext() if not later else pytest.raises(NotProvedError, match="sample"):
            theorem.check_sample(build, DATA)


def test_other_texts_of_a_player_are_noticed(tmp_path: Path) -> None:
    rows = ["e2-e4,white,1,1,e2e4", "e7-e5,black,1,2,e7e5", "d2-d4,white,1,3,d2d4"]
    (tmp_path / "long_form").mkdir()
    with lzma.open(tmp_path / theorem.ROWS, "wt") as file:
        file.write("\n".join(["lan,player,game,ply,uci", *rows]))
    (tmp_path / LIST).write_text("a3\ne4")
    with lzma.open(tmp_path / "games.txt.xz", "wt") as file:
        file.write("e2e4 e7e5 1 e4\ne2e4 a7a5 d2d4 1 e4\n")
    found = theorem.published_lists(tmp_path)
    assert list(found.values()) == [
        *(["a3", "e4"], ["d2-d4", "e2-e4"], ["d2d4", "e2e4"]),
        *(["e7-e5"], ["a7a5", "e7e5"]),
    ]
    build = Coq(tmp_path)
    asked = ("Forms", "Forms.uci_language Sanproof.Chess.White")
    build.said = printed(["e2e4", "d2d4"])
    theorem.check_list(build, *asked, found[asked])
    for wrong in (["e2e4"], ["d2d4", "e2e4", "e2e4"], ["d2d4", "e2e5"]):
        with pytest.raises(NotProvedError, match=r"White is not what is published"):
            theorem.check_list(build, *asked, wrong)


@pytest.mark.parametrize("san", ['e4". Axiom a : False. Definition b := "', "e4 e5", "", "e4\n"])
def test_a_string_cannot_close_its_literal(san: str) -> None:
    with pytest.raises(NotProvedError, match="is not a move"):
        generate.literal(["e4", san])
    with pytest.raises(NotProvedError, match="is not a move"):
        generate.moves_file([PublishedGame(["e2e4", f"e7e5{san}."])])


def test_each_error_can_be_planted() -> None:
    plain = (HERE / "Chess.v").read_text(encoding="utf-8")
    assert len({changed(error) for error in ERRORS} - {plain}) == len(ERRORS)


# The answers of the suite


@pytest.fixture(scope="module")
def core() -> Suite:
    return answers.read_suite(CORE)


def test_only_what_rules_leave_open_is_left_out(core: Suite) -> None:
    left = [case for case in core["cases"] if answers.question(case) is None]
    demanded = [case for case in left if case["class"] != "may" and case["operation"] != "game"]
    assert not [case["id"] for case in demanded if case["mechanism"] not in answers.UNSTATED]
    assert {case["mechanism"] for case in core["cases"]} >= answers.UNSTATED
    places = answers.stated(core)
    number = sum(map(len, places.values()))
    assert len(core["cases"]) - len(left) == number
    text = answers.cases_file(places)
    assert text.count("\nPlace ") == len(places)
    assert len(answers.lines(places)) == len(places) + number
    assert text.isascii()
    assert all(line.isprintable() for line in text.splitlines())


def test_a_case_of_another_form_is_refused(core: Suite) -> None:
    case = next(case for case in core["cases"] if case["operation"] == "play")
    for other in ({"operation": "think"}, {"class": "may"}, {"expected": {"always": "8/8"}}):
        with pytest.raises(MisuseError, match=case["id"]):
            answers.question(case | other)


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("Nf3+", '("Nf3+")'),
        ("", '""'),
        ('a" b', '("a" ++ String "034"%char "" ++ " b")'),
        ("½", '(String "194"%char "" ++ String "189"%char "")'),
        ("\n", '(String "010"%char "")'),
    ],
)
def test_no_text_closes_its_literal(text: str, term: str) -> None:
    assert answers.literal(text) == term


def test_another_case_than_is_printed_is_noticed(
    core: Suite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    some = core | {"cases": core["cases"][::9]}
    monkeypatch.setattr(answers, "read_suite", lambda _: some)
    expected = answers.lines(answers.stated(some))
    build = Coq(tmp_path)
    monkeypatch.setattr(answers, "begin", lambda *_: build)
    for said in (expected, expected[1:], [*expected[:-1], f"{expected[-1]}\tx"], expected[::-1]):
        monkeypatch.setattr(build, "strings", lambda *_, said=said: said)
        with (
            pytest.raises(NotProvedError, match="not those") if said != expected else nullcontext()
        ):
            assert "answered rightly" in answers.prove(CORE, tmp_path, 1)


def test_a_file_that_is_no_suite_is_refused(tmp_path: Path) -> None:
    for text in ("[]", "{", '{"cases": []}'):
        (tmp_path / "core.json").write_text(text)
        with pytest.raises(MisuseError, match="no suite"):
            answers.read_suite(tmp_path / "core.json")
