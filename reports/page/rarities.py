"""The page of rarities: what can occur and was never seen, or hardly ever, by kinds of strings."""

from calendar import month_name
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib.resources import files
from typing import Final

from sanproof.proofs.rules.san import San
from sanproof.proofs.verdicts.reasons import NAMES
from sanproof.reports.archive.observed import Observed
from sanproof.reports.page import parts
from sanproof.reports.page.contents import Contents
from sanproof.reports.page.markup import Markup, Value, document, html, joined
from sanproof.reports.tables.names import OBSERVED, OBSERVED_LICENCE
from sanproof.reports.tables.summary import SUFFIX_NAMES
from sanproof.reports.tables.survey import DISCRIMINATORS, discriminator, piece_name

INDEX: Final = "index.html"
MOST_PLAYED: Final = 20
NEVER: Final = "never"


def _promotion(san: San) -> str:
    return f"to a {NAMES[san.promotion]}" if san.promotion else "no promotion"


KINDS: Final[dict[str, tuple[str, Callable[[San], str], Sequence[str]]]] = {
    "By piece": ("piece", piece_name, (*NAMES.values(), "castling")),
    "By suffix": ("suffix", lambda san: SUFFIX_NAMES[san.suffix], tuple(SUFFIX_NAMES.values())),
    "By what is written of the origin": ("origin", discriminator, tuple(DISCRIMINATORS.values())),
    "Captures": (
        "capture",
        lambda san: "capture" if san.capture else "no capture",
        ("no capture", "capture"),
    ),
    "Promotions": (
        "promotion",
        _promotion,
        ("no promotion", *(f"to a {NAMES[letter]}" for letter in "QRBN")),
    ),
}
"""The tables: what the first column is called, the kind of a string, and the order of the kinds."""


def rarities_page(contents: Contents, observed: Observed) -> bytes:
    """``rarities.html``; the page of the run looks the strings up."""
    template = files(__package__).joinpath("static", "rarities.html").read_text("utf-8")
    times = {str(san): observed.times.get(str(san), 0) for san in contents.reachable}
    values = {
        "headline": _headline(times, observed),
        "source": _source(observed),
        "often": _often(times),
        "kinds": joined(
            _kind(title, contents.reachable, times, *kind) for title, kind in KINDS.items()
        ),
        "never": _lists(contents.reachable, [san for san, n in times.items() if n == 0]),
        "once": _lists(contents.reachable, [san for san, n in times.items() if n == 1]),
    }
    return document(template, values)


def _headline(times: Mapping[str, int], observed: Observed) -> Markup:
    source = observed.source
    return html(
        "Of the {strings} strings that can be written, <strong>{seen}</strong> were seen in "
        "{moves} moves of {games} {games_of}, {first} to {last}. {once} were seen once, and "
        "<strong>{never}</strong> never. Each links to our game with it.",
        strings=len(times),
        seen=sum(map(bool, times.values())),
        moves=sum(times.values()),
        games=source["games"],
        games_of=source["games_of"],
        first=_month(source["first_month"]),
        last=_month(source["last_month"]),
        once=list(times.values()).count(1),
        never=list(times.values()).count(0),
    )


def _month(text: str) -> str:
    year, month = text.split("-")
    return f"{month_name[int(month)]} {year}"


def _source(observed: Observed) -> Markup:
    source = observed.source
    return html(
        '<p class="small">Counted by {link}, version {version}. {how} Licence: {licence}, '
        '{copyright} (<a href="downloads/{text}">text</a>). The counts as a table: '
        '<a href="downloads/{table}" download>{table}</a>. We have checked that each of these '
        "strings can occur, but not how often it did.</p>",
        text=OBSERVED_LICENCE,
        table=OBSERVED,
        link=parts.away(source["address"].removeprefix("https://"), source["address"]),
        version=source["version"],
        how=source["how"],
        licence=source["licence"],
        copyright=source["copyright"],
    )


def _often(times: Mapping[str, int]) -> Markup:
    """How many strings were played how often, by the length of that number."""
    groups: dict[int, list[str]] = defaultdict(list)
    for san, number in times.items():
        groups[_decade(number)].append(san)
    rows: list[parts.Row] = [
        [
            _range(decade),
            len(groups[decade]),
            parts.bar(len(groups[decade]), len(times), _percent(len(groups[decade]), len(times))),
            _some(groups[decade]),
        ]
        for decade in range(-1, max(groups, default=0) + 1)
    ]
    ordered = sorted(times.items(), key=lambda item: -item[1])[:MOST_PLAYED]
    frequent: list[parts.Row] = [[_link(san), number] for san, number in ordered]
    header = ["times played", "strings", "share", "such as"]
    return joined(
        [
            parts.table("How often strings are played", header, rows),
            parts.folded(f"The {MOST_PLAYED} most frequent", ["string", "times"], frequent),
        ]
    )


def _decade(number: int) -> int:
    """-1 for never, 0 for once, 1 for 2 to 9, 2 for 10 to 99, and so on."""
    return -1 if number == 0 else len(str(number)) - (number == 1)


def _range(decade: int) -> str:
    if decade < 1:
        return NEVER if decade < 0 else "once"
    return f"{max(2, 10 ** (decade - 1)):,} to {10**decade - 1:,}"


def _kind(
    title: str,
    reachable: Sequence[San],
    times: Mapping[str, int],
    name: str,
    kind_of: Callable[[San], str],
    order: Sequence[str],
) -> Markup:
    """The table of one way to divide strings into kinds."""
    kinds: dict[str, list[str]] = defaultdict(list)
    for san in reachable:
        kinds[kind_of(san)].append(str(san))
    rows = [_row(kind, kinds[kind], times) for kind in order if kinds[kind]]
    header = [name, "can occur", "seen", "share", "times played", "rarest of these", "never seen"]
    return parts.table(title, header, rows)


def _row(kind: str, strings: Sequence[str], times: Mapping[str, int]) -> parts.Row:
    seen = [san for san in strings if times[san]]
    never = [san for san in strings if not times[san]]
    share = parts.bar(len(seen), len(strings), _percent(len(seen), len(strings)))
    none = html("{n}: {some}", n=len(never), some=_some(never)) if never else html("none")
    total = sum(times[san] for san in seen)
    return [kind, len(strings), len(seen), share, total, _rarest(seen, times), none]


def _percent(part: int, whole: int) -> str:
    """Rounded down, so that 100% is all of them."""
    return f"{100 * part // whole}%"


def _rarest(seen: Sequence[str], times: Mapping[str, int]) -> Markup:
    """The strings that were seen least often; of many with the same number some are shown."""
    if not seen:
        return html("none")
    ordered = sorted(seen, key=lambda san: times[san])
    fewest = times[ordered[0]]
    same = [san for san in ordered if times[san] == fewest]
    if len(same) >= parts.MOST_EXAMPLES:
        how = "once" if fewest == 1 else f"{fewest:,} times"
        return html("{count} {how}: {some}", count=len(same), how=how, some=_some(same))
    pair = '<span class="pair">{link}{times}&times;</span>'
    return joined(
        html(pair, link=_link(san), times=times[san]) for san in ordered[: parts.MOST_EXAMPLES]
    )


def _lists(reachable: Sequence[San], strings: Iterable[str]) -> Markup:
    """All of these strings, folded by piece and by what is written of the origin."""
    wanted = set(strings)
    groups: dict[str, dict[str, list[str]]] = {
        kind: defaultdict(list) for kind in KINDS["By piece"][2]
    }
    for san in reachable:
        if str(san) in wanted:
            groups[piece_name(san)][discriminator(san)].append(str(san))
    return joined(_folded_list(piece, origins) for piece, origins in groups.items() if origins)


def _folded_list(piece: str, origins: Mapping[str, Sequence[str]]) -> Markup:
    paragraphs: list[Value] = [
        html(
            "<h3>{name}: {count}</h3><p class='links'>{links}</p>",
            name=name,
            count=len(origins[name]),
            links=parts.links(origins[name], INDEX),
        )
        for name in DISCRIMINATORS.values()
        if name in origins
    ]
    return html(
        "<details><summary>{piece}: {count}</summary>{paragraphs}</details>",
        piece=piece,
        count=sum(map(len, origins.values())),
        paragraphs=joined(paragraphs),
    )


def _some(strings: Sequence[str]) -> Markup:
    return parts.examples(strings, INDEX)


def _link(san: str) -> Markup:
    return parts.link(san, INDEX)
