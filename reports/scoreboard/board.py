"""Chess boards as SVG: the pieces stand once in the page, and each board refers to them.

The pieces are python-chess's, drawn by Colin M.L. Burnett, under the GPL among other licences.
"""

from collections.abc import Mapping
from typing import Final

import chess
import chess.svg

from sanproof.reports.page.markup import Markup, html, joined

SQUARE: Final = 45
"""The width of a piece in the units of its drawing."""

_SIDE: Final = 8 * SQUARE


def symbols() -> Markup:
    """The pieces and the empty board, hidden: ``<use>`` shows them."""
    dark = Markup(
        "".join(
            f"M{file * SQUARE} {rank * SQUARE}h{SQUARE}v{SQUARE}h-{SQUARE}z"
            for rank in range(8)
            for file in range(8)
            if (rank + file) % 2
        )
    )
    pieces = Markup("".join(chess.svg.PIECES.values()))
    return html(
        '<svg class="unseen" aria-hidden="true" focusable="false"><defs>{pieces}'
        '<g id="squares"><rect class="light" width="{side}" height="{side}"/>'
        '<path class="dark" d="{dark}"/></g></defs></svg>',
        pieces=pieces,
        side=str(_SIDE),
        dark=dark,
    )


def board(fen: str, marks: Mapping[str, str], label: str) -> Markup:
    """The placement of a FEN as an SVG that refers to :func:`symbols`, the mover's side upright.

    ``marks`` are CSS classes for squares, such as ``yes``; the label is for those who cannot see
    it.
    """
    black = fen.split()[1:2] == ["b"]
    placed = chess.BaseBoard(fen.partition(" ")[0])
    parts = [html('<use href="#squares"/>')]
    for name, kind in marks.items():
        x, y = _place(chess.parse_square(name), black=black)
        parts.append(
            html(
                '<rect class="{kind}" x="{x}" y="{y}" width="{side}" height="{side}"/>',
                kind=kind,
                x=str(x),
                y=str(y),
                side=str(SQUARE),
            )
        )
    for square, piece in sorted(placed.piece_map().items()):
        x, y = _place(square, black=black)
        name = f"{'white' if piece.color else 'black'}-{chess.piece_name(piece.piece_type)}"
        parts.append(html('<use href="#{name}" x="{x}" y="{y}"/>', name=name, x=str(x), y=str(y)))
    return html(
        '<svg class="position" viewBox="0 0 {side} {side}" role="img" aria-label="{label}">'
        "{parts}</svg>",
        side=str(_SIDE),
        label=label,
        parts=joined(parts),
    )


def _place(square: int, *, black: bool) -> tuple[int, int]:
    file, rank = chess.square_file(square), chess.square_rank(square)
    return SQUARE * (7 - file if black else file), SQUARE * (rank if black else 7 - rank)
