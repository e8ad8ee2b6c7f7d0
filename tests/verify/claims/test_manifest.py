"""A manifest is read as it was written, and in no other form."""

import hashlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sanproof.proofs.kernel.files import EvidenceError
from sanproof.reports.tables.names import FILES
from sanproof.verify.claims.manifest import COUNTS, make_manifest, read_manifest, versions

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


def changed(**entries: Any) -> bytes:  # noqa: ANN401
    """The manifest of another summary."""
    return make_manifest(CONTENTS, SUMMARY | entries)


def test_a_manifest_is_read_as_it_was_written() -> None:
    files, only, counts, made_by = read_manifest(CONTENT)
    assert files == {name: hashlib.sha256(text).hexdigest() for name, text in CONTENTS.items()}
    assert list(files) == sorted(files)
    assert only == SUMMARY["only"]
    assert counts == {name: SUMMARY[name] for name in COUNTS}
    assert made_by == versions()


def test_it_ends_with_the_hash_of_the_rest() -> None:
    entries = json.loads(CONTENT)
    seal = entries.pop("sha256")
    assert seal == hashlib.sha256(json.dumps(entries, indent=2).encode()).hexdigest()


@pytest.mark.parametrize("text", [b"", b"{", b"[]", b"{}", b"7", b"[" * 100_000, b'{"files": {}}'])
def test_what_is_no_manifest_is_refused(text: bytes) -> None:
    with pytest.raises(EvidenceError, match=r"^manifest\.json: "):
        read_manifest(text)


def test_a_manifest_in_another_form_is_refused() -> None:
    entries = json.loads(CONTENT)
    for text in (json.dumps(entries), json.dumps(entries, indent=2), CONTENT.decode() + "\n"):
        with pytest.raises(EvidenceError, match="not written as a run writes it"):
            read_manifest(text.encode())


@given(st.integers(0, len(CONTENT) - 1), st.integers(0, 255))
def test_a_changed_byte_is_noticed(at: int, byte: int) -> None:
    text = CONTENT[:at] + bytes([byte]) + CONTENT[at + 1 :]
    if text != CONTENT:
        with pytest.raises(EvidenceError, match=r"^manifest\.json: "):
            read_manifest(text)


WRONG: dict[str, dict[str, Any]] = {
    **{
        f"pattern {only!a}": {"only": only} for only in (7, ["Q"], "", "\x1b[2J", "d\u266d4", "Q\n")
    },
    **{f"count {n!r}": {"reachable": n} for n in (-1, True, 1.0, None, "1", [1])},
    **{
        f"version {version!a} of {tool}": {"versions": versions() | {tool: version}}
        for tool, version in (
            *(("sanproof", "Proved by hand"), ("chess", "1.11.2 (Marseille)"), ("z3-solver", "")),
            *(("python-sat", "1.9.dev17+free-text"), ("proofs", "0123456789abcdeg"), ("chess", 1)),
        )
    },
}


@pytest.mark.parametrize("entries", WRONG.values(), ids=WRONG)
def test_an_entry_has_its_form_and_no_room_for_a_text(entries: dict[str, Any]) -> None:
    with pytest.raises(EvidenceError, match=r"^manifest\.json: "):
        read_manifest(changed(**entries))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("counts", {}),
        ("counts", dict.fromkeys(COUNTS[1:], 1)),
        ("counts", dict.fromkeys([*COUNTS, "proved"], 1)),
        ("counts", dict.fromkeys(reversed(COUNTS), 1)),
        ("counts", [1, 2, 3, 4]),
        ("versions", {}),
        ("versions", versions() | {"Proof": "1.0"}),
        ("versions", dict(reversed(versions().items()))),
        ("files", {"PROOF.md": "0" * 64}),
        ("files", {"summary.md": "0" * 63}),
        ("more", 1),
    ],
)
def test_its_entries_are_those_of_a_run(name: str, value: object) -> None:
    """Also in a manifest that is sealed as a run seals it."""
    entries = json.loads(CONTENT) | {name: value}
    del entries["sha256"]
    seal = hashlib.sha256(json.dumps(entries, indent=2).encode()).hexdigest()
    text = json.dumps(entries | {"sha256": seal}, indent=2) + "\n"
    with pytest.raises(EvidenceError, match=r"^manifest\.json: "):
        read_manifest(text.encode())


def test_a_manifest_lists_a_run_s_files_only() -> None:
    for name in ("PROOF.md", "../summary.md", "run.sqlite3", "manifest.json"):
        with pytest.raises(EvidenceError, match=r"^manifest\.json: "):
            read_manifest(make_manifest(CONTENTS | {name: b""}, SUMMARY))
