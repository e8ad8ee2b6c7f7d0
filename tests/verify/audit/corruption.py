"""Corruptions of a finished run, each of which the audit has to catch.

``python -m tests.verify.audit.corruption [--count N]`` makes a small run, corrupts it in every way
below N times and prints what was caught; it fails if anything was not.

A corruption is *raw* if it knows nothing of what it changes, and *forged* if it makes the manifest
anew, so that only the content can give it away. Forgers go as far as to make the whole run anew
from findings with a single lie in them.
"""

import argparse
import json
import lzma
import resource
import subprocess
import sys
import time
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple
from unittest import mock

import click
import dratify

import verify.audit.whole
from proofs.kernel.certificates import (
    SCOPES,
    Certificate,
    closing_formula,
    formula_hash,
    read_certificate,
    split_certificates,
    write_certificate,
)
from proofs.kernel.files import MOST_BYTES, EvidenceError
from proofs.rules.cubes import Cube, cube_of, exchanged_san
from proofs.rules.san import list_order, parse_san
from proofs.verdicts.check import check_witness
from proofs.verdicts.reasons import Reason
from proofs.verdicts.rulings import Findings
from proofs.verdicts.witness import CheckedWitness
from reports.tables import outputs
from reports.tables.files import gzipped
from reports.tables.survey import survey
from tests.verify.audit.forged_games import (
    LIES,
    TEXT_CHANGES,
    Lie,
    is_honest,
    read_games,
    write_games,
)
from tests.verify.command import ROOT, InlineExecutor, sanproof
from tests.verify.command import verify as verify_arguments
from verify.audit.manifest import COUNTS, MANIFEST, Manifest, make_manifest, read_manifest
from verify.audit.whole import FILES, Audited, audit, check_paragraph
from verify.run.selection import Selection, select

PATTERN: Final = "[aBN]*xb[18]*"
"""The run that is corrupted: six cubes, with promotions of both colours and pieces with twins."""

OTHER_PATTERN: Final = "[aN]*xb[18]*"
"""Another run, of fewer of the same cubes."""

PLAYED_PATTERN: Final = "[aN]xb1*"
"""A run with games: of strings that either player writes, and of some that only Black does."""

MEMORY_BYTES: Final = 1 << 30
"""What the audit of a small run may need for the worst of files."""

Files = dict[str, bytes]
Maker = Callable[[Path], object]
_selected = cache(select)


class Corrupted(NamedTuple):
    """A run with something wrong in it.

    Attributes:
        files: The files, but for those that something else stands in for.
        named: The files of which the audit has to name one.
        items: Of these, too, its message has to hold one.
        instead: What is made in the place of a file.
    """

    files: Files
    named: tuple[str, ...]
    items: tuple[str, ...] = ("",)
    instead: Mapping[str, Maker] = {}


class Runs(NamedTuple):
    """The sound runs: one, another one, and one with games."""

    run: Files
    other: Files
    played: Files


class Scene(NamedTuple):
    """What a corruption starts from: sound runs, as in :class:`Runs`, and chance."""

    run: Files
    other: Files
    played: Files
    random: Random


Kind = Callable[[Scene], Corrupted]


def selected(pattern: Any) -> Selection:  # noqa: ANN401 - a forger's manifest may say anything
    """What a pattern selects, remembered: it is sought in the whole universe."""
    return (_selected if pattern is None or isinstance(pattern, str) else select)(pattern)


class NotCaught(Exception):
    """The audit passes a corrupted run, or refuses it in the wrong way."""


def make_runs(directory: Path) -> None:
    """Make the runs with the real command, each in a directory of its name."""
    for name, pattern, *options in (
        ("run", PATTERN, "--no-games"),
        ("other", OTHER_PATTERN, "--no-games"),
        ("played", PLAYED_PATTERN),
    ):
        done = sanproof(*verify_arguments(directory / name, pattern, workers=2), *options)
        if done.returncode:
            raise RuntimeError(done.stderr)


def read_runs(directory: Path) -> Runs:
    """The files of the runs that were made."""
    return Runs(*(read_run(directory / name) for name in Runs._fields))


def read_run(directory: Path) -> Files:
    """The files of a run that are evidence."""
    manifest = (directory / MANIFEST).read_bytes()
    files = {name: (directory / name).read_bytes() for name in read_manifest(manifest).files}
    return files | {MANIFEST: manifest}


@contextmanager
def fast_audits() -> Iterator[None]:
    """Audits that remember what a pattern selects, and what passed; what fails is done anew."""
    with (
        mock.patch.object(verify.audit.whole, "select", selected),
        mock.patch.object(verify.audit.whole, "check_paragraph", cache(check_paragraph)),
        mock.patch.object(verify.audit.whole, "check_witness", cache(check_witness)),
    ):
        yield


def audit_here(directory: Path) -> Audited:
    """Audit in this process, quietly."""
    return audit(directory, InlineExecutor(), lambda _: None, second_opinion=False)


def lay_down(corrupted: Corrupted, directory: Path) -> None:
    """Make the directory of a corrupted run."""
    directory.mkdir()
    for name, content in corrupted.files.items():
        if name not in corrupted.instead:
            (directory / name).write_bytes(content)
    for name, make in corrupted.instead.items():
        make(directory / name)


def check_caught(corrupted: Corrupted) -> str:
    """Audit a corrupted run, and return what the audit says.

    Raises:
        NotCaught: It passes, it crashes, or its message does not say what is wrong.
    """
    with TemporaryDirectory() as temporary:
        directory = Path(temporary, "run")
        lay_down(corrupted, directory)
        try:
            audit_here(directory)
        except EvidenceError as error:
            message = str(error)
        except BaseException as error:
            raise NotCaught(f"it crashes: {error!r}") from error
        else:
            raise NotCaught(f"it passes, with {' or '.join(corrupted.named)} wrong")
    if not message.startswith(tuple(f"{name}: " for name in corrupted.named)):
        raise NotCaught(f"it does not name {' or '.join(corrupted.named)}: {message}")
    if not any(item in message for item in corrupted.items):
        raise NotCaught(f"it does not name {' or '.join(corrupted.items)}: {message}")
    if not message.isprintable():
        raise NotCaught(f"its message is not one line of text: {message!r}")
    return message


# --- Raw: bytes, lines and files ---

UNDECIDED: Final = (outputs.WITNESSES, outputs.CERTIFICATES)
"""A string that is neither witnessed nor refuted is missing in either."""

ALL: Final = (*FILES, MANIFEST)
Change = Callable[[bytes, Random], bytes]


def unpack(name: str, content: bytes) -> bytes:
    """The text of a file of a run."""
    if name.endswith(".xz"):
        return lzma.decompress(content)
    return zlib.decompress(content, wbits=31) if name.endswith(".gz") else content


def pack(name: str, text: bytes) -> bytes:
    """The file of a run with this text."""
    if name.endswith(".xz"):
        return lzma.compress(text, preset=1)
    return gzipped(text) if name.endswith(".gz") else text


def certificates_file(paragraphs: list[str]) -> bytes:
    """The file of these certificates."""
    return pack(outputs.CERTIFICATES, "".join(paragraphs).encode())


def sealed(files: Files) -> Files:
    """The files with a manifest made for them."""
    content = {name: content for name, content in files.items() if name != MANIFEST}
    return files | {MANIFEST: make_manifest(content, json.loads(files[outputs.SUMMARY]))}


def raw(change: Change) -> Kind:
    """The change in a file as it stands, or in the text of one that is packed."""

    def corrupt(scene: Scene) -> Corrupted:
        return _raw(change, scene.run, scene.random.choice(ALL), scene.random)

    return corrupt


def raw_games(change: Change) -> Kind:
    """The same in the file of games."""

    def corrupt(scene: Scene) -> Corrupted:
        return _raw(change, scene.played, outputs.GAMES, scene.random)

    return corrupt


def _raw(change: Change, run: Files, name: str, random: Random) -> Corrupted:
    old = run[name]
    in_text = name.endswith((".xz", ".gz")) and random.random() < 0.5
    new = old
    while new == old:
        new = change(unpack(name, old) if in_text else old, random)
        new = pack(name, new) if in_text else new
    return Corrupted(run | {name: new}, (name,))


def forged_text(change: Change) -> Kind:
    """The change in a file that leaves no freedom at all, with the manifest made anew."""
    names = (outputs.BARE_LIST, outputs.FULL_LIST, outputs.IMPOSSIBLE, outputs.SUMMARY_TEXT)

    def corrupt(scene: Scene) -> Corrupted:
        name = scene.random.choice(names)
        old = new = unpack(name, scene.run[name])
        while new == old:
            new = change(old, scene.random)
        return Corrupted(sealed(scene.run | {name: pack(name, new)}), (name,))

    return corrupt


def flip_bit(content: bytes, random: Random) -> bytes:
    at = random.randrange(len(content))
    return content[:at] + bytes([content[at] ^ 1 << random.randrange(8)]) + content[at + 1 :]


def change_byte(content: bytes, random: Random) -> bytes:
    at = random.randrange(len(content))
    return content[:at] + random.randbytes(1) + content[at + 1 :]


def delete_bytes(content: bytes, random: Random) -> bytes:
    at = random.randrange(len(content))
    return content[:at] + content[at + random.choice((1, 1, 2, 100)) :]


def insert_byte(content: bytes, random: Random) -> bytes:
    at = random.randrange(len(content) + 1)
    return content[:at] + random.randbytes(1) + content[at:]


def insert_nul(content: bytes, random: Random) -> bytes:
    at = random.randrange(len(content) + 1)
    return content[:at] + b"\0" + content[at:]


def insert_non_ascii(content: bytes, random: Random) -> bytes:
    at = random.randrange(len(content) + 1)
    return content[:at] + random.choice("\xe9\u2656\u0663\u2028\U0001f642").encode() + content[at:]


def insert_space(content: bytes, random: Random) -> bytes:
    at = random.randrange(len(content) + 1)
    return content[:at] + random.choice((b" ", b"\n", b"\r", b"\t")) + content[at:]


def swap_bytes(content: bytes, random: Random) -> bytes:
    a, b = sorted(random.sample(range(len(content)), 2))
    swapped = bytearray(content)
    swapped[a], swapped[b] = swapped[b], swapped[a]
    return bytes(swapped)


def zero_range(content: bytes, random: Random) -> bytes:
    at = random.randrange(len(content))
    zeros = bytes(min(random.randrange(1, 500), len(content) - at))
    return content[:at] + zeros + content[at + len(zeros) :]


def truncate(content: bytes, random: Random) -> bytes:
    return content[: random.randrange(1, len(content))]


def cut_last_byte(content: bytes, _: Random) -> bytes:
    return content[:-1]


def append(content: bytes, random: Random) -> bytes:
    return content + random.choice((b"\n", b"\0", b"garbage", b"\0" * 4, content))


def prepend(content: bytes, random: Random) -> bytes:
    return random.choice((b"\n", b"\0", b"garbage", b"\xef\xbb\xbf")) + content


def empty(_content: bytes, _random: Random) -> bytes:
    return b""


def carriage_returns(content: bytes, random: Random) -> bytes:
    if b"\n" not in content:
        return flip_bit(content, random)
    return content.replace(b"\n", b"\r\n")


def by_line(change: Callable[[list[bytes], Random], object]) -> Change:
    """A change of lines."""

    def changed(content: bytes, random: Random) -> bytes:
        lines = content.split(b"\n")
        if len(lines) < 3:
            return flip_bit(content, random)  # a packed file may have few lines
        change(lines, random)
        return b"\n".join(lines)

    return changed


def _delete_line(lines: list[bytes], random: Random) -> None:
    del lines[random.randrange(len(lines))]


def _duplicate_line(lines: list[bytes], random: Random) -> None:
    at = random.randrange(len(lines))
    lines.insert(at, lines[at])


def _move_line(lines: list[bytes], random: Random) -> None:
    line = lines.pop(random.randrange(len(lines)))
    lines.insert(random.randrange(len(lines) + 1), line)


def _swap_lines(lines: list[bytes], random: Random) -> None:
    a, b = random.sample(range(len(lines)), 2)
    lines[a], lines[b] = lines[b], lines[a]


def _copy_line(lines: list[bytes], random: Random) -> None:
    a, b = random.sample(range(len(lines)), 2)
    lines[a] = lines[b]


def _split_line(lines: list[bytes], random: Random) -> None:
    at = random.randrange(len(lines))
    middle = len(lines[at]) // 2
    lines[at : at + 1] = [lines[at][:middle], lines[at][middle:]]


delete_line, duplicate_line, move_line, swap_lines, copy_line, split_line = map(
    by_line, (_delete_line, _duplicate_line, _move_line, _swap_lines, _copy_line, _split_line)
)

BYTE_CHANGES: Final[dict[str, Change]] = {
    "a bit flipped": flip_bit,
    "a byte changed": change_byte,
    "bytes deleted": delete_bytes,
    "a byte inserted": insert_byte,
    "a NUL byte inserted": insert_nul,
    "a character that is not ASCII inserted": insert_non_ascii,
    "white space inserted": insert_space,
    "two bytes exchanged": swap_bytes,
    "a stretch of zeros": zero_range,
    "cut short": truncate,
    "the last byte cut off": cut_last_byte,
    "something appended": append,
    "something put in front": prepend,
    "emptied": empty,
    "lines ended as on Windows": carriage_returns,
    "a line deleted": delete_line,
    "a line repeated": duplicate_line,
    "a line moved": move_line,
    "two lines exchanged": swap_lines,
    "a line copied over another": copy_line,
    "a line split": split_line,
}


def instead_of_a_file(make: Maker) -> Kind:
    """Something else in the place of a file."""

    def corrupt(scene: Scene) -> Corrupted:
        name = scene.random.choice(ALL)
        return Corrupted(scene.run, (name,), instead={name: make})

    return corrupt


def two_links(path: Path) -> None:
    """A link that leads to itself."""
    path.symlink_to(path)


def junk(path: Path) -> None:
    """A file of 300 MiB that takes no room."""
    with path.open("wb") as file:
        file.truncate(300 << 20)


def file_of_this_run(scene: Scene) -> Corrupted:
    a, b = scene.random.sample(ALL, 2)
    return Corrupted(scene.run | {a: scene.run[b]}, (a,))


def file_of_the_other_run(scene: Scene) -> Corrupted:
    name = scene.random.choice(ALL)
    named = ALL if name == MANIFEST else (name,)  # all other files are wrong then
    return Corrupted(scene.run | {name: scene.other[name]}, named)


def files_of_the_other_run(scene: Scene) -> Corrupted:
    names = scene.random.sample(FILES, scene.random.randrange(2, len(FILES)))
    return Corrupted(scene.run | {name: scene.other[name] for name in names}, ALL)


# --- Forged: the manifest, then the texts, then the findings ---


def resealed(files: Files, change: Callable[[dict[str, Any]], object]) -> Files:
    """The files with a changed manifest, whose own hash is right."""
    manifest = json.loads(files[MANIFEST])
    content = {name: manifest[name] for name in Manifest._fields}
    change(content)
    return files | {MANIFEST: verify.audit.manifest._sealed(Manifest(**content))}


def forged_manifest(change: Callable[[dict[str, Any], Random], object], *named: str) -> Kind:
    def corrupt(scene: Scene) -> Corrupted:
        files = resealed(scene.run, lambda content: change(content, scene.random))
        return Corrupted(files, named or (MANIFEST,))

    return corrupt


def another_version(content: dict[str, Any], random: Random) -> None:
    versions = ["0.0.9", "0.1.0.dev1", "0.1", "1.0.0", "", None, 1]
    content["versions"]["sanproof"] = random.choice(versions)


def another_hash(content: dict[str, Any], random: Random) -> None:
    content["files"][random.choice(FILES)] = random.choice(["", None, "0" * 64, {}])


def another_count(content: dict[str, Any], random: Random) -> None:
    name = random.choice(("strings", "reachable", "impossible", "undecided"))
    content["counts"][name] = random.choice([content["counts"][name] + 1, None, "", [1], -1])


def count_off_by_one(content: dict[str, Any], random: Random) -> None:
    content["counts"][random.choice(COUNTS)] += random.choice((-1, 1))


def another_pattern(content: dict[str, Any], random: Random) -> None:
    patterns = [None, OTHER_PATTERN, 7, True, {"*": 1}]
    content["only"] = random.choice(patterns)


def pattern_of_nothing(content: dict[str, Any], _: Random) -> None:
    content["only"] = "Z*"


def version_of_control_characters(content: dict[str, Any], _: Random) -> None:
    content["versions"]["sanproof"] = "\x1b[2J\n9"


def pattern_of_characters(content: dict[str, Any], _: Random) -> None:
    content["only"] = list(PATTERN)


def list_of_files(content: dict[str, Any], _: Random) -> None:
    content["files"] = sorted(content["files"])


def another_shape(content: dict[str, Any], random: Random) -> None:
    name = random.choice(list(content))
    parts = content[name]
    shapes: list[Any] = [1, [], {}, list(parts), list(parts.items() if name != "only" else parts)]
    content[name] = random.choice(shapes)


def entry_missing(content: dict[str, Any], random: Random) -> None:
    entries = content[random.choice(("files", "counts"))]
    del entries[random.choice(list(entries))]


def file_unlisted(content: dict[str, Any], random: Random) -> None:
    name = random.choice(FILES)
    listed = content["files"]
    listed[random.choice((name.upper(), f"../{name}", f"/etc/{name}"))] = listed.pop(name)


def forged_summary(change: Callable[[dict[str, Any], Random], object]) -> Kind:
    """A change in the summary, told alike in the page for people and in the manifest."""

    def corrupt(scene: Scene) -> Corrupted:
        summary = json.loads(scene.run[outputs.SUMMARY])
        change(summary, scene.random)
        texts = {
            outputs.SUMMARY: outputs.to_json(summary),
            outputs.SUMMARY_TEXT: outputs.to_markdown(summary),
        }
        files = scene.run | texts
        content = {name: files[name] for name in FILES}
        true_counts = json.loads(scene.run[outputs.SUMMARY])
        files[MANIFEST] = make_manifest(content, true_counts)
        return Corrupted(files, (outputs.SUMMARY,))

    return corrupt


def count_changed(summary: dict[str, Any], random: Random) -> None:
    rows = [row for name in outputs.DIMENSIONS for row in summary[f"by_{name}"].values()]
    table = random.choice([summary, summary["by_reason"], *rows])
    name = random.choice([name for name in table if isinstance(table[name], int)])
    table[name] += random.choice((-1, 1))


def generator_count_changed(summary: dict[str, Any], random: Random) -> None:
    summary["generator"]["strings"] += random.choice((-1, 1))


def pattern_of_summary_changed(summary: dict[str, Any], random: Random) -> None:
    summary["only"] = random.choice([None, "*", OTHER_PATTERN])


def undecided_string_named(summary: dict[str, Any], _: Random) -> None:
    summary["undecided_strings"] = ["Nxb1"]


def version_of_summary_changed(summary: dict[str, Any], random: Random) -> None:
    summary["versions"][random.choice(list(summary["versions"]))] += ".1"


def time_that_is_none(summary: dict[str, Any], random: Random) -> None:
    """Of times the audit knows only that they are numbers."""
    times = summary[random.choice(("search", "times"))]
    times[random.choice(list(times))] = random.choice(["1", True, None, [1.5], {}])


def summary_of_another_shape(scene: Scene) -> Corrupted:
    """JSON, but not what a summary is."""
    summary = json.loads(scene.run[outputs.SUMMARY])
    shapes = [b"[]", b"7", b"{}", outputs.to_json({"times": {}})]
    for name in ("search", "times"):
        shapes += [outputs.to_json(summary | {name: shape}) for shape in (None, 1, [1.5], "")]
    return another_summary(scene, scene.random.choice(shapes))


def summary_without_json(scene: Scene) -> Corrupted:
    """Text, but no JSON, or nested too deeply."""
    return another_summary(scene, scene.random.choice([b"", b"{", b"[" * 60_000]))


def another_summary(scene: Scene, text: bytes) -> Corrupted:
    """A summary of a run whose manifest is right."""
    content = {name: old for name, old in scene.run.items() if name != MANIFEST}
    content[outputs.SUMMARY] = text
    summary = json.loads(scene.run[outputs.SUMMARY])
    files = content | {MANIFEST: make_manifest(content, summary)}
    return Corrupted(files, (outputs.SUMMARY,), ("it is not a run's summary",))


def json_respelled(scene: Scene) -> Corrupted:
    """The same values in another layout."""
    name = scene.random.choice((outputs.SUMMARY, MANIFEST))
    indent = scene.random.choice((None, 0, 1, 3, 4))
    text = json.dumps(json.loads(scene.run[name]), indent=indent) + "\n"
    files = scene.run | {name: text.encode()}
    return Corrupted(files if name == MANIFEST else sealed(files), (name,))


def forged_rows(change: Callable[[list[list[str]], Random], str], *named: str) -> Kind:
    """A change of the witnesses' rows, which returns the string that it is about."""

    def corrupt(scene: Scene) -> Corrupted:
        header, *lines, end = scene.run[outputs.WITNESSES].decode().split("\n")
        rows = [line.split(",") for line in lines]
        item = change(rows, scene.random)
        text = "\n".join([header, *map(",".join, rows), end]).encode()
        files = sealed(scene.run | {outputs.WITNESSES: text})
        return Corrupted(files, named or (outputs.WITNESSES,), (item,))

    return corrupt


def two_rows(rows: list[list[str]], random: Random) -> tuple[list[str], list[str]]:
    a, b = random.sample(rows, 2)
    return a, b


def witness_of_another_string(rows: list[list[str]], random: Random) -> str:
    a, b = two_rows(rows, random)
    a[1:] = b[1:]
    return a[0]


def row_of_another_string(rows: list[list[str]], random: Random) -> str:
    a, b = two_rows(rows, random)
    string, a[:] = a[0], b
    return string


def after_another_move(rows: list[list[str]], random: Random) -> str:
    a, b = two_rows(rows, random)
    while a[3] == b[3]:
        a, b = two_rows(rows, random)
    a[3] = b[3]
    return a[0]


def another_move(rows: list[list[str]], random: Random) -> str:
    a, b = two_rows(rows, random)
    while a[2] == b[2]:
        a, b = two_rows(rows, random)
    a[2] = b[2]
    return a[0]


def other_side_to_move(rows: list[list[str]], random: Random) -> str:
    row = random.choice(rows)
    placement, side, *rest = row[1].split(" ")
    row[1] = " ".join([placement, "wb"[side == "w"], *rest])
    return row[0]


def row_missing(rows: list[list[str]], random: Random) -> str:
    return rows.pop(random.randrange(len(rows)))[0]


def field_too_many(rows: list[list[str]], random: Random) -> str:
    number = random.randrange(len(rows))
    rows[number].append("")
    return f"line {number + 2}"


def field_missing(rows: list[list[str]], random: Random) -> str:
    number = random.randrange(len(rows))
    del rows[number][random.randrange(4)]
    return f"line {number + 2}"


def fen_respelled(rows: list[list[str]], random: Random) -> str:
    """A text that python-chess reads as the same position, and that is no FEN."""
    row = random.choice(rows)
    respelled: list[Callable[[str], str]] = [
        lambda fen: fen.replace(" ", "\t"),
        lambda fen: fen.replace(" ", "  ", 1),
        lambda fen: fen + "\r",
        lambda fen: " ".join(fen.split()[:4]),
        lambda fen: fen.replace(" 0 1", " +0 0_1"),
        lambda fen: fen.replace(" 0 1", " 0 0"),
    ]
    row[1] = random.choice(respelled)(row[1])
    return row[0]


def line_missing(name: str) -> Kind:
    def corrupt(scene: Scene) -> Corrupted:
        lines = scene.run[name].decode().split("\n")
        san = lines.pop(scene.random.randrange(len(lines)))
        files = sealed(scene.run | {name: "\n".join(lines).encode()})
        return Corrupted(files, (name,), (f"'{san}' belongs",))

    return corrupt


def impossible_string_listed(scene: Scene) -> Corrupted:
    """In the list and not among the impossible, with no witness; the counts say so too."""
    header, *rows, end = unpack(outputs.IMPOSSIBLE, scene.run[outputs.IMPOSSIBLE]).split(b"\n")
    row = rows.pop(scene.random.randrange(len(rows)))
    san = row.decode().split(",")[0]
    files = dict(scene.run)
    files[outputs.IMPOSSIBLE] = gzipped(b"\n".join([header, *rows, end]))
    for name in (outputs.BARE_LIST, outputs.FULL_LIST)[san[-1] in "+#" :]:
        listed = [*files[name].decode().split("\n"), san]
        files[name] = "\n".join(sorted(listed, key=list_order)).encode()
    summary = json.loads(files[outputs.SUMMARY])
    summary["reachable"] += 1
    summary["impossible"] -= 1
    files[outputs.SUMMARY] = outputs.to_json(summary)
    files[outputs.SUMMARY_TEXT] = outputs.to_markdown(summary)
    return Corrupted(sealed(files), (outputs.BARE_LIST, outputs.FULL_LIST), (f"'{san}'",))


def another_reason(scene: Scene) -> Corrupted:
    lines = unpack(outputs.IMPOSSIBLE, scene.run[outputs.IMPOSSIBLE]).decode().split("\n")
    at = scene.random.randrange(1, len(lines) - 1)
    san, why = lines[at].split(",")
    others = [reason.value for reason in Reason if reason.value != why]
    lines[at] = f"{san},{scene.random.choice([*others, '', 'no-reason'])}"
    files = sealed(scene.run | {outputs.IMPOSSIBLE: gzipped("\n".join(lines).encode())})
    return Corrupted(files, (outputs.IMPOSSIBLE,), (f"'{san},{why}' belongs",))


def forged_paragraphs(change: Callable[[list[str], Random], str]) -> Kind:
    """A change of the certificates' paragraphs, which returns the cube that it is about."""

    def corrupt(scene: Scene) -> Corrupted:
        paragraphs = list(split_certificates(certificates_of(scene.run)))
        item = change(paragraphs, scene.random)
        files = scene.run | {outputs.CERTIFICATES: certificates_file(paragraphs)}
        return Corrupted(sealed(files), (outputs.CERTIFICATES,), (item,))

    return corrupt


def certificates_of(run: Files) -> str:
    return unpack(outputs.CERTIFICATES, run[outputs.CERTIFICATES]).decode()


def cube_named(paragraph: str) -> str:
    return paragraph.split("\n", 1)[0].removeprefix("cube ")


def paragraph_missing(paragraphs: list[str], random: Random) -> str:
    return cube_named(paragraphs.pop(random.randrange(len(paragraphs))))


def paragraph_twice(paragraphs: list[str], random: Random) -> str:
    at = random.randrange(len(paragraphs))
    paragraphs.insert(at, paragraphs[at])
    return ""


def paragraph_over_another(paragraphs: list[str], random: Random) -> str:
    a, b = random.sample(range(len(paragraphs)), 2)
    lost, paragraphs[a] = paragraphs[a], paragraphs[b]
    return cube_named(lost)


def paragraphs_exchanged(paragraphs: list[str], random: Random) -> str:
    a, b = random.sample(range(len(paragraphs)), 2)
    paragraphs[a], paragraphs[b] = paragraphs[b], paragraphs[a]
    return "order"


def bodies_exchanged(paragraphs: list[str], random: Random) -> str:
    """The certificates of two cubes exchanged, but for the line with the cube's name."""
    a, b = sorted(random.sample(range(len(paragraphs)), 2))
    (name_a, body_a), (name_b, body_b) = (paragraphs[i].split("\n", 1) for i in (a, b))
    paragraphs[a], paragraphs[b] = f"{name_a}\n{body_b}", f"{name_b}\n{body_a}"
    return ""


def refutations_exchanged(paragraphs: list[str], random: Random) -> str:
    """All lines exchanged but for the four in front."""
    a, b = random.sample([i for i, p in enumerate(paragraphs) if is_needed(p)], 2)
    heads = [paragraphs[i].split("\n")[:4] for i in (a, b)]
    tails = [paragraphs[i].split("\n")[4:] for i in (a, b)]
    paragraphs[a] = "\n".join(heads[0] + tails[1])
    paragraphs[b] = "\n".join(heads[1] + tails[0])
    return ""


def forged_certificate(change: Callable[[Certificate, Random], Certificate]) -> Kind:
    """A change of one certificate whose refutation is not trivial."""

    def corrupt(scene: Scene) -> Corrupted:
        paragraphs = list(split_certificates(certificates_of(scene.run)))
        at = scene.random.choice([i for i, p in enumerate(paragraphs) if is_needed(p)])
        certificate = change(read_certificate(paragraphs[at]), scene.random)
        paragraphs[at] = write_certificate(certificate)
        files = scene.run | {outputs.CERTIFICATES: certificates_file(paragraphs)}
        return Corrupted(sealed(files), (outputs.CERTIFICATES,), (str(certificate.cube),))

    return corrupt


@cache
def is_needed(paragraph: str) -> bool:
    """Whether the formula is not refuted by unit propagation alone."""
    return not is_refutation(read_certificate(paragraph)._replace(lemmas=((),)))


def is_refutation(certificate: Certificate) -> bool:
    """What dratify says; it accepts all that the audit's own checker may accept, and more."""
    cube, scope, _, left_open, lemmas = certificate
    proof = "".join(" ".join(map(str, (*lemma, 0))) + "\n" for lemma in lemmas)
    dimacs = closing_formula(cube, scope, left_open).dimacs()
    return bool(dratify.check_proof(dratify.parse_dimacs(dimacs), proof).ok)


def rehashed(certificate: Certificate) -> Certificate:
    """The certificate with the hash of its own formula."""
    cube, scope, _, left_open, _ = certificate
    return certificate._replace(formula=formula_hash(closing_formula(cube, scope, left_open)))


def open_string_added(scene: Scene) -> Corrupted:
    """A weaker certificate that holds; what it no longer refutes is missed elsewhere."""
    paragraphs = list(split_certificates(certificates_of(scene.run)))
    at = scene.random.choice([i for i, p in enumerate(paragraphs) if is_needed(p)])
    certificate = read_certificate(paragraphs[at])
    wanted = selected(PATTERN).selected
    assert wanted is not None
    witnessed = set(certificate.left_open)
    strings = [san for san in certificate.cube.strings() if wanted(str(san))]
    san = scene.random.choice([san for san in strings if str(san) not in witnessed])
    left_open = sorted([*witnessed, str(san)], key=list_order)
    weaker = rehashed(certificate._replace(left_open=tuple(left_open)))
    paragraphs[at] = write_certificate(weaker)
    check_paragraph(paragraphs[at], second_opinion=True)
    files = scene.run | {outputs.CERTIFICATES: certificates_file(paragraphs)}
    undecided = (str(san), str(exchanged_san(san)))  # for either colour
    return Corrupted(sealed(files), (outputs.CERTIFICATES,), undecided)


def without_an_open_string(certificate: Certificate, random: Random) -> Certificate:
    gone = random.choice(certificate.left_open)
    return certificate._replace(left_open=tuple(s for s in certificate.left_open if s != gone))


def without_an_open_string_rehashed(certificate: Certificate, random: Random) -> Certificate:
    return rehashed(without_an_open_string(certificate, random))


def open_strings_exchanged(certificate: Certificate, random: Random) -> Certificate:
    a, b = random.sample(range(len(certificate.left_open)), 2)
    left_open = list(certificate.left_open)
    left_open[a], left_open[b] = left_open[b], left_open[a]
    return rehashed(certificate._replace(left_open=tuple(left_open)))


def open_string_of_another_cube(certificate: Certificate, random: Random) -> Certificate:
    gone = without_an_open_string(certificate, random).left_open
    return certificate._replace(left_open=tuple(sorted([*gone, "Qxb5"], key=list_order)))


def another_scope(certificate: Certificate, _: Random) -> Certificate:
    (other,) = (scope for scope in SCOPES.values() if scope is not certificate.scope)
    return certificate._replace(scope=other)


def another_formula(certificate: Certificate, random: Random) -> Certificate:
    formulas = [random.randbytes(32).hex(), certificate.formula.upper(), certificate.formula[:-1]]
    return certificate._replace(formula=random.choice(formulas))


def without_the_last_step(certificate: Certificate, _: Random) -> Certificate:
    return certificate._replace(lemmas=certificate.lemmas[:-1])


def only_the_last_step(certificate: Certificate, _: Random) -> Certificate:
    return certificate._replace(lemmas=((),))


def without_a_refutation(certificate: Certificate, _: Random) -> Certificate:
    return certificate._replace(lemmas=())


def broken(change: Callable[[list[tuple[int, ...]], Random], object]) -> Kind:
    """Changes of steps until dratify says that they are no refutation any more."""

    def changed(certificate: Certificate, random: Random) -> Certificate:
        steps = list(certificate.lemmas)
        while is_refutation(certificate._replace(lemmas=tuple(steps))):
            change(steps, random)
        return certificate._replace(lemmas=tuple(steps))

    return forged_certificate(changed)


def drop_steps(steps: list[tuple[int, ...]], random: Random) -> None:
    for _ in range(len(steps) // 8 + 1):
        del steps[random.randrange(len(steps) - 1)]


def strengthen_step(steps: list[tuple[int, ...]], random: Random) -> None:
    at = random.randrange(len(steps) // 4 + 1)
    steps[at] = steps[at][1:]


def negate_literal(steps: list[tuple[int, ...]], random: Random) -> None:
    at = random.randrange(len(steps) - 1)
    if steps[at]:
        steps[at] = (-steps[at][0], *steps[at][1:])


def forbidden_literal(certificate: Certificate, random: Random) -> Certificate:
    steps = list(certificate.lemmas)
    at = random.randrange(len(steps) - 1)
    steps[at] = (*steps[at], random.choice((0, 10**6, -(10**6), 10**30)))
    return certificate._replace(lemmas=tuple(steps))


@dataclass
class Claims:
    """What a run claims, taken apart, so that a lie can be told in all its files alike."""

    witnesses: dict[str, CheckedWitness]
    certificates: dict[Cube, Certificate]
    summary: dict[str, Any]

    @classmethod
    def of(cls, run: Files) -> "Claims":
        rows = run[outputs.WITNESSES].decode().split("\n")[1:-1]
        witnesses = [CheckedWitness(*row.split(",")) for row in rows]
        read = map(read_certificate, split_certificates(certificates_of(run)))
        return cls(
            {witness.san: witness for witness in witnesses},
            {certificate.cube: certificate for certificate in read},
            json.loads(run[outputs.SUMMARY]),
        )

    def files(self) -> Files:
        """The run that claims this."""
        left_open = {cube: c.left_open for cube, c in self.certificates.items()}
        findings = Findings(self.witnesses, {**left_open})
        part = selected(self.summary["only"])
        found = survey(findings.rulings(part.cubes), part.selected)
        counts = outputs.summary(self.summary["only"], found, None, self.summary["generator"])
        summary = self.summary | counts
        text = "".join(write_certificate(c) for c in self.certificates.values())
        return sealed(
            outputs.lists(found)
            | outputs.packed(
                outputs.tables(found, self.witnesses) | {outputs.CERTIFICATES: text.encode("ascii")}
            )
            | {
                outputs.SUMMARY: outputs.to_json(summary),
                outputs.SUMMARY_TEXT: outputs.to_markdown(summary),
            }
        )

    def some_check(self, random: Random) -> str:
        """A string with a suffix, for whose impossibility a reason is always found."""
        return random.choice([san for san in self.witnesses if san[-1] in "+#"])


def reachable_string_denied(scene: Scene) -> Corrupted:
    """A witness less, and the string excluded everywhere; only the refutation does not hold."""
    claims = Claims.of(scene.run)
    san = claims.some_check(scene.random)
    witness = claims.witnesses.pop(san)
    for cube, certificate in claims.certificates.items():
        if san in certificate.left_open:
            left_open = tuple(s for s in certificate.left_open if s != san)
            claims.certificates[cube] = rehashed(certificate._replace(left_open=left_open))
            return Corrupted(claims.files(), (outputs.CERTIFICATES,), (str(cube),))
    # Black's alone: that White plays its mirror image remains open, so that it is undecided.
    assert " b " in witness.fen
    return Corrupted(sealed(scene.run | _without(scene.run, san)), UNDECIDED, (san,))


def _without(run: Files, san: str) -> Files:
    lines = run[outputs.WITNESSES].decode().split("\n")
    kept = [line for line in lines if not line.startswith(f"{san},")]
    return {outputs.WITNESSES: "\n".join(kept).encode()}


def impossible_string_claimed(scene: Scene) -> Corrupted:
    """A string too many in every file, with the witness of another."""
    claims = Claims.of(scene.run)
    rows = unpack(outputs.IMPOSSIBLE, scene.run[outputs.IMPOSSIBLE]).decode().split("\n")[1:-1]
    san = scene.random.choice(rows).split(",")[0]
    model = scene.random.choice(list(claims.witnesses.values()))
    claims.witnesses[san] = model._replace(san=san)
    certificate = claims.certificates[cube_of(parse_san(san))]
    left_open = tuple(sorted([*certificate.left_open, san], key=list_order))
    claims.certificates[certificate.cube] = rehashed(certificate._replace(left_open=left_open))
    return Corrupted(claims.files(), (outputs.WITNESSES,), (san,))


# --- Forged: games ---


def forged_text_of_games(change: Change) -> Kind:
    """The change in the text of the games, with the manifest made anew."""

    def corrupt(scene: Scene) -> Corrupted:
        text = unpack(outputs.GAMES, scene.played[outputs.GAMES])
        games, new = read_games(text), text
        while new == text or is_honest(new, games):
            new = change(text, scene.random)
        return _with_games(scene.played, new)

    return corrupt


def forged_games(lie: Lie) -> Kind:
    """Other games in the right form, with the manifest made anew."""

    def corrupt(scene: Scene) -> Corrupted:
        games = read_games(unpack(outputs.GAMES, scene.played[outputs.GAMES]))
        text = write_games(games)
        while is_honest(text, games):
            text = write_games(lie(games, scene.random))
        return _with_games(scene.played, text)

    return corrupt


def _with_games(run: Files, text: bytes) -> Corrupted:
    files = sealed(run | {outputs.GAMES: pack(outputs.GAMES, text)})
    return Corrupted(files, (outputs.GAMES,))


def game_of_a_witness_changed(scene: Scene) -> Corrupted:
    """The number of another game in the table of witnesses."""
    header, *rows, end = scene.played[outputs.WITNESSES].decode().split("\n")
    at = scene.random.randrange(len(rows))
    *fields, number = rows[at].split(",")
    rows[at] = ",".join([*fields, str(int(number) + scene.random.choice((-1, 1)))])
    text = "\n".join([header, *rows, end]).encode()
    files = sealed(scene.played | {outputs.WITNESSES: text})
    return Corrupted(files, (outputs.WITNESSES,), (f"line {at + 2} is",))


def games_hidden(scene: Scene) -> Corrupted:
    """A manifest that lists no games, though the witnesses are from games."""
    files = {name: text for name, text in scene.played.items() if name != outputs.GAMES}
    return Corrupted(sealed(files), (outputs.WITNESSES,))


KINDS: Final[dict[str, Kind]] = {
    **{f"raw: {name}": raw(change) for name, change in BYTE_CHANGES.items()},
    "raw: removed": instead_of_a_file(lambda _: None),
    "raw: a directory": instead_of_a_file(Path.mkdir),
    "raw: a link to itself": instead_of_a_file(two_links),
    "raw: 300 MiB of junk": instead_of_a_file(junk),
    "raw: another file of the run": file_of_this_run,
    "raw: a file of another run": file_of_the_other_run,
    "raw: some files of another run": files_of_the_other_run,
    **{f"forged text: {name}": forged_text(change) for name, change in BYTE_CHANGES.items()},
    "forged manifest: version": forged_manifest(another_version),
    "forged manifest: hash": forged_manifest(another_hash, *ALL),
    "forged manifest: count": forged_manifest(another_count),
    "forged manifest: count off by one": forged_manifest(count_off_by_one),
    "forged manifest: pattern": forged_manifest(another_pattern, *ALL),
    "forged manifest: pattern of nothing": forged_manifest(pattern_of_nothing),
    "forged manifest: version of control characters": forged_manifest(
        version_of_control_characters
    ),
    "forged manifest: pattern of characters": forged_manifest(pattern_of_characters),
    "forged manifest: list of files": forged_manifest(list_of_files),
    "forged manifest: shape": forged_manifest(another_shape),
    "forged manifest: entry missing": forged_manifest(entry_missing),
    "forged manifest: file unlisted": forged_manifest(file_unlisted),
    "forged summary: count": forged_summary(count_changed),
    "forged summary: generator's count": forged_summary(generator_count_changed),
    "forged summary: pattern": forged_summary(pattern_of_summary_changed),
    "forged summary: undecided string": forged_summary(undecided_string_named),
    "forged summary: version": forged_summary(version_of_summary_changed),
    "forged summary: times": forged_summary(time_that_is_none),
    "forged summary: shape": summary_of_another_shape,
    "forged summary: no JSON": summary_without_json,
    "forged JSON: layout": json_respelled,
    "forged witness: another string's": forged_rows(witness_of_another_string),
    "forged witness: another string's row": forged_rows(row_of_another_string, *UNDECIDED),
    "forged witness: another move's end": forged_rows(after_another_move),
    "forged witness: another move": forged_rows(another_move),
    "forged witness: other side to move": forged_rows(other_side_to_move),
    "forged witness: row missing": forged_rows(row_missing, *UNDECIDED),
    "forged witness: field too many": forged_rows(field_too_many),
    "forged witness: field missing": forged_rows(field_missing),
    "forged witness: no FEN": forged_rows(fen_respelled),
    "forged list: bare string missing": line_missing(outputs.BARE_LIST),
    "forged list: string missing": line_missing(outputs.FULL_LIST),
    "forged list: impossible string": impossible_string_listed,
    "forged reason": another_reason,
    "forged certificates: one missing": forged_paragraphs(paragraph_missing),
    "forged certificates: one twice": forged_paragraphs(paragraph_twice),
    "forged certificates: one for another": forged_paragraphs(paragraph_over_another),
    "forged certificates: order": forged_paragraphs(paragraphs_exchanged),
    "forged certificates: bodies exchanged": forged_paragraphs(bodies_exchanged),
    "forged certificates: refutations exchanged": forged_paragraphs(refutations_exchanged),
    "forged certificate: open string added": open_string_added,
    "forged certificate: open string gone": forged_certificate(without_an_open_string),
    "forged certificate: open string gone, rehashed": forged_certificate(
        without_an_open_string_rehashed
    ),
    "forged certificate: open strings' order": forged_certificate(open_strings_exchanged),
    "forged certificate: another cube's string": forged_certificate(open_string_of_another_cube),
    "forged certificate: scope": forged_certificate(another_scope),
    "forged certificate: formula": forged_certificate(another_formula),
    "forged refutation: last step missing": forged_certificate(without_the_last_step),
    "forged refutation: last step only": forged_certificate(only_the_last_step),
    "forged refutation: none": forged_certificate(without_a_refutation),
    "forged refutation: steps missing": broken(drop_steps),
    "forged refutation: step too strong": broken(strengthen_step),
    "forged refutation: literal negated": broken(negate_literal),
    "forged refutation: no literal": forged_certificate(forbidden_literal),
    "forged run: reachable string denied": reachable_string_denied,
    "forged run: impossible string claimed": impossible_string_claimed,
    **{f"raw games: {name}": raw_games(change) for name, change in BYTE_CHANGES.items()},
    **{
        f"forged text of games: {name}": forged_text_of_games(change)
        for name, change in (BYTE_CHANGES | TEXT_CHANGES).items()
    },
    **{f"forged games: {name}": forged_games(lie) for name, lie in LIES.items()},
    "forged games: a witness's number": game_of_a_witness_changed,
    "forged games: hidden": games_hidden,
}


def scene_of(runs: Runs, kind: str, number: int) -> Scene:
    """The numbered try of a kind: always the same."""
    return Scene(*runs, Random(f"{kind} {number}"))


# --- Bombs: files that are small, or not too large, and take much memory ---

MEBIBYTE: Final = 1 << 20


def xz_bomb(text: bytes, mebibytes: int) -> bytes:
    """So much of the repeated text as an xz file, without its end, which nobody gets to see."""
    file = lzma.compress(b"x", preset=0)
    header = file[: 12 + 4 * (file[12] + 1)]  # the stream's, and the first block's
    block = text * (2 * MEBIBYTE // len(text))
    filters = [{"id": lzma.FILTER_LZMA2, "preset": 0}]
    chunks = lzma.compress(block, format=lzma.FORMAT_RAW, filters=filters)[:-1]
    return header + chunks * (mebibytes // 2)


def gzip_bomb(text: bytes, mebibytes: int) -> bytes:
    """So much of the repeated text as a gzip file, without its end."""
    packer = zlib.compressobj(1, wbits=31)
    header = packer.compress(b"") + packer.flush(zlib.Z_FULL_FLUSH)
    block = packer.compress(text * (MEBIBYTE // len(text))) + packer.flush(zlib.Z_FULL_FLUSH)
    return header + block * mebibytes


def huge_dictionary() -> bytes:
    """An xz file that asks for a dictionary of 512 MiB."""
    filters = [{"id": lzma.FILTER_LZMA2, "preset": 0, "dict_size": 1 << 29}]
    return lzma.compress(b"cube", filters=filters)


def full(text: bytes, head: bytes = b"") -> bytes:
    """As much of the repeated text as a file may have."""
    return head + text * ((MOST_BYTES - len(head)) // len(text))


def full_certificate(run: Files) -> bytes:
    """A certificate of very many empty steps."""
    head = "".join(f"{line}\n" for line in certificates_of(run).split("\n")[:4])
    return lzma.compress(full(b"0\n", head.encode()), preset=0)


BOMBS: Final[dict[str, tuple[str, Callable[[Files], bytes]]]] = {
    "xz: 1 GiB of zeros": (outputs.CERTIFICATES, lambda _: xz_bomb(bytes(1), 1024)),
    "xz: dictionary of 512 MiB": (outputs.CERTIFICATES, lambda _: huge_dictionary()),
    "gzip: 1 GiB of zeros": (outputs.IMPOSSIBLE, lambda _: gzip_bomb(bytes(1), 1024)),
}
"""Files that are larger, unpacked, than a file may be."""

LARGE_FILES: Final[dict[str, tuple[str, Callable[[Files], bytes]]]] = {
    "witnesses of line breaks": (outputs.WITNESSES, lambda _: full(b"\n")),
    "a list of line breaks": (outputs.BARE_LIST, lambda _: full(b"\n")),
    "a summary of empty objects": (outputs.SUMMARY, lambda _: full(b"{},", b"[")),
    "a manifest of empty objects": (MANIFEST, lambda _: full(b"{},", b"[")),
    "certificates of line breaks": (
        outputs.CERTIFICATES,
        lambda _: lzma.compress(full(b"\n"), preset=0),
    ),
    "a certificate of empty steps": (outputs.CERTIFICATES, full_certificate),
    "impossible strings of line breaks": (
        outputs.IMPOSSIBLE,
        lambda _: zlib.compress(full(b"\n"), 1, wbits=31),
    ),
}
"""Files as large as a file may be, of what costs most memory to take apart."""


def drop_bombs(run: Files, bombs: Mapping[str, tuple[str, Callable[[Files], bytes]]]) -> None:
    """Audit each with little memory left, and print a line: what is wrong, or nothing."""
    for kind, (name, make) in bombs.items():
        bomb = make(run)
        with less_memory(MEMORY_BYTES):
            try:
                check_caught(Corrupted(run | {name: bomb}, (name,)))
                told = ""
            except NotCaught as error:
                told = str(error)[:300]
        click.echo(json.dumps([kind, told]))


@contextmanager
def less_memory(free_bytes: int) -> Iterator[None]:
    """Let this process have no more than so many bytes besides what it has."""
    limits = resource.getrlimit(resource.RLIMIT_AS)
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + free_bytes, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, limits)


def bombs_not_caught(run: Path, group: str) -> dict[str, str]:
    """Drop a group of bombs in a process of their own: for each, what is wrong, or nothing."""
    program = [sys.executable, "-m", "tests.verify.audit.corruption", "--drop", group, str(run)]
    done = subprocess.run(program, cwd=ROOT, capture_output=True, text=True, check=False)
    told = dict(json.loads(line) for line in done.stdout.splitlines())
    return told | {kind: done.stderr[-300:] for kind in GROUPS[group] if kind not in told}


GROUPS: Final = {"bombs": BOMBS, "large": LARGE_FILES}


class Row(NamedTuple):
    """A line of the table."""

    kind: str
    tried: int
    told: list[str]


def try_kinds(runs: Runs, count: int) -> Iterator[Row]:
    """Corrupt the runs so many times in each way, and tell what was not caught."""
    for name, kind in KINDS.items():
        told = []
        for number in range(count):
            try:
                check_caught(kind(scene_of(runs, name, number)))
            except NotCaught as error:
                told.append(f"{name} {number}: {error}")
        yield Row(name, count, told)


def table(rows: Sequence[Row]) -> str:
    """How many corruptions of each kind were tried, and how many caught."""
    total = Row("all", sum(row.tried for row in rows), [line for row in rows for line in row.told])
    lines = [f"{'corruption':<50} {'tried':>6} {'caught':>6}"]
    for kind, tried, told in (*rows, total):
        lines.append(f"{kind:<50} {tried:>6} {tried - len(told):>6}")
    return "\n".join(lines)


def main() -> int:
    """Print the table; the exit code is 1 if anything was not caught."""
    parser = argparse.ArgumentParser(prog="python -m tests.verify.audit.corruption")
    parser.add_argument("--count", metavar="N", type=int, default=10, help="tries of each kind")
    parser.add_argument("--drop", nargs=2, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    with fast_audits():
        if arguments.drop:
            group, run = arguments.drop
            drop_bombs(read_run(Path(run)), GROUPS[group])
            return 0
        started = time.perf_counter()
        with TemporaryDirectory() as temporary:
            directory = Path(temporary)
            make_runs(directory)
            for name in Runs._fields:
                audit_here(directory / name)  # or nothing that follows says anything
            rows = list(try_kinds(read_runs(directory), arguments.count))
            for group in GROUPS:
                dropped = bombs_not_caught(directory / "run", group).items()
                rows += [
                    Row(kind, 1, [f"{kind}: {told}"] if told else []) for kind, told in dropped
                ]
    click.echo(table(rows))
    click.echo(f"{time.perf_counter() - started:.0f} s")
    told = [line for row in rows for line in row.told]
    for line in told:
        click.echo(line, err=True)
    return 1 if told else 0


if __name__ == "__main__":
    sys.exit(main())
