"""Forged lists and tables: strings, witnesses and reasons."""

import json
from collections.abc import Callable
from random import Random
from typing import Final

from sanproof.proofs.kernel.files import CERTIFICATES
from sanproof.proofs.rules.san import list_order
from sanproof.proofs.verdicts.reasons import Reason
from sanproof.reports.tables.names import (
    BARE_LIST,
    FULL_LIST,
    IMPOSSIBLE,
    SUMMARY,
    SUMMARY_TEXT,
    WITNESSES,
)
from sanproof.reports.tables.summary import to_json, to_markdown
from tests.forgeries.model import Forgery, Kind, Scene, pack, sealed, text_of, with_text

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


def line_missing(name: str) -> Kind:
    """A string that is left out of a list."""

    def forge(scene: Scene) -> Forgery:
        run = scene.any_run()
        lines = text_of(run, name).split("\n")
        lines.pop(scene.random.randrange(len(lines)))
        return Forgery(with_text(run, name, "\n".join(lines)), (name,))

    return forge


def lines_exchanged(name: str) -> Kind:
    """A list in another order."""

    def forge(scene: Scene) -> Forgery:
        run = scene.any_run()
        lines = text_of(run, name).split("\n")
        a, b = scene.random.sample(range(len(lines)), 2)
        lines[a], lines[b] = lines[b], lines[a]
        return Forgery(with_text(run, name, "\n".join(lines)), (name,))

    return forge


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


KINDS: Final[dict[str, Kind]] = {
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
    "list: bare string missing": line_missing(BARE_LIST),
    "list: string missing": line_missing(FULL_LIST),
    "list: order": lines_exchanged(FULL_LIST),
    "list: impossible string": impossible_string_listed,
    "reason: another": another_reason,
}
