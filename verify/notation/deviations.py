"""The vocabulary: in which ways a text can differ from how its move is written.

The names are public. They do not change, and nothing is renamed: programs rely on them.
"""

from sanproof.verify.notation.named import Named


class Deviation(Named):
    """One way to differ from the PGN standard's export format; the value is the public name.

    The order is that in which a reading lists them: first what the text alone shows, then what
    only shows when the move is known.
    """

    WHITE_SPACE = (
        "white-space",
        "There is white space before or after the move, or before a part of it.",
    )
    MOVE_NUMBER = ("move-number", "A move number, or its periods, stand before the move.")
    FIGURINE = ("figurine", "A chess symbol stands for the piece letter.")
    LOWER_CASE_PIECE = ("lower-case-piece", "A piece letter is not a capital.")
    PAWN_LETTER = ("pawn-letter", "The pawn is named, and a pawn has no letter.")
    ZEROS_IN_CASTLING = ("zeros-in-castling", "Castling is written with zeros.")
    LOWER_CASE_CASTLING = ("lower-case-castling", "Castling is written with a small o.")
    CASTLING_WITHOUT_HYPHENS = ("castling-without-hyphens", "The hyphens of castling are missing.")
    TYPOGRAPHIC_DASH = ("typographic-dash", "Another dash stands for the hyphen.")
    COORDINATE_NOTATION = ("coordinate-notation", "Only the two squares are written, as in UCI.")
    LONG_ALGEBRAIC = ("long-algebraic", "The origin square is written, and a hyphen after it.")
    SUPERFLUOUS_HYPHEN = ("superfluous-hyphen", "A hyphen stands before the destination.")
    OTHER_CAPTURE_SIGN = ("other-capture-sign", "Another sign stands for the x.")
    MISSING_PROMOTION_SIGN = (
        "missing-promotion-sign",
        "The = before the promotion piece is missing.",
    )
    PROMOTION_IN_PARENTHESES = (
        "promotion-in-parentheses",
        "The promotion piece is in parentheses.",
    )
    PROMOTION_AFTER_SLASH = ("promotion-after-slash", "A slash stands before the promotion piece.")
    SUPERFLUOUS_PROMOTION_SIGN = (
        "superfluous-promotion-sign",
        "There is a = with no promotion piece after it.",
    )
    DOUBLE_PLUS = ("double-plus", "Mate or double check is written ++.")
    ANNOTATION = ("annotation", "A comment such as ! or ?! stands after the move.")
    NUMERIC_ANNOTATION = ("numeric-annotation", "A code such as $1 stands after the move.")
    DRAW_OFFER = ("draw-offer", "The sign (=) for the offer of a draw stands after the move.")

    EN_PASSANT_MARK = ("en-passant-mark", "A capture in passing is marked e.p.")
    FALSE_EN_PASSANT_MARK = (
        "false-en-passant-mark",
        "The move is marked e.p., but is not a capture in passing.",
    )
    CASTLING_AS_KING_MOVE = ("castling-as-king-move", "Castling is written as a move of the king.")
    MISSING_PIECE_LETTER = ("missing-piece-letter", "The letter of the piece is missing.")
    MISSING_FILE = ("missing-file", "The file of the capturing pawn is missing.")
    RANK_INSTEAD_OF_FILE = (
        "rank-instead-of-file",
        "The rank of the origin is written where the file is due.",
    )
    EXCESS_FILE = ("excess-file", "The file of the origin is written and not needed.")
    EXCESS_RANK = ("excess-rank", "The rank of the origin is written and not needed.")
    EXCESS_SQUARE = ("excess-square", "The origin square is written and not needed.")
    MISSING_DESTINATION_RANK = (
        "missing-destination-rank",
        "The rank of the destination is missing.",
    )
    MISSING_CAPTURE_SIGN = ("missing-capture-sign", "The move captures, and the x is missing.")
    SUPERFLUOUS_CAPTURE_SIGN = (
        "superfluous-capture-sign",
        "There is an x, but the move does not capture.",
    )
    MISSING_CHECK = ("missing-check", "The move gives check, and the + is missing.")
    SUPERFLUOUS_CHECK = ("superfluous-check", "There is a +, but the move does not give check.")
    MISSING_MATE = ("missing-mate", "The move gives mate, and the # is missing.")
    SUPERFLUOUS_MATE = ("superfluous-mate", "There is a # or ++, but the move does not give check.")
    MATE_WRITTEN_AS_CHECK = ("mate-written-as-check", "The move gives mate, and + is written.")
    CHECK_WRITTEN_AS_MATE = (
        "check-written-as-mate",
        "The move gives check and no mate, and # or ++ is written.",
    )


def in_order(deviations: set[Deviation]) -> tuple[Deviation, ...]:
    """Each deviation once, in the order of the vocabulary."""
    return tuple(sorted(deviations, key=_ORDER.__getitem__))


_ORDER = {deviation: place for place, deviation in enumerate(Deviation)}
