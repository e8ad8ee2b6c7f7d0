"""Guesses at the string meant by a text that the SAN grammar does not derive.

The rules are patterns with their replacements, which mean the same in Python and JavaScript,
because the page uses them as well.
"""

import re
from typing import Final

from sanproof.proofs.board.malformed import is_san

LONGEST: Final = 40

_FIGURINES: Final = {"K": "♔♚", "Q": "♕♛", "R": "♖♜", "B": "♗♝", "N": "♘♞", "": "♙♟"}

RULES: Final = (
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
"""Patterns and replacements, which are applied in this order."""


def meant(text: str) -> tuple[str, ...]:
    """Return the SAN string that a text may stand for, or nothing if it is SAN or cannot be read.

    A double plus gives two strings: some mean mate by it (FIDE C.13.5), others a double check.

    >>> meant("e8(q)"), meant("Ng1-f3"), meant("Nf3++"), meant("Nf3")
    (('e8=Q',), ('Nf3',), ('Nf3+', 'Nf3#'), ())
    """
    if is_san(text) or len(text) > LONGEST:
        return ()
    for pattern, replacement in RULES:
        text = re.sub(pattern, replacement, text)
    if text.endswith("++"):
        bare = text.rstrip("+")
        return tuple(filter(is_san, (f"{bare}+", f"{bare}#")))
    return tuple(filter(is_san, (text, f"{text[:1].upper()}{text[1:]}")))[:1]


def hint(text: str) -> str:
    """Return a sentence with the strings that may have been meant, or an empty text if none is."""
    return f"Perhaps you mean {' or '.join(found)}." if (found := meant(text)) else ""
