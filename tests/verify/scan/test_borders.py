import io
import random
import re

import chess.pgn
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sanproof.verify.scan import borders
from sanproof.verify.scan.borders import cut, game_starts
from tests.examples import examples
from tests.verify.scan.pgn import game

LINES = (
    *('[Event "a"]', '[Site "b"]', "", " ", "1. e4 e5 *", "1-0", "0-1 ", "[%eval 1]"),
    *('[Event "a"]\n\n[Site "b"]', '[Event "a"]\n% b\n\n[Site "b"]', '[Event "a"] e4\n'),
    *("\x1a", "1. d4", "Nf3 e5", "e2e4", "\ufeff1. c4", '\ufeff[Event "d"]', "1\u20130", "1/2"),
    *("{ open", "}", "% remark", "\r", "d4 1/2-1/2", '  [Event "c"]', "[broken", "\ufeff"),
)
texts = st.lists(st.sampled_from(LINES), max_size=30).map(lambda lines: "\n".join(lines).encode())


STARTS: list[tuple[str, list[str]]] = [
    ('\ufeff\n[Event "a"]\n[Site "x"]\n\n1. e4 *\n[Event "b"]\n\n*', ["[Event", "[Event"]),
    ('\ufeff[Event "a"]\n[Site "x"]\n\n1. e4 *', ["\ufeff[Event"]),
    ("1. e4 e5 1-0\n\n1. d4 *\n", ["1. e4 e", "1. d4 *"]),
    ("1. e4 e5\n\n1. d4 *\n", ["1. e4"]),
    ("1. e4 e5 1-0\n2. d4 *\n", ["1. e4"]),
    ('1. e4 *\n\n\ufeff[Event "b"]\n[Site "x"]\n\n*\n\x1a[Event "c"]\n\n*\n',
     ["1. e4", "\ufeff[Event", "\x1a[Event"]),
    *((f"1. e4 *\n\n{rest}", ["1. e4"]) for rest in ("% remark", "\ufeff", "\x1a\n", "[broken")),
    *((text, []) for text in ("", "\ufeff", " \n\n\r\n", "% a remark\n\n")),
    ("\n" * 2_000_000 + "1. e4", ["\n"]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "begins"), STARTS, ids=range(len(STARTS)))
def test_where_games_begin(text: str, begins: list[str]) -> None:
    data = text.encode()
    starts = game_starts(data)
    assert len(starts) == len(begins)
    assert all(data.startswith(b.encode(), at) for at, b in zip(starts, begins, strict=True))


FIRST = "1. d4|1.d4|1 d4|1.|d4 d5|Nf3|e2e4|g1f3!|\ufeff1. d4|  1. d4|d4"


@pytest.mark.parametrize("line", FIRST.split("|"))
def test_a_line_that_begins_as_games_do_begins_one_after_a_result(line: str) -> None:
    for result in ("1-0", "*", "1/2", "½-½", "1\u20130"):
        first = f"1. e4 e5 {result}\n".encode()
        assert game_starts(first + line.encode() + b" *\n") == [0, len(first)]
        assert game_starts(first.replace(b" " + result.encode(), b"") + line.encode()) == [0]


@pytest.mark.parametrize("line", ["1... e5", "1 ", "Nf6", "e5", "d44", "dx4", "{1. d4}", "10. d4"])
def test_no_other_line_does(line: str) -> None:
    assert game_starts(f"1. e4 1-0\n{line}".encode()) == [0]


GAPS = ("\n", " \t\n", "\r\n", "% x\n", "% x\n\n% x\n", "\n\n", "\n% x\n\n", "\n\n\n")
MORE_TAGS = ('[Site "b"]', '[Event "x"] ', '[Date "c"]\r')


def section(chosen: random.Random) -> str:
    """Return tags with anything between them, and moves."""
    lines = ['[Event "a"]\n']
    for _ in range(chosen.randrange(4)):
        lines += [chosen.choice(GAPS) * chosen.randrange(2), chosen.choice(MORE_TAGS) + "\n"]
    return "".join([*lines, "\n1. e4 *\n\n"])


@pytest.mark.parametrize("seed", range(3))
def test_python_chess_finds_as_many_games_whatever_stands_between_tags(seed: int) -> None:
    chosen = random.Random(seed)
    numbers = set()
    for _ in range(examples(200)):
        text = "".join(section(chosen) for _ in range(chosen.randrange(1, 4)))
        # For python-chess any tag begins a game after two empty lines.
        near = re.sub(r"\n(?:(?:%.*|[ \t\r]*)\n)+(?=\[(?!Event))", "\n\n", text)
        file, theirs = io.StringIO(near), 0
        while chess.pgn.read_game(file) is not None:
            theirs += 1
        assert len(game_starts(text.encode())) == theirs, text
        numbers.add(theirs)
    assert len(numbers) > 3


@given(texts, st.integers(1, 60), st.integers(1, 90))
@settings(max_examples=examples(300), deadline=None)
def test_wherever_a_text_is_cut_its_games_are_the_same(text: bytes, size: int, near: int) -> None:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(borders, "_NEAR_BYTES", near)
        pieces = list(cut(io.BytesIO(text), size))
    assert b"".join(pieces) == text
    games, at = [], 0
    for piece in pieces:
        games += [at + start for start in game_starts(piece)]
        at += len(piece)
    assert games == game_starts(text)


def test_a_piece_is_bounded_though_a_game_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(borders, "LONGEST_GAME_BYTES", 4000)
    long = game("1. e4 {" + "word " * 5000 + "\n" * 3 + "} *")
    text = (game("1. d4 *") + long + game("1. c4 *")).encode()
    pieces = list(cut(io.BytesIO(text), 1000))
    assert b"".join(pieces) == text
    assert max(map(len, pieces)) < 6000
    assert pieces[-1][game_starts(pieces[-1])[-1] :] == game("1. c4 *").encode()
