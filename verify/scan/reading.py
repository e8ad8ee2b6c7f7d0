"""Reads a game with python-chess, and judges every text of the game and of its variations.

Each is judged as ``sanproof read`` does. A variation is read like the game, from the position
before the move that it replaces (PGN standard, section 8.2.5). Texts are read in their order, and a
position is kept for each variation that is open.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from sys import intern
from typing import Final, NamedTuple, Self

import chess

from sanproof.verify.notation.position import FenError, board_of, shown
from sanproof.verify.notation.reading import Reading, ReadingVerdict, judge
from sanproof.verify.notation.text import english, languages_of
from sanproof.verify.scan.movetext import (
    MAX_TEXTS,
    PART,
    ROSTER,
    Oddity,
    decoded,
    irregular,
    moves_in,
    odd_at,
    place_and_marks,
    read_tags,
    result_of,
)
from sanproof.verify.scan.results import Deviation, Options, Outcome

MAX_IN_VARIATIONS: Final = 200_000
"""The most texts in the variations of a game that is read with them."""
DEEPEST: Final = 100
"""The deepest nesting of variations in a game that is read with them."""
NO_MOVE_REPLACED: Final = "no-move-replaced"
NOT_READ: Final = {Outcome.VARIANT, Outcome.BAD_POSITION, Outcome.TOO_LONG}
"""The outcomes of games of which no move is read."""
_NULL_MOVES: Final = ("--", "Z0", "0000", "@@@@")
_STANDARD: Final = frozenset(name.lower() for name in chess.Board.aliases)
"""The values of the tag Variant for standard chess, in lower case."""
_CHESS960: Final = frozenset(
    ("chess960", "chess 960", "fischerandom", "fischerrandom", "fischer random")
)
"""Those for Chess960, as python-chess reads them."""
_LONGEST_FEN: Final = 200
"""No FEN is longer; a longer text takes python-chess much memory to refuse."""
_USUALLY: Final = Options(b"")
_SOONEST_END: Final = 16
"""The quiet moves before a position can occur for the fifth time."""
_RESULT_TAG: Final = re.compile(rb"\[[ \t]*Result(?!\w)[^\]\n]*\]?")
_FEN_TAG: Final = re.compile(rb"\[[ \t]*FEN(?!\w)[^\]\n]*\]?")


class MoveText(NamedTuple):
    """A text in place of a move, in a game or in a variation."""

    place: tuple[int, int, int]  # where it begins and ends, and where an annotation after it ends
    ply: int  # from 1
    san: str = ""  # how its move is written; empty if it was not read
    uci: str = ""  # the move; empty if it was not read
    before: str = ""  # the position before it, as a FEN; empty if nothing is said of it
    kind: str = ""  # the public names of what deviates in the text, or why it was not read
    # Why it is not counted as played in chess, though it was checked: null-move if it or one before
    # it does nothing, or the name of the variant.
    apart: str = ""
    variation: int = 0  # the number of its variation in the game, from 1; 0 in the game itself

    @property
    def is_null(self) -> bool:
        """Whether it is a null move, which changes nothing but the player."""
        return self.uci == "0000"


class _Line:
    """The game itself, or a variation, as far as it was read."""

    def __init__(self, number: int, ply: int, board: chess.Board | None, apart: str) -> None:
        self.number = number
        self.ply = ply
        self.board = board  # the position after its moves; None if its beginning is unknown
        self.apart = self._apart_before = apart  # see MoveText
        self.lost = 0  # how many of its texts were not read: the first of them, and all after it
        self.has_text = False  # whether a variation can stand for a text of it

    def take(self, move: chess.Move | None) -> None:
        """Take a text that denotes a move, or one that was not read."""
        self.ply += 1
        self.has_text = True
        if move is None:
            self.lost += 1
            return
        if self.board is not None:
            self.board.push(move)
        self._apart_before = self.apart
        if not (self.apart or move):
            self.apart = Oddity.NULL_MOVE.value

    def branch(self, number: int) -> "_Line":
        """Return a variation that stands for the last text."""
        board = None
        if self.board is not None and self.lost < 2:
            board = self.board.copy(stack=1)
            if not self.lost:
                board.pop()
        return _Line(number, self.ply - 1, board, self._apart_before)


class Game:
    """A game of a chunk, with what was read of it. Places are byte offsets in the chunk."""

    def __init__(self, data: bytes, start: int, end: int, options: Options) -> None:
        self.start, self.end = start, end
        self.tags, self._first_tag, self._movetext, self.odd = read_tags(data, start, end)
        self.moves: list[MoveText] = []  # its texts, those not read at the end
        self.in_variations: list[MoveText] = []  # those of its variations
        self.variations = 0
        self.outcome = Outcome.READ
        self.reason = ""  # why it was not read, or not to its end; empty if it was
        self.variant = ""  # chess960, or nothing for chess
        self.first = ""  # the variant and first position; empty for those of chess
        self.stopped: MoveText | None = None  # the text at which the reading stopped
        self.stop = ""  # as it is written
        self.ended = -1  # the index of the first text after the game's end; negative otherwise
        self.result: tuple[int, int] | None = None  # where the result that ends it stands
        self.after_result: tuple[int, int] | None = None  # the first text after it
        self.opened = -1  # where the comment or variation begins that has no end
        # How many texts look like moves after the result, or after the beginning of a comment or
        # variation that has no end.
        self.left = 0
        self._data = data
        self._options = options
        self._proven = proven_set(options.proven)
        self._main = _Line(0, 0, self._first_board(), self.variant)
        self._lines: list[_Line | None] = [self._main]  # what is open; None until it has a text
        self._reads_variations = options.variations and self.outcome == Outcome.READ
        self._depth = 0
        self._left = 0  # what was left before the outermost variation that is open
        self._has_stray = False  # whether a variation was named that follows no move

    @property
    def played(self) -> list[MoveText]:
        """Return the moves that were read."""
        return [text for text in self.moves if text.uci]

    def _first_board(self) -> chess.Board | None:
        """Return the position that the tags tell, or note why the game cannot be read."""
        try:
            board, self.variant, drops_right = board_and_variant(self.tags)
        except (OtherVariant, FenError) as error:
            is_other = isinstance(error, OtherVariant)
            self.outcome = Outcome.VARIANT if is_other else Outcome.BAD_POSITION
            self.reason = str(error).replace("\\\\", "\\")
            return None
        if self.variant or board.fen() != chess.STARTING_FEN:
            self.first = f"{self.variant} {board.fen()}".lstrip()
        tag = _FEN_TAG.search(self._data, self.start, self._movetext)
        if drops_right and tag:
            self.odd.append(irregular(Oddity.EXCESS_CASTLING_RIGHT, *tag.span()))
        return board

    def read(self) -> Self:
        """Read the game, and compare its end with its results."""
        takers = {"move": self._take, "down": self._open, "up": self._close}
        takers |= {"result": self._take_result, "comment": self._comment, "open": self._comment}
        for match in PART.finditer(self._data, self._movetext, self.end):
            if match.lastgroup is not None:
                if self._is_too_long():
                    break
                takers.get(match.lastgroup, self._take_odd)(match)
        if self._is_too_long():
            self._give_up()
        elif self.outcome == Outcome.READ:
            self._end()
        if self.outcome in NOT_READ:
            self.odd = []
        elif self._options.strict:
            self._note_missing_tags()
        else:
            self.odd = [one for one in self.odd if one.kind != Oddity.INDENTED_TAG]
        if self.after_result:
            begin, end = self.after_result
            kind, ply = Outcome.AFTER_RESULT.value, len(self.moves) + 1
            self.odd.append(Deviation(kind=kind, start=begin, end=end, ply=ply))
        return self

    def _end(self) -> None:
        """Tell the outcome of a game that could be read, and what is odd about its end."""
        main = self._main
        due = ""
        if self.stopped:
            self.outcome, self.reason = Outcome.STOPPED, self.stopped.kind
        elif self.opened >= 0:
            self.outcome, self.reason = Outcome.UNCLOSED, "a comment or a variation is not closed"
        elif self.after_result:
            self.outcome, self.reason = Outcome.AFTER_RESULT, "moves follow the result"
        elif main.board and main.apart == self.variant:
            due = _due(main.board)
        self._compare_results(due)
        if self.ended >= 0:
            text = self.moves[self.ended]
            if text is not self.stopped or text.kind != ReadingVerdict.NOT_SAN.value:
                odd = irregular(Oddity.AFTER_END, text.place[0], text.place[2])
                self.odd.append(odd._replace(ply=text.ply))

    def _is_too_long(self) -> bool:
        is_main_long = len(self.moves) + len(self.odd) > MAX_TEXTS
        is_deep = self._reads_variations and self._depth > DEEPEST
        return is_main_long or is_deep or len(self.in_variations) > MAX_IN_VARIATIONS

    def _give_up(self) -> None:
        """Keep nothing of the texts of a game that is too long."""
        self.moves, self.in_variations, self.after_result, self.variations = [], [], None, 0
        self.outcome = Outcome.TOO_LONG
        self.reason = f"it has more than {MAX_TEXTS:,} moves and deviations"
        if self._depth > DEEPEST:
            self.reason = f"its variations are more than {DEEPEST} deep"
        self.left = moves_in(self._data, self._movetext, self.end)

    def _comment(self, match: re.Match[bytes]) -> None:
        if match["open"] is not None:
            self.opened = match.start()
            self.left += moves_in(self._data, match.start() + 1, self.end)

    def _open(self, match: re.Match[bytes]) -> None:
        if not self._depth:
            self._left, self.opened = self.left, match.start()
        self._depth += 1
        if self._reads_variations:
            self._lines.append(None)

    def _close(self, _: re.Match[bytes]) -> None:
        if self._depth and self._reads_variations:
            self._lines.pop()
        self._depth = max(0, self._depth - 1)
        if not self._depth:
            self.left, self.opened = self._left, -1

    def _take_result(self, match: re.Match[bytes]) -> None:
        if self._depth:
            return
        if self.result:
            self.after_result = self.after_result or match.span()
        else:
            self.result = match.span()

    def _take_odd(self, match: re.Match[bytes]) -> None:
        line, odd = self._lines[-1], odd_at(match)
        if not self._depth:
            self.odd.append(odd._replace(ply=len(self.moves) + 1))
            if odd.kind == Oddity.OTHER_RESULT and not self.result:
                self.result = match.span()
        elif line and self._reads_variations:
            self.odd.append(odd._replace(ply=line.ply, variation=line.number))

    def _take(self, match: re.Match[bytes]) -> None:
        """Take a text that stands where a move belongs."""
        if self._depth or self.result:
            self.left += 1
        place, marks = place_and_marks(match)
        if self._depth:
            if self._reads_variations:
                text = self._variation_text(place)
                self.in_variations.append(text)
                ply, number = text.ply, text.variation
                self.odd += [mark._replace(ply=ply, variation=number) for mark in marks]
        elif self.result:
            self.after_result = self.after_result or match.span()
            self._main.take(None)
        else:
            text = self._text(self._main, place)
            self.moves.append(text)
            self.odd += [mark._replace(ply=len(self.moves) + 1) for mark in marks]
            for mark in marks:
                if mark.kind == Oddity.JOINED_RESULT:
                    self.result = mark.start, mark.end

    def _variation_text(self, place: tuple[int, int, int]) -> MoveText:
        """Read the next text of the innermost variation that is open."""
        line, parent = self._lines[-1], self._lines[-2]
        if line is not None:
            return self._text(line, place)
        self.variations += 1
        if parent is not None and parent.has_text:
            self._lines[-1] = line = parent.branch(self.variations)
            return self._text(line, place)
        self._lines[-1] = line = _Line(self.variations, 0, None, "")
        kind = "" if self._has_stray else NO_MOVE_REPLACED  # one is named in a game
        self._has_stray = True
        return self._text(line, place)._replace(kind=kind)

    def _text(self, line: _Line, place: tuple[int, int, int]) -> MoveText:
        """Read the next text of the game or a variation."""
        board = line.board
        if board is None or line.lost:
            line.take(None)
            return MoveText(place, line.ply, variation=line.number)
        is_game = line is self._main
        move, san, kind = denoted(self._data, place, board, self._options)
        is_told = kind or not move or (self._proven and san not in self._proven)
        before = intern(board.fen()) if is_told else ""
        if is_game and self.ended < 0 and not line.apart and _has_ended(board, move):
            self.ended = line.ply
        line.take(move)
        text = MoveText(place, line.ply, san, "", before, kind=intern(kind), variation=line.number)
        if move is None:
            if is_game:
                self.stopped, self.stop = text, decoded(self._data[place[0] : place[1]])
            return text
        return text._replace(uci=move.uci(), apart=line.apart)

    def _note_missing_tags(self) -> None:
        """Note it at the first line if tags of the Seven Tag Roster are missing."""
        due = [f'[{name} "{value}"]' for name, value in ROSTER.items() if name not in self.tags]
        if due:
            begin = self._first_tag
            line = self._data[begin : self.end].partition(b"\n")[0].rstrip()
            place = begin, begin + len(line)
            self.odd.append(irregular(Oddity.MISSING_TAG, *place, " ".join(due)))

    def _compare_results(self, due: str) -> None:
        """Note it if the results disagree, also with the last position."""
        data, ply = self._data, len(self.moves) + 1
        tag = _RESULT_TAG.search(data, self.start, self._movetext)
        ended = result_of(data[slice(*self.result)]) if self.result else ""
        tagged = result_of(self.tags.get("Result", "").encode()) if tag else ""
        wrong = [bool(due) and text not in {"", "*", due} for text in (ended, tagged)]
        place, at = (tag.span(), 1) if tag and wrong[1] and not wrong[0] else (self.result, ply)
        if place and (any(wrong) or (ended and tagged and ended != tagged)):
            fen = self._main.board.fen() if due and self._main.board else ""
            odd = irregular(Oddity.WRONG_RESULT, *place)
            self.odd.append(odd._replace(ply=at, fen=fen))


def read_game(data: bytes, start: int, end: int, options: Options = _USUALLY) -> Game:
    """Read a game that fills a part of a chunk.

    Its language is found if it cannot be read in English, but to its end in another one, and all
    such languages give the same moves.
    """

    def read_in(language: str) -> Game:
        return Game(data, start, end, options._replace(language=language)).read()

    game = read_in(options.language)
    if game.outcome == Outcome.STOPPED and not options.language:
        texts = {decoded(data[slice(*text.place[:2])]) for text in game.moves}
        others = (read_in(code) for code in languages_of(texts))
        able = [other for other in others if other.outcome != Outcome.STOPPED]
        moves = {tuple(text.uci for text in other.moves) for other in able}
        game = able[-1] if len(moves) == 1 else game
    return game


def _has_ended(board: chess.Board, move: chess.Move | None) -> bool:
    """Check whether the game had ended before a text, of a move if it is one (FIDE 5 and 9.6)."""
    if move is None and not any(board.legal_moves):
        return True
    if board.halfmove_clock < _SOONEST_END:
        return False
    return board.is_seventyfive_moves() or board.is_fivefold_repetition()


def _due(board: chess.Board) -> str:
    """Return the position's result; empty if the game could go on, or it is about its moves."""
    outcome = board.copy(stack=False).outcome()
    is_counted = outcome and outcome.termination == chess.Termination.SEVENTYFIVE_MOVES
    return outcome.result() if outcome and not is_counted else ""


@lru_cache(maxsize=1)
def proven_set(lines: bytes) -> frozenset[str]:
    """Return the set of the proven strings, given one a line."""
    return frozenset(lines.decode("ascii").split())


def denoted(
    data: bytes, place: tuple[int, int, int], board: chess.Board, options: Options
) -> tuple[chess.Move | None, str, str]:
    """Return the move that a text of the chunk means in a position, or None, and its SAN.

    The third value has the public names of its deviations, or of why it means no move. A null move
    has to be legal to skip: the player to move is not in check.
    """
    written = decoded(data[place[0] : place[2 if options.strict else 1]])
    text = written if options.language in {"", "en"} else english(written, options.language)
    kind = "" if text == written else Oddity.FOREIGN_LETTER.value
    if text in _NULL_MOVES and not board.is_check():
        return chess.Move.null(), text, kind
    try:
        move = board.parse_san(text)
        if move and board.san(move) == text:  # a null move does not count
            return move, text, kind
    except ValueError:  # as python-chess says of anything that it does not take
        pass
    reading = judge(text, board)
    deviating = "" if reading.verdict is ReadingVerdict.CANONICAL else _kind_of(reading)
    if reading.uci is None:
        return None, "", deviating
    san, move = str(reading.canonical), chess.Move.from_uci(reading.uci)
    return move, san, f"{kind} {deviating}".strip()


class OtherVariant(ValueError):
    """The tag Variant names another game. The message says which."""


def board_and_variant(tags: Mapping[str, str]) -> tuple[chess.Board, str, bool]:
    """Return the first position of a game, and ``chess960`` or nothing for standard chess.

    The third value says whether the FEN has a castling right too many, which is dropped. A FEN of
    Chess960 needs no tag Variant, as in python-chess.

    Raises:
        FenError: The FEN is not a position of the variant.
        OtherVariant: The game is of another variant.
    """
    variant, fen = tags.get("Variant", "Standard").strip(), tags.get("FEN", "")
    is_960 = variant.lower() in _CHESS960
    refused = FenError(f"{shown(fen)} is not a position of {variant}.")
    if not is_960:
        if variant.lower() not in _STANDARD:
            raise OtherVariant(f"it is a game of {shown(variant)}")
        try:
            return board_of(fen) if fen else chess.Board(), "", False
        except FenError as error:
            refused = error
    board, drops_right = _mended(
        fen or chess.STARTING_FEN, is_960=is_960, may_be_960="Variant" not in tags
    )
    if board is None:
        raise refused
    return board, "chess960" if board.chess960 else "", drops_right


def _mended(fen: str, *, is_960: bool, may_be_960: bool) -> tuple[chess.Board | None, bool]:
    """Return the position of a FEN of Chess960, or of one with a right to castle too much."""
    try:
        board = chess.Board(fen[: _LONGEST_FEN + 1], chess960=is_960)
    except ValueError:
        return None, False
    board.chess960 = is_960 or (may_be_960 and board.has_chess960_castling_rights())
    drops_right = board.status() == chess.STATUS_BAD_CASTLING_RIGHTS
    if drops_right:
        board.castling_rights = board.clean_castling_rights()
    is_valid = len(fen) <= _LONGEST_FEN and board.status() == chess.STATUS_VALID
    return board if is_valid else None, drops_right


def _kind_of(reading: Reading) -> str:
    """Return the kind of what deviates, by public names."""
    if reading.verdict is ReadingVerdict.UNDERSTANDABLE:
        return " ".join(str(deviation.value) for deviation in reading.deviations)
    if reading.reason is not None:
        return f"{reading.verdict.value} {reading.reason.value}"
    return str(reading.verdict.value)
