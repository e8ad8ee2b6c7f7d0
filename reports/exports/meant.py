"""Guesses at the string meant by a text that the SAN grammar does not derive.

The rules are patterns with their replacements, which Python and JavaScript read alike: the page
guesses by the same ones.
"""

import re
from typing import Final

from sanproof.proofs.board.malformed import is_san

LONGEST: Final = 40
MOST_MOVES: Final = 4

_FIGURINES: Final = {"K": "♔♚", "Q": "♕♛", "R": "♖♜", "B": "♗♝", "N": "♘♞", "": "♙♟"}

JOINED: Final = (
    (r"[\u2010-\u2015\u2212]", "-"),  # dashes of every length
    (r"^\s+|\s+$", ""),
    (r"\b\d+\.+\s*", ""),  # the number of a move
    (r"\s*\(?e\.?\s?p\.?\)?(?=\s|$)", ""),  # en passant
    (r"\s*[!?]+|\s*\$\d+", ""),  # an opinion on the move
    (r"\s*(?:[‡≠]|checkmate\b|mate\b)", "#"),
    (r"\s*(?:†|check\b|ch\b\.?)", "+"),
    (r"\s+(?=[+#])", ""),
    (r"\s*-\s*", "-"),
    (r"\s*[\u00d7:X]\s*", "x"),
)
"""Applied to the whole text, in this order. Then it is cut into moves at white space."""

EACH: Final = (
    *((rf"[{figures}]", letter) for letter, figures in _FIGURINES.items()),
    (r"^[0Oo]-?[0Oo]-?[0Oo](?![0Oo])", "O-O-O"),
    (r"^[0Oo]-?[0Oo](?![-0Oo])", "O-O"),
    (r"^[Pp](?=[A-Ha-h])", ""),  # a pawn has no letter
    *((rf"^{letter.lower()}(?=[A-Ha-h1-8x])", letter) for letter in "KNQR"),
    *((rf"{name}(?=[A-Ha-hx1-8])", name.lower()) for name in "ACDEFGH"),
    (r"B(?=[1-8]\b)|(?<=^[KNQRB])B(?=[a-h1-8x])", "b"),
    # A promotion: e8Q, e8(Q), e8/Q, e8=q
    *((rf"([a-h][18])[(/=]?(?:{x}|{x.lower()})\)?(?=[+#]|$)", rf"\1={x}") for x in "BKNQR"),
    # Long algebraic: e2-e4, Ng1-f3, e7-e8=Q, exd8=Q as e7d8=Q
    (r"^([BKNQR])[a-h][1-8]-(?=[a-h][1-8])", r"\1"),
    (r"^([a-h])[1-8]-?(?=\1[1-8])", ""),
    (r"^([a-h])[1-8]-?(?=[a-h][1-8])", r"\1x"),
    (r"[+#]*#[+#]*$", "#"),
)
"""Applied to each move, in this order."""

DOUBLE_CHECK: Final = "++"
"""Some mean mate by it (FIDE C.13.5), others check by two pieces at once."""


def meant(text: str) -> tuple[str, ...]:
    """SAN strings that a text may stand for, none if it is one or if nothing comes to mind.

    Several moves give a string each; a text that may mean two strings gives both.

    >>> meant("e8(q)"), meant("Ng1-f3"), meant("Nf3++"), meant("e4 e5"), meant("Nf3")
    (('e8=Q',), ('Nf3',), ('Nf3+', 'Nf3#'), ('e4', 'e5'), ())
    """
    if not isinstance(text, str):
        raise TypeError(f"{text!r} is not a string")
    if len(text) > LONGEST or is_san(text):
        return ()
    for pattern, replacement in JOINED:
        text = re.sub(pattern, replacement, text)
    moves = text.split()
    if not 1 <= len(moves) <= MOST_MOVES:
        return ()
    given = [_readings(move) for move in moves]
    if not all(given):
        return ()
    return tuple(dict.fromkeys(san for readings in given for san in readings))


def _readings(move: str) -> list[str]:
    """Return the strings that one move may stand for."""
    if is_san(move):
        return [move]
    for pattern, replacement in EACH:
        move = re.sub(pattern, replacement, move)
    if move.endswith(DOUBLE_CHECK):
        bare = move.rstrip("+")
        tries = [f"{bare}+", f"{bare}#"]
    else:
        tries = [move, f"{move[:1].upper()}{move[1:]}"]
    return [san for san in tries if is_san(san)][: 2 if move.endswith(DOUBLE_CHECK) else 1]


def hint(text: str) -> str:
    """Return a sentence that names what may have been meant, empty if nothing comes to mind."""
    return f"Perhaps you mean {' or '.join(found)}." if (found := meant(text)) else ""
