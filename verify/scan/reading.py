"""Reading a game with python-chess, and judging every move text as ``sanproof read`` does."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from sys import intern
from typing import Final, NamedTuple

import chess

from sanproof.proofs.board.strict import canonical_move
from sanproof.verify.notation.languages import english, languages_of
from sanproof.verify.notation.position import FenError, board_of
from sanproof.verify.notation.reading import Reading, ReadingVerdict, judge
from sanproof.verify.notation.text import shown
from sanproof.verify.notation.vocabulary import SUFFIX_DEVIATIONS, Deviation
from sanproof.verify.scan.borders import BOM
from sanproof.verify.scan.chunks import (
    AFTER_RESULT,
    BAD_POSITION,
    READ,
    STOPPED,
    TOO_LONG,
    UNCLOSED,
    VARIANT,
    Options,
)
from sanproof.verify.scan.movetext import MAX_TEXTS, Oddity, Span, TextOfGame, decoded

LONGEST_WRITTEN: Final = 100
"""Of a longer text only the beginning is kept."""
NULL_MOVES: Final = ("--", "Z0", "0000", "@@@@")
STANDARD: Final = frozenset(name.lower() for name in chess.Board.aliases)
"""The values of the tag Variant for standard chess, in lower case."""
CHESS960: Final = frozenset(
    ("chess960", "chess 960", "fischerandom", "fischerrandom", "fischer random")
)
"""Those for Chess960, as python-chess reads them."""
LONGEST_FEN: Final = 200
"""No FEN is longer; a longer text takes python-chess much memory to refuse."""
_USUALLY: Final = Options(b"")
_BY_COUNTING: Final = {chess.Termination.SEVENTYFIVE_MOVES, chess.Termination.FIVEFOLD_REPETITION}
"""Ends that a position alone does not show."""
_SOONEST_END: Final = 16
"""The quiet moves before a position can occur for the fifth time."""


class MoveText(NamedTuple):
    """A text of a game or a variation that stands where a move belongs."""

    span: Span  # where it stands
    ply: int  # its ply, from 1
    san: str  # how its move is written; empty if it was not read
    uci: str  # the move; empty if it was not read
    before: str = ""  # the position before it, as a FEN; empty if nothing is said of it
    after: str = ""  # the same after it, if FENs were asked for
    kind: str = ""  # the public names of what deviates in the text, or why it was not read
    is_null: bool = False  # whether the move does nothing
    times: int = 0  # how often the position after it has occurred, if FENs were asked for
    # Why it is not counted as played in chess, though it was checked: null-move if it or one before
    # it does nothing, or the name of the variant.
    apart: str = ""
    variation: int = 0  # the number of its variation in the game, from 1; 0 in the game itself


class GameRead(NamedTuple):
    """A game that was read."""

    outcome: str  # what became of it, such as :data:`verify.scan.chunks.READ`
    played: list[MoveText]  # its moves, as far as they could be read
    stop: str = ""  # the text at which the reading stopped; empty if it did not
    fen: str = ""  # the position in which it stopped, or after which no move follows
    reason: str = ""  # why it was not read, or not to its end; empty if it was
    start: str = ""  # the variant and the position from which it begins; empty for those of chess
    language: str = ""  # the language that it tells, by its code; empty if English or none
    due: str = ""  # the result that the last position says; empty if the game could go on
    ended: int = -1  # the index of the first text after the game's end; negative otherwise
    drops_right: bool = False  # whether its FEN gives a right to castle too much


def read_game(
    game: TextOfGame, data: bytes, options: Options = _USUALLY, *, fens: bool = False
) -> GameRead:
    """Read a game of the chunk move by move, with the positions before and after each if wanted.

    A game tells its language if it cannot be read in English, and can be read to its end in
    another: with the same moves in all in which it can.
    """
    if game.is_too_long:
        return GameRead(TOO_LONG, [], reason=f"it has more than {MAX_TEXTS:,} moves and oddities")
    if not game.moves and game.tags.keys().isdisjoint({"FEN", "Variant"}):
        return _at_the_end(game, [], -1)
    try:
        board, variant, drops_right = board_and_variant(game.tags)
    except OtherVariant as error:
        return GameRead(VARIANT, [], reason=str(error))
    except FenError as error:
        return GameRead(BAD_POSITION, [], reason=str(error).replace("\\\\", "\\"))
    read = _read_moves(game, data, board.copy(), variant, options, fens)
    if read.outcome == STOPPED and not options.language:
        read = _in_its_language(game, data, board, variant, options, fens) or read
    return read._replace(start=_start(game.tags, board, variant), drops_right=drops_right)


def _start(tags: Mapping[str, str], board: chess.Board, variant: str) -> str:
    if not variant and "FEN" not in tags:
        return ""  # spelling the position out costs half of what a short game costs
    fen = board.fen()
    return "" if fen == chess.STARTING_FEN and not variant else f"{variant} {fen}".lstrip()


def _in_its_language(
    game: TextOfGame, data: bytes, board: chess.Board, variant: str, options: Options, fens: bool
) -> GameRead | None:
    """Return the game in the language that it tells; None if it does not."""
    found = None
    for code in languages_of({decoded(data[span.start : span.end]) for span in game.moves}):
        read = _read_moves(game, data, board.copy(), variant, options._replace(language=code), fens)
        if read.outcome == STOPPED:
            continue
        if found and [played.uci for played in read.played] != [p.uci for p in found.played]:
            return None
        found = read._replace(language=code)
    return found


def _read_moves(
    game: TextOfGame, data: bytes, board: chess.Board, variant: str, options: Options, fens: bool
) -> GameRead:
    played: list[MoveText] = []
    proven = proven_set(options.proven)
    before = board.fen() if fens else ""
    apart, ended, seen = variant, -1, Counter([_repeated(before)])
    for number, span in enumerate(game.moves):
        if ended < 0 and not apart and board.halfmove_clock >= _SOONEST_END and _has_ended(board):
            ended = number
        move, san, kind = denoted(data, span, board, variant, options)
        if move is None:
            if ended < 0 and not apart and not any(board.legal_moves):
                ended = number
            fen = intern(board.fen())
            text = decoded(data[span.start : span.end])
            return GameRead(STOPPED, played, text, fen, intern(kind), ended=ended)
        apart = apart or ("" if move else Oddity.NULL_MOVE.value)
        is_told = kind or not move or (proven and san not in proven)
        fen = board.fen() if is_told and not fens else before
        board.push(move)
        after = board.fen() if fens else ""
        times = 0
        if fens:
            seen[_repeated(after)] += 1
            times = seen[_repeated(after)]
        told = fen, after, intern(kind), not move, times, apart
        played.append(MoveText(span, number + 1, san, move.uci(), *told))
        before = after
    read = _at_the_end(game, played, ended)
    due = _due(board) if apart == variant and read.outcome == READ else ""
    return read._replace(fen=board.fen() if due else "", due=due)


def _at_the_end(game: TextOfGame, played: list[MoveText], ended: int) -> GameRead:
    """Return the game whose moves were all read."""
    if game.is_open:
        reason = "a comment or a variation is not closed"
        return GameRead(UNCLOSED, played, reason=reason, ended=ended)
    if game.after_result:
        return GameRead(AFTER_RESULT, played, reason="moves follow the result", ended=ended)
    return GameRead(READ, played, ended=ended)


def _repeated(fen: str) -> str:
    """Return the part of a FEN that a repeated position has again (FIDE 9.2.3)."""
    return fen.rsplit(" ", 2)[0]


def _has_ended(board: chess.Board) -> bool:
    """Check whether the moves before a position ended the game (FIDE 9.6)."""
    return board.is_seventyfive_moves() or board.is_fivefold_repetition()


def _due(board: chess.Board) -> str:
    """Return the position's result; empty if the game could go on, or it is about its moves."""
    outcome = board.copy(stack=False).outcome()
    return outcome.result() if outcome and outcome.termination not in _BY_COUNTING else ""


@lru_cache(maxsize=1)
def proven_set(lines: bytes) -> frozenset[str]:
    """Return the proven strings, one a line."""
    return frozenset(lines.decode("ascii").split())


def denoted(
    data: bytes, span: Span, board: chess.Board, variant: str, options: Options
) -> tuple[chess.Move | None, str, str]:
    """Return what a text of the chunk denotes in a position, and how it is written.

    With it are the public names of what deviates, or of why it denotes no move. A null move is one
    that is legal to skip: the player to move is not in check.
    """
    written = decoded(data[span.start : span.full_end if options.strict else span.end])
    text = written if options.language in {"", "en"} else english(written, options.language)
    kind = "" if text == written else Oddity.FOREIGN_LETTER.value
    if text in NULL_MOVES and not board.is_check():
        return chess.Move.null(), text, kind
    if options.fast and not variant and (quick := canonical_move(text, board)):
        return quick, text, kind
    try:
        move = board.parse_san(text)
        if move and board.san(move) == text:  # a null move does not count
            return move, text, kind
    except ValueError:  # as python-chess says of anything that it does not take
        pass
    reading = (_beside_the_move(text, board) if variant else None) or judge(text, board)
    deviating = "" if reading.verdict is ReadingVerdict.CANONICAL else _kind_of(reading)
    if reading.uci is None:
        return None, "", deviating
    san, move = str(reading.canonical), chess.Move.from_uci(reading.uci)
    return move, san, f"{kind} {deviating}".strip()


class OtherVariant(ValueError):
    """The tag Variant names another game; the message says so."""


def board_and_variant(tags: Mapping[str, str]) -> tuple[chess.Board, str, bool]:
    """Return the first position of a game, and ``chess960`` or nothing for standard chess.

    With it is whether the FEN gives a right to castle too much, which is dropped. A FEN of Chess960
    needs no tag Variant, as in python-chess.

    Raises:
        FenError: It is no position of the variant.
        OtherVariant: It is a game of another variant.
    """
    variant = tags.get("Variant", "Standard").strip()
    fen = tags.get("FEN", "")
    is_standard = variant.lower() in STANDARD
    if not is_standard and variant.lower() not in CHESS960:
        raise OtherVariant(f"it is a game of {shown(variant)}")
    if is_standard:
        if not fen:
            return chess.Board(), "", False
        try:
            return board_of(fen), "", False
        except FenError:
            board, drops_right = _mended(fen, may_be_960="Variant" not in tags)
            if board is None:
                raise
            return board, "chess960" if board.chess960 else "", drops_right
    board, drops_right = _mended(fen or chess.STARTING_FEN, is_960=True)
    if board is None:
        raise FenError(f"{shown(fen)} is not a position of {variant}.")
    return board, "chess960", drops_right


def _mended(
    fen: str, *, may_be_960: bool = False, is_960: bool = False
) -> tuple[chess.Board | None, bool]:
    """Return the position of a FEN of Chess960, or of one with a right to castle too much."""
    try:
        board = chess.Board(fen[: LONGEST_FEN + 1], chess960=is_960)
    except ValueError:
        return None, False
    board.chess960 = is_960 or (may_be_960 and board.has_chess960_castling_rights())
    drops_right = _drop_rights(board)
    is_valid = len(fen) <= LONGEST_FEN and board.status() == chess.STATUS_VALID
    return board if is_valid else None, drops_right


def _drop_rights(board: chess.Board) -> bool:
    """Drop rights to castle without king and rook in their places, if nothing else is wrong."""
    if board.status() != chess.STATUS_BAD_CASTLING_RIGHTS:
        return False
    board.castling_rights = board.clean_castling_rights()
    return True


def _beside_the_move(text: str, board: chess.Board) -> Reading | None:
    """Read a text of Chess960 that deviates in its suffix or an annotation alone.

    None for other texts.
    """
    plain = text.rstrip("!?")
    try:
        move = board.parse_san(plain)
    except ValueError:
        return None
    canonical = board.san(move)
    body = plain.rstrip("+#")
    suffix, due = plain[len(body) :], canonical[len(body) :]
    by_suffix = [] if suffix == due else [SUFFIX_DEVIATIONS.get((suffix, due))]
    if not move or not canonical.startswith(body) or None in by_suffix:
        return None
    found = [Deviation.ANNOTATION] * (plain != text) + [*filter(None, by_suffix)]
    sentence = f"{text} denotes {move.uci()}, written {canonical}."
    verdict = ReadingVerdict.UNDERSTANDABLE
    return Reading(text, board, verdict, sentence, move.uci(), canonical, tuple(found))


def _kind_of(reading: Reading) -> str:
    """Return the kind of what deviates, by public names."""
    if reading.verdict is ReadingVerdict.UNDERSTANDABLE:
        return " ".join(str(deviation.value) for deviation in reading.deviations)
    if reading.reason is not None:
        return f"{reading.verdict.value} {reading.reason.value}"
    return str(reading.verdict.value)


def lines_and_columns(data: bytes, offsets: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield the line and the character of the line, both from 1, of offsets in ascending order."""
    line, column, at = 1, 1, len(BOM) * data.startswith(BOM)
    for offset in offsets:
        breaks = data.count(b"\n", at, offset)
        if breaks:
            line += breaks
            column, at = 1, data.rfind(b"\n", at, offset) + 1
        column += len(decoded(data[at:offset]))
        at = offset
        yield line, column
