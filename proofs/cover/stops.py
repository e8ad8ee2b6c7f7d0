"""Where a tour stands: the moves played, the position, and the men on the board. Untrusted."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

import chess

from sanproof.proofs.cover.parts import Station
from sanproof.proofs.games.game import quiet_replies
from sanproof.proofs.games.pieces import LETTERS, PAWN, Setting, setting_of
from sanproof.proofs.kernel.games import GameError
from sanproof.proofs.rules.san import parse_san

if TYPE_CHECKING:
    from sanproof.proofs.games.player import Position

MAX_REPLIES: Final = 4
"""After how many replies to a check a tour is tried to go on."""


class Stop(NamedTuple):
    """Where a tour stands: at its start, or after one of its strings or a reply to it.

    The moves since the start are in UCI and in SAN; ``setting`` has the men of the position.
    """

    moves: tuple[str, ...]
    sans: tuple[str, ...]
    position: "Position"
    setting: Setting

    @property
    def white_men(self) -> Counter[int]:
        """White's men by their kinds."""
        return Counter(self.setting.kinds[: self.setting.whites])

    @property
    def black_men(self) -> int:
        """The number of Black's men besides the king."""
        return len(self.setting.kinds) - self.setting.whites - 1

    def play(self, moves: Sequence[str], san: str | None) -> "Stop | None":
        """Where the tour stands after these moves; None if one is illegal, or the last not ``san``.

        The search for a path knows no pawns' captures, so a king may be left in check, but that is
        rare. So is a move after 75 without progress (FIDE 9.6.2).
        """
        from sanproof.proofs.games.player import play_on  # noqa: PLC0415 - numba is slow to load

        try:
            position, sans = play_on(self.position, moves)
        except GameError:
            return None
        if san is not None and sans[-1] != san:
            return None
        return Stop((*self.moves, *moves), (*self.sans, *sans), position, position.setting)

    def continuations(self) -> "list[Stop]":
        """The position itself; in check, where few replies are legal, those after one of these.

        With fewer of White's men fewer strings can follow, but after a check there is often no way.
        """
        if not self.position.is_check:
            return [self]
        board = chess.Board(self.position.fen)
        legal = list(board.legal_moves)
        calm = [reply for reply in legal if not board.gives_check(reply)]
        chosen = (list(quiet_replies(board)) or calm or legal)[:MAX_REPLIES]
        after = (self.play([reply.uci()], None) for reply in chosen)
        return [stop for stop in after if stop is not None]


def stop_at(fen: str) -> Stop:
    """A tour's beginning in a position."""
    from sanproof.proofs.games.player import read_position  # noqa: PLC0415 - numba is slow to load

    position = read_position(fen)
    return Stop((), (), position, position.setting)


def begun(first: Station) -> Stop:
    """Where a tour stands that begins with a string.

    Raises:
        ValueError: The station's move is illegal or is not written as its string.
    """
    stop = stop_at(first.before_fen).play([first.uci], first.san)
    if stop is None:
        raise ValueError(f"{first.uci} is not {first.san} in {first.before_fen}")
    return stop


def men_after(first: Station) -> Counter[int]:
    """White's men by their kinds after a station's move; for the plan, which loads no numba."""
    board = chess.Board(first.before_fen)
    board.push(chess.Move.from_uci(first.uci))
    setting = setting_of(board)
    return Counter(setting.kinds[: setting.whites])


def can_follow(san: str, men: Mapping[int, int]) -> bool:
    """Whether these men are enough: the one that moves, and twins for what is written."""
    kind, number = needed_men(san)
    return men.get(kind, 0) >= number


@cache
def needed_men(text: str) -> tuple[int, int]:
    """The kind of the man that moves, and how many of it there must be for what is written."""
    san = parse_san(text)
    if san.piece not in LETTERS or not san.piece:
        return PAWN, 1
    return LETTERS.index(san.piece), 1 + bool(san.file) + bool(san.rank)
