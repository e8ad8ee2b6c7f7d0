"""Checking a proof game by replaying it with python-chess. Trusted.

What is checked: every move is legal, from the starting array; the move at the game's ply is the
named player's, and its canonical SAN is the string; no position occurs five times (FIDE 9.6.1)
and no 75 moves by each player pass without a pawn's move or a capture (FIDE 9.6.2), both of
which would have ended the game; and the last position is checkmate. So no position before it was
mate or stalemate, for a legal move followed, and none was dead (FIDE 5.2.2), for mate followed.
"""

from typing import Final, NamedTuple

import chess

from proofs.kernel.proof_game import ProofGame

REPETITIONS: Final = 5
PLIES_WITHOUT_PROGRESS: Final = 150

_Key = tuple[int | bool | None, ...]


class GameError(Exception):
    """A game that does not show what it should; the message names the game and the ply."""


class CheckedGame(NamedTuple):
    """A game that passed.

    Attributes:
        game: The game.
        sans: All its moves in canonical SAN.
        before_fen: The position before the string's move.
        uci: The string's move.
        after_fen: The position after it.
    """

    game: ProofGame
    sans: tuple[str, ...]
    before_fen: str
    uci: str
    after_fen: str


class GameChecker:
    """Checks games one after the other; moves that a game shares with the one before are kept.

    Games that are sorted by their moves are checked in half the time.

    Args:
        in_san: Whether the games' moves are written in canonical SAN, and not in UCI.
    """

    def __init__(self, *, in_san: bool = False) -> None:
        self._in_san = in_san
        self._board = chess.Board()
        self._moves: list[str] = []
        self._sans: list[str] = []
        self._keys = [_position_key(self._board)]

    def check(self, game: ProofGame) -> CheckedGame:
        """Replay the game.

        Raises:
            GameError: It breaks a rule, or does not show its string.
        """
        if not 0 <= game.ply < len(game.moves):
            raise GameError(f"{_named(game, game.ply)}: the game has {len(game.moves)} plies")
        self._take_back(_common_length(self._moves, game.moves))
        for ply in range(len(self._moves), len(game.moves)):
            self._play(game, ply)
        if not self._board.is_checkmate():
            raise GameError(f"{_named(game, len(game.moves))}: the game does not end in checkmate")
        return self._check_string(game)

    def _take_back(self, length: int) -> None:
        while len(self._moves) > length:
            self._moves.pop()
            self._sans.pop()
            self._keys.pop()
            self._board.pop()

    def _play(self, game: ProofGame, ply: int) -> None:
        """Play one move, if the game is not over and the move is legal."""
        board = self._board
        if board.halfmove_clock >= PLIES_WITHOUT_PROGRESS:
            raise GameError(f"{_named(game, ply)}: the game is drawn by 75 moves without progress")
        if self._keys.count(self._keys[-1]) >= REPETITIONS:
            raise GameError(f"{_named(game, ply)}: the game is drawn by fivefold repetition")
        text = game.moves[ply]
        try:
            move = board.parse_san(text) if self._in_san else chess.Move.from_uci(text)
        except ValueError as error:
            raise GameError(f"{_named(game, ply)}: {error}") from error
        if not board.is_legal(move):
            raise GameError(f"{_named(game, ply)}: {text} is not legal in {board.fen()}")
        san = board.san(move)
        if self._in_san and text != san:
            raise GameError(f"{_named(game, ply)}: python-chess writes {text} as {san}")
        board.push(move)
        self._sans.append(san)
        self._moves.append(text)
        self._keys.append(_position_key(board))

    def _check_string(self, game: ProofGame) -> CheckedGame:
        """Check that the move at the game's ply is the player's and is written as the string."""
        board = self._board.copy(stack=len(game.moves) - game.ply)
        move = board.peek()
        while board.move_stack:
            move = board.pop()
        before_fen = board.fen()
        if game.colour != chess.COLOR_NAMES[board.turn]:
            raise GameError(f"{_named(game, game.ply)}: the move is not {game.colour}'s")
        san = self._sans[game.ply]
        if san != game.san:
            raise GameError(f"{_named(game, game.ply)}: python-chess writes the move as {san}")
        board.push(move)
        return CheckedGame(game, tuple(self._sans), before_fen, move.uci(), board.fen())


def check_game(game: ProofGame) -> CheckedGame:
    """Check one game.

    Raises:
        GameError: It breaks a rule, or does not show its string.
    """
    return GameChecker().check(game)


def _position_key(board: chess.Board) -> _Key:
    """What makes positions the same: men, player to move, rights that can be used (FIDE 9.2.3)."""
    return (
        board.turn,
        board.occupied_co[chess.WHITE],
        board.occupied_co[chess.BLACK],
        board.pawns,
        board.knights,
        board.bishops,
        board.rooks,
        board.queens,
        board.clean_castling_rights(),
        board.ep_square if board.has_legal_en_passant() else None,
    )


def _common_length(a: list[str], b: tuple[str, ...]) -> int:
    length = 0
    for x, y in zip(a, b, strict=False):
        if x != y:
            break
        length += 1
    return length


def _named(game: ProofGame, ply: int) -> str:
    return f"game of {game.colour}'s {game.san}, ply {ply + 1}"
