# ruff: noqa: ARG002 - a part that is broken need not look at all that it is given
"""Faults planted in a copy of an adapter that is right: each breaks one thing.

Most have been found in a real library.
"""

import re
from collections.abc import Iterator
from dataclasses import replace

import chess
from chess import Board, Move

from sanproof.verify.conformance.suite import Case, Operation
from tests.conformance.reference import MOVE, Reference, Refused

KINDS = (chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN)


# Disambiguation


class NeverDisambiguates(Reference):
    def twins(self, board: Board, move: Move) -> list[int]:
        return []


class CountsPinnedTwins(Reference):
    def twins(self, board: Board, move: Move) -> list[int]:
        return list(_rivals(board, move))


class IgnoresPinnedTwinsThatMayMove(Reference):
    def twins(self, board: Board, move: Move) -> list[int]:
        return [s for s in super().twins(board, move) if not board.is_pinned(board.turn, s)]


class TakesPinnerForPinned(Reference):
    """rudzen/ChessLib 65."""

    def twins(self, board: Board, move: Move) -> list[int]:
        return [s for s in super().twins(board, move) if not _pins(board, s)]


class WritesRankBeforeFile(Reference):
    def discriminator(self, square: str, twins: list[str]) -> str:
        if all(twin[1] != square[1] for twin in twins):
            return square[1]
        return super().discriminator(square, twins)


class WritesFileOnly(Reference):
    def discriminator(self, square: str, twins: list[str]) -> str:
        return square[0]


class WritesSquareAlways(Reference):
    def discriminator(self, square: str, twins: list[str]) -> str:
        return square


class NeverWritesSquare(Reference):
    def discriminator(self, square: str, twins: list[str]) -> str:
        written = super().discriminator(square, twins)
        return written if len(written) == 1 else square[1]


class LooksAtOneTwin(Reference):
    def twins(self, board: Board, move: Move) -> list[int]:
        return super().twins(board, move)[:1]


class LooksAtTwoTwins(Reference):
    def twins(self, board: Board, move: Move) -> list[int]:
        twins = super().twins(board, move)
        return twins if len(twins) < 3 else []


class KnowsNoPromotedTwins(Reference):
    def twins(self, board: Board, move: Move) -> list[int]:
        kind = board.piece_type_at(move.from_square) or chess.PAWN
        most = 1 if kind in {chess.QUEEN, chess.BISHOP} else 2
        own = len(board.pieces(kind, board.turn))
        return [] if own > most else super().twins(board, move)


class CountsPinnedPromotedTwins(Reference):
    """chess.js 121."""

    def twins(self, board: Board, move: Move) -> list[int]:
        kind = board.piece_type_at(move.from_square) or chess.PAWN
        many = len(board.pieces(kind, board.turn)) > 2
        return list(_rivals(board, move)) if many else super().twins(board, move)


class ComparesFilesOfOneTwin(Reference):
    """Only the last twin decides if the file is enough."""

    def discriminator(self, square: str, twins: list[str]) -> str:
        return super().discriminator(square, twins[-1:])


class WritesRankForTwinsOnRank(Reference):
    def discriminator(self, square: str, twins: list[str]) -> str:
        if len(twins) == 1 and twins[0][1] == square[1]:
            return square[1]
        return super().discriminator(square, twins)


class CountsTwinBehindMover(Reference):
    def twins(self, board: Board, move: Move) -> list[int]:
        through = board.copy(stack=False)
        through.remove_piece_at(move.from_square)
        kind = board.piece_type_at(move.from_square)
        behind = [
            s
            for s in board.pieces(kind or chess.PAWN, board.turn)
            if s != move.from_square
            and kind in KINDS
            and move.to_square in through.attacks(s)
            and move.to_square not in board.attacks(s)
        ]
        return super().twins(board, move) + behind


class CountsEnemyPieces(Reference):
    def twins(self, board: Board, move: Move) -> list[int]:
        kind = board.piece_type_at(move.from_square)
        enemies = board.attackers(not board.turn, move.to_square)
        same = [s for s in enemies if board.piece_type_at(s) == kind and kind in KINDS]
        return super().twins(board, move) + same


class CountsOtherKinds(Reference):
    def twins(self, board: Board, move: Move) -> list[int]:
        kind = board.piece_type_at(move.from_square)
        others = board.attackers(board.turn, move.to_square) - chess.SquareSet([move.from_square])
        return list(others) if kind in KINDS else super().twins(board, move)


# Check and mate


class WritesNoCheck(Reference):
    def suffix(self, board: Board, move: Move) -> str:
        return super().suffix(board, move).replace("+", "")


class SeesNoDiscoveredCheck(Reference):
    def checks(self, board: Board, move: Move, after: Board) -> bool:
        rook = (move.from_square + move.to_square) // 2
        moved = {move.to_square} | ({rook} if board.is_castling(move) else set())
        return bool(set(after.checkers()) & moved)


class SeesNoCheckDiscoveredByPawn(SeesNoDiscoveredCheck):
    def checks(self, board: Board, move: Move, after: Board) -> bool:
        if board.piece_type_at(move.from_square) == chess.PAWN:
            return super().checks(board, move, after)
        return after.is_check()


class SeesNoCheckDiscoveredByKing(Reference):
    def checks(self, board: Board, move: Move, after: Board) -> bool:
        king = board.piece_type_at(move.from_square) == chess.KING
        return after.is_check() and (not king or board.is_castling(move))


class WritesDoubleCheckTwice(Reference):
    def suffix(self, board: Board, move: Move) -> str:
        double = len(self.after(board, move).checkers()) == 2
        sign = super().suffix(board, move)
        return "++" if sign == "+" and double else sign


class SeesNoCheckByCastling(Reference):
    """Disservin/chess-library 160."""

    def suffix(self, board: Board, move: Move) -> str:
        return "" if board.is_castling(move) else super().suffix(board, move)


class LeavesCapturedPawnInLine(Reference):
    def checks(self, board: Board, move: Move, after: Board) -> bool:
        if not board.is_en_passant(move):
            return after.is_check()
        square = _captured(move)
        with_pawn = after.copy(stack=False)
        with_pawn.set_piece_at(square, chess.Piece(chess.PAWN, not board.turn))
        return with_pawn.is_check()


class LeavesCapturerInLine(Reference):
    def checks(self, board: Board, move: Move, after: Board) -> bool:
        if not board.is_en_passant(move):
            return after.is_check()
        with_pawn = after.copy(stack=False)
        with_pawn.set_piece_at(move.from_square, chess.Piece(chess.PAWN, board.turn))
        return with_pawn.is_check()


class SeesNoCheckByPassingPawn(Reference):
    def checks(self, board: Board, move: Move, after: Board) -> bool:
        by_pawn = move.to_square in after.checkers()
        return after.is_check() and not (board.is_en_passant(move) and by_pawn)


class SeesNoCheckOverBothSquares(Reference):
    """Sees a check over one of the two squares, not along the rank."""

    def checks(self, board: Board, move: Move, after: Board) -> bool:
        king = after.king(after.turn)
        along = king is not None and chess.square_rank(king) == chess.square_rank(move.from_square)
        return after.is_check() and not (board.is_en_passant(move) and along)


class JudgesPromotionByPawn(Reference):
    def checks(self, board: Board, move: Move, after: Board) -> bool:
        if not move.promotion:
            return after.is_check()
        return super().checks(
            board, move, self.after(board, Move(move.from_square, move.to_square))
        )


class SeesNoCheckByPromotedKnight(Reference):
    def checks(self, board: Board, move: Move, after: Board) -> bool:
        return after.is_check() and move.promotion != chess.KNIGHT


class WritesMateAsCheck(Reference):
    def mate_sign(self, after: Board) -> str:
        return "+"


class WritesMateAsDoublePlus(Reference):
    """marianogappa/cheesse 28."""

    def mate_sign(self, after: Board) -> str:
        return "++"


class WritesStalemateAsMate(Reference):
    def no_check(self, after: Board) -> str:
        return "" if any(after.legal_moves) else "#"


class WritesSignForCheckBefore(Reference):
    """rudzen/ChessLib 56: the mover's own check counts."""

    def checks(self, board: Board, move: Move, after: Board) -> bool:
        return board.is_check() or after.is_check()


class ForgetsReplies(Reference):
    """Takes a check for mate, because it does not see one sort of reply."""

    def forgotten(self, board: Board, reply: Move) -> bool:
        raise NotImplementedError

    def replies(self, after: Board) -> list[Move]:
        return [reply for reply in after.legal_moves if not self.forgotten(after, reply)]


class ForgetsKingSteps(ForgetsReplies):
    def forgotten(self, board: Board, reply: Move) -> bool:
        return board.piece_type_at(reply.from_square) == chess.KING


class ForgetsCaptures(ForgetsReplies):
    def forgotten(self, board: Board, reply: Move) -> bool:
        king = board.piece_type_at(reply.from_square) == chess.KING
        return board.is_capture(reply) and not king


class ForgetsBlocks(ForgetsReplies):
    def forgotten(self, board: Board, reply: Move) -> bool:
        king = board.piece_type_at(reply.from_square) == chess.KING
        return not king and not board.is_capture(reply)


class ForgetsDoublePushes(ForgetsReplies):
    def forgotten(self, board: Board, reply: Move) -> bool:
        pawn = board.piece_type_at(reply.from_square) == chess.PAWN
        return pawn and abs(reply.from_square - reply.to_square) == 16


class ForgetsPassing(ForgetsReplies):
    def forgotten(self, board: Board, reply: Move) -> bool:
        return board.is_en_passant(reply)


class ForgetsPromotions(ForgetsReplies):
    def forgotten(self, board: Board, reply: Move) -> bool:
        return bool(reply.promotion)


class LetsPinnedMenAnswer(Reference):
    def replies(self, after: Board) -> list[Move]:
        king = after.king(after.turn) or 0
        checkers = after.checkers()
        wanted = int(checkers) | (chess.between(king, checkers.pop()) if len(checkers) == 1 else 0)
        others = after.occupied_co[after.turn] & ~after.kings
        pinned = (
            after.generate_pseudo_legal_moves(others, wanted) if len(after.checkers()) == 1 else []
        )
        return [*after.legal_moves, *pinned]


class LetsPinnedMenBlock(LetsPinnedMenAnswer):
    def replies(self, after: Board) -> list[Move]:
        checkers = int(after.checkers())
        found = super().replies(after)
        return [
            m for m in found if after.is_legal(m) or not chess.BB_SQUARES[m.to_square] & checkers
        ]


class LetsPinnedMenCapture(LetsPinnedMenAnswer):
    def replies(self, after: Board) -> list[Move]:
        checkers = int(after.checkers())
        found = super().replies(after)
        return [m for m in found if after.is_legal(m) or chess.BB_SQUARES[m.to_square] & checkers]


class LetsKingStepBack(Reference):
    """The king is still in the line that it flees along."""

    def replies(self, after: Board) -> list[Move]:
        king = after.king(after.turn)
        flights = chess.SquareSet() if king is None else after.attacks(king)
        own = after.occupied_co[after.turn]
        steps = [
            Move(king or 0, s)
            for s in flights
            if not chess.BB_SQUARES[s] & own and not after.is_attacked_by(not after.turn, s)
        ]
        return [*after.legal_moves, *steps]


class LetsKingLeaveKnight(Reference):
    """A knight's check is never mate."""

    def replies(self, after: Board) -> list[Move]:
        knights = [s for s in after.checkers() if after.piece_type_at(s) == chess.KNIGHT]
        return list(after.legal_moves) or ([Move.null()] if knights else [])


class TakesDoubleCheckForMate(Reference):
    def replies(self, after: Board) -> list[Move]:
        return [] if len(after.checkers()) == 2 else list(after.legal_moves)


# Captures in passing, promotion, castling: writing


class WritesPassingAsPush(Reference):
    """brozeph/node-chess 53."""

    def write(self, board: Board, move: Move) -> str:
        san = super().write(board, move)
        return san[2:] if board.is_en_passant(move) else san


class WritesPassingWithMark(Reference):
    def write(self, board: Board, move: Move) -> str:
        mark = " e.p." if board.is_en_passant(move) else ""
        return super().write(board, move) + mark


class WritesSquareOfCapturedPawn(Reference):
    """marianogappa/cheesse 28."""

    def destination(self, board: Board, move: Move) -> str:
        return chess.square_name(_captured(move) if board.is_en_passant(move) else move.to_square)


class WritesPawnsCaptureWithoutFile(Reference):
    def origin(self, board: Board, move: Move) -> str:
        return super().origin(board, move) if self.letter(board, move) else ""


class WritesPawnsLetter(Reference):
    def piece(self, board: Board, move: Move) -> str:
        return self.letter(board, move) or "P"


class WritesNoEquals(Reference):
    def promoted(self, move: Move) -> str:
        return self.promotion(move)


class WritesQueenAlways(Reference):
    def promoted(self, move: Move) -> str:
        return "=Q" if move.promotion else ""


class WritesSmallPromotion(Reference):
    def promoted(self, move: Move) -> str:
        return super().promoted(move).lower()


class WritesZeros(Reference):
    def castling(self, board: Board, move: Move) -> str:
        return super().castling(board, move).replace("O", "0")


class WritesKingsideAlways(Reference):
    def castling(self, board: Board, move: Move) -> str:
        return "O-O"


class WritesCastlingAsKingMove(Reference):
    def castling(self, board: Board, move: Move) -> str:
        return "K" + chess.square_name(move.to_square)


class WritesNoCapture(Reference):
    def captures(self, board: Board, move: Move) -> bool:
        return False


# Reading


class TakesFirstOfSeveral(Reference):
    """Disservin/chess-library 145."""

    def only(self, board: Board, found: list[Move]) -> Move:
        return super().only(board, found[:1])


class MovesPinnedPieces(Reference):
    def legal(self, board: Board) -> list[Move]:
        found = [m for m in board.pseudo_legal_moves if not board.is_castling(m)]
        castlings = list(board.generate_castling_moves())
        return [m for m in found if board.is_legal(m) or _is_pinned(board, m)] + castlings


class AnswersNoCheck(Reference):
    def legal(self, board: Board) -> list[Move]:
        return list(board.pseudo_legal_moves if board.is_check() else board.legal_moves)


class StepsIntoCheck(Reference):
    def legal(self, board: Board) -> list[Move]:
        king = board.kings & board.occupied_co[board.turn]
        steps = board.generate_pseudo_legal_moves(king)
        found = set(board.legal_moves) | {m for m in steps if not board.is_castling(m)}
        return sorted(found, key=str)


class KnowsNoPassing(Reference):
    """jordanbray/chess 54."""

    def legal(self, board: Board) -> list[Move]:
        return [m for m in board.legal_moves if not board.is_en_passant(m)]


class PassesAlongKingsRank(Reference):
    """Both pawns leave the king's rank: the usual test for pins does not see it."""

    def legal(self, board: Board) -> list[Move]:
        extra = [
            m
            for m in board.generate_pseudo_legal_ep()
            if not board.is_legal(m)
            and not board.is_check()
            and not board.is_pinned(board.turn, m.from_square)
        ]
        return [*board.legal_moves, *extra]


class PassesWithPinnedPawn(Reference):
    def legal(self, board: Board) -> list[Move]:
        extra = [
            m
            for m in board.generate_pseudo_legal_ep()
            if not board.is_legal(m) and board.is_pinned(board.turn, m.from_square)
        ]
        return [*board.legal_moves, *extra]


class PassesTooLate(Reference):
    """Every pawn on its fourth rank (from its own side) may be captured in passing."""

    def legal(self, board: Board) -> list[Move]:
        found = set(board.legal_moves)
        rank = 5 if board.turn else 2
        back = -8 if board.turn else 8
        for to in range(8 * rank, 8 * rank + 8):
            later = board.copy(stack=False)
            pawn = chess.Piece(chess.PAWN, not board.turn)
            if board.piece_at(to) is None and board.piece_at(to + back) == pawn:
                later.ep_square = to
                found |= set(later.generate_legal_ep())
        return sorted(found, key=str)

    def agrees(self, board: Board, move: Move, match: re.Match[str]) -> bool:
        file_changes = chess.square_file(move.from_square) != chess.square_file(move.to_square)
        passing = not self.letter(board, move) and file_changes and not board.is_capture(move)
        if not passing:
            return super().agrees(board, move, match)
        return (match[2], match[5]) == (move.uci()[0], move.uci()[2:4]) and not match[1]


class CannotReadPassing(Reference):
    def read(self, board: Board, text: str) -> Move:
        move = super().read(board, text)
        if board.is_en_passant(move):
            raise Refused("nothing stands there")
        return move


class TakesWrongPawnInPassing(Reference):
    def agrees(self, board: Board, move: Move, match: re.Match[str]) -> bool:
        if board.is_en_passant(move) and match[4]:
            return match[5] == chess.square_name(move.to_square) and match[1] == ""
        return super().agrees(board, move, match)

    def only(self, board: Board, found: list[Move]) -> Move:
        return super().only(board, found[-1:])


class ReadsSmallBAsBishop(Reference):
    """chess.js 321."""

    def read(self, board: Board, text: str) -> Move:
        bishop = re.fullmatch(r"bx[a-h][1-8][+#]?", text)
        return super().read(board, text.replace("b", "B", 1) if bishop else text)


class FallsBackToPawn(Reference):
    def read(self, board: Board, text: str) -> Move:
        try:
            return super().read(board, text)
        except Refused:
            return super().read(board, text.replace("B", "b", 1))


class CastlesOutOfCheck(Reference):
    def legal(self, board: Board) -> list[Move]:
        return list(board.legal_moves) + list(_castlings(board, {"out"}))


class CastlesThroughCheck(Reference):
    def legal(self, board: Board) -> list[Move]:
        return list(board.legal_moves) + list(_castlings(board, {"through"}))


class CastlesIntoCheck(Reference):
    def legal(self, board: Board) -> list[Move]:
        return list(board.legal_moves) + list(_castlings(board, {"into"}))


class CastlesOverPieces(Reference):
    def legal(self, board: Board) -> list[Move]:
        return list(board.legal_moves) + list(_castlings(board, {"blocked"}))


class CastlesWithoutRight(Reference):
    def legal(self, board: Board) -> list[Move]:
        return list(board.legal_moves) + list(_castlings(board, {"right"}))


class RefusesCastlingWithRookAttacked(Reference):
    def legal(self, board: Board) -> list[Move]:
        return [m for m in board.legal_moves if not self._rook_attacked(board, m)]

    def _rook_attacked(self, board: Board, move: Move) -> bool:
        if not board.is_castling(move):
            return False
        rook = move.from_square + (3 if board.is_kingside_castling(move) else -4)
        return board.is_attacked_by(not board.turn, rook)


class RefusesCastlingOverAttackedB(Reference):
    def legal(self, board: Board) -> list[Move]:
        return [
            m
            for m in board.legal_moves
            if not board.is_queenside_castling(m)
            or not board.is_attacked_by(not board.turn, m.to_square - 1)
        ]


class ReadsLongCastlingAsShort(Reference):
    def castles(self, board: Board, move: Move, text: str) -> bool:
        return board.is_kingside_castling(move) or (
            text == "O-O-O" and board.is_queenside_castling(move)
        )


class MakesQueenIfNotSaid(Reference):
    def agrees(self, board: Board, move: Move, match: re.Match[str]) -> bool:
        missing = match[6] is None and move.promotion == chess.QUEEN
        if not missing:
            return super().agrees(board, move, match)
        told = MOVE.fullmatch(match[0].rstrip("+#") + "=Q")
        return told is not None and super().agrees(board, move, told)


class MakesQueenAlways(Reference):
    def read(self, board: Board, text: str) -> Move:
        return super().read(board, re.sub("=[A-Z]", "=Q", text))


class IgnoresLettersAfterEquals(Reference):
    """Promotes to a king, promotes pieces, promotes anywhere."""

    def read(self, board: Board, text: str) -> Move:
        try:
            return super().read(board, text)
        except Refused:
            return super().read(board, re.sub("=[A-Z]", "", text))


class PromotesToKing(Reference):
    def read(self, board: Board, text: str) -> Move:
        return super().read(board, text.replace("=K", "=Q"))


class PromotesToPawn(Reference):
    def read(self, board: Board, text: str) -> Move:
        return super().read(board, text.replace("=P", "=Q"))


class CannotReadSquare(Reference):
    def read(self, board: Board, text: str) -> Move:
        if re.match("[QRBN][a-h][1-8]x?[a-h]", text):
            raise Refused("this is no SAN")
        return super().read(board, text)


class CannotReadRank(Reference):
    def read(self, board: Board, text: str) -> Move:
        if re.match("[QRBN][1-8]", text):
            raise Refused("this is no SAN")
        return super().read(board, text)


class CannotReadFile(Reference):
    def read(self, board: Board, text: str) -> Move:
        if re.match("[QRBN][a-h]x?[a-h]", text):
            raise Refused("this is no SAN")
        return super().read(board, text)


class CannotReadMate(Reference):
    move_text = re.compile(MOVE.pattern.replace("[+#]", r"\+"))


class CannotReadCheck(Reference):
    move_text = re.compile(MOVE.pattern.replace("[+#]", "#"))


class CannotReadCastlingWithSign(Reference):
    def read(self, board: Board, text: str) -> Move:
        if re.fullmatch("O-O(-O)?[+#]", text):
            raise Refused("this is no SAN")
        return super().read(board, text)


class ReadsDigitsOfAllScripts(Reference):
    def read(self, board: Board, text: str) -> Move:
        return super().read(board, "".join(str(int(c)) if c.isdecimal() else c for c in text))


class ReadsToNul(Reference):
    def read(self, board: Board, text: str) -> Move:
        return super().read(board, text.partition("\0")[0])


class ReadsPrefix(Reference):
    """Stops at the first thing that it does not know."""

    def read(self, board: Board, text: str) -> Move:
        match = MOVE.match(text)
        return super().read(board, match[0] if match else text)


class MovesOwnPiecesAway(Reference):
    """Captures its own men."""

    def read(self, board: Board, text: str) -> Move:
        if MOVE.fullmatch(text) and re.fullmatch("[QRBNK][a-h][1-8]", text):
            to = chess.parse_square(text[1:])
            kind = chess.PIECE_SYMBOLS.index(text[0].lower())
            own = board.occupied_co[board.turn]
            reach = [s for s in board.pieces(kind, board.turn) if to in board.attacks(s)]
            if len(reach) == 1 and chess.BB_SQUARES[to] & own:
                return Move(reach[0], to)
        return super().read(board, text)


class LetsPawnsMoveDiagonally(Reference):
    def read(self, board: Board, text: str) -> Move:
        match = re.fullmatch("([a-h])x([a-h][1-8])", text)
        if match and not board.piece_at(chess.parse_square(match[2])):
            to = chess.parse_square(match[2])
            pawns = board.pieces(chess.PAWN, board.turn) & board.attackers(board.turn, to)
            file = ord(match[1]) - ord("a")
            for square in pawns & chess.SquareSet(chess.BB_FILES[file]):
                return Move(square, to)
        return super().read(board, text)


class JumpsOverPieces(Reference):
    def read(self, board: Board, text: str) -> Move:
        try:
            return super().read(board, text)
        except Refused:
            empty = board.copy(stack=False)
            for square in chess.SquareSet(board.occupied & ~board.kings):
                if board.piece_type_at(square) == chess.PAWN:
                    empty.remove_piece_at(square)
            return super().read(empty, text)


class WritesAsWhite(Reference):
    """Black's pieces on their home rank are taken for White's."""

    def write(self, board: Board, move: Move) -> str:
        san = super().write(board, move)
        return san if board.turn else san.rstrip("+#")


# Moves, playing, games


class ListsNoPassing(Reference):
    def moves(self, board: Board) -> list[str]:
        return [san for san, m in _listed(self, board) if not board.is_en_passant(m)]


class ListsNoUnderpromotion(Reference):
    def moves(self, board: Board) -> list[str]:
        return [san for san, m in _listed(self, board) if m.promotion in {None, chess.QUEEN}]


class ListsNoCastling(Reference):
    def moves(self, board: Board) -> list[str]:
        return [san for san, m in _listed(self, board) if not board.is_castling(m)]


class ListsOneStringOnce(Reference):
    """Writes no discriminators, and so loses moves."""

    def moves(self, board: Board) -> list[str]:
        return sorted(
            {
                re.sub("^([QRBN])[a-h]?[1-8]?(x?[a-h][1-8])", r"\1\2", s)
                for s in super().moves(board)
            }
        )


class LeavesRookInCastling(Reference):
    def play(self, board: Board, move: Move) -> str:
        if not board.is_castling(move):
            return super().play(board, move)
        after = board.copy(stack=False)
        king = after.remove_piece_at(move.from_square)
        after.set_piece_at(move.to_square, king)
        after.turn = not after.turn
        return after.fen()


class _Changed(Reference):
    """Changes the position after the move."""

    def change(self, board: Board, move: Move, after: Board) -> None:
        raise NotImplementedError

    def play(self, board: Board, move: Move) -> str:
        after = self.after(board, move)
        self.change(board, move, after)
        return after.fen(en_passant="fen")


class KeepsCastlingRight(_Changed):
    def change(self, board: Board, move: Move, after: Board) -> None:
        rook = board.piece_type_at(move.from_square) == chess.ROOK
        after.castling_rights = board.castling_rights if rook else after.castling_rights

    def play(self, board: Board, move: Move) -> str:
        fen = super().play(board, move).split(" ")
        kept = board.castling_xfen()
        if board.piece_type_at(move.from_square) == chess.ROOK:
            fen[2] = kept
        return " ".join(fen)


class KeepsRightOfCapturedRook(Reference):
    def play(self, board: Board, move: Move) -> str:
        fen = super().play(board, move).split(" ")
        if board.piece_type_at(move.to_square) == chess.ROOK:
            fen[2] = board.castling_xfen()
        return " ".join(fen)


class LeavesPassedPawn(_Changed):
    def change(self, board: Board, move: Move, after: Board) -> None:
        if board.is_en_passant(move):
            after.set_piece_at(_captured(move), chess.Piece(chess.PAWN, not board.turn))


class LeavesPawnOnLastRank(_Changed):
    def change(self, board: Board, move: Move, after: Board) -> None:
        if move.promotion:
            after.set_piece_at(move.to_square, chess.Piece(chess.PAWN, board.turn))


class NamesWrongSquare(_Changed):
    """The square where the pawn stands, not the one that it passed."""

    def change(self, board: Board, move: Move, after: Board) -> None:
        if after.ep_square is not None:
            after.ep_square = move.to_square


class NeverResetsHalfMoves(_Changed):
    def change(self, board: Board, move: Move, after: Board) -> None:
        after.halfmove_clock = board.halfmove_clock + 1


class NeverCountsHalfMoves(_Changed):
    def change(self, board: Board, move: Move, after: Board) -> None:
        after.halfmove_clock = 0


class CountsMovesOfWhite(_Changed):
    def change(self, board: Board, move: Move, after: Board) -> None:
        after.fullmove_number = board.fullmove_number + (1 if board.turn else 0)


class StopsAtIllegalMove(Reference):
    """Reads the game up to the move that it cannot read, and says nothing."""

    def result(self, case: Case) -> object:
        if case.operation is not Operation.GAME:
            return super().result(case)
        words = (case.asked or "").split()
        return super().result(_asking(case, " ".join([*words[:-2], "*"])))


class CannotReadComments(Reference):
    def game(self, pgn: str) -> object:
        if "{" in pgn:
            raise Refused("what is this?")
        return super().game(pgn)


class CannotReadUnnumbered(Reference):
    def game(self, pgn: str) -> object:
        if "1." not in pgn.rpartition("]")[2]:
            raise Refused("what is this?")
        return super().game(pgn)


class CannotReadUntagged(Reference):
    def game(self, pgn: str) -> object:
        if "[" not in pgn:
            raise Refused("what is this?")
        return super().game(pgn)


# What they share


def _rivals(board: Board, move: Move) -> Iterator[int]:
    """The other pieces of the kind that reach the square, may they move or not."""
    kind = board.piece_type_at(move.from_square)
    if kind in KINDS:
        others = board.pieces_mask(kind, board.turn) & ~chess.BB_SQUARES[move.from_square]
        to = chess.BB_SQUARES[move.to_square]
        yield from (m.from_square for m in board.generate_pseudo_legal_moves(others, to))


def _pins(board: Board, square: int) -> bool:
    """Whether a piece pins a man of the other player to the king."""
    king = board.king(not board.turn)
    if king is None:
        return False
    between = chess.SquareSet(chess.between(square, king) & board.occupied)
    return any(
        chess.BB_SQUARES[square] & int(board.pin(not board.turn, s))
        and board.is_pinned(not board.turn, s)
        for s in between
    )


def _is_pinned(board: Board, move: Move) -> bool:
    pinned = board.is_pinned(board.turn, move.from_square)
    return pinned and not board.is_check() and not board.is_en_passant(move)


def _captured(move: Move) -> int:
    """The square of the pawn that is captured in passing."""
    return chess.square(chess.square_file(move.to_square), chess.square_rank(move.from_square))


def _castlings(board: Board, allowed: set[str]) -> Iterator[Move]:
    """Castlings that only the allowed reasons forbid."""
    rank, them = (0 if board.turn else 56), not board.turn
    king = chess.Piece(chess.KING, board.turn)
    for rook, crossed, to in ((7, 5, 6), (0, 3, 2)):
        squares = (rank + 4, rank + crossed, rank + to)
        if board.piece_at(rank + 4) != king:
            continue
        if board.piece_at(rank + rook) != chess.Piece(chess.ROOK, board.turn):
            continue
        wrong = {
            name
            for name, square in zip(("out", "through", "into"), squares, strict=True)
            if board.is_attacked_by(them, square)
        }
        if chess.between(rank + 4, rank + rook) & board.occupied:
            wrong.add("blocked")
        if not board.castling_rights & chess.BB_SQUARES[rank + rook]:
            wrong.add("right")
        if wrong and wrong <= allowed:
            yield Move(rank + 4, rank + to)


def _listed(adapter: Reference, board: Board) -> list[tuple[str, Move]]:
    return [(adapter.write(board, move), move) for move in adapter.legal(board)]


def _asking(case: Case, asked: str) -> Case:
    return replace(case, asked=asked)


def _all(kind: type[Reference]) -> Iterator[type[Reference]]:
    for fault in kind.__subclasses__():
        if fault not in {ForgetsReplies, _Changed}:
            yield fault
        yield from _all(fault)


FAULTS = tuple(_all(Reference))
"""All of them."""
