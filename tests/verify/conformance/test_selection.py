from pathlib import Path

import pytest

from sanproof.verify.conformance.selection import expected, idle, read_known, select
from sanproof.verify.errors import Failure
from tests.verify.conformance.suites import cases

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
    path.write_bytes(b"\xef\xbb\xbf# ours\r\n\r\ninitial.Nc3 # issue 7\r\n  castling.*\n")
    assert read_known(path) == ("initial.Nc3", "castling.*")
    path.write_bytes(b"\xff\n")
    with pytest.raises(Failure, match="no text in UTF-8"):
        read_known(path)


def test_what_a_later_version_dropped_is_idle() -> None:
    patterns = ("initial.N*", "initial.Nc9", "may", "gone.*")
    assert idle(patterns, CASES) == ["initial.Nc9", "may", "gone.*"]


@pytest.mark.parametrize(
    ("patterns", "failed", "known"),
    [
        (("a.1",), {"a.1"}, {"a.1"}),
        (("a.*",), {"a.1"}, {"a.1"}),
        (("a.*",), set(), {"a.1", "a.2"}),
        (("a.1", "b.*"), {"b.1", "a.2"}, {"a.1", "b.1"}),
        (("c.*",), {"a.1"}, set()),
    ],
)
def test_a_pattern_of_which_nothing_fails_is_out_of_date(
    patterns: tuple[str, ...], failed: set[str], known: set[str]
) -> None:
    assert expected(patterns, failed, ["a.1", "a.2", "b.1"]) == known
