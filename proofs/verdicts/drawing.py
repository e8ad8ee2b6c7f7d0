"""A position as a picture, for notebooks: Jupyter and its kin call ``_repr_svg_``."""


def board_svg(fen: str, uci: str) -> str:
    """The board of a FEN as SVG, from the side of the player to move, with an arrow for the move.

    Raises:
        ValueError: It is no FEN, or no move.
    """
    import chess  # noqa: PLC0415 - most who import this draw nothing
    import chess.svg  # noqa: PLC0415

    board = chess.Board(fen)
    move = chess.Move.from_uci(uci)
    arrows = [(move.from_square, move.to_square)]
    return chess.svg.board(board, orientation=board.turn, arrows=arrows, size=320)
