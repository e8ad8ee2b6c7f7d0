"""The options of a scan, the chunks that workers get, and the results that they return."""

import ast
import operator
import re
import warnings
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import auto
from functools import lru_cache, partialmethod
from pathlib import Path
from types import CodeType
from typing import Any, Final, NamedTuple, Self

from sanproof.reports.archive.door import ArchiveError, open_complete
from sanproof.reports.escaping import shown
from sanproof.verify.errors import Failure
from sanproof.verify.notation.text import LETTERS
from sanproof.verify.notation.vocabulary import VocabularyName


class Outcome(VocabularyName):
    """The outcome of a game. The sentence completes ``12 games ...``."""

    READ = auto(), "read to their ends"
    STOPPED = auto(), "stopped at a text that is illegal, ambiguous or not SAN"
    UNCLOSED = auto(), "with an unclosed comment or variation, read up to it"
    AFTER_RESULT = auto(), "with moves after the result, which are not read"
    VARIANT = auto(), "of another variant, not read"
    BAD_POSITION = auto(), "from an illegal position, not read"
    TOO_LONG = auto(), "over 20,000 moves and deviations, not read"
    LEFT_OUT = auto(), "left out by --where"


MOVES: Final[dict[str, type]] = {
    **dict.fromkeys(("before_fen", "san", "after_fen", "uci", "source"), str),
    **dict.fromkeys(("game", "ply", "times"), int),
}
"""The columns of the table of all moves, which the wanted tags follow."""
_TAG_NAME: Final = re.compile(r"\w{1,100}")


def proven_lines(directory: Path | None = None) -> bytes:
    """Return a complete run's strings, or the published ones, one a line, or raise a Failure."""
    try:
        return "\n".join(open_complete(directory).strings()).encode("ascii")
    except ArchiveError as error:
        raise Failure(f"{error}.") from error


class Options(NamedTuple):
    """The options of a scan, from the command or the API, for every worker."""

    proven: bytes  # the reachable strings, one a line
    fast: bool = True  # use the compiled loop where it can be used
    strict: bool = False  # suffix annotations (Nf3!) deviate too
    rows: str = ""  # the form of the table of all moves, parquet or csv; empty for none
    rewrite: bool = False  # write the text with canonical moves
    games: bool = False  # write a row for each game, and not only for those not read
    language: str = ""  # the code of the letters of pieces; empty if each game tells its own
    variations: bool = False  # check the texts of variations too
    tags: tuple[str, ...] = ()  # the tags that are columns of the tables of moves and games
    where: str = ""  # which games are read, as verify.scan.results says; all if it is empty
    find: str = ""  # the string whose games are wanted
    split: bool = False  # tell the games that deviate nowhere from the others

    @classmethod
    def checked(cls, run: Path | None, **asked: Any) -> Self:  # noqa: ANN401 - of each its type
        """Return the options of a scan that compares with the strings of a run.

        Raises:
            ValueError: An option has a wrong value. The message is a sentence.
            Failure: There is no such run, or a package that an option needs is not installed.
        """
        options = cls(b"", **asked)
        if options.rows not in {"", "parquet", "csv"}:
            raise ValueError("--rows takes parquet or csv")
        if options.language not in {"", "en", *LETTERS}:
            raise ValueError(f"--language takes one of {', '.join(sorted({'en', *LETTERS}))}")
        for number, name in enumerate(options.tags):
            if not _TAG_NAME.fullmatch(name):
                raise ValueError(f"--tags takes tag names separated by commas, not {shown(name)}")
            if name in MOVES or name in options.tags[:number]:
                raise ValueError(f"--tags: there is a column {name} already")
        if options.tags and not (options.rows or options.games):
            raise ValueError("--tags adds columns to --rows and --games: give one of them")
        if options.where:
            read_where(options.where)
        proven = proven_lines(run)
        if options.find and options.find.encode() not in proven.split():
            raise ValueError(f"--find takes a SAN string that can occur, not {shown(options.find)}")
        return options._replace(proven=proven)

    def settings(self) -> dict[str, Any]:
        """Return the options on which the results depend, for JSON."""
        others = {"proven", "fast", "find", "split"}
        kept = {name: value for name, value in self._asdict().items() if name not in others}
        return kept | {"tags": list(self.tags)}


class Piece(NamedTuple):
    """Some games of a source."""

    source: str  # the name of the source
    data: bytes  # their bytes
    starts: Sequence[int]  # where each begins
    games: int = 0  # how many games of the source come before
    lines: int = 0  # how many lines
    place: int = 0  # the number of its source, from 0
    taken: int = 0  # how many bytes of the file were read for it


Chunk = Sequence[Piece]
"""A part of a large source, or many small ones: their texts with a line end between two."""


class Deviation(NamedTuple):
    """A text that is not as PGN has it, of a move or outside the moves.

    Its beginning and end in the chunk, and where its game begins, are known first; its source,
    game, line and column, when the chunk is done.
    """

    source: str = ""  # the name of the source
    game: int = 0  # the number of the game in its source, from 1
    ply: int = 1
    line: int = 0  # from 1
    column: int = 0  # the character of that line, from 1
    end_column: int = 0  # the one after its last character, if it ends on that line
    written: str = ""
    canonical: str = ""  # what would stand there; empty if that is nothing, or not known
    kind: str = ""  # the public names of what deviates; illegal and the reason, ambiguous, not-san
    fen: str = ""  # the position, if it is about a move
    variation: int = 0  # the number of the variation in its game, from 1; 0 in the game itself
    start: int = 0
    end: int = 0


class GameOutcome(NamedTuple):
    """The row of a game: its outcome, its tags, and a hash of its moves."""

    source: str  # the name of the source
    game: int  # the number of the game in it, from 1
    line: int  # the line on which it begins, from 1
    outcome: str  # see Outcome
    reason: str  # why it was not read, or not to its end; empty if it was
    moves: int  # how many of its moves were read
    left: int  # how many move texts were not
    event: str  # a tag, as are the next six; empty if it is missing
    site: str
    date: str
    round: str
    white: str
    black: str
    result: str
    hash: str  # the same for games with the same moves from the same position, and no others
    tags: str = ""  # the values of the tags that are wanted, one a line
    place: tuple[int, int] | None = None  # the line and column of what has no end, if that is why


def public(found: Deviation | GameOutcome) -> dict[str, Any]:
    """Return the public entries of a deviation or a game, by name."""
    inner = {"start", "end", "place"}
    return {name: value for name, value in found._asdict().items() if name not in inner}


Occurrence = tuple[int, ...]
"""How often a string was played in a chunk, in how many games, and its first game and ply. The game
is known by its beginning, and when the chunk is done by its piece and its number there."""


@dataclass(slots=True)
class ChunkResult:
    """The result of scanning a chunk."""

    counts: list[Counter[str]] = field(default_factory=list)  # of each piece, as in scanner
    seen: dict[str, Occurrence] = field(default_factory=dict)  # each string that was played
    in_variations: dict[str, Occurrence] = field(default_factory=dict)  # the same of variations
    found: list[Deviation] = field(default_factory=list)  # what deviates, in order
    refuting: list[Deviation] = field(default_factory=list)  # legal, but not among the proven
    edits: list[tuple[int, int, str]] = field(default_factory=list)  # what is written anew, where
    games: list[GameOutcome] = field(default_factory=list)  # those that are wanted, in order
    hits: list[tuple[Any, ...]] = field(default_factory=list)  # source, game and ply
    rows: bytes = b""  # the table of all moves, as the bytes of a file
    # The games with the wanted string; or those that deviate nowhere, and the others.
    picked: list[bytes] = field(default_factory=list)

    def summed(self) -> dict[str, Any]:
        """Return what is added up over chunks, for JSON. Kinds in variations come second."""
        kinds = [
            Counter(f.kind for f in self.found if bool(f.variation) == apart) for apart in (0, 1)
        ]
        played = {"played": self.seen, "in_variations": self.in_variations}
        return {"counts": self.counts, "kinds": kinds, **played}


# ``--where``: games by a Python expression over their tags

LONGEST_EXPRESSION: Final = 1_000
_NUMBER: Final = re.compile(r"[+-]?\d+(?:\.\d+)?", re.ASCII)
_ALLOWED: Final = (
    *(ast.Expression, ast.Compare, ast.BoolOp, ast.And, ast.Or, ast.UnaryOp, ast.Not),
    *(ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.In, ast.NotIn),
    *(ast.Name, ast.Load, ast.Constant),
)


class _Tag(str):
    """A tag's value: compared as a number with a number, and with another tag if both are.

    A TypeError says that it is compared with a number and is none.
    """

    __slots__ = ()

    def _compare(self, compare: Callable[[Any, Any], bool], other: Any) -> bool:  # noqa: ANN401
        a, b = str(self), str(other)
        are_numbers = _NUMBER.fullmatch(a) and _NUMBER.fullmatch(b)
        if isinstance(other, str) and not (isinstance(other, _Tag) and are_numbers):
            return compare(a, b)
        if not are_numbers:
            raise TypeError
        return compare(float(a), float(b))

    __eq__ = partialmethod(_compare, operator.eq)
    __ne__ = partialmethod(_compare, operator.ne)
    __lt__ = partialmethod(_compare, operator.lt)
    __le__ = partialmethod(_compare, operator.le)
    __gt__ = partialmethod(_compare, operator.gt)
    __ge__ = partialmethod(_compare, operator.ge)
    __hash__ = str.__hash__

    def __contains__(self, part: object) -> bool:
        return str(part) in str(self)


def selects(where: str, tags: Mapping[str, str]) -> bool:
    """Check whether an expression holds for a game with these tags."""
    code, names = read_where(where)
    try:
        values = {name: _Tag(tags[name]) for name in names}
        return bool(eval(code, {"__builtins__": {}}, values))  # noqa: S307 - only comparisons
    except (KeyError, TypeError):
        return False


@lru_cache(maxsize=4)
def read_where(where: str) -> tuple[CodeType, frozenset[str]]:
    """Return the code of an expression of comparisons of tags, and the names of these tags.

    Raises:
        ValueError: The expression is of another kind. The message is a sentence.
    """
    if len(where) > LONGEST_EXPRESSION:
        raise ValueError(f"--where takes at most {LONGEST_EXPRESSION:,} characters.")
    wrong = ValueError(
        "--where takes comparisons of tags, such as \"WhiteElo >= 2500 and Result == '1-0'\" "
        f"(== for equal). This is not one: {shown(where)}."
    )
    try:
        with warnings.catch_warnings(action="ignore", category=SyntaxWarning):
            tree = ast.parse(where.strip(), mode="eval")
        for node in ast.walk(tree):
            is_other = isinstance(node, ast.Constant) and type(node.value) not in (str, int, float)
            if is_other or not isinstance(node, _ALLOWED):
                raise wrong
        names = frozenset(node.id for node in ast.walk(tree) if isinstance(node, ast.Name))
        if names:
            return compile(tree, "--where", "eval"), names
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        pass
    raise wrong
