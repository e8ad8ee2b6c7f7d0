"""The page itself: its counts, tables and links, as text that is safe to stand in HTML."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from importlib.resources import files
from string import Template
from typing import Any, Final
from urllib.parse import quote

from proofs.rules.san import (
    CAPTURES,
    CASTLINGS,
    FILE_LETTERS,
    PROMOTIONS,
    RANK_DIGITS,
    SUFFIXES,
    San,
    parse_san,
)
from proofs.verdicts.reasons import NAMES, RULES, SENTENCES, TWINS
from reports.exports.archive import Archive
from reports.page.mechanisms import count_mechanisms
from reports.page.shards import CASTLING, LETTERS, REACHABLE, UNDECIDED, to_json
from reports.tables.survey import discriminator

CLAIMS: Final = (28_822, 28_946, 29_064, 29_274, 29_724, 29_754, 30_474, 37_302)
"""The answers published by others."""

EXAMPLE: Final = "Qb6e3#"
TRIES: Final = (EXAMPLE, "O-O-O+", "exd8=N#", "Ba1b2+", "Ke1e2", "b1=K")
MOST_EXAMPLES: Final = 4
Rows = Iterable[Sequence[str | int]]


def index_page(archive: Archive) -> bytes:
    """``index.html``."""
    sans = [parse_san(text) for text in archive.strings()]
    template = Template(files(__package__).joinpath("static", "index.html").read_text("utf-8"))
    return template.substitute(
        headline=_headline(archive.summary),
        tries=", ".join(map(_link, TRIES)),
        counts=_counts(archive.summary, sans),
        rare=_rare(archive, sans),
        never=_never(archive.summary, sans),
        downloads=_downloads(archive),
        footer=_footer(archive),
        data=to_json(_data(archive.summary, sans)),
    ).encode("utf-8")


def _data(summary: Mapping[str, Any], sans: list[San]) -> dict[str, Any]:
    """What the scripts need to know: the order of a shard's strings, reasons, and the atlas."""
    strings = {str(san) for san in sans}
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for san in sans:
        if san.piece not in CASTLINGS:
            counts[san.piece][san.destination] += 1
    return {
        "only": summary["only"],
        "example": EXAMPLE if EXAMPLE in strings else max(strings, default=""),
        "castling": CASTLING,
        "castlings": CASTLINGS,
        "parts": {
            "files": FILE_LETTERS,
            "ranks": RANK_DIGITS,
            "captures": CAPTURES,
            "promotions": PROMOTIONS,
            "suffixes": SUFFIXES,
        },
        "reachable": REACHABLE,
        "undecided": UNDECIDED,
        "reasons": {
            LETTERS[why.value]: {"name": why.value, "template": template, "rule": RULES[why]}
            for why, template in SENTENCES.items()
        },
        "names": NAMES,
        "twins": [[TWINS[file, rank] for rank in (False, True)] for file in (False, True)],
        "counts": counts,
    }


def _headline(summary: Mapping[str, Any]) -> str:
    only = summary["only"]
    of = f"that match {_code(only)}" if only else "that the SAN grammar derives"
    undecided = f"; {_number(summary['undecided'])} are undecided" if summary["undecided"] else ""
    how = (
        "each is shown here in a legal game from the starting array"
        if summary.get("games")
        else "each is shown here in a position; games were not looked for"
    )
    return (
        f"Of the {_number(summary['strings'])} strings {of}, "
        f"<strong>{_number(summary['reachable'])}</strong> can be written for a move: {how}. "
        f"{_number(summary['impossible'])} cannot, each for a reason{undecided}."
    )


def _counts(summary: Mapping[str, Any], sans: list[San]) -> str:
    by_piece = Counter((_piece(san), san.suffix) for san in sans)
    rows: list[list[str | int]] = [
        [name, sum(counts), *counts]
        for name in dict.fromkeys(_piece(san) for san in sans)
        for counts in [[by_piece[name, suffix] for suffix in SUFFIXES]]
    ]
    rows.sort(key=lambda row: -int(row[1]))
    suffixes = Counter(san.suffix for san in sans)
    rows.append(["all", len(sans), *(suffixes[suffix] for suffix in SUFFIXES)])
    caption = "Strings that can be written"
    table = _table(caption, ["piece", "all", "no suffix", "with +", "with #"], rows)
    reasons: Rows = [[why, _rule(why), number] for why, number in summary["by_reason"].items()]
    why = _table("Why strings are impossible", ["reason", "rule", "strings"], reasons)
    return table + _claims(summary) + why + _players(summary)


def _claims(summary: Mapping[str, Any]) -> str:
    if summary["only"]:
        return "<p>The published counts are of all strings, and this run is about a part.</p>"
    found = summary["reachable"]
    rows = [[f"{claim:,}", _difference(claim - found)] for claim in CLAIMS]
    return _table("Counts published by others", ["count", "against this run's"], rows)


def _difference(difference: int) -> str:
    if not difference:
        return "the same"
    return f"{abs(difference):,} too {'many' if difference > 0 else 'few'}"


def _players(summary: Mapping[str, Any]) -> str:
    games = summary.get("games")
    if not games:
        return "<p>This run looked for positions only, not for games.</p>"
    by_player = "; ".join(
        f"{_number(number)} by {escape(who)}" for who, number in games["strings_by_player"].items()
    )
    return (
        f"<p>{_number(games['games'])} games, {games['plies_mean']} plies in the mean, each ending "
        f"in checkmate. Strings by who can play them: {by_player}.</p>"
    )


def _rare(archive: Archive, sans: list[San]) -> str:
    mechanisms: Rows = [
        [piece, who, len(strings), _links(strings[:MOST_EXAMPLES])]
        for (piece, who), strings in count_mechanisms(archive.witnesses()).items()
    ]
    forms: dict[tuple[str, str], list[str]] = defaultdict(list)
    for san in sans:
        forms[_piece(san), _form(san)].append(str(san))
    rarest: Rows = [
        [piece, form, len(strings), _links(strings[:MOST_EXAMPLES])]
        for (piece, form), strings in sorted(forms.items(), key=lambda item: (len(item[1]), item))
    ]
    return (
        "<p>Who gives check in the positions shown here, rarest first. The same string may give "
        "check in another way elsewhere; a king's move, only by discovery or by castling.</p>"
        + _table("How check is given", ["piece", "check by", "strings", "such as"], mechanisms)
        + "<p>And what is written, rarest first.</p>"
        + _table("What is written", ["piece", "written", "strings", "such as"], rarest)
    )


def _form(san: San) -> str:
    if san.piece in CASTLINGS:
        return san.piece
    parts = [] if san.piece in ("", "K") else [discriminator(san)]
    parts += ["capture"] if san.capture else []
    parts += ["promotion"] if san.promotion else []
    return ", ".join(parts) or "nothing but the destination"


def _never(summary: Mapping[str, Any], sans: list[San]) -> str:
    strings = {str(san) for san in sans}
    bare = [san for san in sans if not san.suffix]
    if summary["undecided"] or summary["only"]:
        return "<p>This can only be said of a finished run about all strings.</p>"
    without = [str(san) for san in bare if f"{san}+" not in strings and f"{san}#" not in strings]
    by_piece: dict[str, list[str]] = defaultdict(list)
    for text in without:
        by_piece[_piece(parse_san(text))].append(text)
    lists = "".join(
        f"<details><summary>{escape(piece)}: {_number(len(texts))}</summary>"
        f'<p class="links">{_links(texts)}</p></details>'
        for piece, texts in by_piece.items()
    )
    return (
        "<p>If every move could give check and mate, at least by discovery, there would be three "
        f"strings for each of the {_number(len(bare))} without a suffix, "
        f"{_number(3 * len(bare))} in all. But {_number(len(without))} of them never give "
        f"check.</p>{lists}"
    )


def _downloads(archive: Archive) -> str:
    rows: Rows = [
        [_Markup(f'<a href="downloads/{quote(name)}" download>{escape(name)}</a>'), len(content)]
        for name, content in archive.files()
    ]
    return _table("Files of the run", ["file", "bytes"], rows) + (
        '<p><a href="downloads/manifest.json" download>manifest.json</a> has the hash of each. '
        "<code>sanproof audit</code> checks all of it again, without a solver.</p>"
    )


def _footer(archive: Archive) -> str:
    versions = archive.summary.get("versions", {})
    made = ", ".join(f"{escape(str(tool))} {escape(str(v))}" for tool, v in versions.items())
    return (
        f'<p class="small">Decided with {made}. Data: CC0 1.0. This page: GPL-3.0-or-later; board '
        "and pieces by the authors of Lichess's chessground, moves by chessops "
        '(<a href="LICENSES.txt">licences</a>).</p>'
    )


class _Markup(str):
    """Text that is HTML already."""

    __slots__ = ()


def _table(caption: str, header: Sequence[str], rows: Rows) -> str:
    rows = list(rows)
    numeric = [isinstance(value, int) for value in rows[0]] if rows else [False] * len(header)
    classes = [' class="number"' if is_number else "" for is_number in numeric]
    head = "".join(
        f'<th scope="col"{kind}>{escape(name)}</th>'
        for kind, name in zip(classes, header, strict=True)
    )
    body = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in rows)
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{escape(caption)}"><table>'
        f"<caption>{escape(caption)}</caption>"
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _cell(value: str | int) -> str:
    if isinstance(value, int):
        return f'<td class="number">{_number(value)}</td>'
    if isinstance(value, _Markup):
        return f"<td>{value}</td>"
    long = ' class="rule"' if " " in value else ""
    return f"<td{long}>{escape(value)}</td>"


def _links(strings: Iterable[str]) -> _Markup:
    return _Markup(" ".join(map(_link, strings)))


def _link(text: str) -> _Markup:
    return _Markup(f'<a class="san" href="#{quote(text, safe="")}">{escape(text)}</a>')


def _code(text: str) -> str:
    return f"<code>{escape(text)}</code>"


def _number(value: int) -> str:
    return f"{value:,}"


def _rule(reason: str) -> str:
    return next((rule for why, rule in RULES.items() if why.value == reason), "")


def _piece(san: San) -> str:
    return "castling" if san.piece in CASTLINGS else NAMES[san.piece]
