"""The page itself: its counts, tables and links, all made by :mod:`reports.page.markup`."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from importlib.resources import files
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
)
from proofs.verdicts.reasons import NAMES, RULES, SENTENCES, TWINS
from reports.page.claims import CLAIMS
from reports.page.contents import Contents
from reports.page.downloads import size
from reports.page.markup import Markup, Value, document, html, joined, json_data
from reports.page.mechanisms import count_mechanisms
from reports.page.shards import CASTLING, LETTERS, REACHABLE, UNDECIDED
from reports.tables.survey import discriminator

EXAMPLE: Final = "Qb6e3#"
TRIES: Final = (EXAMPLE, "O-O-O+", "exd8=N#", "Ba1b2+", "Ke1e2", "b1=K")
MOST_EXAMPLES: Final = 4
Row = Sequence[Value]


def index_page(contents: Contents) -> bytes:
    """``index.html``.

    Raises:
        ArchiveError: A witness of the run is not a legal move.
    """
    template = files(__package__).joinpath("static", "index.html").read_text("utf-8")
    values = {
        "headline": _headline(contents),
        "tries": joined(map(_link, TRIES), ", "),
        "counts": _counts(contents),
        "kinds": _kinds(contents),
        "never": _never(contents),
        "downloads": _downloads(contents),
        "footer": _footer(contents),
        "data": json_data(_data(contents)),
    }
    return document(template, values)


def _data(contents: Contents) -> dict[str, Any]:
    """What the scripts need to know: the order of a shard's strings, reasons, and the atlas."""
    strings = {str(san) for san in contents.reachable}
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for san in contents.reachable:
        if san.piece not in CASTLINGS:
            counts[san.piece][san.destination] += 1
    return {
        "only": contents.only,
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
            LETTERS[why]: {"name": why.value, "template": template, "rule": RULES[why]}
            for why, template in SENTENCES.items()
        },
        "names": NAMES,
        "twins": [[TWINS[file, rank] for rank in (False, True)] for file in (False, True)],
        "counts": counts,
    }


def _headline(contents: Contents) -> Markup:
    reachable, impossible = len(contents.reachable), len(contents.impossible)
    of: Value = "that the SAN grammar allows"
    if contents.only is not None:
        of = html("that match <code>{only}</code>", only=contents.only)
    undecided: Value = ""
    if contents.undecided:
        undecided = html(" {number} are undecided.", number=contents.undecided)
    return html(
        "Of the {strings} strings {of}, <strong>{reachable}</strong> can be written for a move: "
        "{how} The other {impossible} are impossible, and the page says why.{undecided}",
        strings=reachable + impossible + contents.undecided,
        of=of,
        reachable=reachable,
        how=(
            "look one up and see a legal game in which it is played."
            if contents.games
            else "look one up and see a position in which it is played."
        ),
        impossible=impossible,
        undecided=undecided,
    )


def _counts(contents: Contents) -> Markup:
    by_piece = Counter((_piece(san), san.suffix) for san in contents.reachable)
    rows: list[list[Value]] = [
        [name, sum(counts), *counts]
        for name in dict.fromkeys(map(_piece, contents.reachable))
        for counts in [[by_piece[name, suffix] for suffix in SUFFIXES]]
    ]
    rows.sort(key=lambda row: -int(row[1]))
    suffixes = Counter(san.suffix for san in contents.reachable)
    total = [suffixes[suffix] for suffix in SUFFIXES]
    rows.append(["all", sum(total), *total])
    header = ["piece", "all", "no suffix", "with +", "with #"]
    by_reason = contents.by_reason
    reasons = [[why.value, RULES[why], by_reason[why]] for why in RULES if by_reason[why]]
    parts = [
        _table("Strings that can be written", header, rows),
        _games(contents),
        _claims(contents),
        _folded("Why strings are impossible", ["reason", "rule", "strings"], reasons),
    ]
    return joined(parts)


def _claims(contents: Contents) -> Markup:
    if contents.only is not None:
        return html(
            "<p>Counts published by others are of all strings; this run is about a part.</p>"
        )
    found = len(contents.reachable)
    rows: list[Row] = [
        [claim.strings, _away(claim.source, claim.address), _difference(claim.strings - found)]
        for claim in CLAIMS
    ]
    return _folded(
        "Counts published by others",
        ["count", "who and where", "difference"],
        rows,
        f"This run finds {found:,}.",
    )


def _difference(difference: int) -> str:
    if not difference:
        return "the same"
    return f"{abs(difference):,} too {'many' if difference > 0 else 'few'}"


def _games(contents: Contents) -> Markup:
    games = contents.games
    if games is None:
        return html("<p>This run looked for positions only, not for games.</p>")
    if not games.total:
        return html("<p>The run has no games, because none of its strings can be written.</p>")
    by_player = [
        html("{number} by {who}", number=number, who=who if " and " in who else f"{who} only")
        for who, number in sorted(games.players.items(), reverse=True)
    ]
    return html(
        "<p>The run has {count} games, each from the initial position to checkmate; their average "
        "length is {length} plies (moves of one player). Strings by who can play them: "
        "{by_player}.</p>",
        count=games.total,
        length=f"{games.plies / games.total:.1f}",
        by_player=joined(by_player, ", "),
    )


def _kinds(contents: Contents) -> Markup:
    checks: list[Row] = [
        [piece, who, len(strings), _examples(strings)]
        for (piece, who), strings in count_mechanisms(contents.witnesses).items()
    ]
    forms: dict[tuple[str, str], list[str]] = defaultdict(list)
    for san in contents.reachable:
        forms[_piece(san), _form(san)].append(str(san))
    written: list[Row] = [
        [piece, form, len(strings), _examples(strings)]
        for (piece, form), strings in sorted(forms.items(), key=lambda item: (len(item[1]), item))
    ]
    return joined(
        [
            _folded(
                "How check is given",
                ["piece", "check by", "strings", "such as"],
                checks,
                "Who gives check in the position that the page shows first for a string. Another "
                "position may give check in another way, but a king's move gives it only by "
                "discovery or by castling.",
            ),
            _folded(
                "What is written",
                ["piece", "written", "strings", "such as"],
                written,
                "Which parts a string has besides piece, destination and suffix. A kind with few "
                "strings may be played often, as castling is.",
            ),
        ]
    )


def _form(san: San) -> str:
    if san.piece in CASTLINGS:
        return san.piece
    parts = [] if san.piece in ("", "K") else [discriminator(san)]
    parts += ["capture"] if san.capture else []
    parts += ["promotion"] if san.promotion else []
    return ", ".join(parts) or "nothing but the destination"


def _never(contents: Contents) -> Markup:
    if not contents.is_complete:
        return html("<p>This needs a finished run about all strings.</p>")
    strings = {str(san) for san in contents.reachable}
    bare = [san for san in contents.reachable if not san.suffix]
    by_piece: dict[str, list[str]] = defaultdict(list)
    for san in bare:
        if f"{san}+" not in strings and f"{san}#" not in strings:
            by_piece[_piece(san)].append(str(san))
    lists = [
        html(
            "<details><summary>{piece}: {number}</summary><p class='links'>{links}</p></details>",
            piece=piece,
            number=len(texts),
            links=_links(texts),
        )
        for piece, texts in by_piece.items()
    ]
    return html(
        "<p>If every move could give check and mate, there would be three strings for each of the "
        "{bare} without a suffix: {three} in all. But {never} of them never give check.</p>{lists}",
        bare=len(bare),
        three=3 * len(bare),
        never=sum(map(len, by_piece.values())),
        lists=joined(lists),
    )


def _downloads(contents: Contents) -> Markup:
    items = [
        html(
            '<li><a href="downloads/{address}" download>{name}</a> ({size}): {description}</li>',
            address=quote(download.name),
            name=download.name,
            size=size(download.content),
            description=download.description,
        )
        for download in contents.downloads
    ]
    return html(
        '<ul class="downloads">{items}</ul>'
        "<p><code>sanproof audit</code> checks these files again, without a solver.</p>",
        items=joined(items),
    )


def _footer(contents: Contents) -> Markup:
    made = [f"{program} {version}" for program, version in contents.versions]
    decided = html("Decided with {made}. ", made=", ".join(made)) if made else html("")
    return html(
        '<p class="small">{decided}Data: CC0 1.0. This page: GPL-3.0-or-later; board and pieces '
        "by the authors of Lichess's chessground, moves by chessops "
        '(<a href="LICENSES.txt">licences</a>).</p>',
        decided=decided,
    )


def _folded(title: str, header: Sequence[str], rows: Iterable[Row], note: str = "") -> Markup:
    """A table that is closed until a reader opens it: a phone shows them all on a few screens."""
    return html(
        '<details class="table"><summary>{title}</summary>{note}{table}</details>',
        title=title,
        note=html("<p>{note}</p>", note=note) if note else html(""),
        table=_table(title, header, rows, hidden_caption=True),
    )


def _table(
    caption: str, header: Sequence[str], rows: Iterable[Row], *, hidden_caption: bool = False
) -> Markup:
    rows = list(rows)
    numeric = [isinstance(value, int) for value in rows[0]] if rows else [False] * len(header)
    heads = [
        html(
            '<th scope="col" class="{kind}">{name}</th>',
            kind="number" if is_number else "text",
            name=name,
        )
        for is_number, name in zip(numeric, header, strict=True)
    ]
    return html(
        '<div class="scroll" tabindex="0" role="region" aria-label="{caption}"><table>'
        '<caption class="{kind}">{caption}</caption>'
        "<thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table></div>",
        caption=caption,
        kind="unseen" if hidden_caption else "seen",
        heads=joined(heads),
        body=joined(html("<tr>{cells}</tr>", cells=joined(map(_cell, row))) for row in rows),
    )


def _cell(value: Value) -> Markup:
    if isinstance(value, int):
        return html('<td class="number">{value}</td>', value=value)
    kind = "rule" if " " in value and not isinstance(value, Markup) else "text"
    return html('<td class="{kind}">{value}</td>', kind=kind, value=value)


def _examples(strings: Sequence[str]) -> Markup:
    """Some of many strings, evenly spread: the first ones are all of one corner of the board."""
    count = min(len(strings), MOST_EXAMPLES)
    return _links(strings[(2 * i + 1) * len(strings) // (2 * count)] for i in range(count))


def _links(strings: Iterable[str]) -> Markup:
    return joined(map(_link, strings), " ")


def _link(text: str) -> Markup:
    return html(
        '<a class="san" href="#{address}">{text}</a>', address=quote(text, safe=""), text=text
    )


def _away(text: str, address: str) -> Markup:
    return html('<a href="{address}" rel="noreferrer">{text}</a>', address=address, text=text)


def _piece(san: San) -> str:
    return "castling" if san.piece in CASTLINGS else NAMES[san.piece]
