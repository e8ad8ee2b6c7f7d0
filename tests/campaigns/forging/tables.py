"""Forged manifests and summaries, whose hashes are right; and forged tables."""

import hashlib
import json
from collections.abc import Callable
from random import Random
from typing import Any, Final

from sanproof.proofs.kernel.files import CERTIFICATES
from sanproof.proofs.rules.san import list_order
from sanproof.proofs.verdicts.reasons import Reason
from sanproof.reports.archive.schema import TIMES_OF_RUN as TIMES
from sanproof.reports.tables.names import (
    BARE_LIST,
    COVER_PGN,
    FULL_LIST,
    IMPOSSIBLE,
    MANIFEST,
    SUMMARY,
    SUMMARY_TEXT,
    WITH_COVER,
    WITNESSES,
)
from sanproof.reports.tables.summary import DIMENSIONS, to_json, to_markdown
from sanproof.verify.claims.manifest import COUNTS, Manifest, make_manifest
from tests.campaigns.forging.lists import one_missing
from tests.campaigns.forging.model import (
    OTHER_PATTERN,
    PATTERN,
    Files,
    Forgery,
    Kind,
    Scene,
    of_text,
    pack,
    sealed,
    text_of,
    with_text,
)

Summary = dict[str, Any]
Entry = Callable[[dict[str, Any], Random], object]

# --- Manifests ---


def resealed(files: Files, change: Callable[[dict[str, Any]], object]) -> Files:
    """The files with a changed manifest, whose own hash is right."""
    manifest = json.loads(files[MANIFEST])
    content = {name: manifest[name] for name in Manifest._fields}
    change(content)
    seal = hashlib.sha256(json.dumps(content, indent=2).encode()).hexdigest()
    return files | {MANIFEST: f"{json.dumps({**content, 'sha256': seal}, indent=2)}\n".encode()}


def of_manifest(change: Entry, *named: str, run: str = "any") -> Kind:
    """The change of a manifest; the audit names the manifest, or one of these files."""

    def forge(scene: Scene) -> Forgery:
        start = scene.any_run() if run == "any" else getattr(scene, run)
        files = resealed(start, lambda content: change(content, scene.random))
        return Forgery(files, named or (MANIFEST,))

    return forge


def some_value(section: str, *values: object) -> Entry:
    """Put one of some values in the place of one in a section."""

    def change(content: dict[str, Any], random: Random) -> None:
        content[section][random.choice(list(content[section]))] = random.choice(values)

    return change


def the_value(section: str, *values: object) -> Entry:
    """Put one of some values in the place of a section."""
    return lambda content, random: content.update({section: random.choice(values)})


def entry_missing(*sections: str) -> Entry:
    """Leave out an entry of a section."""

    def change(content: dict[str, Any], random: Random) -> None:
        entries = content[random.choice(sections)]
        del entries[random.choice(list(entries))]

    return change


def free_text(content: dict[str, Any], random: Random) -> None:
    """Where somebody could have the page for people say what they like."""
    name = random.choice((*content["versions"], "Proof"))
    lies = ["Checked by FIDE.", "1.0 | proved by hand", "Proved", "1" * 50, "x" * 100_000]
    content["versions"][name] = random.choice(lies)


def count_off_by_one(content: dict[str, Any], random: Random) -> None:
    name = random.choice([name for name in COUNTS if content["counts"][name]])
    content["counts"][name] += random.choice((-1, 1))


def another_shape(content: dict[str, Any], random: Random) -> None:
    name = random.choice(list(content))
    parts = content[name]
    listed = [] if parts is None else list(parts)
    shapes: list[Any] = [1, [], {}, listed, list(parts.items()) if isinstance(parts, dict) else {}]
    content[name] = random.choice(shapes)


def manifest_nested(content: dict[str, Any], random: Random) -> None:
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


VERSIONS: Final = ("0.0.9", "0.1.0.dev1", "0.1", "1.9.9", "", None, 1, "\x1b[2J\n9")
MANIFESTS: Final[dict[str, Kind]] = {
    "manifest: version": of_manifest(
        lambda content, random: content["versions"].update(sanproof=random.choice(VERSIONS))
    ),
    "manifest: free text": of_manifest(free_text),
    "manifest: version missing": of_manifest(entry_missing("versions")),
    "manifest: hash": of_manifest(
        some_value("files", "", None, "0" * 64, {}), MANIFEST, *WITH_COVER
    ),
    "manifest: count": of_manifest(some_value("counts", None, "", [1], -1, 10**6)),
    "manifest: count off by one": of_manifest(count_off_by_one),
    "manifest: count that is no number": of_manifest(
        some_value("counts", float("nan"), float("inf"), True, 1.5, 10**4000)
    ),
    "manifest: pattern": of_manifest(
        the_value("only", None, OTHER_PATTERN, 7, True, {"*": 1}), MANIFEST, *WITH_COVER, run="run"
    ),
    "manifest: pattern of nothing": of_manifest(the_value("only", "Z*", "", "[", "[z-a]")),
    "manifest: pattern of characters": of_manifest(the_value("only", list(PATTERN))),
    # To read it takes a time that grows with the square of its length.
    "manifest: pattern of brackets": of_manifest(the_value("only", *(x * 40_000 for x in "[*?]"))),
    "manifest: list of files": of_manifest(
        lambda content, _: content.update(files=sorted(content["files"]))
    ),
    "manifest: shape": of_manifest(another_shape),
    "manifest: entry missing": of_manifest(entry_missing("files", "counts")),
    "manifest: nested deeply": of_manifest(manifest_nested),
    "manifest: file renamed": of_manifest(file_renamed),
    "folder: a file that is not named": file_that_is_not_named,
    "folder: a file beside its packed form": file_beside_its_packed_form,
    "folder: only a packed manifest": only_a_packed_manifest,
}


# --- Counts: the summary, and the page for people ---


def of_summary(change: Callable[[Summary, Random], object]) -> Kind:
    """A change in both forms of the summary; the manifest has the true counts."""

    def forge(scene: Scene) -> Forgery:
        run = scene.any_run()
        summary = json.loads(run[SUMMARY])
        change(summary, scene.random)
        files = run | {SUMMARY: to_json(summary), SUMMARY_TEXT: to_markdown(summary)}
        return Forgery(with_true_counts(files, run), (SUMMARY,))

    return forge


def with_true_counts(files: Files, run: Files) -> Files:
    """The files with a manifest that has the counts of a sound run."""
    content = {name: text for name, text in files.items() if name != MANIFEST}
    return content | {MANIFEST: make_manifest(content, json.loads(run[SUMMARY]))}


def count_changed(summary: Summary, random: Random) -> None:
    rows = [row for name in DIMENSIONS for row in summary[f"by_{name}"].values()]
    rows += [part for part in (summary["games"], summary["cover"]) if part]
    table = random.choice([summary, summary["by_reason"], *rows])
    name = random.choice([name for name in table if isinstance(table[name], int)])
    table[name] += random.choice((-1, 1))


def generator_count_changed(summary: Summary, random: Random) -> None:
    summary["generator"]["strings"] += random.choice((-1, 1))


def pattern_changed(summary: Summary, random: Random) -> None:
    summary["only"] = random.choice([None, "*", OTHER_PATTERN])


def undecided_string_named(summary: Summary, random: Random) -> None:
    name = random.choice(("undecided_strings", "undecided_players"))
    summary[name] = ["Nxb1"]


def version_changed(summary: Summary, random: Random) -> None:
    summary["versions"][random.choice(list(summary["versions"]))] += ".1"


def times_that_are_none(summary: Summary, random: Random) -> None:
    """Of times the audit knows only that they are numbers."""
    times = summary[random.choice(("search", "times"))]
    wrong = ["1", True, None, [1.5], {}, float("nan"), float("inf"), -1, 10**400, 1e300]
    times[random.choice(list(times))] = random.choice(wrong)


def times_of_another_name(summary: Summary, random: Random) -> None:
    times = summary[random.choice(("search", "times"))]
    times["this_run_is_proved_by_god"] = times.pop(random.choice(list(times)))


def search_that_does_not_fit(summary: Summary, random: Random) -> None:
    """More witnesses replaced than there are, or positions given up of which none was replaced."""
    lies: list[Summary] = [
        {"witnesses": 0, "witnesses_replaced": 1, "positions_given_up": 1},
        {"witnesses": 50, "witnesses_replaced": 2, "positions_given_up": 1},
        {"witnesses": 50, "witnesses_replaced": 0, "positions_given_up": 1},
        {"witnesses": 50.5, "witnesses_replaced": 0, "positions_given_up": 0},
    ]
    summary["search"] = random.choice(lies)


def of_another_shape(scene: Scene) -> Forgery:
    """JSON, but not what a summary is."""
    run = scene.any_run()
    summary = json.loads(run[SUMMARY])
    shapes = [b"[]", b"7", b"{}", to_json({"times": {}})]
    for name in ("search", "times"):
        shapes += [to_json(summary | {name: shape}) for shape in (None, 1, [1.5], "")]
    return _another(run, scene.random.choice(shapes))


def no_json(scene: Scene) -> Forgery:
    """Text, but no JSON; or nested, a little or more than Python reads."""
    run = scene.any_run()
    deep = scene.random.choice((400, 1200, 60_000))
    texts = [b"", b"{", b"[" * deep, b"[" * deep + b"]" * deep, b'{"times": ' * deep]
    return _another(run, scene.random.choice(texts))


def nested_deeply(scene: Scene) -> Forgery:
    """A part that no part of the audit reads, nested as deep as Python writes it no more."""
    run = scene.any_run()
    text = run[SUMMARY].replace(b'"undecided_strings": [', b'"undecided_strings": [' + b"[" * 1200)
    return _another(run, text.replace(b'"undecided_players"', b"]" * 1200 + b'"undecided_players"'))


def _another(run: Files, text: bytes) -> Forgery:
    return Forgery(with_true_counts(run | {SUMMARY: text}, run), (SUMMARY,))


def respelled(scene: Scene) -> Forgery:
    """The same values in another layout."""
    run = scene.any_run()
    name = scene.random.choice((SUMMARY, MANIFEST))
    indent = scene.random.choice((None, 0, 1, 3, 4))
    files = run | {name: (json.dumps(json.loads(run[name]), indent=indent) + "\n").encode()}
    return Forgery(files if name == MANIFEST else sealed(files), (name,))


def entry_twice(scene: Scene) -> Forgery:
    """Readers differ in which of two they take."""
    run = scene.any_run()
    number = f'"{scene.random.choice(TIMES)}": 7,'
    text = run[SUMMARY].replace(b'"times": {', b'"times": {' + number.encode())
    return _another(run, text)


SUMMARIES: Final[dict[str, Kind]] = {
    "summary: count": of_summary(count_changed),
    "summary: generator's count": of_summary(generator_count_changed),
    "summary: pattern": of_summary(pattern_changed),
    "summary: undecided string": of_summary(undecided_string_named),
    "summary: version": of_summary(version_changed),
    "summary: times": of_summary(times_that_are_none),
    "summary: times of another name": of_summary(times_of_another_name),
    "summary: search": of_summary(search_that_does_not_fit),
    "summary: shape": of_another_shape,
    "summary: no JSON": no_json,
    "summary: nested deeply": nested_deeply,
    "summary: an entry twice": entry_twice,
    "JSON: layout": respelled,
}


# --- Tables ---

UNDECIDED: Final = (WITNESSES, CERTIFICATES)
"""A string that is neither witnessed nor refuted is missing in either."""

Rows = list[list[str]]


def forged_rows(change: Callable[[Rows, Random], str], *named: str) -> Kind:
    """A change of the witnesses of a run without games, which returns the string it is about."""

    def forge(scene: Scene) -> Forgery:
        header, *lines, end = text_of(scene.run, WITNESSES).split("\n")
        rows = [line.split(",") for line in lines]
        item = change(rows, scene.random)
        text = "\n".join([header, *map(",".join, rows), end])
        return Forgery(with_text(scene.run, WITNESSES, text), named or (WITNESSES,), (item,))

    return forge


def two_rows(rows: Rows, random: Random, differing_in: int = 0) -> tuple[list[str], list[str]]:
    """Two rows that differ in a field."""
    a, b = random.sample(rows, 2)
    while a[differing_in] == b[differing_in]:
        a, b = random.sample(rows, 2)
    return a, b


def witness_of_another_string(rows: Rows, random: Random) -> str:
    a, b = two_rows(rows, random)
    a[1:] = b[1:]
    return a[0]


def row_of_another_string(rows: Rows, random: Random) -> str:
    a, b = two_rows(rows, random)
    string, a[:] = a[0], b
    return string


def another_end(rows: Rows, random: Random) -> str:
    a, b = two_rows(rows, random, 3)
    a[3] = b[3]
    return a[0]


def another_move(rows: Rows, random: Random) -> str:
    a, b = two_rows(rows, random, 2)
    a[2] = b[2]
    return a[0]


def other_side_to_move(rows: Rows, random: Random) -> str:
    row = random.choice(rows)
    placement, side, *rest = row[1].split(" ")
    row[1] = " ".join([placement, "wb"[side == "w"], *rest])
    return row[0]


def row_missing(rows: Rows, random: Random) -> str:
    return rows.pop(random.randrange(len(rows)))[0]


def field_too_many(rows: Rows, random: Random) -> str:
    number = random.randrange(len(rows))
    rows[number].append("")
    return f"line {number + 2}"


def field_missing(rows: Rows, random: Random) -> str:
    number = random.randrange(len(rows))
    del rows[number][random.randrange(4)]
    return f"line {number + 2}"


def fen_respelled(rows: Rows, random: Random) -> str:
    """A text that python-chess reads as the same position, and that is no FEN."""
    row = random.choice(rows)
    respelled: list[Callable[[str], str]] = [
        lambda fen: fen.replace(" ", "  ", 1),
        lambda fen: " ".join(fen.split()[:4]),
        lambda fen: fen.replace(" 0 1", " +0 0_1"),
        lambda fen: fen.replace(" 0 1", " 0 0"),
    ]
    row[1] = random.choice(respelled)(row[1])
    return row[0]


def two_kings(rows: Rows, random: Random) -> str:
    """python-chess calls moves legal in positions that are none."""
    row = random.choice(rows)
    place = row[1].index("1")
    row[1] = row[1][:place] + random.choice("kK") + row[1][place + 1 :]
    return row[0]


def impossible_string_listed(scene: Scene) -> Forgery:
    """In the list and not among the impossible, with no witness; the counts say so too."""
    header, *rows, end = text_of(scene.run, IMPOSSIBLE).split("\n")
    san = rows.pop(scene.random.randrange(len(rows))).split(",")[0]
    files = dict(scene.run)
    files[IMPOSSIBLE] = pack(IMPOSSIBLE, "\n".join([header, *rows, end]).encode())
    for name in (BARE_LIST, FULL_LIST)[san[-1] in "+#" :]:
        listed = [*files[name].decode().split("\n"), san]
        files[name] = "\n".join(sorted(listed, key=list_order)).encode()
    summary = json.loads(files[SUMMARY])
    summary["reachable"] += 1
    summary["impossible"] -= 1
    files |= {SUMMARY: to_json(summary), SUMMARY_TEXT: to_markdown(summary)}
    return Forgery(sealed(files), (BARE_LIST, FULL_LIST), (f"'{san}'",))


def another_reason(scene: Scene) -> Forgery:
    lines = text_of(scene.run, IMPOSSIBLE).split("\n")
    at = scene.random.randrange(1, len(lines) - 1)
    san, why = lines[at].split(",")
    others = [reason.value for reason in Reason if reason.value != why]
    lines[at] = f"{san},{scene.random.choice([*others, '', 'no-reason'])}"
    files = with_text(scene.run, IMPOSSIBLE, "\n".join(lines))
    return Forgery(files, (IMPOSSIBLE,), (f"should be '{san},{why}'",))


def game_of_a_witness(scene: Scene) -> Forgery:
    """The number of another game in the table of witnesses."""
    header, *rows, end = text_of(scene.played, WITNESSES).split("\n")
    at = scene.random.randrange(len(rows))
    fields, place = rows[at].split(","), header.split(",").index("game")
    fields[place] = str(int(fields[place]) + scene.random.choice((-1, 1)))
    rows[at] = ",".join(fields)
    files = with_text(scene.played, WITNESSES, "\n".join([header, *rows, end]))
    return Forgery(files, (WITNESSES,), (f"line {at + 2} is",))


TABLES: Final[dict[str, Kind]] = {
    "witness: another string's": forged_rows(witness_of_another_string),
    "witness: another string's row": forged_rows(row_of_another_string, *UNDECIDED),
    "witness: another move's end": forged_rows(another_end),
    "witness: another move": forged_rows(another_move),
    "witness: other side to move": forged_rows(other_side_to_move),
    "witness: row missing": forged_rows(row_missing, *UNDECIDED),
    "witness: field too many": forged_rows(field_too_many),
    "witness: field missing": forged_rows(field_missing),
    "witness: no FEN": forged_rows(fen_respelled),
    "witness: a king more": forged_rows(two_kings),
    "witness: another game's number": game_of_a_witness,
    "list: bare string missing": of_text(
        BARE_LIST, lambda text, r: "\n".join(one_missing(text.split("\n"), r))
    ),
    "list: impossible string": impossible_string_listed,
    "reason: another": another_reason,
}
KINDS: Final[dict[str, Kind]] = {**MANIFESTS, **SUMMARIES, **TABLES}
