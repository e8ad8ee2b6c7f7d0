from __future__ import annotations

import json
from xml.etree import ElementTree as ET

import pytest

from sanproof.reports.scoreboard.badges import COLOURS, endpoint, message, picture
from tests.reports.scoreboard.samples import sample


@pytest.mark.parametrize(
    ("title", "said"),
    [
        ("best 1.0", ("7 of 7", "green")),
        ("reader 1.0", ("3 of 3", "green")),
        ("best 1.0 (strict: all)", ("6 of 7", "red")),
        ("worst 1.0", ("0 of 7", "red")),
        ("absent 1.0", ("not tested", "grey")),
    ],
)
def test_what_badges_say(title: str, said: tuple[str, str]) -> None:
    board = sample()
    run = next(run for run in board.runs if run.title == title)
    assert message(board, run) == said
    content = json.loads(endpoint(board, run))
    assert content == {
        "schemaVersion": 1,
        "label": "SAN conformance",
        "message": said[0],
        "color": COLOURS[said[1]],
    }
    svg = ET.fromstring(picture(board, run))
    assert svg.get("aria-label") == f"SAN conformance: {said[0]}"


def luminance(colour: str) -> float:
    """WCAG 2.2's relative luminance."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("colour", [*COLOURS.values(), "#444444"])
def test_white_text_can_be_read_on_each_colour(colour: str) -> None:
    assert 1.05 / (luminance(colour) + 0.05) >= 4.5
