from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sanproof.verify.conformance.channel import Channel, LineReader, LineTooLong
from sanproof.verify.conformance.protocol import LONGEST_LINE
from sanproof.verify.work import signals


@given(st.text("ab\n").map(str.encode), st.lists(st.integers(0, 40)))
def test_lines_do_not_depend_on_the_pieces(text: bytes, cuts: list[int]) -> None:
    reader = LineReader()
    places = [0, *sorted(min(cut, len(text)) for cut in cuts), len(text)]
    found = [line for a, b in pairwise(places) if a < b for line in reader.feed(text[a:b])]
    assert found == text.split(b"\n")[:-1]


def test_a_line_has_a_bound_and_a_line_of_that_length_is_read() -> None:
    reader = LineReader()
    assert reader.feed(b"x" * LONGEST_LINE) == []
    assert reader.feed(b"\n") == [b"x" * LONGEST_LINE]
    reader.feed(b"x" * LONGEST_LINE)
    with pytest.raises(LineTooLong):
        reader.feed(b"x\n")
    with pytest.raises(LineTooLong):
        LineReader().feed(b"x" * (LONGEST_LINE + 1))


NODE = """node:internal/modules/cjs/loader:1147
  throw err;
  ^

Error: Cannot find module 'chess'
Require stack:
- /tmp/adapter.js
    at Module._resolveFilename (node:internal/modules/cjs/loader:1144:15)
    at Function.executeUserEntryPoint [as runMain] (node:internal/modules/run_main:164:12) {
  code: 'MODULE_NOT_FOUND',
}

Node.js v20.20.2
"""
PYTHON = """Traceback (most recent call last):
  File "<string>", line 1, in <module>
ModuleNotFoundError: No module named 'chess'
"""


@pytest.mark.parametrize(
    ("written", "cause"),
    [
        (NODE, "Error: Cannot find module 'chess'"),
        (PYTHON, "ModuleNotFoundError: No module named 'chess'"),
        ("sh: 1: exec: x: not found\n", "sh: 1: exec: x: not found"),
        ("warned\n" * 5000 + "at last", "at last"),
    ],
)
def test_the_line_that_names_the_cause_is_quoted(tmp_path: Path, written: str, cause: str) -> None:
    (tmp_path / "said").write_text(written)
    with signals.held_back():
        channel = Channel(f"cat {tmp_path / 'said'} >&2; exit 3")
    try:
        said = f"ended with exit code 3; its standard error says {cause!a}"
        assert channel.how_it_ended() == said
    finally:
        channel.close()
