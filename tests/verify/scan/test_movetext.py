import random
import re
from types import ModuleType
from typing import Any

import pytest

pytest.importorskip("numba", reason="the fast path is not installed")

import sanproof.verify.scan.borders
import sanproof.verify.scan.movetext
from sanproof.verify.scan.fast import read_texts
from sanproof.verify.scan.kernels import HAS_RESULT, USUAL
from sanproof.verify.scan.movetext import Oddity, games
from tests.verify.scan.pgn import random_games


def test_tags_are_read_with_their_escapes() -> None:
    (read,) = games(b'[Event "a \\"b\\" \\\\"]\n[FEN "x"] [FEN "y"]\n[White "J\xf6rg"]\n\n*')
    assert read.tags == {"Event": 'a "b" \\', "FEN": "x", "White": "Jörg"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('[Event "a"] 1. e4 e5 *', "e4 e5"),
        ('[Event "a"]\n[Site "b"] [Round "1"]1. e4\n1... e5 *', "e4 e5"),
        ('[Event "a"]\r[Site "b"]\r\r1. e4 e5 *', "e4 e5"),
        ('[Event "a"] 1. e4 { ]\n} e5 *', "e4 e5"),
        ('[Event "x] 1. d4 [y"] e4 e5 *', "e4 e5"),
        ('[Event "x] 1. d4 y"]\n\ne4 e5 *', "e4 e5"),
        ('[Event "a"]]\n[Site "b\n[Round "1" 1. d4\n[ \n1. e4 e5 *', "e4 e5"),
    ],
)
def test_moves_on_the_line_of_a_tag_are_read(text: str, expected: str) -> None:
    data = text.encode()
    (read,) = games(data)
    assert [data[span.start : span.end].decode() for span in read.moves] == expected.split()
    fast = read_texts(data)
    if fast.flags[0]:  # if the loops take it as usual, they read the same
        assert fast.begins[: fast.bounds[1]].tolist() == [span.start for span in read.moves]


PIECES = (
    *(" ", "\n", "\r\n", "\n\n", "{", "}", "(", ")", ";", "%", "\n%", "$", "$3", "$x", "*", "1-0"),
    *("1/2-1/2", "0-1", "1.", "1...", "..", "12", "e4", "Nf3", "e8=Q+", "O-O", "0-0", "!", "?!"),
    *("!!!", "ep", "e.p.", "--", "\x00", "é", "<", ">", "[", '[Event "x"]', '\n[Event "y"]\n'),
    *('\n[Variant "Standard"]\n', '\n[Variant "Atomic"]\n', '\n[FEN "8"]\n', "Qh4e1#", "Qh4xe1#"),
    *("\xa0", "\x1a", "1/2", "½-½", "1\u20130", '\n  [Event "z"]', "\n1. e4", "\nd4", "0-1\n"),
    *("a", "-", "=", "+", "#", "e4(Q)", "(=)", "\ufeff", "\t", "[%eval 1]", "\n[Event", "e4}"),
)


def compare_readers(text: bytes) -> int:
    """See that the compiled reader agrees on every game that it takes; how many it takes."""
    fast, slow = read_texts(text), games(text)
    assert [g.start for g in slow] == fast.starts[:-1].tolist()
    taken = 0
    for i, read in enumerate(slow):
        flags = int(fast.flags[i])
        if not flags & USUAL:
            continue
        taken += 1
        part = slice(fast.bounds[i], fast.bounds[i + 1])
        spans = list(zip(fast.begins[part].tolist(), fast.finishes[part].tolist(), strict=True))
        assert spans == [(span.start, span.end) for span in read.moves]
        assert bool(flags & HAS_RESULT) == read.has_result
        assert not read.is_open
        assert read.after_result is None
        assert not read.odd
        assert "FEN" not in read.tags
        assert read.tags.get("Variant", "Standard") == "Standard"
    return taken


@pytest.mark.parametrize("seed", range(4))
def test_the_compiled_reader_agrees_on_what_it_takes(seed: int) -> None:
    chosen = random.Random(seed)
    taken = 0
    for _ in range(1500):
        words = chosen.choices(PIECES, k=chosen.randrange(1, 14))
        text = chosen.choice(("", " ")).join(words).encode()
        taken += compare_readers(text)
    assert taken > 20


def test_the_compiled_reader_takes_usual_games() -> None:
    text = "".join(random_games(1, 30)).encode()
    assert compare_readers(text) == 30


def test_an_indented_tag_is_a_tag() -> None:
    (read,) = games(b' [Event "x"]\n\t[Site "y"]\n\n1. e4 *')
    assert read.tags == {"Event": "x", "Site": "y"}
    assert [kind for kind, *_ in read.odd] == [Oddity.INDENTED_TAG] * 2


@pytest.mark.parametrize("module", [sanproof.verify.scan.borders, sanproof.verify.scan.movetext])
def test_no_possessive_group_looks_around(module: ModuleType) -> None:
    """Before Python 3.11.5 it would end at the wrong place: ``Nf`` for ``Nf3``, on Debian 12."""
    patterns = [value for value in vars(module).values() if isinstance(value, re.Pattern)]
    assert patterns
    for pattern in patterns:
        assert not looks_around(re._parser.parse(pattern.pattern, pattern.flags & re.VERBOSE))  # type: ignore[attr-defined]
    assert looks_around(re._parser.parse(r"(?:(?!(?<!a)b)[^ ])++"))  # type: ignore[attr-defined]


def looks_around(parsed: Any, *, within: bool = False) -> bool:  # noqa: ANN401 - of re's parser
    """Whether a parsed expression looks ahead or behind within a possessive repetition."""
    for item in parsed:
        if isinstance(item, tuple) or type(item).__name__ == "SubPattern":
            if looks_around(item, within=within or str(parsed[0]) == "POSSESSIVE_REPEAT"):
                return True
        elif isinstance(item, list):
            if looks_around(item, within=within):
                return True
        elif within and str(item) in {"ASSERT", "ASSERT_NOT"}:
            return True
    return False
