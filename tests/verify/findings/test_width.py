"""Lines that fit a terminal."""

import fcntl
import io
import pty
import struct
import termios

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sanproof.verify.findings.width import columns_of, filled, fitted
from tests.verify.command import on_terminal, sanproof

WORDS = st.lists(st.text("abc,|/+#-", min_size=1, max_size=30), min_size=1, max_size=30)


@given(WORDS, st.integers(20, 60), st.integers(0, 8), st.integers(0, 8))
def test_no_word_is_cut_and_lines_fit(
    words: list[str], width: int, indent: int, further: int
) -> None:
    first, *lines = filled(" " * indent + " ".join(words), width, further).split("\n")
    assert " ".join([first, *lines]).split() == words
    for line, begins in [(first, indent), *((line, indent + further) for line in lines)]:
        assert len(line) <= width or len(line.split()) == 1
        assert len(line) - len(line.lstrip()) == begins


def test_the_variable_counts_for_more_than_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    ours, theirs = pty.openpty()
    fcntl.ioctl(ours, termios.TIOCSWINSZ, struct.pack("4H", 24, 70, 0, 0))
    with open(ours, "wb"), open(theirs, "w") as stream:  # noqa: PTH123 - they are open
        for variable, width in (("33", 33), ("", 70), ("wide", 70), ("0", 70)):
            monkeypatch.setenv("COLUMNS", variable)
            assert columns_of(stream) == width
    monkeypatch.setenv("COLUMNS", "33")
    assert columns_of(io.StringIO()) is None
    monkeypatch.setattr("sys.stdout", io.StringIO())
    assert fitted("word " * 100) == "word " * 100  # lines of any length where no terminal shows it


FEN = "4k3/8/8/8/1b6/2N5/4P3/R3K1N1 w - - 0 1"
SHOWN = {
    "a reason": (1, ["explain", "Ba1b2+"]),
    "a board and a game": (0, ["explain", "Qb6e3#"]),
    "deviations": (1, ["read", "Ng1-f3!"]),
    "illegal": (1, ["read", "Ne2", "--fen", FEN]),
    "a move written": (0, ["write", "b1d2", "--fen", "4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1"]),
    "a move refused": (1, ["write", "e1e2", "--fen", FEN]),
    "a run that is not there": (2, ["explain", "--run", "a/folder/that/is/not/there", "e4"]),
    "an option that is none": (2, ["explain", "--an-option-that-there-is-not"]),
    "a bad position": (2, ["read", "e4", "--fen", "8/8/8/8/8/8/8/8 w - - 0 1"]),
}


@pytest.mark.parametrize("case", SHOWN)
def test_output_fits_narrow_terminals(case: str) -> None:
    """And says the same there, word by word; errors on standard error, whatever the other is."""
    code, arguments = SHOWN[case]
    piped = sanproof(*arguments)
    assert piped.returncode == code
    stream, text = ("stderr", piped.stderr) if code == 2 else ("stdout", piped.stdout)
    ended, lines = on_terminal(*arguments, columns=60, streams=[stream])
    assert ended == code
    long = [line for line in lines if len(line) > 60]
    assert all(len(line.split()) == 1 or "FEN " in line for line in long)  # these are copied whole
    assert " ".join(lines).split() == text.split()
