"""Forged manifests, summaries, and tables, whose hashes are right."""

import hashlib
import json
from collections.abc import Callable
from random import Random
from typing import Any, Final

from sanproof.proofs.rules.san import list_order
from sanproof.proofs.theory.reasons import Reason
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
from sanproof.reports.tables.outputs import WITNESS_HEADER
from sanproof.reports.tables.summary import DIMENSIONS, to_json, to_markdown
from sanproof.verify.audit.consistency import TIMES
from sanproof.verify.claims.manifest import Manifest
from tests.campaigns.forging.model import (
    OTHER_PATTERN,
    PATTERN,
    Files,
    Forgery,
    Kind,
    Scene,
    pack,
    sealed,
    text_of,
    with_text,
)
from tests.campaigns.forging.trees import (
    ANY,
    NO_TIMES,
    OF_ENTRIES,
    OF_JSON,
    OF_LISTS,
    OF_NUMBERS,
    OF_TEXTS,
    Changes,
    Place,
    Schema,
    kinds_of,
)

# --- Files of JSON, and the table of witnesses ---


def read_entries(text: str) -> dict[str, Any]:
    """Return the entries of a manifest but for its own hash."""
    entries = json.loads(text)
    return {name: entries[name] for name in Manifest._fields}


def write_entries(entries: dict[str, Any]) -> str:
    """Return a manifest whose own hash is right."""
    seal = hashlib.sha256(json.dumps(entries, indent=2).encode()).hexdigest()
    return f"{json.dumps({**entries, 'sha256': seal}, indent=2)}\n"


def write_summary(summary: dict[str, Any]) -> str:
    """Return a summary's text."""
    return to_json(summary).decode("ascii")


def one_of(*values: object) -> Changes:
    """Put one of some values in the place of another."""
    return {"one of some": lambda _value, random, _other: random.choice(values)}


def file_renamed(listed: dict[str, Any], random: Random, _: object) -> dict[str, Any]:
    name = random.choice(list(listed))
    other = random.choice((name.upper(), f"../{name}", f"/etc/{name}", f"{name}.xz", "PROOF.md"))
    return {(other if key == name else key): value for key, value in listed.items()}


def other_side_to_move(fen: str, *_: object) -> str:
    placement, side, *rest = fen.split(" ")
    return " ".join([placement, "wb"[side == "w"], *rest])


def a_king_more(fen: str, random: Random, _: object) -> str:
    """Add a king: python-chess calls moves legal in illegal positions."""
    at = fen.index("1")
    return fen[:at] + random.choice("kK") + fen[at + 1 :]


COUNTED: Final = ("by_reason", "generator", "versions")
TIMED: Final = ("times", "search")
LIES: Final = ("Checked by FIDE.", "1.0 | proved by hand", "Proved", "1" * 50, "x" * 100_000)
VERSIONS: Final = ("0.0.9", "0.1.0.dev1", "0.1", "1.9.9", "", None, 1, "\x1b[2J\n9")
OFF_BY_ONE: Final[Changes] = {"off by one": lambda n, random, _: n + random.choice((-1, 1))}
SEARCHES: Final[list[dict[str, float]]] = [
    {"witnesses": 0, "witnesses_replaced": 1, "positions_given_up": 1},
    {"witnesses": 50, "witnesses_replaced": 2, "positions_given_up": 1},
    {"witnesses": 50, "witnesses_replaced": 0, "positions_given_up": 1},
    {"witnesses": 50.5, "witnesses_replaced": 0, "positions_given_up": 0},
]
"""More replaced than there are, or positions given up of which none was replaced; half a one."""
RESPELLED: Final[list[Callable[[str], str]]] = [
    lambda fen: fen.replace(" ", "  ", 1),
    lambda fen: " ".join(fen.split()[:4]),
    lambda fen: fen.replace(" 0 1", " +0 0_1"),
    lambda fen: fen.replace(" 0 1", " 0 0"),
]
"""Texts that python-chess reads as the same position, and that are no FEN."""
OF_POSITIONS: Final[Changes] = {
    **OF_TEXTS,
    "other side to move": other_side_to_move,
    "no FEN": lambda fen, random, _: random.choice(RESPELLED)(fen),
    "a king more": a_king_more,
}
TOLD: Final[dict[str, Schema]] = {
    "manifest": Schema(
        MANIFEST,
        read_entries,
        write_entries,
        {
            "a section": Place((ANY,), OF_JSON, WITH_COVER),
            "entries": Place(("files",), {**OF_ENTRIES, "file renamed": file_renamed}),
            "entries of counts": Place(("counts",), OF_ENTRIES),
            "entries of versions": Place(("versions",), OF_ENTRIES),
            "a hash": Place(("files", ANY), OF_JSON, WITH_COVER),
            "a count": Place(("counts", ANY), OF_JSON),
            "a number": Place(("counts", ANY), dict(list(OF_NUMBERS.items())[1:4])),
            "a version": Place(("versions", ANY), OF_JSON, (SUMMARY,)),
            "version": Place(("versions", "sanproof"), one_of(*VERSIONS)),
            "free text": Place(("versions", ANY), one_of(*LIES)),
            "pattern": Place(("only",), one_of("*"), WITH_COVER),
            "pattern of nothing": Place(("only",), one_of("Z*", "", "[", "[z-a]")),
            "pattern of characters": Place(("only",), one_of(list(PATTERN))),
            # To read it takes a time that grows with the square of its length.
            "pattern of brackets": Place(("only",), one_of(*(x * 40_000 for x in "[*?]"))),
        },
    ),
    "summary": Schema(
        SUMMARY,
        json.loads,
        write_summary,
        {
            "a section": Place((ANY,), OF_JSON),
            "sections": Place((), OF_ENTRIES),
            "by_piece, a value": Place(("by_piece", ANY, ANY), OF_JSON),
            **{f"{x}, entries": Place((x,), OF_ENTRIES) for x in (*COUNTED, *TIMED)},
            **{f"{x}, a value": Place((x, ANY), OF_JSON) for x in COUNTED},
            **{f"{x}, a value": Place((x, ANY), NO_TIMES) for x in TIMED},
        },
    ),
    "summary in both forms": Schema(
        SUMMARY,
        json.loads,
        write_summary,
        {
            **{
                f"count of {name}": Place((name,), OFF_BY_ONE)
                for name in ("strings", "reachable", "impossible", "undecided")
            },
            **{f"count by {x}": Place((f"by_{x}", ANY, ANY), OFF_BY_ONE) for x in DIMENSIONS},
            "count by reason": Place(("by_reason", ANY), OFF_BY_ONE),
            "refuted formulas": Place(("refuted",), OFF_BY_ONE),
            "generator's count": Place(("generator", "strings"), OFF_BY_ONE),
            "pattern": Place(("only",), one_of(None, "*", OTHER_PATTERN)),
            "undecided strings": Place(("undecided_strings",), one_of(["Nxb1"])),
            "undecided players": Place(("undecided_players",), one_of(["Nxb1"])),
            "version": Place(("versions", ANY), {"more": lambda version, *_: f"{version}.1"}),
            "search": Place(("search",), one_of(*SEARCHES)),
        },
        also=lambda summary: {SUMMARY_TEXT: to_markdown(summary)},
    ),
    "witnesses": Schema(
        WITNESSES,
        lambda text: [line.split(",") for line in text.splitlines()[1:]],
        lambda rows: "\n".join([WITNESS_HEADER, *map(",".join, rows), ""]),
        {
            "rows": Place((), OF_LISTS),
            "fields": Place(
                (ANY,), {**OF_LISTS, "another's": lambda row, _, other: [row[0], *other[1:]]}
            ),
            "string": Place((ANY, 0), OF_TEXTS),
            "position": Place((ANY, 1), OF_POSITIONS),
            "move": Place((ANY, 2), OF_TEXTS),
            "end": Place((ANY, 3), OF_TEXTS),
        },
        lambda rows, place: (rows[place[0]][0], f"line {place[0] + 2}") if place else ("",),
    ),
}


# --- What fits no schema ---


def file_that_is_not_named(scene: Scene) -> Forgery:
    """Return a file that only a larger run has, beside one that does not name it."""
    name = scene.random.choice([name for name in WITH_COVER if name not in scene.run])
    name += scene.random.choice(("", ".xz"))
    return Forgery(scene.run | {name: scene.played[COVER_PGN]}, (name,), ("does not name it",))


def file_beside_its_packed_form(scene: Scene) -> Forgery:
    """Add a file: a reader of the other one gets unchecked data."""
    run = scene.any_run()
    name = f"{scene.random.choice(sorted(run))}.xz"
    return Forgery(run | {name: b"nonsense"}, (name,), ("does not name it",))


def only_a_packed_manifest(scene: Scene) -> Forgery:
    files = dict(scene.any_run())
    files[f"{MANIFEST}.xz"] = files.pop(MANIFEST)
    return Forgery(files, (MANIFEST,), ("cannot be read",))


def no_json(scene: Scene) -> Forgery:
    """Write text, but no JSON; or nest it, a little or more than Python reads."""
    run = scene.any_run()
    deep = scene.random.choice((400, 1200, 60_000))
    texts = [b"", b"{", b"[" * deep, b"[" * deep + b"]" * deep, b'{"times": ' * deep]
    return _another(run, scene.random.choice(texts))


def nested_deeply(scene: Scene) -> Forgery:
    """Return a part that no part of the audit reads, nested as deep as Python writes it no more."""
    run = scene.any_run()
    text = run[SUMMARY].replace(b'"undecided_strings": [', b'"undecided_strings": [' + b"[" * 1200)
    return _another(run, text.replace(b'"undecided_players"', b"]" * 1200 + b'"undecided_players"'))


def _another(run: Files, text: bytes) -> Forgery:
    return Forgery(with_text(run, SUMMARY, text), (SUMMARY,))


def respelled(scene: Scene) -> Forgery:
    """Return the same values in another layout."""
    run = scene.any_run()
    name = scene.random.choice((SUMMARY, MANIFEST))
    indent = scene.random.choice((None, 0, 1, 3, 4))
    files = run | {name: (json.dumps(json.loads(run[name]), indent=indent) + "\n").encode()}
    return Forgery(files if name == MANIFEST else sealed(files), (name,))


def entry_twice(scene: Scene) -> Forgery:
    """Write an entry twice: readers differ in which of two they take."""
    run = scene.any_run()
    number = f'"{scene.random.choice(TIMES)}": 7,'
    text = run[SUMMARY].replace(b'"times": {', b'"times": {' + number.encode())
    return _another(run, text)


def impossible_string_listed(scene: Scene) -> Forgery:
    """List an impossible string as no such one, with no witness; the counts say so too."""
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
    """Return the number of another game in the table of witnesses."""
    header, *rows, end = text_of(scene.played, WITNESSES).split("\n")
    at = scene.random.randrange(len(rows))
    fields, place = rows[at].split(","), header.split(",").index("game")
    fields[place] = str(int(fields[place]) + scene.random.choice((-1, 1)))
    rows[at] = ",".join(fields)
    files = with_text(scene.played, WITNESSES, "\n".join([header, *rows, end]))
    return Forgery(files, (WITNESSES,), (f"line {at + 2} is",))


KINDS: Final[dict[str, Kind]] = {
    **kinds_of(TOLD),
    "folder: a file that is not named": file_that_is_not_named,
    "folder: a file beside its packed form": file_beside_its_packed_form,
    "folder: only a packed manifest": only_a_packed_manifest,
    "summary: no JSON": no_json,
    "summary: nested deeply": nested_deeply,
    "summary: an entry twice": entry_twice,
    "JSON: layout": respelled,
    "witness: another game's number": game_of_a_witness,
    "list: impossible string": impossible_string_listed,
    "reason: another": another_reason,
}
