"""JSON is read as far as a run writes such, whatever version of Python reads it."""

import json
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sanproof.proofs.kernel.files import EvidenceError
from sanproof.verify.claims.plain_json import MOST_BRACKETS, MOST_BYTES, read_json


@given(st.dictionaries(st.text(), st.integers() | st.text() | st.none() | st.booleans()))
def test_a_flat_object_is_read(entries: dict[str, object]) -> None:
    text = json.dumps(entries)
    if text.count("[") + text.count("{") <= MOST_BRACKETS:
        assert read_json("x", text.encode()) == entries


@pytest.mark.parametrize("depth", [MOST_BRACKETS - 1, MOST_BRACKETS, 1200, 60_000])
def test_depth_is_bounded_before_anything_is_read(depth: int) -> None:
    """Python 3.11 gives up at its recursion limit, and later versions where their stack ends."""
    text = b'{"a": ' + b"[" * depth + b"]" * depth + b"}"
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(20_000)  # as if there were none
    try:
        if depth < MOST_BRACKETS:
            assert read_json("x", text)
        else:
            with pytest.raises(EvidenceError, match=r"^x: it has more brackets"):
                read_json("x", text)
    finally:
        sys.setrecursionlimit(before)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b" " * (MOST_BYTES + 1), "larger"),
        (b'{"a": NaN}', "not JSON"),
        (b'{"a": -Infinity}', "not JSON"),
        (b'{"a": 1' + b"0" * 5000 + b"}", "not JSON"),
        (b"{", "not JSON"),
        (b"", "not JSON"),
        (b"\xff\xfe", "not JSON"),
        (b'"text"', "not a JSON object"),
        (b"[]", "not a JSON object"),
    ],
)
def test_what_no_run_writes_is_refused(text: bytes, said: str) -> None:
    with pytest.raises(EvidenceError, match=f"^x: it is {said}"):
        read_json("x", text)
