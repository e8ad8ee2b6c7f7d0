"""Parts that the pages share: tables, folded and open, and links to strings."""

from collections.abc import Iterable, Sequence
from typing import Final
from urllib.parse import quote

from sanproof.reports.page.markup import Markup, Value, html, joined

MOST_EXAMPLES: Final = 4
Row = Sequence[Value]


def folded(title: str, header: Sequence[str], rows: Iterable[Row], note: str = "") -> Markup:
    """A table that is closed until a reader opens it: a phone shows them all on a few screens."""
    return html(
        '<details class="table"><summary>{title}</summary>{note}{table}</details>',
        title=title,
        note=html("<p>{note}</p>", note=note) if note else html(""),
        table=table(title, header, rows, hidden_caption=True),
    )


def table(
    caption: str, header: Sequence[str], rows: Iterable[Row], *, hidden_caption: bool = False
) -> Markup:
    """A table in a box that scrolls sideways; counts stand to the right."""
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


def bar(part: int, whole: int, text: str) -> Markup:
    """A share with a bar before it, which is for the eye only."""
    return html(
        '<span class="bar" aria-hidden="true" style="--part:{width}%"></span>{text}',
        width=f"{100 * part / whole:.1f}",
        text=text,
    )


def examples(strings: Sequence[str], page: str = "") -> Markup:
    """Some of many strings, evenly spread: the first ones are all of one corner of the board."""
    count = min(len(strings), MOST_EXAMPLES)
    return links((strings[(2 * i + 1) * len(strings) // (2 * count)] for i in range(count)), page)


def links(strings: Iterable[str], page: str = "") -> Markup:
    """Links to strings, one after the other."""
    return joined((link(text, page) for text in strings), " ")


def link(text: str, page: str = "") -> Markup:
    """A link to a string; ``page`` looks strings up, and is empty on that page itself."""
    address = f"{page}#{quote(text, safe='')}"
    return html('<a class="san" href="{address}">{text}</a>', address=address, text=text)


def away(text: str, address: str) -> Markup:
    """A link to somebody else's page, which is not told where the reader comes from."""
    return html('<a href="{address}" rel="noreferrer">{text}</a>', address=address, text=text)
