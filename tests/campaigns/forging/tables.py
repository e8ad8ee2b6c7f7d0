"""Forged manifests and summaries, whose hashes are right; and forged tables."""

import json
from collections.abc import Callable
from random import Random
from typing import Any, Final

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
    Change,
    Path,
    changed,
    of_manifest,
    of_witnesses,
    with_true_counts,
)

# --- Manifests ---


LIES: Final = ("Checked by FIDE.", "1.0 | proved by hand", "Proved", "1" * 50, "x" * 100_000)
VERSIONS: Final = ("0.0.9", "0.1.0.dev1", "0.1", "1.9.9", "", None, 1, "\x1b[2J\n9")


def one_of(*values: object) -> Change:
    """Put one of some values in the place of another."""
    return lambda _value, random, _other: random.choice(values)


def file_renamed(listed: dict[str, Any], random: Random, _: object) -> dict[str, Any]:
    name = random.choice(list(listed))
    other = random.choice((name.upper(), f"../{name}", f"/etc/{name}", f"{name}.xz", "PROOF.md"))
    return {(other if key == name else key): value for key, value in listed.items()}


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


MANIFESTS: Final[dict[str, Kind]] = {
    "manifest: version": of_manifest(("versions", "sanproof"), one_of(*VERSIONS)),
    "manifest: free text": of_manifest(("versions", ANY), one_of(*LIES)),
    "manifest: pattern": of_manifest(("only",), one_of("*"), *WITH_COVER),
    "manifest: pattern of nothing": of_manifest(("only",), one_of("Z*", "", "[", "[z-a]")),
    "manifest: pattern of characters": of_manifest(("only",), one_of(list(PATTERN))),
    # To read it takes a time that grows with the square of its length.
    "manifest: pattern of brackets": of_manifest(("only",), one_of(*(x * 40_000 for x in "[*?]"))),
    "manifest: file renamed": of_manifest(("files",), file_renamed),
    "folder: a file that is not named": file_that_is_not_named,
    "folder: a file beside its packed form": file_beside_its_packed_form,
    "folder: only a packed manifest": only_a_packed_manifest,
}


# --- Counts: the summary, and the page for people ---


def in_both(path: Path, change: Change) -> Kind:
    """Change both forms of the summary; the manifest has the true counts."""

    def forge(scene: Scene) -> Forgery:
        run = scene.any_run()
        summary = changed(json.loads(run[SUMMARY]), path, change, scene.random)[1]
        files = run | {SUMMARY: to_json(summary), SUMMARY_TEXT: to_markdown(summary)}
        return Forgery(with_true_counts(files, run), (SUMMARY,))

    return forge


def off_by_one(count: int, random: Random, _: object) -> int:
    return count + random.choice((-1, 1))


SEARCHES: Final[list[dict[str, float]]] = [
    {"witnesses": 0, "witnesses_replaced": 1, "positions_given_up": 1},
    {"witnesses": 50, "witnesses_replaced": 2, "positions_given_up": 1},
    {"witnesses": 50, "witnesses_replaced": 0, "positions_given_up": 1},
    {"witnesses": 50.5, "witnesses_replaced": 0, "positions_given_up": 0},
]
"""More replaced than there are, or positions given up of which none was replaced; half a one."""


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
    **{
        f"summary: count of {name}": in_both((name,), off_by_one)
        for name in ("strings", "reachable", "impossible", "undecided")
    },
    **{
        f"summary: count by {name}": in_both((f"by_{name}", ANY, ANY), off_by_one)
        for name in DIMENSIONS
    },
    "summary: count by reason": in_both(("by_reason", ANY), off_by_one),
    "summary: generator's count": in_both(("generator", "strings"), off_by_one),
    "summary: pattern": in_both(("only",), one_of(None, "*", OTHER_PATTERN)),
    "summary: undecided strings": in_both(("undecided_strings",), one_of(["Nxb1"])),
    "summary: undecided players": in_both(("undecided_players",), one_of(["Nxb1"])),
    "summary: version": in_both(("versions", ANY), lambda version, *_: f"{version}.1"),
    "summary: search": in_both(("search",), one_of(*SEARCHES)),
    "summary: no JSON": no_json,
    "summary: nested deeply": nested_deeply,
    "summary: an entry twice": entry_twice,
    "JSON: layout": respelled,
}


# --- Tables ---

RESPELLED: Final[list[Callable[[str], str]]] = [
    lambda fen: fen.replace(" ", "  ", 1),
    lambda fen: " ".join(fen.split()[:4]),
    lambda fen: fen.replace(" 0 1", " +0 0_1"),
    lambda fen: fen.replace(" 0 1", " 0 0"),
]
"""Texts that python-chess reads as the same position, and that are no FEN."""


def other_side_to_move(fen: str, *_: object) -> str:
    placement, side, *rest = fen.split(" ")
    return " ".join([placement, "wb"[side == "w"], *rest])


def a_king_more(fen: str, random: Random, _: object) -> str:
    """python-chess calls moves legal in positions that are none."""
    at = fen.index("1")
    return fen[:at] + random.choice("kK") + fen[at + 1 :]


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
    "witness: another string's": of_witnesses((ANY,), lambda row, _, other: [row[0], *other[1:]]),
    "witness: other side to move": of_witnesses((ANY, 1), other_side_to_move),
    "witness: no FEN": of_witnesses((ANY, 1), lambda fen, r, _: r.choice(RESPELLED)(fen)),
    "witness: a king more": of_witnesses((ANY, 1), a_king_more),
    "witness: another game's number": game_of_a_witness,
    "list: impossible string": impossible_string_listed,
    "reason: another": another_reason,
}
KINDS: Final[dict[str, Kind]] = {**MANIFESTS, **SUMMARIES, **TABLES}
