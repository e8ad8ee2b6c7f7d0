"""The vocabulary of the suite: what makes SAN hard, one name each, and how each is recognised.

A mechanism of a move is recognised by criteria of ``sanproof find`` (docs/find.md), which
python-chess judges. A text that must be rejected is recognised by the verdict and the reason of
``sanproof read`` (docs/notation.md), a text that may be accepted by its deviations. So no case has
a name that does not fit it.
"""

from dataclasses import dataclass
from typing import Final

from sanproof.verify.notation.deviations import Deviation
from sanproof.verify.notation.illegal import Reason


@dataclass(frozen=True, slots=True)
class Played:
    """A mechanism of moves: they must be read and written.

    Attributes:
        criteria: Criteria of ``sanproof find`` that position and move meet.
        why: A sentence with the rule.
    """

    criteria: tuple[str, ...]
    why: str


@dataclass(frozen=True, slots=True)
class Refused:
    """A mechanism of texts that denote no move, or more than one: they must be rejected.

    Attributes:
        reason: Why the text is illegal; None if it is ambiguous or not SAN.
        why: A sentence with the rule.
        criteria: Criteria of the position, besides.
        is_usual: Whether many programs read it all the same, so that it is up to the library.
    """

    reason: Reason | None
    why: str
    criteria: tuple[str, ...] = ()
    is_usual: bool = False


@dataclass(frozen=True, slots=True)
class Spelled:
    """A mechanism of texts that denote one move and are not how it is written: they may be read.

    Attributes:
        deviations: All deviations of the text.
        why: A sentence with the rule; ``{canonical}`` is how the move is written.
    """

    deviations: tuple[Deviation, ...]
    why: str


Mechanism = Played | Refused | Spelled

_QUIET: Final = ("not", "check")
_ORIGIN: Final[dict[str, Mechanism]] = {
    "none": Played(
        ("disambiguation=none", "not", "moves=P", "twins=0", "not", "castling", *_QUIET),
        "No other piece of the kind can go there, so nothing of the origin is written "
        "(PGN standard 8.2.3.4).",
    ),
    "file": Played(
        ("disambiguation=file", "twins=1", "not", "pinned-twin-may-move", *_QUIET),
        "Another piece of the kind can go there from another file, so the file is written "
        "(PGN standard 8.2.3.4).",
    ),
    "rank": Played(
        ("disambiguation=rank", "twins=1", *_QUIET),
        "The other piece of the kind that can go there stands on the same file, so the rank is "
        "written (PGN standard 8.2.3.4).",
    ),
    "square": Played(
        ("disambiguation=square", *_QUIET),
        "Others of the kind that can go there share the file and the rank, so the square is "
        "written (PGN standard 8.2.3.4).",
    ),
    "pinned-twin": Played(
        ("pinned-twin", "twins=0", *_QUIET),
        "The other piece that reaches the square is pinned and may not go there, so nothing of "
        "the origin is written (PGN standard 8.2.3.4).",
    ),
    "pinned-twin-may-move": Played(
        ("pinned-twin-may-move", "twins=1", *_QUIET),
        "The other piece is pinned, but may go there along the line of the pin, so it counts "
        "(PGN standard 8.2.3.4).",
    ),
    "three-twins": Played(
        ("twins=3..", *_QUIET),
        "Three others of the kind can go there, and all of them count (PGN standard 8.2.3.4).",
    ),
    "promoted-twin": Played(
        ("promoted-twin", "twins=1..", *_QUIET),
        "A promoted piece counts like any other of the kind (PGN standard 8.2.3.4).",
    ),
    "twin-on-file": Played(
        ("twin-on-file", "twins=2..", *_QUIET),
        "Of the others that can go there one stands on the same file, so the file alone does not "
        "tell them apart (PGN standard 8.2.3.4).",
    ),
    "twin-on-rank": Played(
        ("twin-on-rank", "disambiguation=file", *_QUIET),
        "The other piece stands on the same rank, and the file tells them apart "
        "(PGN standard 8.2.3.4).",
    ),
    "twin-behind": Played(
        ("twin-behind", "twins=0", "not", "pinned-twin", *_QUIET),
        "A piece of the kind behind the mover cannot go there, because the mover stands in the "
        "way (FIDE 3.5), so nothing of the origin is written.",
    ),
    "other-colour-too": Played(
        ("other-colour-too", "twins=0", "not", "moves=P", "not", "moves=K", *_QUIET),
        "A piece of the kind that reaches the square is the other player's, so nothing of the "
        "origin is written (PGN standard 8.2.3.4).",
    ),
    "other-kind-too": Played(
        ("other-kind-too", "twins=0", "not", "moves=P", "not", "moves=K", *_QUIET),
        "A man of another kind reaches the square too, and the letter tells them apart "
        "(PGN standard 8.2.3.4).",
    ),
    "pinned-promoted-twin": Played(
        ("pinned-twin", "twins=0", *_QUIET),
        "There are more pieces of the kind than at the start, and the other that reaches the "
        "square is pinned, so nothing of the origin is written (PGN standard 8.2.3.4).",
    ),
    "b-pawn-not-bishop": Played(
        ("moves=P", "capture", "other-kind-too", *_QUIET),
        "The small b is the file of the pawn, though a bishop can capture there too "
        "(PGN standard 8.2.3.2, 8.2.3.3).",
    ),
    "bishop-not-b-pawn": Played(
        ("moves=B", "capture", "other-kind-too", "twins=0", *_QUIET),
        "The capital B is the bishop, though a pawn of the b-file can capture there too "
        "(PGN standard 8.2.3.2, 8.2.3.3).",
    ),
    "pinner-twin": Played(
        ("disambiguation=file", "twins=1", "not", "pinned-twin-may-move", *_QUIET),
        "The other piece pins a man of the other player and is not pinned itself, so it counts "
        "(PGN standard 8.2.3.4).",
    ),
}
_NOT_MATE: Final = ("check", "not", "mate")
_BY_LINE: Final = (*_NOT_MATE, "not", "double-check")
_PASSING_CHECK: Final = "in passing, so + is written (PGN standard 8.2.3.5)."
_CHECK: Final[dict[str, Mechanism]] = {
    "direct": Played(
        (*_NOT_MATE, "direct", "not", "double-check", "not", "promotion", "not", "castling"),
        "The man that moved gives check, so + is written (PGN standard 8.2.3.5).",
    ),
    "evasion": Played(
        ("in-check", *_QUIET),
        "The mover leaves a check and gives none, so there is no sign (PGN standard 8.2.3.5).",
    ),
    "discovered-by-piece": Played(
        (*_NOT_MATE, "discovered-by=piece", "not", "double-check"),
        "The piece that moved uncovers a check by another, so + is written (PGN standard 8.2.3.5).",
    ),
    "discovered-by-pawn": Played(
        (*_NOT_MATE, "discovered-by=pawn", "not", "double-check", "not", "en-passant"),
        "The pawn that moved uncovers a check, so + is written (PGN standard 8.2.3.5).",
    ),
    "discovered-by-king": Played(
        (*_NOT_MATE, "discovered-by=king", "not", "double-check"),
        "The king that moved uncovers a check, so + is written (PGN standard 8.2.3.5).",
    ),
    "double": Played(
        (*_NOT_MATE, "double-check", "not", "en-passant", "not", "promotion"),
        "Two men give check, and one + is written for both (PGN standard 8.2.3.5).",
    ),
    "castling": Played(
        (*_NOT_MATE, "castling-check"),
        "The rook gives check by castling, so + is written (PGN standard 8.2.3.5).",
    ),
    "in-passing-by-pawn": Played(
        (*_NOT_MATE, "en-passant-check=pawn", "not", "double-check"),
        f"The pawn gives check by capturing {_PASSING_CHECK}",
    ),
    "in-passing-left": Played(
        (*_BY_LINE, "en-passant-check=left", "not", "en-passant-check=captured"),
        f"The pawn opens a line by leaving its square to capture {_PASSING_CHECK}",
    ),
    "in-passing-captured": Played(
        (*_BY_LINE, "en-passant-check=captured", "not", "en-passant-check=left"),
        f"A line opens over the square of the pawn captured {_PASSING_CHECK}",
    ),
    "in-passing-both": Played(
        (*_NOT_MATE, "en-passant-check=both", "not", "double-check"),
        f"A line opens over the squares of both pawns of a capture {_PASSING_CHECK}",
    ),
}
_LETTERS: Final = {"queen": "Q", "rook": "R", "bishop": "B", "knight": "N", "pawn": "P"}
_MATE_SIGN: Final = "so # is written (PGN standard 8.2.3.5)."
_DIRECT_MATE: Final = (
    *("mate", "direct", "not", "double-check"),
    *("not", "promotion", "not", "en-passant"),
)
_MATE: Final[dict[str, Mechanism]] = {
    **{
        f"by-{name}": Played(
            (*_DIRECT_MATE, f"moves={letter}", f"checker={letter}"),
            f"The {name} gives mate, {_MATE_SIGN}",
        )
        for name, letter in _LETTERS.items()
    },
    "by-king": Played(
        ("mate", "discovered-by=king"), f"The king uncovers a mate by another man, {_MATE_SIGN}"
    ),
    "smothered": Played(
        ("smothered",), f"The king's own men leave it no square (FIDE 1.4), {_MATE_SIGN}"
    ),
    "discovered": Played(
        ("mate", "discovered", "not", "direct", "not", "moves=K"),
        f"The mover uncovers a mate by another man, {_MATE_SIGN}",
    ),
    "double": Played(("mate", "double-check"), f"Two men give mate, {_MATE_SIGN}"),
    "castling": Played(
        ("mate", "castling-check"), f"The rook gives mate by castling, {_MATE_SIGN}"
    ),
    "in-passing": Played(("mate", "en-passant"), f"A capture in passing gives mate, {_MATE_SIGN}"),
    "pinned-capturer": Played(
        ("pinned-capturer",),
        f"A man could capture the checker, but is pinned (FIDE 3.9.2): mate, {_MATE_SIGN}",
    ),
    "pinned-blocker": Played(
        ("pinned-blocker",),
        f"A man could step between, but is pinned (FIDE 3.9.2): mate, {_MATE_SIGN}",
    ),
    "xray-flight": Played(
        ("xray-flight",),
        "The square behind the king is on the checker's line (FIDE 3.9.2), so it is no flight: "
        "mate, " + _MATE_SIGN,
    ),
}
_REPLIES: Final = {
    "king": "a step of the king",
    "capture": "a capture",
    "block": "a step between",
    "double-push": "a double push of a pawn",
    "en-passant": "a capture in passing",
    "promotion": "a promotion",
}
_OTHERS: Final = {
    "capture": ("not", "only-reply=promotion", "not", "only-reply=en-passant"),
    "block": ("not", "only-reply=promotion", "not", "only-reply=double-push"),
}
_NOT_MATE_GROUP: Final[dict[str, Mechanism]] = {
    reply: Played(
        (f"only-reply={reply}", *_OTHERS.get(reply, ())),
        f"The only reply is {words}, so it is no mate (FIDE 1.4), and + is written "
        "(PGN standard 8.2.3.5).",
    )
    for reply, words in _REPLIES.items()
}
_PIECES: Final = {"queen": "Q", "rook": "R", "bishop": "B", "knight": "N"}
_TAKING: Final = {"push": ("not", "capture"), "capture": ("capture",)}
_BY_PROMOTED: Final = ("promotion-check", "not", "double-check")
_PROMOTED: Final[dict[str, Mechanism]] = {
    f"promotion.{how}-{name}": Played(
        (f"promotion={letter}", *_TAKING[how], *_QUIET),
        f"The pawn {words} and becomes a {name}: the sign = and the letter follow the square "
        "(PGN standard 8.2.3.3).",
    )
    for name, letter in _PIECES.items()
    for how, words in (("push", "reaches the last rank"), ("capture", "captures there"))
}
_PROMOTED_WITH_SIGN: Final[dict[str, Mechanism]] = {
    f"{group}.promotion-{how}-{name}": Played(
        (f"promotion={letter}", *_TAKING[how], *criteria, *_BY_PROMOTED),
        f"The new {name} gives {group} at once (FIDE 3.7.3.5), so {sign} follows the letter "
        "(PGN standard 8.2.3.5).",
    )
    for group, sign, criteria in (("check", "+", _NOT_MATE), ("mate", "#", ("mate",)))
    for name, letter in _PIECES.items()
    for how in ("push", "capture")
}
_PASSING: Final[dict[str, Mechanism]] = {
    "plain": Played(
        ("en-passant", "not", "en-passant-two", *_QUIET),
        "A capture in passing is written like any pawn's capture, with the square that the pawn "
        "reaches (PGN standard 8.2.3.3).",
    ),
    "two": Played(
        ("en-passant", "en-passant-two", "not", "en-passant-one-pinned", *_QUIET),
        "Two pawns can capture in passing, and the file tells them apart (PGN standard 8.2.3.3).",
    ),
    "one-pinned": Played(
        ("en-passant", "en-passant-one-pinned", *_QUIET),
        "Of two pawns one is pinned; the other's file is written all the same "
        "(PGN standard 8.2.3.3).",
    ),
    "idle": Played(
        ("en-passant-idle", *_QUIET),
        "The FEN names the square that a pawn has passed, though nobody can capture there "
        "(PGN standard 16.1.3.4).",
    ),
    "not-named": Played(
        (*_QUIET,),
        "The FEN does not name the square that a pawn has passed, because nobody can capture "
        "there, as many programs do.",
    ),
    "rank": Refused(
        Reason.EN_PASSANT_EXPOSES_KING,
        "Both pawns would leave the king's rank and open it to a check (FIDE 3.9.2).",
        ("en-passant-rank",),
    ),
    "diagonal-pin": Refused(
        Reason.PINNED,
        "The pawn is pinned on a diagonal and may not capture in passing (FIDE 3.9.2).",
        ("en-passant-line",),
    ),
    "file-pin": Refused(
        Reason.PINNED,
        "The pawn is pinned on its file and may not capture in passing (FIDE 3.9.2).",
        ("en-passant-line",),
    ),
    "too-late": Refused(
        Reason.NO_EN_PASSANT,
        "A capture in passing is legal only on the move after the advance (FIDE 3.7.3.2).",
    ),
}
_CASTLING: Final[dict[str, Mechanism]] = {
    "kingside": Played(
        ("castling", "not", "castling-rook-attacked", *_QUIET),
        "Castling with the rook of the h-file is written O-O, with letters (PGN standard 8.2.3.3).",
    ),
    "queenside": Played(
        ("castling", "not", "castling-rook-attacked", "not", "castling-b-attacked", *_QUIET),
        "Castling with the rook of the a-file is written O-O-O, with letters "
        "(PGN standard 8.2.3.3).",
    ),
    "rook-attacked": Played(
        ("castling-rook-attacked", "not", "castling-b-attacked", *_QUIET),
        "The rook is attacked, which does not prevent castling (FIDE 3.8.2.2).",
    ),
    "b-attacked": Played(
        ("castling-b-attacked", "not", "castling-rook-attacked", *_QUIET),
        "Only the rook crosses the b-file, so an attack there does not prevent castling "
        "(FIDE 3.8.2.2).",
    ),
    "out": Refused(
        Reason.CASTLING_OUT_OF_CHECK,
        "The king is in check, so castling is prevented (FIDE 3.8.2.2).",
    ),
    "through": Refused(
        Reason.CASTLING_THROUGH_CHECK,
        "The square that the king crosses is attacked, so castling is prevented (FIDE 3.8.2.2).",
    ),
    "into": Refused(
        Reason.CASTLING_INTO_CHECK,
        "The square that the king reaches is attacked, so castling is prevented (FIDE 3.8.2.2).",
    ),
    "blocked": Refused(
        Reason.CASTLING_BLOCKED,
        "A piece stands between king and rook, so castling is prevented (FIDE 3.8.2.2).",
    ),
    "no-right": Refused(
        Reason.NO_CASTLING_RIGHT,
        "The king or the rook has moved, so the right to castle is lost (FIDE 3.8.2.1).",
    ),
}
_NO_PROMOTION: Final[dict[str, Mechanism]] = {
    "missing": Refused(
        None, "The text does not say what the pawn becomes (FIDE 3.7.3.3), so it is ambiguous."
    ),
    "to-king": Refused(
        Reason.PROMOTION_TO_KING,
        "A pawn becomes a queen, rook, bishop or knight, never a king (FIDE 3.7.3.3).",
    ),
    "to-pawn": Refused(
        None, "A pawn becomes a queen, rook, bishop or knight (FIDE 3.7.3.3): =P is no SAN."
    ),
    "not-on-last-rank": Refused(
        Reason.PROMOTION_BEFORE_LAST_RANK, "A pawn promotes on the last rank only (FIDE 3.7.3.3)."
    ),
    "of-piece": Refused(Reason.PROMOTION_OF_PIECE, "Only pawns promote (FIDE 3.7.3.3)."),
}
_WRONG: Final[dict[str, Mechanism]] = {
    "less-than-needed": Refused(
        None,
        "Two pieces can go there, and nothing says which (PGN standard 8.2.3.4).",
    ),
    "file-where-square-is-due": Refused(
        None,
        "Two pieces on this file can go there, so the file is not enough (PGN standard 8.2.3.4).",
    ),
    "rank-where-square-is-due": Refused(
        None,
        "Two pieces on this rank can go there, so the rank is not enough (PGN standard 8.2.3.4).",
    ),
    "pinned": Refused(Reason.PINNED, "The piece is pinned and would leave the line (FIDE 3.9.2)."),
    "check-not-answered": Refused(
        Reason.CHECK_NOT_ANSWERED, "The king is in check and would stay so (FIDE 3.9.2)."
    ),
    "attacked-square": Refused(
        Reason.ATTACKED_SQUARE, "The king may not go to an attacked square (FIDE 3.9.2)."
    ),
    "blocked": Refused(Reason.BLOCKED, "A man stands in the way (FIDE 3.5, 3.7.1, 3.7.2)."),
    "own-piece": Refused(Reason.OWN_PIECE, "A man of the same player stands there (FIDE 3.1)."),
    "nothing-to-capture": Refused(
        Reason.NOTHING_TO_CAPTURE, "A pawn goes diagonally only to capture (FIDE 3.7.3)."
    ),
    "cannot-reach": Refused(
        Reason.CANNOT_REACH, "No piece of the kind moves so (FIDE 3.2 to 3.8)."
    ),
    "no-such-piece": Refused(Reason.NO_SUCH_PIECE, "The player has no such piece there."),
    "bishop-for-pawn": Refused(
        Reason.CANNOT_REACH,
        "A small b is the b-file and no bishop, and the pawn there cannot capture on the square "
        "(PGN standard 8.2.3.2); some programs take it for a bishop all the same.",
        is_usual=True,
    ),
    "pawn-for-bishop": Refused(
        Reason.CANNOT_REACH,
        "A capital B is a bishop and no pawn of the b-file, and no bishop can go there "
        "(PGN standard 8.2.3.2).",
    ),
    "other-language": Refused(
        None,
        "The letters are English where games are exchanged (PGN standard 8.2.3.2); a program may "
        "read others (section 17).",
        is_usual=True,
    ),
    "nul": Refused(None, "The text holds a character that is no part of a move."),
    "other-digits": Refused(None, "The digits of SAN are those of ASCII."),
    "very-long": Refused(None, "The text is longer than any move."),
    "empty": Refused(None, "The text is empty."),
    "no-square": Refused(None, "There is no such square."),
    "null-move": Refused(
        None,
        "Chess has no move that does nothing (FIDE 1.2), though many programs write one.",
        is_usual=True,
    ),
}
_D = Deviation
_HOW: Final = "the move is written {canonical} (PGN standard 8.2.3"
_SPELLED: Final[dict[str, Mechanism]] = {
    "missing-x": Spelled((_D.MISSING_CAPTURE_SIGN,), f"The x is missing; {_HOW}.3)."),
    "superfluous-x": Spelled((_D.SUPERFLUOUS_CAPTURE_SIGN,), f"Nothing is captured; {_HOW}.3)."),
    "missing-check": Spelled((_D.MISSING_CHECK,), f"The + is missing; {_HOW}.5)."),
    "superfluous-check": Spelled((_D.SUPERFLUOUS_CHECK,), f"It is no check; {_HOW}.5)."),
    "missing-mate": Spelled((_D.MISSING_MATE,), f"The # is missing; {_HOW}.5)."),
    "superfluous-mate": Spelled((_D.SUPERFLUOUS_MATE,), f"It is no mate; {_HOW}.5)."),
    "mate-as-check": Spelled((_D.MATE_WRITTEN_AS_CHECK,), f"It is mate; {_HOW}.5)."),
    "check-as-mate": Spelled((_D.CHECK_WRITTEN_AS_MATE,), f"It is no mate; {_HOW}.5)."),
    "missing-equals": Spelled((_D.MISSING_PROMOTION_SIGN,), f"The = is missing; {_HOW}.3)."),
    "superfluous-equals": Spelled((_D.SUPERFLUOUS_PROMOTION_SIGN,), f"No promotion; {_HOW}.3)."),
    "promotion-in-parentheses": Spelled((_D.PROMOTION_IN_PARENTHESES,), f"Old style; {_HOW}.3)."),
    "promotion-after-slash": Spelled((_D.PROMOTION_AFTER_SLASH,), f"Old style; {_HOW}.3)."),
    "excess-file": Spelled((_D.EXCESS_FILE,), f"The file is not needed; {_HOW}.4)."),
    "excess-rank": Spelled((_D.EXCESS_RANK,), f"The rank is not needed; {_HOW}.4)."),
    "excess-square": Spelled((_D.EXCESS_SQUARE,), f"The square is not needed; {_HOW}.4)."),
    "excess-for-pinned-twin": Spelled(
        (_D.EXCESS_FILE,), f"The other piece is pinned and does not count; {_HOW}.4)."
    ),
    "rank-instead-of-file": Spelled((_D.RANK_INSTEAD_OF_FILE,), f"The file is due; {_HOW}.4)."),
    "missing-file-of-pawn": Spelled((_D.MISSING_FILE,), f"The pawn's file is due; {_HOW}.3)."),
    "missing-rank-of-square": Spelled(
        (_D.MISSING_DESTINATION_RANK,), f"The square is not complete; {_HOW}.3)."
    ),
    "zeros": Spelled((_D.ZEROS_IN_CASTLING,), f"Zeros stand for letters; {_HOW}.3)."),
    "small-o": Spelled((_D.LOWER_CASE_CASTLING,), f"Small letters; {_HOW}.3)."),
    "no-hyphens": Spelled((_D.CASTLING_WITHOUT_HYPHENS,), f"The hyphens are missing; {_HOW}.3)."),
    "castling-as-king-move": Spelled(
        (_D.CASTLING_AS_KING_MOVE,), f"Castling is no plain move of the king; {_HOW}.3)."
    ),
    "typographic-dash": Spelled((_D.TYPOGRAPHIC_DASH,), f"Another dash; {_HOW}.3)."),
    "e.p.": Spelled((_D.EN_PASSANT_MARK,), f"No sign for en passant; {_HOW}.3)."),
    "false-e.p.": Spelled((_D.FALSE_EN_PASSANT_MARK,), f"It is no capture in passing; {_HOW}.3)."),
    "double-plus-for-mate": Spelled((_D.DOUBLE_PLUS,), f"The sign of mate is #; {_HOW}.5)."),
    "double-plus-for-double-check": Spelled(
        (_D.DOUBLE_PLUS,), f"One + is due for a double check; {_HOW}.5)."
    ),
    "annotation": Spelled(
        (_D.ANNOTATION,), "The signs ! and ? are no part of {canonical} (PGN standard 8.2.3.8)."
    ),
    "nag": Spelled(
        (_D.NUMERIC_ANNOTATION,),
        "A code such as $1 is no part of {canonical} (PGN standard 8.2.4).",
    ),
    "small-piece": Spelled((_D.LOWER_CASE_PIECE,), f"Letters of pieces are capitals; {_HOW}.2)."),
    "pawn-letter": Spelled((_D.PAWN_LETTER,), f"A pawn has no letter; {_HOW}.2)."),
    "figurine": Spelled((_D.FIGURINE,), f"A letter is due; {_HOW}.2)."),
    "long-algebraic": Spelled((_D.LONG_ALGEBRAIC,), f"Long notation; {_HOW}.3)."),
    "coordinates": Spelled((_D.COORDINATE_NOTATION,), f"Notation of engines (UCI); {_HOW}.3)."),
    "other-capture-sign": Spelled((_D.OTHER_CAPTURE_SIGN,), f"The sign is x; {_HOW}.3)."),
    "white-space": Spelled((_D.WHITE_SPACE,), "White space is no part of {canonical}."),
    "move-number": Spelled(
        (_D.MOVE_NUMBER,), "The number is no part of {canonical} (PGN standard 8.2.2)."
    ),
}

MECHANISMS: Final[dict[str, Mechanism]] = (
    {f"disambiguation.{name}": mechanism for name, mechanism in _ORIGIN.items()}
    | {f"check.{name}": mechanism for name, mechanism in _CHECK.items()}
    | {f"mate.{name}": mechanism for name, mechanism in _MATE.items()}
    | {f"not-mate.{name}": mechanism for name, mechanism in _NOT_MATE_GROUP.items()}
    | {
        "stalemate": Played(
            ("stalemate",), "Stalemate is no check, so it has no sign (PGN standard 8.2.3.5)."
        )
    }
    | _PROMOTED
    | _PROMOTED_WITH_SIGN
    | {f"en-passant.{name}": mechanism for name, mechanism in _PASSING.items()}
    | {f"castling.{name}": mechanism for name, mechanism in _CASTLING.items()}
    | {f"promotion.{name}": mechanism for name, mechanism in _NO_PROMOTION.items()}
    | {f"wrong.{name}": mechanism for name, mechanism in _WRONG.items()}
    | {f"text.{name}": mechanism for name, mechanism in _SPELLED.items()}
)
"""All mechanisms of moves and texts, by name."""
