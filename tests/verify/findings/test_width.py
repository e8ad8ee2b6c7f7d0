"""Lines that fit a terminal."""

import fcntl
import io
import pty
import re
import struct
import termios
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sanproof.verify.findings.width import columns, columns_of, filled, fitted
from tests.verify.command import sanproof
from tests.verify.terminal import expect_fit, on_terminal

WORDS = st.lists(st.text("abc,|/+#", min_size=1, max_size=30), min_size=1, max_size=30)


@given(WORDS, st.integers(1, 60), st.integers(0, 8), st.integers(0, 8))
def test_nothing_is_lost_and_lines_fit(
    words: list[str], width: int, indent: int, further: int
) -> None:
    text = " " * indent + " ".join(words)
    lines = filled(text, width, further).split("\n")
    assert "".join("".join(lines).split()) == "".join(words)
    for line in lines:
        assert len(line) <= width or len(line.split()) == 1


@given(WORDS, st.integers(1, 60))
def test_words_are_cut_after_commas_and_bars_only(words: list[str], width: int) -> None:
    parts = {part for word in words for part in re.findall(r"[^,|]*[,|]|[^,|]+", word)}
    for line in filled(" ".join(words), width).split("\n"):
        for found in line.split():
            assert found in words or set(re.findall(r"[^,|]*[,|]|[^,|]+", found)) <= parts


def test_a_line_that_fits_stays() -> None:
    assert filled("  two  spaces", 40) == "  two  spaces"


def test_the_width_is_what_the_variable_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "33")
    assert columns() == 33


def test_a_stream_that_is_no_terminal_has_lines_of_any_length(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "33")
    assert columns_of(io.StringIO()) is None


def test_the_variable_counts_for_more_than_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    ours, theirs = pty.openpty()
    fcntl.ioctl(ours, termios.TIOCSWINSZ, struct.pack("4H", 24, 70, 0, 0))
    with open(ours, "wb"), open(theirs, "w") as stream:  # noqa: PTH123 - they are open
        monkeypatch.setenv("COLUMNS", "33")
        assert columns_of(stream) == 33
        for nothing in ("", "wide"):
            monkeypatch.setenv("COLUMNS", nothing)
            assert columns_of(stream) == 70
    monkeypatch.setattr("sys.stdout", io.StringIO())
    assert fitted("word " * 100) == "word " * 100


FEN = "4k3/8/8/8/1b6/2N5/4P3/R3K1N1 w - - 0 1"
ANSWERS = {
    "a reason": (1, ["explain", "Ba1b2+"]),
    "a board and a game": (0, ["explain", "Qb6e3#"]),
    "several strings": (1, ["explain", "exd8=Q+", "Kae1"]),
    "a string proved": (1, ["explain", "--prove", "Ba1b2+"]),
    "a text in a position": (1, ["explain", "Nge2", "--fen", FEN]),
    "a canonical text": (0, ["read", "Nf3"]),
    "deviations": (1, ["read", "Ng1-f3!"]),
    "illegal": (1, ["read", "Ne2", "--fen", FEN]),
    "several moves": (1, ["read", "Ra1", "--fen", "4k3/8/8/8/R7/8/1K6/3R4 w - - 0 1"]),
    "a move written": (0, ["write", "b1d2", "--fen", "4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1"]),
    "a move refused": (1, ["write", "e1e2", "--fen", FEN]),
}


@pytest.mark.parametrize("case", ANSWERS)
@pytest.mark.usually(1)
def test_answers_fit_narrow_terminals(case: str) -> None:
    """And say the same there, word by word."""
    code, arguments = ANSWERS[case]
    piped = sanproof(*arguments)
    assert piped.returncode == code
    ended, lines = on_terminal(*arguments, columns=40)
    assert ended == code
    expect_fit(lines, 40)
    assert " ".join(lines).split() == piped.stdout.split()


def test_the_variable_says_how_wide_a_terminal_is_that_does_not() -> None:
    for arguments in (["explain", "Ba1b2+"], ["write", "g1f3"]):
        expect_fit(on_terminal(*arguments, columns=45, variable=True)[1], 45)


@pytest.mark.slow
def test_what_an_audit_says_fits_narrow_terminals(finished_run: Path) -> None:
    width = 40
    piped = sanproof("audit", str(finished_run), "--workers", "1").stdout.splitlines()
    ended, lines = on_terminal("audit", str(finished_run), "--workers", "1", columns=width)
    assert ended == 0
    expect_fit(lines, width)
    assert " ".join(lines[:-1]).split() == " ".join(piped[:-1]).split()
    assert lines[-1].startswith("Audited in ")


def test_wide_terminals_show_a_game_as_a_pipe_does() -> None:
    _, lines = on_terminal("explain", "e4", columns=300)
    assert lines == sanproof("explain", "e4").stdout.splitlines()


ERRORS = {
    "not a string": (2, ["explain", "Nf3++"]),
    "no such run": (2, ["explain", "--run", "a/folder/that/is/not/there", "e4"]),
    "no such list": (2, ["gate", "there is no list of this name.txt"]),
    "an unknown option": (2, ["explain", "--an-option-that-there-is-not"]),
    "an unknown command": (2, ["fly"]),
    "an argument missing": (2, ["conformance", "run"]),
    "a bad position": (2, ["read", "e4", "--fen", "8/8/8/8/8/8/8/8 w - - 0 1"]),
    "a form that does not fit": (2, ["export", "--what", "certificates"]),
}


@pytest.mark.parametrize("case", ERRORS)
@pytest.mark.usually(3)
def test_errors_fit_narrow_terminals(case: str) -> None:
    """Those of standard error, while standard output is none."""
    code, arguments = ERRORS[case]
    piped = sanproof(*arguments)
    assert piped.returncode == code
    ended, lines = on_terminal(*arguments, columns=40, streams=["stderr"])
    assert ended == code
    expect_fit(lines, 40)
    assert " ".join(lines).split() == piped.stderr.split()


def test_the_help_that_is_an_error_fits_narrow_terminals() -> None:
    ended, lines = on_terminal("conformance", columns=40, streams=["stderr"])
    assert ended == 2
    assert lines[0].startswith("Usage: sanproof")
    expect_fit(lines, 40)
