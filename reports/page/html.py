"""The page itself: its counts, tables and links, all made by :mod:`reports.page.markup`."""

from collections import Counter, defaultdict
from importlib.resources import files
from typing import Any, Final
from urllib.parse import quote

from sanproof.proofs.rules import san as grammar
from sanproof.proofs.rules.squares import FILES, RANKS
from sanproof.proofs.verdicts.reasons import NAMES, RULES, SENTENCES, TWINS
from sanproof.reports.archive.observed import spoken_total
from sanproof.reports.page.claims import CLAIMS
from sanproof.reports.page.contents import Contents
from sanproof.reports.page.downloads import size
from sanproof.reports.page.markup import Markup, Value, document, html, joined, json_data
from sanproof.reports.page.mechanisms import count_mechanisms
from sanproof.reports.page.parts import Row, away, examples, folded, link, links, table
from sanproof.reports.page.shards import CASTLING, LETTERS, REACHABLE, UNDECIDED
from sanproof.reports.tables.survey import discriminator, piece_name
from sanproof.reports.tables.words import number_of

EXAMPLE: Final = "Qb6e3#"
TRIES: Final = (EXAMPLE, "O-O-O+", "exd8=N#", "Ba1b2+", "Ke1e2", "b1=K")


def index_page(contents: Contents) -> bytes:
    """``index.html``.

    Raises:
        ArchiveError: A witness of the run is not a legal move.
    """
    template = files(__package__).joinpath("static", "index.html").read_text("utf-8")
    values = {
        "headline": _headline(contents),
        "rarities": html(' <a href="rarities.html">Rarities</a>' if contents.observed else ""),
        "tries": joined(map(link, TRIES), ", "),
        "squares": _squares(contents),
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
        if san.piece not in grammar.CASTLINGS:
            counts[san.piece][san.destination] += 1
    return {
        "only": contents.only,
        "example": EXAMPLE if EXAMPLE in strings else max(strings, default=""),
        "castling": CASTLING,
        "castlings": grammar.CASTLINGS,
        "parts": {
            "files": grammar.FILE_LETTERS,
            "ranks": grammar.RANK_DIGITS,
            "captures": grammar.CAPTURES,
            "promotions": grammar.PROMOTIONS,
            "suffixes": grammar.SUFFIXES,
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
        "observed": contents.observed and spoken_total(contents.observed),
    }


def _squares(contents: Contents) -> Markup:
    """How many strings there are for each destination: the atlas where no script draws it."""
    counts = Counter(san.destination for san in contents.reachable)
    rows: list[Row] = [[rank, *(counts[file + rank] for file in FILES)] for rank in RANKS[::-1]]
    return table("Strings for each destination, all pieces together", ["", *FILES], rows)


def _headline(contents: Contents) -> Markup:
    reachable, impossible = len(contents.reachable), len(contents.impossible)
    strings = reachable + impossible + contents.undecided
    of: Value = "that the SAN grammar allows"
    if contents.only is not None:
        match = "matches" if strings == 1 else "match"
        of = html("that {match} <code>{only}</code>", match=match, only=contents.only)
    return html(
        "Of the {strings} {of}, <strong>{reachable}</strong> can be written for a move{how}."
        "{others}{undecided}",
        strings=number_of(strings, "string"),
        of=of,
        reachable=reachable,
        how=_how(contents) if reachable else "",
        others=_others(impossible),
        undecided=(
            f" {number_of(contents.undecided, 'is undecided', 'are undecided')}."
            if contents.undecided
            else ""
        ),
    )


def _how(contents: Contents) -> str:
    shown = "a legal game" if contents.games else "a position"
    return f": look one up and see {shown} in which it is played"


def _others(impossible: int) -> str:
    if not impossible:
        return ""
    are = number_of(impossible, "is impossible", "are impossible")
    return f" The other {are}, and the page says why."


def _counts(contents: Contents) -> Markup:
    by_piece = Counter((piece_name(san), san.suffix) for san in contents.reachable)
    rows: list[list[Value]] = [
        [name, sum(counts), *counts]
        for name in dict.fromkeys(map(piece_name, contents.reachable))
        for counts in [[by_piece[name, suffix] for suffix in grammar.SUFFIXES]]
    ]
    rows.sort(key=lambda row: -int(row[1]))
    suffixes = Counter(san.suffix for san in contents.reachable)
    total = [suffixes[suffix] for suffix in grammar.SUFFIXES]
    rows.append(["all", sum(total), *total])
    header = ["piece", "all", "no suffix", "with +", "with #"]
    by_reason = Counter(contents.impossible.values())
    reasons = [[why.value, RULES[why], by_reason[why]] for why in RULES if by_reason[why]]
    parts = [
        table("Strings that can be written", header, rows),
        _games(contents),
        _claims(contents),
        folded("Why strings are impossible", ["reason", "rule", "strings"], reasons),
    ]
    return joined(parts)


def _claims(contents: Contents) -> Markup:
    if contents.only is not None:
        return html(
            "<p>Counts published by others are of all strings; this run is about a part.</p>"
        )
    found = len(contents.reachable)
    rows: list[Row] = [
        [claim.strings, away(claim.source, claim.address), _difference(claim.strings - found)]
        for claim in CLAIMS
    ]
    return folded(
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
        "<p>The run has {count}, each from the initial position to checkmate; their average "
        "length is {length} plies (moves of one player). Strings by who can play them: "
        "{by_player}.</p>"
        if games.total > 1
        else "<p>The run has {count}, from the initial position to checkmate; its length is "
        "{length} plies (moves of one player). Strings by who can play them: {by_player}.</p>",
        count=number_of(games.total, "game"),
        length=f"{games.plies / games.total:.1f}",
        by_player=joined(by_player, ", "),
    )


def _kinds(contents: Contents) -> Markup:
    checks: list[Row] = [
        [piece, who, len(strings), examples(strings)]
        for (piece, who), strings in count_mechanisms(contents.witnesses).items()
    ]
    forms: dict[tuple[str, str], list[str]] = defaultdict(list)
    for san in contents.reachable:
        forms[piece_name(san), _form(san)].append(str(san))
    written: list[Row] = [
        [piece, form, len(strings), examples(strings)]
        for (piece, form), strings in sorted(forms.items(), key=lambda item: (len(item[1]), item))
    ]
    return joined(
        [
            folded(
                "How check is given",
                ["piece", "check by", "strings", "such as"],
                checks,
                "Who gives check in the position that the page shows first for a string. Another "
                "position may give check in another way, but a king's move gives it only by "
                "discovery or by castling.",
            ),
            folded(
                "What is written",
                ["piece", "written", "strings", "such as"],
                written,
                "Which parts a string has besides piece, destination and suffix. A kind with few "
                "strings may be played often, as castling is.",
            ),
        ]
    )


def _form(san: grammar.San) -> str:
    if san.piece in grammar.CASTLINGS:
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
            by_piece[piece_name(san)].append(str(san))
    lists = [
        html(
            "<details><summary>{piece}: {number}</summary><p class='links'>{links}</p></details>",
            piece=piece,
            number=len(texts),
            links=links(texts),
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
        '<p class="small">{decided}Data: CC0 1.0{but}. This page: GPL-3.0-or-later; board and '
        "pieces by the authors of Lichess's chessground, moves by chessops "
        '(<a href="LICENSES.txt">licences</a>).</p>',
        decided=decided,
        but=", but for the counts of played strings: MIT" * bool(contents.observed),
    )
