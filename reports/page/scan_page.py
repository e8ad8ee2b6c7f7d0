"""The page of a scan: what was counted, what deviates, and how much of what can occur did."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib.resources import files
from itertools import accumulate
from pathlib import PurePath
from typing import Final, NamedTuple

import chess

from sanproof.proofs.rules.san import San, parse_san
from sanproof.reports.archive.observed import Observed, spoken_total
from sanproof.reports.page.markup import Markup, Value, document, html, joined
from sanproof.reports.page.parts import Row, bar, folded, table
from sanproof.reports.page.rarities import KINDS
from sanproof.reports.page.scanned import Example, PlayedString, Scan
from sanproof.reports.tables.words import number_of

MOST_SHOWN: Final = 20
MOST_SOURCES: Final = 200
CURVE_POINTS: Final = 160
WIDTH, HEIGHT = 640, 220

TOTALS: Final = {
    "games": "games",
    "games_read": "read to their end",
    "games_stopped": "read up to a text that is no legal move",
    "games_unclosed": "with a comment or variation that is not closed",
    "games_after-result": "with moves after the result, not read",
    "games_variant": "of another variant, not read",
    "games_bad-position": "from a position that chess does not allow, not read",
    "games_too-long": "too long, not read",
    "games_left-out": "left out by --where",
    "games_without_result": "that break off without a result",
    "games_from_position": "that begin from a FEN",
    "games_without_moves": "without a move",
    "moves": "moves",
    "deviating_moves": "moves that are not canonical SAN",
    "move_texts_not_read": "move texts that were not read",
}
"""What is counted, in words. What a scan counts besides is shown by its name."""


class ComparedWith(NamedTuple):
    """The strings that can be written, in list order; how often each was played elsewhere.

    The latter is None if it is not known.
    """

    strings: Sequence[str]
    observed: Observed | None


def scan_page(scan: Scan, proven: ComparedWith) -> bytes:
    """``index.html`` of a scan."""
    template = files(__package__).joinpath("static", "scan.html").read_text("utf-8")
    values = {
        "headline": _headline(scan, proven),
        "refuted": _refuted(scan),
        "counted": _counted(scan),
        "coverage": _coverage(scan, proven),
        "frequent": _frequent(scan),
        "rarest": _rarest(scan, proven.observed),
        "deviations": _deviations(scan),
    }
    return document(template, values)


def _headline(scan: Scan, proven: ComparedWith) -> Markup:
    strings = set(proven.strings)
    played = sum(row.san in strings for row in scan.played)
    wrong = number_of(
        sum(scan.kinds.values()),
        "text deviates from how its move is written",
        "texts deviate from how their moves are written",
    )
    return html(
        "{moves} of {games} in {files}. <strong>{played}</strong> of the {strings} strings that "
        "can be written {were} played. {wrong}.",
        moves=number_of(scan.total.get("moves", 0), "move"),
        games=number_of(scan.total.get("games", 0), "game"),
        files=number_of(len(scan.sources), "file"),
        played=played,
        strings=len(strings),
        were="was" if played == 1 else "were",
        wrong=wrong if scan.kinds else "Every move is canonical SAN",
    )


def _refuted(scan: Scan) -> Markup:
    if not scan.refuting:
        return html("")
    return html(
        '<div class="notice" role="alert"><p><strong>The theorem is refuted, or the list of proven '
        "strings is wrong:</strong> {count} not among the "
        "proven ones.</p><div class='positions'>{items}</div></div>",
        count=number_of(
            len(scan.refuting),
            "legal move has a string that is",
            "legal moves have strings that are",
        ),
        items=joined(_example(item) for item in scan.refuting[:MOST_SHOWN]),
    )


def _counted(scan: Scan) -> Markup:
    rows: list[Row] = [
        [TOTALS.get(name, name.replace("_", " ")), number]
        for name, number in scan.total.items()
        if number or name in ("games", "moves")
    ]
    by_file: list[Row] = [[name, games] for name, games in scan.sources[:MOST_SOURCES]]
    more = len(scan.sources) - MOST_SOURCES
    note = f"The first {MOST_SOURCES}; {more:,} more are not shown." if more > 0 else ""
    return joined(
        [
            table("What was read", ["what", "number"], rows),
            folded("Files", ["file", "games"], by_file, note),
        ]
    )


def _coverage(scan: Scan, proven: ComparedWith) -> Markup:
    strings = [parse_san(san) for san in proven.strings]
    played = {row.san for row in scan.played}
    tables = [
        _kinds(title, name, strings, played, kind_of, order)
        for title, (name, kind_of, order) in KINDS.items()
    ]
    return joined([_curve(scan, set(proven.strings)), *tables])


def _kinds(
    title: str,
    name: str,
    strings: Sequence[San],
    played: set[str],
    kind_of: Callable[[San], str],
    order: Sequence[str],
) -> Markup:
    can: Counter[str] = Counter()
    did: Counter[str] = Counter()
    for san in strings:
        kind = kind_of(san)
        can[kind] += 1
        did[kind] += str(san) in played
    rows: list[Row] = [
        [kind, can[kind], did[kind], bar(did[kind], can[kind], f"{did[kind] / can[kind]:.1%}")]
        for kind in order
        if can[kind]
    ]
    return table(title, [name, "can occur", "played", "share"], rows)


def _curve(scan: Scan, strings: set[str]) -> Markup:
    """How many of the strings had been played after so many games: a line, and it as a table."""
    games = max(1, sum(number for _, number in scan.sources))
    offsets = _offsets(scan.sources)
    played = (row for row in scan.played if row.san in strings)
    firsts = sorted(min(games, offsets.get(row.source, 0) + row.game) for row in played)
    if not firsts:
        return html("")
    steps = sorted({games, *(10**n for n in range(len(str(games))))})
    rows: list[Row] = list(map(list, _points(firsts, steps)))
    numbers = folded("The same in numbers", ["games", "different strings"], rows)
    return joined([_chart(firsts, games), numbers])


def _chart(firsts: Sequence[int], games: int) -> Markup:
    """A line from no string at no game to all of them at the last game."""
    places = sorted({round(games * i / CURVE_POINTS) for i in range(CURVE_POINTS + 1)})
    line = " ".join(
        f"{WIDTH * x / games:.1f},{HEIGHT * (1 - y / len(firsts)):.1f}"
        for x, y in _points(firsts, places)
    )
    return html(
        '<figure><svg class="curve" viewBox="-4 -4 {w} {h}" role="img" aria-label="{label}">'
        '<path d="M0 0V{bottom}H{right}"/><polyline points="{line}"/>'
        '<text x="6" y="12">{most}</text>'
        '<text x="{right}" y="{below}" text-anchor="end">{games} read</text></svg>'
        "<figcaption class='small'>Different strings, as game after game is read: "
        "{label}.</figcaption></figure>",
        w=str(WIDTH + 8),
        h=str(HEIGHT + 26),
        below=str(HEIGHT + 16),
        most=number_of(len(firsts), "different string"),
        games=number_of(games, "game"),
        bottom=str(HEIGHT),
        right=str(WIDTH),
        label=f"{number_of(len(firsts), 'string')} after {number_of(games, 'game')}",
        line=line,
    )


def _offsets(sources: Sequence[tuple[str, int]]) -> dict[str, int]:
    """How many games are before those of each file."""
    before = accumulate((games for _, games in sources), initial=0)
    offsets: dict[str, int] = {}
    for (name, _), offset in zip(sources, before, strict=False):
        offsets.setdefault(name, offset)
    return offsets


def _points(firsts: Sequence[int], places: Iterable[int]) -> list[tuple[int, int]]:
    """For some numbers of games how many strings were first played in so many games."""
    return [(place, bisect_right(firsts, place)) for place in places]


def _frequent(scan: Scan) -> Markup:
    rows: list[Row] = [[_san(row.san), row.times, row.games] for row in scan.played[:MOST_SHOWN]]
    return table("Most frequent", ["string", "times", "games"], rows)


def _rarest(scan: Scan, observed: Observed | None) -> Markup:
    """Those played least often; of these first what is rarest elsewhere, if that is known."""
    elsewhere: Mapping[str, int] = observed.times if observed else {}
    ordered = sorted(scan.played, key=lambda row: (row.times, elsewhere.get(row.san, 0), row.san))
    rows = [_rare(row) for row in ordered[:MOST_SHOWN]]
    if observed is None:
        return table("Rarest", ["string", "times", "first played"], rows)
    for cells, row in zip(rows, ordered, strict=False):
        cells.insert(2, elsewhere.get(row.san, 0))
    return html(
        "{table}<p class='small'>Elsewhere: in {moves}.</p>",
        table=table("Rarest", ["string", "times", "elsewhere", "first played"], rows),
        moves=spoken_total(observed),
    )


def _rare(row: PlayedString) -> list[Value]:
    where = f"{PurePath(row.source).name}, game {row.game:,}, move {(row.ply + 1) // 2}"
    return [_san(row.san), row.times, html("{where}", where=where)]


def _deviations(scan: Scan) -> Markup:
    if not scan.kinds:
        return html("<p>Every move that was read is canonical SAN.</p>")
    rows: list[Row] = [[kind, number] for kind, number in scan.kinds.items()]
    parts = [table("Kinds of deviations", ["kind", "number"], rows)]
    parts += [
        html(
            '<details open><summary>{kind}: {number}</summary><div class="positions">{items}</div>'
            "</details>",
            kind=kind,
            number=scan.kinds[kind],
            items=joined(map(_example, examples)),
        )
        for kind, examples in scan.examples.items()
        if examples
    ]
    if (more := len(scan.kinds) - len(scan.examples)) > 0:
        parts.append(
            html("<p>Of {more} there are no examples here.</p>", more=number_of(more, "more kind"))
        )
    return joined(parts)


def _example(example: Example) -> Markup:
    should: Value = ""
    if example.canonical and example.canonical != example.written:
        should = html(", to be written {san}", san=_san(example.canonical))
    line = f", line {example.line:,}" if example.line else ""
    return html(
        '<div class="example">{board}<p>{written}{should}</p>'
        '<p class="small">{source}{line}, game {game}, move {move}</p></div>',
        board=_board(example),
        written=_san(example.written),
        should=should,
        source=PurePath(example.source).name,
        line=line,
        game=example.game,
        move=(example.ply + 1) // 2,
    )


def _board(example: Example) -> Markup:
    """The position, with the squares of the move if the text denotes one."""
    if not example.fen:
        return html("")
    try:
        move = chess.Board(example.fen).parse_san(example.canonical)
    except ValueError:
        return html('<div class="board" data-fen="{fen}"></div>', fen=example.fen)
    return html(
        '<div class="board" data-fen="{fen}" data-from="{start}" data-to="{end}"></div>',
        fen=example.fen,
        start=chess.square_name(move.from_square),
        end=chess.square_name(move.to_square),
    )


def _san(text: str) -> Markup:
    return html('<span class="san">{text}</span>', text=text)
