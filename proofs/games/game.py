"""Proof games, and their records: the kernel's check with all moves in SAN besides.

Untrusted: what the kernel checks, it checks in :class:`proofs.kernel.games.Replay`; SAN is written
here because python-chess, which tries each move out to see if it checks, takes twice as long. Where
many games are written down, :mod:`proofs.games.player` does that in compiled code.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

import chess

from sanproof.proofs.kernel.games import GameError, Push, Replay, Shown, common_length, read_move
from sanproof.proofs.rules.cubes import COLOURS, WHITE, exchanged_ranks
from sanproof.proofs.search.symmetry import exchanged_fen
from sanproof.proofs.verdicts.fens import write_fen

SAMPLED: Final = 20
"""Of so many games of the cover, python-chess replays one, where compiled code plays all."""
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
    return proof_game(moves, int(number), san)


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

    Games that are sorted by their moves are checked in half the time, and in half of that if each
    is followed by the same game with the colours exchanged.

    Attributes:
        last: The record of the last game that holds.
    """

    last: CheckedGame

    def __init__(self) -> None:
        super().__init__()
        self._sans: list[str] = []
        self._ply = 0
        self._fens = ("", "")
        self._played: CheckedGame

    def record(self, game: ProofGame) -> CheckedGame:
        """Check a game.

        Raises:
            GameError: It breaks a rule, or does not show its string.
        """
        if (game.ply % 2 == 0) != (game.colour == WHITE):
            raise GameError(f"game of {game.san}: its move is not {game.colour}'s")
        replay(self, game)
        return self.last

    def check_exchanged(self, moves: Sequence[str], ply: int, san: str) -> Shown | None:
        """As the kernel does; what the game plays is taken from the last one that was played."""
        shown = super().check_exchanged(moves, ply, san)
        if shown:
            self.last = exchanged_record(self._played, proof_game(moves, ply, san))
        return shown

    def check(self, moves: Sequence[str], ply: int, san: str) -> Shown:
        """As the kernel does, and write down what the game plays."""
        self._ply = ply - 1
        shown = super().check(moves, ply, san)
        # A move that checks and is not the last one does not mate, for a legal move follows.
        sans = (*self._sans[:-1], self._sans[-1].replace("+", "#"))
        game = proof_game(moves, ply, san)
        self.last = CheckedGame(game, sans, self._fens[0], moves[ply - 1], self._fens[1])
        self._played = self.last
        return shown

    def _push(self, move: chess.Move, text: str, push: Push) -> str | None:
        ply = len(self._moves)
        before = write_fen(self.board) if ply == self._ply else ""
        san = bare_san(self.board, move)
        written = super()._push(move, text, push)
        del self._sans[ply:]
        self._sans.append(f"{san}+" if is_king_attacked(self.board, self.board.turn) else san)
        if ply == self._ply:
            self._fens = (before, write_fen(self.board))
        return written


def proof_game(moves: Sequence[str], number: int, san: str) -> ProofGame:
    """A game whose move of a number, from 1, is written as the string."""
    return ProofGame(san, COLOURS[(number - 1) % 2], number - 1, tuple(moves))


def replay(by: Replay, game: ProofGame) -> Shown:
    """Have the kernel replay a game, or see that it ends as the one before; a GameError if not."""
    asked = game.moves, game.ply + 1, game.san
    return by.check_exchanged(*asked) or by.check(*asked)


def check_game(game: ProofGame) -> CheckedGame:
    """Check one game.

    Raises:
        GameError: It breaks a rule, or does not show its string.
    """
    return Recorder().record(game)


def exchanged_record(last: CheckedGame, game: ProofGame) -> CheckedGame:
    """The record of a game that is checked because it ends as the last one with other colours."""
    exchanged = exchanged_ranks(" ".join(last.game.moves)).split(" ")
    shared = common_length(reversed(exchanged), reversed(game.moves))
    start = _written(game.moves[: len(game.moves) - shared])
    sans = (*start, *exchanged_ranks(" ".join(last.sans[-shared:])).split(" "))
    before, after = (
        f"{exchanged_fen(fen).rpartition(' ')[0]} {ply // 2 + 1}"
        for fen, ply in ((last.before_fen, game.ply), (last.after_fen, game.ply + 1))
    )
    return CheckedGame(game, sans, before, game.moves[game.ply], after)


@lru_cache(100)
def _written(moves: Sequence[str]) -> list[str]:
    """Moves from the initial position in SAN."""
    board = chess.Board()
    return [board.san_and_push(read_move(text)) for text in moves]


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
    there = chess.BB_SQUARES[destination]
    twins = [
        twin
        for twin in chess.scan_forward(others & board.attackers_mask(board.turn, destination))
        if not is_king_attacked(board, board.turn, chess.BB_SQUARES[twin], there)
    ]
    if not twins:
        return letter
    file, rank = origin & 7, origin >> 3
    shares_file = any(twin & 7 == file for twin in twins)
    shares_rank = any(twin >> 3 == rank for twin in twins)
    if not shares_file:
        return letter + chess.FILE_NAMES[file]
    return letter + chess.FILE_NAMES[file] * shares_rank + chess.RANK_NAMES[rank]


def is_king_attacked(
    board: chess.Board, colour: chess.Color, here: int = 0, there: int = 0
) -> bool:
    """Whether a player's king is attacked; python-chess takes twice as long.

    It looks along all lines even if nobody who could attack stands there. With two squares, as
    bitboards: whether it would be if a piece of the player's went from one to the other.
    """
    king = (board.kings & board.occupied_co[colour]).bit_length() - 1
    others, occupied = board.occupied_co[not colour] & ~there, board.occupied & ~here | there
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


def push_san(board: chess.Board, move: chess.Move) -> str:
    """Play a legal move, and return how it is written.

    python-chess's ``san_and_push`` plays the move twice, to see whether it is check.
    """
    san = bare_san(board, move)
    board.push(move)
    if not is_king_attacked(board, board.turn):
        return san
    return san + ("#" if board.is_checkmate() else "+")


def has_quiet_reply(board: chess.Board) -> bool:
    """Whether there is a legal move that neither captures nor checks."""
    return any(quiet_replies(board))


def quiet_replies(board: chess.Board) -> Iterator[chess.Move]:
    """The legal moves that neither capture nor check."""
    moves = board.generate_legal_moves(to_mask=~board.occupied)
    return (move for move in moves if not board.gives_check(move))
