from pathlib import Path

import pytest

from sanproof.verify.conformance.libraries.selection import read_known, select
from sanproof.verify.errors import Failure
from tests.verify.conformance.libraries.suites import cases

CASES = cases({"id": "may", "class": "may", "san": "g1f3"})


def ids(only: tuple[str, ...] = (), skip: tuple[str, ...] = ()) -> list[str]:
    return [case.id for case in select(CASES, only, skip)]


def test_patterns_choose_and_leave_out() -> None:
    everything = [case.id for case in CASES]
    assert ids() == everything
    assert ids(only=("initial.N[ac]3", "may")) == ["initial.Na3", "initial.Nc3", "may"]
    assert ids(skip=("initial.*",)) == ["may"]
    assert ids(only=("initial.N*",), skip=("*.Na3", "*.Nh3")) == ["initial.Nc3", "initial.Nf3"]


@pytest.mark.parametrize(
    ("only", "skip", "words"),
    [
        (("castling.*",), (), "The pattern castling.* matches no case"),
        (("may", "INITIAL.*"), (), r"The pattern INITIAL.* matches no case"),
        ((), ("castling.\x1b",), r"The pattern 'castling.\\x1b' matches no case"),
        (("may",), ("may",), "leave no case"),
    ],
)
def test_a_pattern_that_selects_nothing_is_wrong(
    only: tuple[str, ...], skip: tuple[str, ...], words: str
) -> None:
    with pytest.raises(Failure, match=words):
        ids(only, skip)


def test_known_failures_are_read(tmp_path: Path) -> None:
    path = tmp_path / "known.txt"
    path.write_bytes(b"\xef\xbb\xbf# ours\r\n\r\ninitial.Nc3 # issue 7\r\n  initial.e4\n")
    assert read_known(path, CASES) == {"initial.Nc3", "initial.e4"}


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"initial.Nc3\ninitial.Nc9\n", r"line 2: initial.Nc9 is no case"),
        (b"may\n", "line 1: may may be accepted"),
        (b"\xff\n", "no text in UTF-8"),
    ],
)
def test_a_list_that_names_what_cannot_fail_is_wrong(
    tmp_path: Path, content: bytes, words: str
) -> None:
    path = tmp_path / "known.txt"
    path.write_bytes(content)
    with pytest.raises(Failure, match=words):
        read_known(path, CASES)
