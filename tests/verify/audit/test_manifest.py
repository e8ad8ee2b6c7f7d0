"""A manifest is read as it was written, and in no other form."""

import hashlib
import json

import pytest

from verify.audit.manifest import COUNTS, MOST_BYTES, ManifestError, make_manifest, read_manifest

FILES = {"b.txt": b"x" * 1000, "a.txt": b""}
SUMMARY = {
    "only": "N*a1*",
    "strings": 9,
    "reachable": 4,
    "impossible": 3,
    "undecided": 2,
    "versions": {"sanproof": "0.1.0"},
    "times": {"writing": 1.5},
}
CONTENT = make_manifest(FILES, SUMMARY)


def test_a_manifest_is_read_as_it_was_written() -> None:
    files, only, counts, versions = read_manifest(CONTENT)
    assert files == {name: hashlib.sha256(text).hexdigest() for name, text in FILES.items()}
    assert list(files) == sorted(files)
    assert only == SUMMARY["only"]
    assert counts == {name: SUMMARY[name] for name in COUNTS}
    assert versions == SUMMARY["versions"]


def test_it_ends_with_the_hash_of_the_rest() -> None:
    entries = json.loads(CONTENT)
    seal = entries.pop("sha256")
    assert seal == hashlib.sha256(json.dumps(entries, indent=2).encode()).hexdigest()


@pytest.mark.parametrize("text", [b"", b"{", b"[]", b"{}", b"7", b"[" * 100_000, b'{"files": {}}'])
def test_what_is_no_manifest_is_refused(text: bytes) -> None:
    with pytest.raises(ManifestError, match=r"^it is not a manifest$"):
        read_manifest(text)


def test_a_manifest_in_another_form_is_refused() -> None:
    entries = json.loads(CONTENT)
    for text in (json.dumps(entries), json.dumps(entries, indent=2), CONTENT.decode() + "\n"):
        with pytest.raises(ManifestError, match=r"^it was changed after it was made$"):
            read_manifest(text.encode())


@pytest.mark.parametrize("at", range(0, len(CONTENT), 7))
def test_a_changed_byte_is_refused(at: int) -> None:
    changed = CONTENT[:at] + bytes([CONTENT[at] ^ 1]) + CONTENT[at + 1 :]
    with pytest.raises(ManifestError):
        read_manifest(changed)


@pytest.mark.parametrize(
    "change",
    [
        {"only": 7},
        {"only": "\n"},
        {"only": "\xe9"},
        {"versions": {"sanproof": "\x1b[2J"}},
        {"versions": {"sanproof": 1}},
        {"versions": ["sanproof"]},
        *({name: value} for name in COUNTS for value in (None, "", True, 1.0)),
    ],
    ids=repr,
)
def test_a_genuine_manifest_of_strange_content_is_refused(change: dict[str, object]) -> None:
    with pytest.raises(ManifestError, match=r"^it does not say what a manifest says$"):
        read_manifest(make_manifest(FILES, SUMMARY | change))


def test_it_is_no_larger_than_a_manifest_may_be() -> None:
    with pytest.raises(ManifestError, match=r"^it is larger than a manifest$"):
        read_manifest(CONTENT + b" " * MOST_BYTES)
