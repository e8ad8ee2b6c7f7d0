"""Draws a position as text, and as a picture for notebooks such as Jupyter (``_repr_svg_``)."""

from typing import Final

COLOURS: Final = {
    "square light": "#f0d9b5",
    "square dark": "#c0ad90",
    "margin": "#262421",
    "arrow green": "#15781bb0",
    "arrow yellow": "#e68f00",
}
"""The colours of the board on all pages."""
_DOTS: Final = str.maketrans({str(n): "." * n for n in range(1, 9)})


def board_svg(fen: str, uci: str | None = None) -> str:
    """Draw the board of a FEN, from the side of the player to move, with an arrow for a move.

    Raises:
        ValueError: ``fen`` is not a FEN, or ``uci`` is not a move.
    """
    import chess  # noqa: PLC0415 - most who import this draw nothing
    import chess.svg  # noqa: PLC0415

    board = chess.Board(fen)
    moves = [chess.Move.from_uci(uci)] if uci else []
    arrows = [(move.from_square, move.to_square) for move in moves]
    return chess.svg.board(board, orientation=board.turn, arrows=arrows, size=320, colors=COLOURS)


def drawn(fen: str) -> str:
    """Return the board as text in FEN's letters, with coordinates and the player to move."""
    placement, turn, *_ = fen.split(" ")
    ranks = placement.translate(_DOTS).split("/")
    rows = [f"  {8 - place}  {' '.join(rank)}" for place, rank in enumerate(ranks)]
    player = "White" if turn == "w" else "Black"
    return "\n".join([*rows, "", f"     a b c d e f g h   {player} to move"])
