"""Turns the findings about the cubes into a verdict on every string, and explains impossible ones.

A reason explains, and proves nothing. The proof is the certificate of the string's cube, and only
strings that a certificate excludes get a reason.
"""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from enum import Enum
from functools import cache
from itertools import product
from typing import TYPE_CHECKING, Final

from sanproof.proofs.rules.cubes import (
    WHITE,
    Cube,
    all_cubes,
    cube_of,
    exchanged_cube,
    exchanged_ranks,
)
from sanproof.proofs.rules.moves import reach_backwards
from sanproof.proofs.rules.san import (
    CASTLINGS,
    FILE_LETTERS,
    PROMOTIONS,
    RANK_DIGITS,
    SUFFIXES,
    San,
)
from sanproof.proofs.rules.squares import FILES, parse_square, square_name

if TYPE_CHECKING:
    from sanproof.proofs.board.witness import Witness

NAMES: Final = {"B": "bishop", "K": "king", "N": "knight", "Q": "queen", "R": "rook", "": "pawn"}


class Verdict(Enum):
    """The answer about a string. It is not a bool, for *not found* does not mean *impossible*."""

    REACHABLE = "reachable"
    IMPOSSIBLE = "impossible"
    UNDECIDED = "undecided"

    __hash__ = object.__hash__  # verdicts are counted a million times, and Enum's is slow


class Reason(Enum):
    """The rule that excludes a string. The value is its name in the published files."""

    PROMOTION_OF_A_PIECE = "promotion-of-a-piece"
    PROMOTION_TO_KING = "promotion-to-king"
    PROMOTION_TOO_EARLY = "promotion-too-early"
    PROMOTION_MISSING = "promotion-missing"
    PAWN_RANK_WRITTEN = "pawn-rank-written"
    PAWN_PUSH_WITH_FILE = "pawn-push-with-file"
    PAWN_CAPTURE_WITHOUT_FILE = "pawn-capture-without-file"
    PAWN_CAPTURE_NOT_ADJACENT = "pawn-capture-not-adjacent"
    KING_WITH_DISCRIMINATOR = "king-with-discriminator"
    NO_ORIGIN = "no-origin"
    NO_TWINS = "no-twins"
    NO_CHECK = "no-check"

    __hash__ = object.__hash__  # as for verdicts


RULES: Final = {
    Reason.PROMOTION_OF_A_PIECE: "Only a pawn promotes (FIDE 3.7.3.3).",
    Reason.PROMOTION_TO_KING: "A pawn does not become a king (FIDE 3.7.3.3).",
    Reason.PROMOTION_TOO_EARLY: "A pawn promotes on the last rank only (FIDE 3.7.3.3).",
    Reason.PROMOTION_MISSING: "A pawn that reaches the last rank promotes (FIDE 3.7.3.3).",
    Reason.PAWN_RANK_WRITTEN: "A pawn's move never names the rank it comes from (PGN 8.2.3.3).",
    Reason.PAWN_PUSH_WITH_FILE: "A pawn's push does not name its file (PGN 8.2.3.3).",
    Reason.PAWN_CAPTURE_WITHOUT_FILE: "A pawn's capture always names its file (PGN 8.2.3.3).",
    Reason.PAWN_CAPTURE_NOT_ADJACENT: "A pawn captures from an adjacent file (FIDE 3.7.3).",
    Reason.KING_WITH_DISCRIMINATOR: "A side has one king: no need to tell which (FIDE 2.2).",
    Reason.NO_ORIGIN: "The piece reaches the destination from no square that is so named (FIDE 3).",
    Reason.NO_TWINS: "No twins can stand so that this is what is written (PGN 8.2.3.4).",
    Reason.NO_CHECK: "The move can be played, but never gives check.",
}
"""The rule behind each reason, in general terms."""

SENTENCES: Final = {
    Reason.PROMOTION_OF_A_PIECE: "{san} promotes a {piece}, but only a pawn promotes.",
    Reason.PROMOTION_TO_KING: "{san} promotes a pawn to a king, but it becomes a Q, R, B or N.",
    Reason.PROMOTION_TOO_EARLY: "{san} promotes on {target}, which is not on a last rank.",
    Reason.PROMOTION_MISSING: "{san} leaves a pawn on {target}, where it must promote ({bare}=Q).",
    Reason.PAWN_RANK_WRITTEN: "{san} names the rank a pawn comes from, which is never written.",
    Reason.PAWN_PUSH_WITH_FILE: "{san} is a pawn's push, which does not name its file.",
    Reason.PAWN_CAPTURE_WITHOUT_FILE: "{san} is a pawn's capture, which always names its file.",
    Reason.PAWN_CAPTURE_NOT_ADJACENT: "{san}: a pawn on {origin} does not capture on {target}.",
    Reason.KING_WITH_DISCRIMINATOR: "{san} says which king moves, but a side has only one.",
    Reason.NO_ORIGIN: "{san}: no {piece} reaches {target} from {origin}.",
    Reason.NO_TWINS: (
        "{san} names {origin} to tell this {piece} apart from {twins}, "
        "but no such {piece} can reach {target} too."
    ),
    Reason.NO_CHECK: (
        "{bare} can be played, but it never gives check. It uncovers no line, and each square that "
        "a {piece} attacks from {target} was under attack already, is the one it has just left, or "
        "holds another {piece}."
    ),
}
"""The templates of sentences about one string, for each reason; :func:`sentence` fills them in."""

TWINS: Final = {
    (True, False): "one on another file",
    (False, True): "one on the same file",
    (True, True): "others on its file and on its rank",
    (False, False): "others",
}
"""The twins from which a discriminator tells the piece, by whether file and rank are written."""


class NoReason(Exception):
    """A string is impossible, but no named reason fits it: the list of reasons has a gap."""


def reason(san: San, *, playable: bool) -> Reason:
    """Return the reason why a string is impossible.

    ``playable`` says that the same string without its suffix is reachable.

    Raises:
        NoReason: No reason fits, as for every castling.
    """
    if san.piece in CASTLINGS:
        raise NoReason(f"no reason excludes {san}")
    if playable:
        return Reason.NO_CHECK
    why = promotion_reason(san.piece, san.destination, san.promotion)
    if why is not None:
        return why
    if san.piece == "":
        return _pawn_reason(san)
    if san.piece == "K" and (san.file or san.rank):
        return Reason.KING_WITH_DISCRIMINATOR
    if not origins(san):
        return Reason.NO_ORIGIN
    if san.file or san.rank:
        return Reason.NO_TWINS
    raise NoReason(f"no reason excludes {san}")


def promotion_reason(piece: str, destination: str, promotion: str) -> Reason | None:
    """Return why no such piece moves there with this promotion, or None if one does."""
    if piece:
        return Reason.PROMOTION_OF_A_PIECE if promotion else None
    last_rank = destination[1] in "18"
    if promotion == "K":
        return Reason.PROMOTION_TO_KING
    if promotion and not last_rank:
        return Reason.PROMOTION_TOO_EARLY
    return Reason.PROMOTION_MISSING if last_rank and not promotion else None


def _pawn_reason(san: San) -> Reason:
    if san.rank:
        return Reason.PAWN_RANK_WRITTEN
    if san.file and not san.capture:
        return Reason.PAWN_PUSH_WITH_FILE
    if san.capture and not san.file:
        return Reason.PAWN_CAPTURE_WITHOUT_FILE
    if san.capture and abs(FILES.index(san.file) - FILES.index(san.destination[0])) != 1:
        return Reason.PAWN_CAPTURE_NOT_ADJACENT
    raise NoReason(f"no reason excludes {san}")


def origins(san: San) -> list[int]:
    """Return the squares that fit a piece move's discriminator and that the piece can come from."""
    reach = _reach(san.piece, san.destination)
    return [s for s, name in reach if san.file in ("", name[0]) and san.rank in ("", name[1])]


@cache
def _reach(piece: str, destination: str) -> list[tuple[int, str]]:
    """Return the squares from which a piece reaches the destination, with their names."""
    return [(s, square_name(s)) for s in reach_backwards(piece, parse_square(destination))]


def sentence(san: San, why: Reason) -> str:
    """Return the reason as a sentence about this string."""
    return SENTENCES[why].format(
        san=san,
        bare=san.bare,
        piece=NAMES[san.piece],
        target=san.destination,
        origin=_origin(san),
        twins=TWINS[bool(san.file), bool(san.rank)],
    )


def _origin(san: San) -> str:
    if san.file and san.rank:
        return san.file + san.rank
    return f"the {san.file}-file" if san.file else f"rank {san.rank}"


# Verdicts


def bare_strings(cube: Cube) -> Iterator[San]:
    """Yield every string of the cube without suffix that the grammar derives."""
    if cube.castling:
        yield San(cube.piece, "", "", "", "", "", "")
        return
    parts = product(FILE_LETTERS, RANK_DIGITS, PROMOTIONS)
    for file, rank, promotion in parts:
        yield San(cube.piece, file, rank, cube.capture, cube.destination, promotion, "")


NONE_POSSIBLE: Final = (Verdict.IMPOSSIBLE,) * len(SUFFIXES)


Ruling = tuple[San, tuple[Verdict, ...], Reason | None]
"""A bare string, the verdicts on it with each of ``SUFFIXES``, and why some are impossible.

The reason is the same for all suffixes, and None if none is impossible.
"""


@dataclass
class Findings:
    """Everything that a run has found so far.

    Attributes:
        witnesses: The published witness of each reachable string: White's if there is one,
            otherwise Black's.
        left_open: For each closed cube, the strings that its certificate leaves open: White plays
            no other string of the cube.
    """

    witnesses: dict[str, "Witness"] = field(default_factory=dict)
    left_open: dict[Cube, Collection[str]] = field(default_factory=dict)

    def add_witnesses(self, witnesses: Iterable["Witness"]) -> None:
        """Add witnesses, in any order."""
        for witness in witnesses:
            known = self.witnesses.get(witness.san)
            if known is None or (" b " in known.fen and " w " in witness.fen):
                self.witnesses[witness.san] = witness

    def rulings(self, cubes: Iterable[Cube] | None = None) -> Iterator[Ruling]:
        """Yield the verdicts on every string of these cubes, or of all cubes.

        Raises:
            NoReason: A string is impossible, but no named reason fits it.
        """
        shown = {san.rstrip("+#") for san in self.witnesses}
        for cube in all_cubes() if cubes is None else cubes:
            possible = self._possible(cube)
            left_open = {san.rstrip("+#") for san in possible or ()}
            for bare in bare_strings(cube):
                text = str(bare)
                if possible is None or text in left_open or text in shown:
                    yield self._ruling(bare, possible)
                else:  # mostly
                    yield bare, NONE_POSSIBLE, reason(bare, playable=False)

    def verdict(self, san: San) -> tuple[Verdict, Reason | None]:
        """Return the verdict on one string, and the reason if it is impossible."""
        _, verdicts, why = self._ruling(san.bare, self._possible(cube_of(san)))
        verdict = verdicts[SUFFIXES.index(san.suffix)]
        return verdict, why if verdict is Verdict.IMPOSSIBLE else None

    def open_to(self, colour: str) -> set[str]:
        """Return the strings that the certificates leave open for a player."""
        white = (san for left_open in self.left_open.values() for san in left_open)
        if colour == WHITE:
            return set(white)
        return {exchanged_ranks(san) for san in white}

    def _possible(self, cube: Cube) -> set[str] | None:
        """Return a cube's strings that no proof excludes for both colours, None otherwise.

        Black plays a string exactly when White plays it with the colours exchanged.
        """
        white = self.left_open.get(cube)
        black = self.left_open.get(exchanged_cube(cube))
        if white is None or black is None:
            return None
        return {*white, *(exchanged_ranks(san) for san in black)}

    def _ruling(self, bare: San, possible: set[str] | None) -> Ruling:
        text = str(bare)
        verdicts = tuple([self._verdict(text + suffix, possible) for suffix in SUFFIXES])
        if Verdict.IMPOSSIBLE not in verdicts:
            return bare, verdicts, None
        playable = possible is not None and text in possible
        return bare, verdicts, reason(bare, playable=playable)

    def _verdict(self, san: str, possible: set[str] | None) -> Verdict:
        if san in self.witnesses:
            return Verdict.REACHABLE
        is_open = possible is None or san in possible
        return Verdict.UNDECIDED if is_open else Verdict.IMPOSSIBLE
