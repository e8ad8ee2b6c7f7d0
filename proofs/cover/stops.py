"""Where a tour stands: the moves played, the position, and the men on the board. Untrusted."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final, NamedTuple

import chess

from sanproof.proofs.cover.parts import Station
from sanproof.proofs.games.game import is_king_attacked, push_san
from sanproof.proofs.games.men import LETTERS, PAWN, Setting, setting_of
from sanproof.proofs.games.replies import quiet_replies
from sanproof.proofs.kernel.games import read_move
from sanproof.proofs.rules.san import parse_san

MOST_REPLIES: Final = 4
"""After how many replies to a check a tour is tried to go on."""
MOST_WITHOUT_PROGRESS: Final = 150
"""Plies, of both players."""


class Stop(NamedTuple):
    """Where a tour stands: at its start, or after one of its strings or a reply to it.

    The moves since the start are in UCI and in SAN; ``setting`` has the men of the position.
    """

    moves: tuple[str, ...]
    sans: tuple[str, ...]
    board: chess.Board
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

        Men go where they may, for the search for a path and python-chess have seen to that. A king
        may be left in check, for the search knows no pawns' captures, but that is rare. So is a
        move after 75 without progress (FIDE 9.6.2). No move but the last mates: another follows.
        """
        board, sans = self.board.copy(stack=False), []
        for number, uci in enumerate(moves, 1):
            move = read_move(uci)
            if board.halfmove_clock >= MOST_WITHOUT_PROGRESS:
                return None
            sans.append(push_san(board, move, may_mate=number == len(moves)))
            if is_king_attacked(board, not board.turn):  # as the kernel sees that a move is legal
                return None
        if san is not None and sans[-1] != san:
            return None
        return Stop((*self.moves, *moves), (*self.sans, *sans), board, setting_of(board))

    def continuations(self) -> "list[Stop]":
        """The position itself; in check, where few replies are legal, those after one of these.

        With fewer of White's men fewer strings can follow, but after a check there is often no way.
        """
        board = self.board
        if not board.is_check():
            return [self]
        legal = list(board.legal_moves)
        calm = [reply for reply in legal if not board.gives_check(reply)]
        chosen = (list(quiet_replies(board)) or calm or legal)[:MOST_REPLIES]
        after = (self.play([reply.uci()], None) for reply in chosen)
        return [stop for stop in after if stop is not None]


def stop_at(fen: str) -> Stop:
    """A tour's beginning in a position."""
    board = chess.Board(fen)
    return Stop((), (), board, setting_of(board))


def begun(first: Station) -> Stop:
    """Where a tour stands that begins with a string.

    Raises:
        ValueError: The station's move is illegal or is not written as its string.
    """
    stop = stop_at(first.before_fen).play([first.uci], first.san)
    if stop is None:
        raise ValueError(f"{first.uci} is not {first.san} in {first.before_fen}")
    return stop


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
