"""Forged manifests, whose own hash is right; and files that no manifest names."""

import hashlib
import json
from collections.abc import Callable
from random import Random
from typing import Any, Final

from sanproof.reports.tables.names import COVER_PGN, MANIFEST, WITH_COVER
from sanproof.verify.claims.manifest import COUNTS, Manifest
from tests.forgeries.model import OTHER_PATTERN, PATTERN, Files, Forgery, Kind, Scene

Change = Callable[[dict[str, Any], Random], object]


def resealed(files: Files, change: Callable[[dict[str, Any]], object]) -> Files:
    """The files with a changed manifest, whose own hash is right."""
    manifest = json.loads(files[MANIFEST])
    content = {name: manifest[name] for name in Manifest._fields}
    change(content)
    seal = hashlib.sha256(json.dumps(content, indent=2).encode()).hexdigest()
    return files | {MANIFEST: f"{json.dumps({**content, 'sha256': seal}, indent=2)}\n".encode()}


def forged(change: Change, *named: str, run: str = "any") -> Kind:
    """The change of a manifest; the audit names the manifest, or one of these files."""

    def forge(scene: Scene) -> Forgery:
        start = scene.any_run() if run == "any" else getattr(scene, run)
        files = resealed(start, lambda content: change(content, scene.random))
        return Forgery(files, named or (MANIFEST,))

    return forge


def another_version(content: dict[str, Any], random: Random) -> None:
    versions = ["0.0.9", "0.1.0.dev1", "0.1", "1.9.9", "", None, 1]
    content["versions"]["sanproof"] = random.choice(versions)


def free_text(content: dict[str, Any], random: Random) -> None:
    """Where somebody could have the page for people say what they like."""
    versions = content["versions"]
    name = random.choice(list(versions))
    lies = ["Checked by FIDE.", "1.0 | proved by hand", "Proved", "1" * 50, "x" * 100_000]
    versions[random.choice((name, "Proof"))] = random.choice(lies)


def version_missing(content: dict[str, Any], random: Random) -> None:
    del content["versions"][random.choice(list(content["versions"]))]


def version_of_control_characters(content: dict[str, Any], _: Random) -> None:
    content["versions"]["sanproof"] = "\x1b[2J\n9"


def another_hash(content: dict[str, Any], random: Random) -> None:
    name = random.choice(list(content["files"]))
    content["files"][name] = random.choice(["", None, "0" * 64, {}])


def another_count(content: dict[str, Any], random: Random) -> None:
    name = random.choice(COUNTS)
    content["counts"][name] = random.choice([content["counts"][name] + 1, None, "", [1], -1])


def count_off_by_one(content: dict[str, Any], random: Random) -> None:
    name = random.choice([name for name in COUNTS if content["counts"][name]])
    content["counts"][name] += random.choice((-1, 1))


def count_that_is_no_number(content: dict[str, Any], random: Random) -> None:
    counts = [float("nan"), float("inf"), True, 1.5, 10**4000]
    content["counts"][random.choice(COUNTS)] = random.choice(counts)


def another_pattern(content: dict[str, Any], random: Random) -> None:
    content["only"] = random.choice([None, OTHER_PATTERN, 7, True, {"*": 1}])


def pattern_of_nothing(content: dict[str, Any], random: Random) -> None:
    content["only"] = random.choice(("Z*", "", "[", "[z-a]"))


def pattern_of_characters(content: dict[str, Any], _: Random) -> None:
    content["only"] = list(PATTERN)


def pattern_of_brackets(content: dict[str, Any], random: Random) -> None:
    """To read it takes a time that grows with the square of its length."""
    content["only"] = random.choice("[*?]") * 40_000


def list_of_files(content: dict[str, Any], _: Random) -> None:
    content["files"] = sorted(content["files"])


def another_shape(content: dict[str, Any], random: Random) -> None:
    name = random.choice(list(content))
    parts = content[name]
    listed = [] if parts is None else list(parts)
    shapes: list[Any] = [1, [], {}, listed, list(parts.items()) if isinstance(parts, dict) else {}]
    content[name] = random.choice(shapes)


def entry_missing(content: dict[str, Any], random: Random) -> None:
    entries = content[random.choice(("files", "counts"))]
    del entries[random.choice(list(entries))]


def nested_deeply(content: dict[str, Any], random: Random) -> None:
    deep: Any = 0
    for _ in range(random.choice((200, 400, 900))):
        deep = [deep]
    content[random.choice(list(content))] = deep


def file_renamed(content: dict[str, Any], random: Random) -> None:
    listed = content["files"]
    name = random.choice(list(listed))
    other = random.choice((name.upper(), f"../{name}", f"/etc/{name}", f"{name}.xz", "PROOF.md"))
    listed[other] = listed.pop(name)


def file_that_is_not_named(scene: Scene) -> Forgery:
    """A file that only a larger run has, beside one that does not name it."""
    name = scene.random.choice([name for name in WITH_COVER if name not in scene.run])
    name += scene.random.choice(("", ".xz"))
    return Forgery(scene.run | {name: scene.played[COVER_PGN]}, (name,), ("does not name it",))


def file_beside_its_packed_form(scene: Scene) -> Forgery:
    """Whoever unpacks the other one reads what nobody has checked."""
    run = scene.any_run()
    name = f"{scene.random.choice(sorted(run))}.xz"
    return Forgery(run | {name: b"nonsense"}, (name,), ("does not name it",))


def only_a_packed_manifest(scene: Scene) -> Forgery:
    files = dict(scene.any_run())
    files[f"{MANIFEST}.xz"] = files.pop(MANIFEST)
    return Forgery(files, (MANIFEST,), ("cannot be read",))


KINDS: Final[dict[str, Kind]] = {
    "manifest: version": forged(another_version),
    "manifest: free text": forged(free_text),
    "manifest: version missing": forged(version_missing),
    "manifest: version of control characters": forged(version_of_control_characters),
    "manifest: hash": forged(another_hash, MANIFEST, *WITH_COVER),
    "manifest: count": forged(another_count),
    "manifest: count off by one": forged(count_off_by_one),
    "manifest: count that is no number": forged(count_that_is_no_number),
    "manifest: pattern": forged(another_pattern, MANIFEST, *WITH_COVER, run="run"),
    "manifest: pattern of nothing": forged(pattern_of_nothing),
    "manifest: pattern of characters": forged(pattern_of_characters),
    "manifest: pattern of brackets": forged(pattern_of_brackets),
    "manifest: list of files": forged(list_of_files),
    "manifest: shape": forged(another_shape),
    "manifest: entry missing": forged(entry_missing),
    "manifest: nested deeply": forged(nested_deeply),
    "manifest: file renamed": forged(file_renamed),
    "folder: a file that is not named": file_that_is_not_named,
    "folder: a file beside its packed form": file_beside_its_packed_form,
    "folder: only a packed manifest": only_a_packed_manifest,
}
