"""``sanproof explain`` as a user starts it."""

import json
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from sanproof.proofs.theory.reasons import Verdict
from sanproof.verify.commands.explain import command
from sanproof.verify.explain.answers import Answer
from tests.reports.archive.archives import files, write_run
from tests.verify.command import expect_sentence, expect_usage, sanproof

PINNED = "4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1"


def test_several_strings_are_answered_in_their_order() -> None:
    run = sanproof("explain", "e4", "O-O", "a8=Q")
    parts = run.stdout.split("Looked up in the published data; use --prove to prove it now.\n")
    heads = [part.lstrip("\n").split(" is reachable", 1)[0] for part in parts]
    assert heads == ["e4", "O-O", "a8=Q", ""]
    run = sanproof("explain", "--format", "json", "e4", "Kae1")
    found = json.loads(run.stdout)
    assert [(entry["san"], entry["source"]) for entry in found] == [
        ("e4", "looked up"),
        ("Kae1", "looked up"),
    ]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("e4", 0),
        ("Kae1", 1),
        ("e4 Kae1 e5", 1),
        ("--prove a1=Q#", 0),
        ("--prove Kae1 e5", 1),
        ("--arrangements Ba1b2+", 1),
        ("--format json e4 Kae1", 1),
        (f"--fen '{PINNED}' Ne2", 0),
        (f"--fen '{PINNED}' Ne2 Nge2", 1),
    ],
)
@pytest.mark.usually(3)
def test_the_exit_code_is_1_if_any_is_impossible(line: str, code: int) -> None:
    run = sanproof("explain", *shlex.split(line))
    assert (run.returncode, run.stderr) == (code, "")
    assert ("Searched: 1 arrangement" in run.stdout) == ("--arrangements" in line)


def test_undecided_is_an_exit_code_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A proof reads no data."""
    verdicts = {"O-O": Verdict.UNDECIDED, "e4": Verdict.REACHABLE, "Kae1": Verdict.IMPOSSIBLE}

    def proved(san: str, *, black: bool) -> Answer:
        assert not black
        return Answer(san, verdicts[san], sentence=f"{san}.", proved=True)

    monkeypatch.setattr("sanproof.verify.explain.prove.prove", proved)
    monkeypatch.setattr("sanproof.reports.archive.door.published_directory", lambda: tmp_path)
    for sans, code in (("O-O", 3), ("e4 O-O e4", 3), ("O-O Kae1", 1), ("e4", 0)):
        for form in ("text", "json"):
            line = [*sans.split(), "--prove", "--format", form]
            assert CliRunner().invoke(command, line).exit_code == code


def test_black_is_shown_when_asked_for() -> None:
    black = sanproof("explain", "--black", "e4").stdout
    assert "e4 is reachable: Black plays" in black
    assert "White can play it too: --white" in black
    assert "e5 is reachable: White plays" in sanproof("explain", "--white", "e5").stdout
    proved = sanproof("explain", "--black", "--prove", "O-O").stdout
    assert "O-O is reachable: Black plays e8g8 here." in proved
    assert proved.endswith("\nProved now, with a solver.\n")


def test_a_malformed_string_comes_with_what_may_be_meant() -> None:
    """Before anything is answered."""
    for text, meant in (("Ng1-f3", "Nf3"), ("Nf3++", "Nf3+ or Nf3#")):
        run = sanproof("explain", "e4", text)
        expect_sentence(run, 2, f"{text!r} is not a SAN string", f" Perhaps you mean {meant}.")
        assert run.stdout == ""
    expect_sentence(sanproof("explain", "e9"), 2, "at '9', character 2, expected one of ")


def test_a_run_can_be_asked(tmp_path: Path, finished_run: Path) -> None:
    run = write_run(tmp_path / "run", files())
    answer = sanproof("explain", "--run", str(run), "Qh4#")
    assert answer.returncode == 0
    assert answer.stdout.endswith(f"Looked up in {run}; use --prove to prove it now.\n")
    expect_sentence(sanproof("explain", "--run", str(tmp_path), "e4"), 2, "no finished run")
    expect_sentence(
        sanproof("explain", "--run", str(finished_run), "e4"), 2, "did not decide", "--prove"
    )


def test_a_move_of_a_position_is_explained() -> None:
    run = sanproof("explain", "Nge2", "Nd5", "--fen", PINNED)
    assert (run.returncode, run.stderr) == (1, "")
    assert "written Ne2." in run.stdout
    assert "The knight on c3 is pinned to the king on e1" in run.stdout
    assert "'Nd5' is illegal (pinned)." in run.stdout
    run = sanproof("explain", "Ne2", "Nd5", "--fen", PINNED, "--format", "json")
    written, illegal = json.loads(run.stdout)
    assert (written["verdict"], written["uci"], written["fen"]) == ("canonical", "g1e2", PINNED)
    assert written["writing"]["san"] == "Ne2"
    assert any("is pinned" in sentence for sentence in written["writing"]["explanation"])
    assert (illegal["verdict"], illegal["reason"]) == ("illegal", "pinned")
    assert illegal["writing"] is None


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("--run x --prove e4", "--run and --prove were both given"),
        ("--arrangements --format json e4", "--arrangements"),
        (f"Ne2 --fen '{PINNED}' --prove", "--fen can be combined with --format"),
        ("Nf3 --white --black", "choose one"),
        (f"Ne2 --fen '{PINNED}' --run x", "--fen can be combined with --format"),
    ],
)
def test_options_that_do_not_go_together(line: str, words: str) -> None:
    expect_usage(sanproof("explain", *shlex.split(line)), words)
