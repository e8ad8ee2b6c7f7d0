"""The public names of deviations from SAN, and of reasons why a move is illegal.

The names never change, because programs rely on them.
"""

from enum import StrEnum, auto
from typing import Final, NamedTuple, Self


class VocabularyName(StrEnum):
    """A name of a vocabulary. The value is the public name, such as ``missing-check``."""

    sentence: str
    """Its meaning, for people."""

    @staticmethod
    def _generate_next_value_(name: str, *_: object) -> str:
        return name.lower().replace("_", "-")

    def __new__(cls, name: str, sentence: str = "") -> Self:
        """Make a member; with the name alone, a member is looked up."""
        member = str.__new__(cls, name)
        member._value_ = name
        member.sentence = sentence
        return member


class Deviation(VocabularyName):
    """A way to differ from the PGN standard's export format. The value is the public name.

    A reading lists them in this order: first those that the text alone shows, then those that need
    the move.
    """

    WHITE_SPACE = auto(), "There is white space before or after the move, or before a part of it."
    MOVE_NUMBER = auto(), "A move number, or its periods, stand before the move."
    FIGURINE = auto(), "A chess symbol stands for the piece letter."
    LOWER_CASE_PIECE = auto(), "A piece letter is not a capital."
    PAWN_LETTER = auto(), "The pawn is named, and a pawn has no letter."
    ZEROS_IN_CASTLING = auto(), "Zeros stand for the letters O of castling."
    LOWER_CASE_CASTLING = auto(), "Castling is written with a small o."
    CASTLING_WITHOUT_HYPHENS = auto(), "The hyphens of castling are missing."
    TYPOGRAPHIC_DASH = auto(), "Another dash stands for the hyphen."
    COORDINATE_NOTATION = auto(), "Only the two squares are written, as in UCI."
    LONG_ALGEBRAIC = auto(), "The origin square is written, and a hyphen after it."
    SUPERFLUOUS_HYPHEN = auto(), "A hyphen stands before the destination."
    OTHER_CAPTURE_SIGN = auto(), "Another sign stands for the x."
    MISSING_PROMOTION_SIGN = auto(), "The = before the promotion piece is missing."
    PROMOTION_IN_PARENTHESES = auto(), "The promotion piece is in parentheses."
    PROMOTION_AFTER_SLASH = auto(), "A slash stands before the promotion piece."
    SUPERFLUOUS_PROMOTION_SIGN = auto(), "There is a = with no promotion piece after it."
    DOUBLE_PLUS = auto(), "Mate or double check is written ++."
    ANNOTATION = auto(), "A comment such as ! or ?! stands after the move."
    NUMERIC_ANNOTATION = auto(), "A code such as $1 stands after the move."
    DRAW_OFFER = auto(), "The sign (=) for the offer of a draw stands after the move."

    EN_PASSANT_MARK = auto(), "The capture in passing is marked e.p., and SAN has no such mark."
    FALSE_EN_PASSANT_MARK = auto(), "The move is marked e.p., but is not a capture in passing."
    CASTLING_AS_KING_MOVE = auto(), "Castling is written as a move of the king."
    MISSING_PIECE_LETTER = auto(), "The letter of the piece is missing."
    MISSING_FILE = auto(), "The file of the capturing pawn is missing."
    RANK_INSTEAD_OF_FILE = auto(), "The rank of the origin is written where the file is due."
    EXCESS_FILE = auto(), "The file of the origin is written and not needed."
    EXCESS_RANK = auto(), "The rank of the origin is written and not needed."
    EXCESS_SQUARE = auto(), "The origin square is written and not needed."
    MISSING_DESTINATION_RANK = auto(), "The rank of the destination is missing."
    MISSING_CAPTURE_SIGN = auto(), "The move captures, and the x is missing."
    SUPERFLUOUS_CAPTURE_SIGN = auto(), "There is an x, but the move does not capture."
    MISSING_CHECK = auto(), "The move gives check, and the + is missing."
    SUPERFLUOUS_CHECK = auto(), "There is a +, but the move does not give check."
    MISSING_MATE = auto(), "The move gives mate, and the # is missing."
    SUPERFLUOUS_MATE = auto(), "There is a # or ++, but the move does not give check."
    MATE_WRITTEN_AS_CHECK = auto(), "The move gives mate, and + is written."
    CHECK_WRITTEN_AS_MATE = auto(), "The move gives check and no mate, and # or ++ is written."


SUFFIX_DEVIATIONS: Final = {
    ("", "+"): Deviation.MISSING_CHECK,
    ("", "#"): Deviation.MISSING_MATE,
    ("+", ""): Deviation.SUPERFLUOUS_CHECK,
    ("#", ""): Deviation.SUPERFLUOUS_MATE,
    ("+", "#"): Deviation.MATE_WRITTEN_AS_CHECK,
    ("#", "+"): Deviation.CHECK_WRITTEN_AS_MATE,
}
"""The deviation, given the suffix that is written and the one that is due."""


class Illegality(VocabularyName):
    """A reason why a move is illegal. The value is the public name.

    They are sorted by how close a move is to being legal, the closest first.
    """

    PINNED = auto(), "The piece is pinned to its king and would leave the line (FIDE 3.9.2)."
    EN_PASSANT_EXPOSES_KING = auto(), "Both pawns would leave a line to the king (FIDE 3.9.2)."
    CHECK_NOT_ANSWERED = auto(), "The king is in check, and stays so (FIDE 3.9.2)."
    ATTACKED_SQUARE = auto(), "The king would go to a square that is attacked (FIDE 3.9.2)."
    CASTLING_OUT_OF_CHECK = auto(), "Castling never answers a check (FIDE 3.8.2.2)."
    CASTLING_THROUGH_CHECK = auto(), "The king would cross an attacked square (FIDE 3.8.2.2)."
    CASTLING_INTO_CHECK = auto(), "The king would reach an attacked square (FIDE 3.8.2.2)."
    CASTLING_BLOCKED = auto(), "A piece stands between king and rook (FIDE 3.8.2.2)."
    NO_CASTLING_RIGHT = auto(), "King or rook are not at home, or have moved (FIDE 3.8.2.1)."
    BLOCKED = auto(), "A piece stands in the way (FIDE 3.5, 3.7.1, 3.7.2)."
    NO_EN_PASSANT = auto(), "The pawn beside it has not just advanced two squares (FIDE 3.7.3.2)."
    NOTHING_TO_CAPTURE = auto(), "A pawn goes diagonally only to capture (FIDE 3.7.3)."
    OWN_PIECE = auto(), "A piece of the same player stands there (FIDE 3.1)."
    PROMOTION_MISSING = auto(), "A pawn that reaches the last rank is promoted (FIDE 3.7.3.3)."
    PROMOTION_TO_KING = auto(), "A pawn becomes a queen, rook, bishop or knight (FIDE 3.7.3.3)."
    PROMOTION_BEFORE_LAST_RANK = auto(), "A pawn promotes on the last rank only (FIDE 3.7.3.3)."
    PROMOTION_OF_PIECE = auto(), "Only pawns promote (FIDE 3.7.3.3)."
    CANNOT_REACH = auto(), "The piece does not move so, even on an empty board (FIDE 3.2 to 3.8)."
    OTHER_PLAYERS_PIECE = auto(), "The piece that stands there is the other player's."
    NO_SUCH_PIECE = auto(), "No such piece stands there."


class FailedTry(NamedTuple):
    """The reason why one piece, or no piece at all, can make a move.

    Attributes:
        reason: The kind of reason.
        origin: The square of the piece, or an empty text if no one piece is meant.
        by: The squares of the pieces that prevent it: those that pin, check, attack or block.
        sentence: The reason in a sentence about this position.
    """

    reason: Illegality
    origin: str
    by: tuple[str, ...]
    sentence: str
