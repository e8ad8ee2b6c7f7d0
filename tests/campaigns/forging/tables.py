"""Forged manifests and summaries, whose hashes are right; and forged tables."""

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
from tests.campaigns.forging.trees import Change, of_manifest, with_true_counts

Summary = dict[str, Any]
Entry = Callable[[dict[str, Any], Random], object]

# --- Manifests ---


def some(change: Entry) -> Change:
    """Change a section in place."""

    def changed(content: dict[str, Any], random: Random, _: object) -> dict[str, Any]:
        change(content, random)
        return content

    return changed


def of_entries(change: Entry, *named: str) -> Kind:
    """Change the manifest in place."""
    return of_manifest((), some(change), *named)


def free_text(content: dict[str, Any], random: Random) -> None:
    """Where somebody could have the page for people say what they like."""
    name = random.choice((*content["versions"], "Proof"))
    lies = ["Checked by FIDE.", "1.0 | proved by hand", "Proved", "1" * 50, "x" * 100_000]
    content["versions"][name] = random.choice(lies)


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
    "manifest: version": of_entries(lambda c, r: c["versions"].update(sanproof=r.choice(VERSIONS))),
    "manifest: free text": of_entries(free_text),
    "manifest: pattern": of_entries(lambda c, _: c.update(only="*"), *WITH_COVER),
    # To read brackets takes a time that grows with the square of their number.
    **{
        f"manifest: pattern of {name}": of_entries(
            lambda c, r, some=some: c.update(only=r.choice(some))
        )
        for name, some in {
            "nothing": ("Z*", "", "[", "[z-a]"),
            "no text": (None, 7, True, {"*": 1}, list(PATTERN)),
            "brackets": tuple(x * 40_000 for x in "[*?]"),
        }.items()
    },
    "manifest: list of files": of_entries(lambda c, _: c.update(files=sorted(c["files"]))),
    "manifest: file renamed": of_entries(file_renamed),
    "folder: a file that is not named": file_that_is_not_named,
    "folder: a file beside its packed form": file_beside_its_packed_form,
    "folder: only a packed manifest": only_a_packed_manifest,
}


# --- Counts: the summary, and the page for people ---


def in_both(change: Callable[[Summary, Random], object]) -> Kind:
    """Change both forms of the summary; the manifest has the true counts."""

    def forge(scene: Scene) -> Forgery:
        run = scene.any_run()
        summary = json.loads(run[SUMMARY])
        change(summary, scene.random)
        files = run | {SUMMARY: to_json(summary), SUMMARY_TEXT: to_markdown(summary)}
        return Forgery(with_true_counts(files, run), (SUMMARY,))

    return forge


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


def search_that_does_not_fit(summary: Summary, random: Random) -> None:
    """More witnesses replaced than there are, or positions given up of which none was replaced."""
    lies: list[Summary] = [
        {"witnesses": 0, "witnesses_replaced": 1, "positions_given_up": 1},
        {"witnesses": 50, "witnesses_replaced": 2, "positions_given_up": 1},
        {"witnesses": 50, "witnesses_replaced": 0, "positions_given_up": 1},
        {"witnesses": 50.5, "witnesses_replaced": 0, "positions_given_up": 0},
    ]
    summary["search"] = random.choice(lies)


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
    "summary: count": in_both(count_changed),
    "summary: generator's count": in_both(generator_count_changed),
    "summary: pattern": in_both(pattern_changed),
    "summary: undecided string": in_both(undecided_string_named),
    "summary: version": in_both(version_changed),
    "summary: search": in_both(search_that_does_not_fit),
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


def witness_of_another_string(rows: Rows, random: Random) -> str:
    a, b = random.sample(rows, 2)
    a[1:] = b[1:]
    return a[0]


def other_side_to_move(rows: Rows, random: Random) -> str:
    row = random.choice(rows)
    placement, side, *rest = row[1].split(" ")
    row[1] = " ".join([placement, "wb"[side == "w"], *rest])
    return row[0]


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
    "witness: other side to move": forged_rows(other_side_to_move),
    "witness: no FEN": forged_rows(fen_respelled),
    "witness: a king more": forged_rows(two_kings),
    "witness: another game's number": game_of_a_witness,
    "list: impossible string": impossible_string_listed,
    "reason: another": another_reason,
}
KINDS: Final[dict[str, Kind]] = {**MANIFESTS, **SUMMARIES, **TABLES}
