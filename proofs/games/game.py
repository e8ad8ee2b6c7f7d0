"""What a proof game is, and its record: the kernel's check with all moves in SAN besides.

Untrusted: what the kernel checks, it checks in :class:`proofs.kernel.games.Replay`; SAN is written
here because python-chess, which tries each move out to see if it checks, takes twice as long.
"""

from typing import Final, NamedTuple

import chess

from sanproof.proofs.kernel.games import GameError, Replay
from sanproof.proofs.rules.cubes import COLOURS, WHITE
from sanproof.proofs.verdicts.fens import write_fen

_LETTERS: Final = " PNBRQK"
_ROOKS_SEE: Final = [
    ranks[0] | files[0]
    for ranks, files in zip(chess.BB_RANK_ATTACKS, chess.BB_FILE_ATTACKS, strict=True)
]
_BISHOPS_SEE: Final = [diagonals[0] for diagonals in chess.BB_DIAG_ATTACKS]
_SEE: Final = {
    chess.KNIGHT: chess.BB_KNIGHT_ATTACKS,
    chess.BISHOP: _BISHOPS_SEE,
    chess.ROOK: _ROOKS_SEE,
    chess.QUEEN: [a | b for a, b in zip(_ROOKS_SEE, _BISHOPS_SEE, strict=True)],
}
"""For each kind of piece and square, from where it is seen on an empty board."""


class ProofGame(NamedTuple):
    """Moves (UCI) from the initial position to checkmate; this player's at ``ply`` is ``san``.

    The first ply is 0.
    """

    san: str
    colour: str
    ply: int
    moves: tuple[str, ...]


def write_line(game: ProofGame) -> str:
    """The game as a line of the file of games (:mod:`proofs.kernel.games`)."""
    return " ".join([*game.moves, str(game.ply + 1), game.san])


def read_line(line: str) -> ProofGame:
    """The game on a line that the kernel has checked, or that :func:`write_line` wrote."""
    *moves, number, san = line.split(" ")
    ply = int(number) - 1
    return ProofGame(san, COLOURS[ply % 2], ply, tuple(moves))


class CheckedGame(NamedTuple):
    """A game that passed the kernel's check, with all its moves in SAN.

    Besides, the string's move in UCI, and the positions before and after it.
    """

    game: ProofGame
    sans: tuple[str, ...]
    before_fen: str
    uci: str
    after_fen: str


class Recorder(Replay):
    """Checks games one after the other, and writes down what they play.

    Games that are sorted by their moves are checked in half the time.
    """

    def __init__(self) -> None:
        super().__init__()
        self._sans: list[str] = []
        self._ply = 0
        self._fens = ("", "")

    def record(self, game: ProofGame) -> CheckedGame:
        """Check a game.

        Raises:
            GameError: It breaks a rule, or does not show its string.
        """
        self._ply = game.ply
        shown = self.check(game.moves, game.ply + 1, game.san)
        if shown.white != (game.colour == WHITE):
            raise GameError(f"game of {game.san}: its move is not {game.colour}'s")
        # A move that checks and is not the last one does not mate, for a legal move follows.
        sans = (*self._sans[:-1], self._sans[-1].replace("+", "#"))
        return CheckedGame(game, sans, self._fens[0], game.moves[game.ply], self._fens[1])

    def _push(self, move: chess.Move, text: str) -> None:
        ply = len(self._moves)
        before = write_fen(self.board) if ply == self._ply else ""
        san = bare_san(self.board, move)
        super()._push(move, text)
        del self._sans[ply:]
        self._sans.append(f"{san}+" if is_king_attacked(self.board, self.board.turn) else san)
        if ply == self._ply:
            self._fens = (before, write_fen(self.board))


def check_game(game: ProofGame) -> CheckedGame:
    """Check one game.

    Raises:
        GameError: It breaks a rule, or does not show its string.
    """
    return Recorder().record(game)


def bare_san(board: chess.Board, move: chess.Move) -> str:
    """A legal move in SAN without suffix (PGN standard 8.2.3)."""
    origin, destination = move.from_square, move.to_square
    kind = board.piece_type_at(origin)
    target = chess.SQUARE_NAMES[destination]
    if kind == chess.PAWN:
        capture = chess.FILE_NAMES[origin & 7] + "x" if (origin - destination) & 7 else ""
        promotion = "=" + _LETTERS[move.promotion] if move.promotion else ""
        return capture + target + promotion
    if kind == chess.KING:
        if abs(origin - destination) == 2:
            return "O-O" if destination > origin else "O-O-O"
        letters = "K"
    else:
        letters = _with_discriminator(board, kind or 0, origin, destination)
    return letters + ("x" if board.occupied >> destination & 1 else "") + target


def _with_discriminator(board: chess.Board, kind: int, origin: int, destination: int) -> str:
    """The piece's letter, and what of its origin is due (PGN standard 8.2.3.4)."""
    letter = _LETTERS[kind]
    others = board.pieces_mask(kind, board.turn) & ~chess.BB_SQUARES[origin]
    if not others & _SEE[kind][destination]:  # mostly
        return letter
    if not others & board.attackers_mask(board.turn, destination):
        return letter
    to_mask = chess.BB_SQUARES[destination]
    twins = {move.from_square for move in board.generate_legal_moves(others, to_mask)}
    if not twins:
        return letter
    file, rank = origin & 7, origin >> 3
    shares_file = any(twin & 7 == file for twin in twins)
    shares_rank = any(twin >> 3 == rank for twin in twins)
    if not shares_file:
        return letter + chess.FILE_NAMES[file]
    return letter + chess.FILE_NAMES[file] * shares_rank + chess.RANK_NAMES[rank]


def is_king_attacked(board: chess.Board, colour: chess.Color) -> bool:
    """Whether a player's king is attacked; python-chess takes twice as long.

    It looks along all lines even if nobody who could attack stands there.
    """
    king = (board.kings & board.occupied_co[colour]).bit_length() - 1
    others, occupied = board.occupied_co[not colour], board.occupied
    straight = others & (board.rooks | board.queens) & _ROOKS_SEE[king]
    if straight and straight & (
        chess.BB_RANK_ATTACKS[king][chess.BB_RANK_MASKS[king] & occupied]
        | chess.BB_FILE_ATTACKS[king][chess.BB_FILE_MASKS[king] & occupied]
    ):
        return True
    slanting = others & (board.bishops | board.queens) & _BISHOPS_SEE[king]
    if slanting & chess.BB_DIAG_ATTACKS[king][chess.BB_DIAG_MASKS[king] & occupied]:
        return True
    beside = chess.BB_KNIGHT_ATTACKS[king] & board.knights
    beside |= (
        chess.BB_PAWN_ATTACKS[colour][king] & board.pawns
        | chess.BB_KING_ATTACKS[king] & board.kings
    )
    return bool(others & beside)
