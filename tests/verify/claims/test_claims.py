"""The claims of a run about itself: its strings, its cross-check, its manifest."""

import fnmatch
import hashlib
import json
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sanproof.generator.strings import suffixed_strings
from sanproof.proofs.kernel.files import EvidenceError
from sanproof.proofs.rules.cubes import all_cubes, cube_of, exchanged_cube
from sanproof.proofs.rules.san import parse_san
from sanproof.proofs.theory.rulings import Findings
from sanproof.reports.tables.names import FILES
from sanproof.verify.claims.crosscheck import differences
from sanproof.verify.claims.manifest import COUNTS, make_manifest, read_manifest, versions
from sanproof.verify.claims.selection import RunScope, select
from sanproof.verify.errors import Failure
from tests.examples import examples
from tests.reports.samples import witness
from tests.strings import all_texts

# A manifest is read as it was written, and in no other form

CONTENTS = {name: name.encode() * 100 for name in FILES}
SUMMARY: dict[str, Any] = {
    "only": "N*a1*",
    "strings": 9,
    "reachable": 4,
    "impossible": 3,
    "undecided": 2,
    "versions": versions(),
    "times": {"writing": 1.5},
}
CONTENT = make_manifest(CONTENTS, SUMMARY)


def sealed(entries: dict[str, Any]) -> bytes:
    """Return a manifest with these entries, sealed as a run seals it."""
    entries.pop("sha256", None)
    seal = hashlib.sha256(json.dumps(entries, indent=2).encode()).hexdigest()
    return (json.dumps(entries | {"sha256": seal}, indent=2) + "\n").encode()


def test_a_manifest_is_read_as_it_was_written() -> None:
    files, only, counts, made_by = read_manifest(CONTENT)
    assert files == {name: hashlib.sha256(text).hexdigest() for name, text in CONTENTS.items()}
    assert list(files) == sorted(files)
    assert only == SUMMARY["only"]
    assert counts == {name: SUMMARY[name] for name in COUNTS}
    assert made_by == versions()
    assert sealed(json.loads(CONTENT)) == CONTENT


@given(st.integers(0, len(CONTENT) - 1), st.integers(0, 255))
def test_a_changed_byte_is_noticed(at: int, byte: int) -> None:
    text = CONTENT[:at] + bytes([byte]) + CONTENT[at + 1 :]
    if text != CONTENT:
        with pytest.raises(EvidenceError, match=r"^manifest\.json: "):
            read_manifest(text)


COUNTED = {name: SUMMARY[name] for name in COUNTS}
VERSIONS = {
    *(("sanproof", "Proved by hand"), ("chess", "1.11.2 (Marseille)"), ("z3-solver", "")),
    *(("python-sat", "1.9.dev17+free-text"), ("proofs", "0123456789abcdeg"), ("chess", 1)),
}
WRONG: list[tuple[str, object]] = [
    *(("only", only) for only in (7, ["Q"], "", "\x1b[2J", "d\u266d4", "Q\n")),
    *(("counts", COUNTED | {"reachable": n}) for n in (-1, True, 1.0, None, "1", [1])),
    ("counts", {}),
    ("counts", [1, 2, 3, 4]),
    *(("counts", dict.fromkeys(k, 1)) for k in (COUNTS[1:], (*COUNTS, "proved"), COUNTS[::-1])),
    *(("versions", versions() | {tool: version}) for tool, version in VERSIONS),
    *(("versions", other) for other in ({}, dict(reversed(versions().items())))),
    *(("files", {name: "0" * 64}) for name in ("PROOF.md", "../summary.md", "manifest.json")),
    ("files", {"summary.md": "0" * 63}),
    ("more", 1),
]


def test_its_entries_are_those_of_a_run_and_leave_no_room_for_a_text() -> None:
    """Also in a manifest that is sealed as a run seals it; and no other text is one."""
    for name, value in WRONG:
        with pytest.raises(EvidenceError, match=r"^manifest\.json: "):
            read_manifest(sealed(json.loads(CONTENT) | {name: value}))
    entries = json.loads(CONTENT)
    for text in (json.dumps(entries), json.dumps(entries, indent=2), CONTENT.decode() + "\n"):
        with pytest.raises(EvidenceError, match="not written as a run writes it"):
            read_manifest(text.encode())
    for content in (b"", b"{", b"[]", b"{}", b"7", b"[" * 100_000, b'{"files": {}}'):
        with pytest.raises(EvidenceError, match=r"^manifest\.json: "):
            read_manifest(content)


# Comparing the generator's list with the proven one, in both directions

CLAIMED = list(suffixed_strings())


@settings(max_examples=examples(25))
@given(
    st.sets(st.sampled_from(CLAIMED), max_size=5),
    st.sets(st.sampled_from(["Nb2a1", "Qz9", "e9", "Kae1+"]), max_size=3),
)
def test_every_difference_is_found(unproven: set[str], unclaimed: set[str]) -> None:
    proven = [san for san in CLAIMED if san not in unproven] + sorted(unclaimed)
    found = differences(proven, Findings({san: witness(san) for san in unclaimed}))
    too_many = [san for san in CLAIMED if san in unproven]
    assert found["strings"] == len(CLAIMED)
    assert (list(found["missing"]), list(found["too_many"])) == (sorted(unclaimed), too_many)


def test_only_what_is_selected_is_compared() -> None:
    first, *proven = (san for san in CLAIMED if san.startswith("N"))
    found = differences(proven, Findings(), lambda san: san[0] == "N")
    assert (found["strings"], found["missing"]) == (len(proven) + 1, {})
    assert list(found["too_many"]) == [first]


def test_what_is_too_many_has_its_reason_or_its_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    claimed = "sanproof.verify.claims.crosscheck.suffixed_strings"
    monkeypatch.setattr(claimed, lambda: ["Nb2a1", "Na1"])
    cube = cube_of(parse_san("Na1"))
    findings = Findings(left_open={cube: ["Na1"], exchanged_cube(cube): ["Na8"]})
    assert differences([], findings)["too_many"] == {
        "Nb2a1": "Nb2a1: no knight reaches a1 from b2.",
        "Na1": "undecided",
    }


# Selecting a part of the universe


@pytest.mark.parametrize("pattern", ["[!QRBN]*[48]", "?[a-d]x??[+#]", "O-O*"])
def test_a_pattern_selects_what_a_shell_would(pattern: str) -> None:
    selection = select(pattern)
    assert selection.selected is not None
    assert selection.cubes is not None
    for san in all_texts()[::200]:
        assert selection.selected(san) == fnmatch.fnmatchcase(san, pattern)
    matching = {cube_of(parse_san(san)) for san in fnmatch.filter(all_texts(), pattern)}
    assert selection.cubes == [cube for cube in all_cubes() if cube in matching]


@pytest.mark.parametrize(
    ("pattern", "begins"),
    [
        *((pattern, False) for pattern in ("q*", "[z-a]*", "", "Q??????????", "[\\]")),
        *((pattern, True) for pattern in ("Q", "Qa1b", "O-O-", "[KQ]")),
    ],
)
def test_a_pattern_that_matches_nothing_is_a_failure(pattern: str, begins: bool) -> None:
    """With a hint where strings begin so."""
    with pytest.raises(Failure, match="No SAN string matches") as caught:
        select(pattern)
    assert caught.value.exit_code == 2
    assert f"'{pattern}'" in str(caught.value)
    assert (f"did you mean '{pattern}*'?" in str(caught.value)) == begins
    assert not begins or select(f"{pattern}*").cubes


def test_a_pattern_that_could_not_be_audited_or_is_endless_is_refused() -> None:
    """The words of a run are printable ASCII; translating 40,000 brackets takes a minute."""
    for pattern in ("Q\u00e9*", "[!\u00e9]*", "e4\n", "*\x1b", "\udcff*"):
        with pytest.raises(Failure, match="has a character that occurs in no SAN string") as caught:
            select(pattern)
        assert ascii(pattern) in str(caught.value)
        assert str(caught.value).isprintable()
        assert str(caught.value).isascii()
    for pattern in ("x" * 5000, "[" * 40_000, "*" * 201):
        with pytest.raises(Failure, match="at most 200 are allowed"):
            select(pattern)


SCOPES = [
    RunScope(select(pattern), games=games, cover=cover)
    for pattern in (None, "Nxh8*", "N*h8*")
    for games, cover in ((False, False), (True, False), (True, True))
]


def test_a_scope_has_a_name_of_its_own() -> None:
    names = {scope.name for scope in SCOPES}
    assert len(names) == len(SCOPES)
    assert names >= {"all strings, with games and cover", "strings that match N*h8*, without games"}


@pytest.mark.parametrize("scope", SCOPES, ids=lambda scope: scope.name)
def test_a_scope_holds_what_it_finds_no_less_of(scope: RunScope) -> None:
    """By the strings that the one and the others select."""
    mine = selected_by(scope.selection.pattern)
    for other in SCOPES:
        games, cover = other.games <= scope.games, other.cover <= scope.cover
        theirs = selected_by(other.selection.pattern)
        assert scope.holds(other) == (theirs <= mine and games and cover)


@cache
def selected_by(pattern: str) -> set[str]:
    matches = select(pattern or None).selected
    return {san for san in all_texts()[::7] if matches is None or matches(san)}
