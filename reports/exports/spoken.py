"""SAN strings as they are read aloud: ``Qb6xe3+`` is "queen b six takes e three check"."""

from typing import Final

from sanproof.proofs.verdicts.malformed import read_san
from sanproof.proofs.verdicts.reasons import NAMES

CASTLINGS: Final = {"O-O": "castles kingside", "O-O-O": "castles queenside"}
SUFFIXES: Final = {"": "", "+": "check", "#": "checkmate"}
RANK_WORDS: Final = ("one", "two", "three", "four", "five", "six", "seven", "eight")
RANKS: Final = dict(zip("12345678", RANK_WORDS, strict=True))


def spoken(text: str) -> str:
    """How a SAN string is said; no two strings of the lists are said alike.

    Raises:
        MalformedSan: The text is not a SAN string.
    """
    san = read_san(text)
    if san.piece in CASTLINGS:
        words = [CASTLINGS[san.piece]]
    else:
        words = [
            NAMES[san.piece] if san.piece else "",
            san.file,
            RANKS.get(san.rank, ""),
            "takes" if san.capture else "",
            san.destination[0],
            RANKS[san.destination[1]],
            f"equals {NAMES[san.promotion]}" if san.promotion else "",
        ]
    return " ".join(filter(None, [*words, SUFFIXES[san.suffix]]))
