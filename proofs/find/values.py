"""The values that criteria take, and how each kind is read."""

import re
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from sanproof.proofs.find.questions import (
    NO_BOUND,
    PIECES,
    RIGHTS,
    SIDES,
    Criterion,
    CriterionError,
    in_order,
)

_MAX_LETTERS: Final = 64
_COUNT = re.compile(r"(?:(\d{1,2})|(\d{0,2})\.\.(\d{0,2}))", re.ASCII)


class Values(NamedTuple):
    """The values that a criterion can take.

    Attributes:
        form: How they are written in a list of criteria.
        read: Returns the value as criteria have it, of a criterion's name and a text (None if the
            criterion is a word alone), or raises a CriterionError.
        words: The values, if they are a few words; the empty one stands for the name alone.
    """

    form: str
    read: Callable[[str, str | None], str]
    words: Sequence[str] = ()


def one_of(*words: str) -> Values:
    """Return values that are one of a few words."""

    def read(name: str, text: str | None) -> str:
        if text is not None and words == ("",):
            raise CriterionError(f"{name!r} takes no value")
        if text == "" or (text or "") not in words:
            raise CriterionError(f"the criterion {name}= takes {', '.join(filter(None, words))}")
        return text or ""

    form = "=" * any(words) + "|".join(filter(None, words))
    return Values(f"[{form}]" if form and "" in words else form, read, words)


def _read_count(name: str, text: str | None) -> str:
    if not text or not _COUNT.fullmatch(text) or text == "..":
        raise CriterionError(
            f"the criterion {name}= takes a number or a range, such as 3, ..3, 3.. or 1..3"
        )
    least, most = Criterion(name, "", text).range
    if least > most:
        raise CriterionError(f"{name}={text}: the range is empty")
    if name == "replies" and (least > 2 or most not in {NO_BOUND, 0, 1}):
        raise CriterionError(
            "the criterion replies= takes 0, 1, ..1, 1.. or 2..; more are not counted"
        )
    return text


def _read_pieces(name: str, text: str | None) -> str:
    """Return the letters of a side's pieces in order, with the king."""
    letters = (text or "").upper()
    if not letters or not set(letters) <= set("KQRBNP") or len(letters) > _MAX_LETTERS:
        raise CriterionError(f"the criterion {name}= takes the side's pieces, such as {name}=KRPP")
    return in_order(letters if "K" in letters else "K" + letters, "KQRBNP")


def _read_rights(name: str, text: str | None) -> str:
    letters = {*(text or "")}
    if not text or (text != "-" and (not letters <= {*"KQkq"} or len(letters) < len(text))):
        raise CriterionError(
            f"the criterion {name}= takes castling rights as in a FEN, such as rights=Kq, or -"
        )
    return in_order(text, RIGHTS)


def _read_content(name: str, text: str | None) -> str:
    if text is None or text not in {*PIECES, *SIDES, "any", "."}:
        raise CriterionError(
            f"the criterion {name}= takes a piece as in a FEN, '.', white, black or any"
        )
    return text


WORD: Final = one_of("")
COUNT: Final = Values("=COUNT", _read_count)
PIECES_OF_SIDE: Final = Values("=PIECES", _read_pieces)
CASTLING_RIGHTS: Final = Values("=RIGHTS", _read_rights)
CONTENT: Final = Values("=PIECE", _read_content)
