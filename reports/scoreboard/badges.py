"""A badge for each library: for shields.io's endpoint, and as an SVG of its own."""

import json
from typing import Final

from sanproof.reports.page.markup import html
from sanproof.reports.scoreboard.contents import LibraryRun, Scoreboard

LABEL: Final = "SAN conformance"
COLOURS: Final = {"green": "#3d7a12", "yellow": "#8a6100", "red": "#b3261e", "grey": "#5f5f5f"}
"""On each of them white text has a contrast of at least 4.5 to 1."""
GOOD: Final = 0.95
"""A library that passes this share of what it was asked has a yellow badge, not a red one."""
_LETTER: Final = 6.6
_MARGIN: Final = 10


def message(scoreboard: Scoreboard, run: LibraryRun) -> tuple[str, str]:
    """What a library's badge says, and its colour."""
    count = scoreboard.count(run)
    if not count.asked:
        return "not tested", "grey"
    if not count.failed:
        return f"{count.passed} of {count.asked}", "green"
    colour = "yellow" if count.passed >= GOOD * count.asked else "red"
    return f"{count.passed} of {count.asked}", colour


def endpoint(scoreboard: Scoreboard, run: LibraryRun) -> bytes:
    """The JSON that shields.io's endpoint badge reads."""
    text, colour = message(scoreboard, run)
    content = {"schemaVersion": 1, "label": LABEL, "message": text, "color": COLOURS[colour]}
    return (json.dumps(content) + "\n").encode("ascii")


def picture(scoreboard: Scoreboard, run: LibraryRun) -> bytes:
    """The badge itself."""
    text, colour = message(scoreboard, run)
    left, right = (round(len(part) * _LETTER) + 2 * _MARGIN for part in (LABEL, text))
    svg = html(
        '<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="20" role="img" '
        'aria-label="{label}: {text}"><title>{label}: {text}</title>'
        '<clipPath id="round"><rect width="{width}" height="20" rx="3"/></clipPath>'
        '<g clip-path="url(#round)"><rect width="{left}" height="20" fill="#444"/>'
        '<rect x="{left}" width="{right}" height="20" fill="{colour}"/></g>'
        '<g fill="#fff" text-anchor="middle" font-size="11" '
        'font-family="Verdana,DejaVu Sans,sans-serif">'
        '<text x="{middle}" y="14">{label}</text><text x="{other}" y="14">{text}</text></g>'
        "</svg>\n",
        width=str(left + right),
        left=str(left),
        right=str(right),
        middle=str(left // 2),
        other=str(left + right // 2),
        label=LABEL,
        text=text,
        colour=COLOURS[colour],
    )
    return svg.encode("utf-8")
