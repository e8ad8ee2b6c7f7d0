"""A position as text for people."""

from typing import Final

_DOTS: Final = str.maketrans({str(n): "." * n for n in range(1, 9)})


def drawn(fen: str) -> str:
    """The board in FEN's letters, White's in capitals, with its coordinates and who is to move."""
    placement, turn, *_ = fen.split(" ")
    ranks = placement.translate(_DOTS).split("/")
    rows = [f"  {8 - place}  {' '.join(rank)}" for place, rank in enumerate(ranks)]
    player = "White" if turn == "w" else "Black"
    return "\n".join([*rows, "", f"     a b c d e f g h   {player} to move"])
