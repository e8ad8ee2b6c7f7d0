# ruff: noqa: ARG002 - a part has the arguments that its faults need
"""An adapter that is right, made of small parts, so that each part can be made wrong.

It shares no code with :mod:`verify.notation`: texts are taken apart here, and moves are written
here. python-chess says which moves are legal, and what a position is.
"""

import io
import re
from typing import ClassVar

import chess
import chess.pgn

from sanproof.verify.conformance.judge import Answer, Rejected, Result
from sanproof.verify.conformance.suite import Case, Operation

MOVE = re.compile(r"([KQRBN]?)([a-h]?)([1-8]?)(x?)([a-h][1-8])(?:=([QRBN]))?([+#]?)", re.ASCII)
CASTLING = re.compile(r"(O-O-O|O-O)([+#]?)")


class Refused(Exception):
    """A text denotes no move, or more than one."""


class Reference:
    """Answers cases rightly."""

    custom: ClassVar = "legal"
    move_text: ClassVar = MOVE

    def answer(self, case: Case) -> Answer:
        """The answer to a case."""
        try:
            return Result(self.result(case))
        except (Refused, ValueError) as error:
            return Rejected(str(error))

    def result(self, case: Case) -> object:
        asked = case.asked or ""
        if case.operation is Operation.GAME:
            return self.game(asked)
        board = self.board(case.fen or "")
        if case.operation is Operation.READ:
            return self.read(board, asked).uci()
        if case.operation is Operation.WRITE:
            return self.write(board, chess.Move.from_uci(asked))
        if case.operation is Operation.MOVES:
            return self.moves(board)
        return self.play(board, self.read(board, asked))

    def board(self, fen: str) -> chess.Board:
        board = chess.Board(fen)
        if not board.is_valid():
            raise Refused("this position is not valid")
        return board

    # Legal moves

    def legal(self, board: chess.Board) -> list[chess.Move]:
        return list(board.legal_moves)

    def moves(self, board: chess.Board) -> list[str]:
        return [self.write(board, move) for move in self.legal(board)]

    # Reading

    def read(self, board: chess.Board, text: str) -> chess.Move:
        castling = CASTLING.fullmatch(text)
        if castling:
            found = [m for m in self.legal(board) if self.castles(board, m, castling[1])]
        else:
            match = self.move_text.fullmatch(text)
            if match is None:
                raise Refused("this is no SAN")
            found = [m for m in self.legal(board) if self.agrees(board, m, match)]
        return self.only(board, found)

    def castles(self, board: chess.Board, move: chess.Move, text: str) -> bool:
        if text == "O-O":
            return board.is_kingside_castling(move)
        return board.is_queenside_castling(move)

    def agrees(self, board: chess.Board, move: chess.Move, match: re.Match[str]) -> bool:
        letter, file, rank, capture, to, promotion, _ = match.groups()
        origin = chess.square_name(move.from_square)
        return (
            self.letter(board, move) == letter
            and file in {"", origin[0]}
            and rank in {"", origin[1]}
            and bool(capture) == board.is_capture(move)
            and to == chess.square_name(move.to_square)
            and self.promotion(move) == (promotion or "")
            and not (letter == "K" and board.is_castling(move))
        )

    def only(self, board: chess.Board, found: list[chess.Move]) -> chess.Move:
        if len(found) != 1:
            raise Refused("no move" if not found else "several moves")
        return found[0]

    # Writing

    def write(self, board: chess.Board, move: chess.Move) -> str:
        if board.is_castling(move):
            return self.castling(board, move) + self.suffix(board, move)
        return (
            self.piece(board, move)
            + self.origin(board, move)
            + ("x" if self.captures(board, move) else "")
            + self.destination(board, move)
            + self.promoted(move)
            + self.suffix(board, move)
        )

    def castling(self, board: chess.Board, move: chess.Move) -> str:
        return "O-O" if board.is_kingside_castling(move) else "O-O-O"

    def letter(self, board: chess.Board, move: chess.Move) -> str:
        kind = board.piece_type_at(move.from_square) or chess.PAWN
        return "" if kind == chess.PAWN else chess.piece_symbol(kind).upper()

    def piece(self, board: chess.Board, move: chess.Move) -> str:
        return self.letter(board, move)

    def captures(self, board: chess.Board, move: chess.Move) -> bool:
        return board.is_capture(move)

    def destination(self, board: chess.Board, move: chess.Move) -> str:
        return chess.square_name(move.to_square)

    def promotion(self, move: chess.Move) -> str:
        return chess.piece_symbol(move.promotion).upper() if move.promotion else ""

    def promoted(self, move: chess.Move) -> str:
        return "=" + self.promotion(move) if move.promotion else ""

    def origin(self, board: chess.Board, move: chess.Move) -> str:
        square = chess.square_name(move.from_square)
        if not self.letter(board, move):
            return square[0] if board.is_capture(move) else ""
        twins = [chess.square_name(twin) for twin in self.twins(board, move)]
        return self.discriminator(square, twins) if twins else ""

    def discriminator(self, square: str, twins: list[str]) -> str:
        if all(twin[0] != square[0] for twin in twins):
            return square[0]
        if all(twin[1] != square[1] for twin in twins):
            return square[1]
        return square

    def twins(self, board: chess.Board, move: chess.Move) -> list[int]:
        kind = board.piece_type_at(move.from_square)
        return [
            other.from_square
            for other in board.legal_moves
            if other.to_square == move.to_square
            and other.from_square != move.from_square
            and board.piece_type_at(other.from_square) == kind
            and kind != chess.KING
        ]

    # The sign

    def after(self, board: chess.Board, move: chess.Move) -> chess.Board:
        after = board.copy(stack=False)
        after.push(move)
        return after

    def suffix(self, board: chess.Board, move: chess.Move) -> str:
        after = self.after(board, move)
        if not self.checks(board, move, after):
            return self.no_check(after)
        return "+" if self.replies(after) else self.mate_sign(after)

    def no_check(self, after: chess.Board) -> str:
        return ""

    def mate_sign(self, after: chess.Board) -> str:
        return "#"

    def checks(self, board: chess.Board, move: chess.Move, after: chess.Board) -> bool:
        return after.is_check()

    def replies(self, after: chess.Board) -> list[chess.Move]:
        return list(after.legal_moves)

    # Playing

    def play(self, board: chess.Board, move: chess.Move) -> str:
        after = self.after(board, move)
        return after.fen(en_passant="legal")

    def game(self, pgn: str) -> object:
        game = chess.pgn.read_game(io.StringIO(pgn))
        if game is None or game.errors:
            raise Refused("a move of this game cannot be read")
        board = game.board()
        sans = []
        for move in game.mainline_moves():
            sans.append(self.write(board, move))
            board.push(move)
        return {"moves": sans, "fen": board.fen(en_passant="legal")}
