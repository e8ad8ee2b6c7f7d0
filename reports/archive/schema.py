"""Checks what is read from a run, once, at the door: the forms of all its files.

A run may be forged: its hashes are right and its content is anything. So nothing passes but what
a run can contain: known names, counts, SAN strings, positions, games. A program behind the door
may rely on every type, on every key, and on every cell of a table.

That what is read is *true* is not checked here: that is the work of ``sanproof audit``.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any, Final, NoReturn

from sanproof.proofs.rules.san import list_order, parse_san
from sanproof.proofs.rules.squares import file_of, parse_square, rank_of
from sanproof.proofs.verdicts.reasons import Reason
from sanproof.reports.escaping import cut
from sanproof.reports.tables.names import OBSERVED, OBSERVED_LICENCE, WITH_COVER
from sanproof.reports.tables.pgn import PgnGame, read_pgn

MAX_JSON_BYTES: Final = 1 << 22
"""A summary has 3 kB. Its largest part, a generator's differences, could make it 1 MB."""

MAX_COUNTED: Final = 10**9
MAX_OBSERVED: Final = 10**15
"""Moves in games: two thousand times as many as were counted so far."""
MAX_ENTRIES: Final = 50_000
MAX_TEXT_LENGTH: Final = 400
SEARCH: Final = ("witnesses", "witnesses_replaced", "positions_given_up")
"""Counts of a run's search: White's witnesses, how many of them had to be replaced because no
game to their position was found, and how many positions were given up in all."""
TIMES_OF_RUN: Final = (
    *("working_seconds", "deciding_worker_seconds", "games_worker_seconds"),
    *("cover_worker_seconds", "writing_seconds"),
)


class SchemaError(Exception):
    """Something that no run holds; the message continues a sentence that begins with a name."""


# JSON


Check = Callable[[Any, str], None]
"""Raises SchemaError, with the place that it is given, if a value is not as it should be."""


def check_manifest(content: bytes) -> dict[str, Any]:
    """Return the entries of a manifest, or raise SchemaError."""
    return _checked(content, _MANIFEST)


def check_summary(content: bytes) -> dict[str, Any]:
    """Return the counts of a run, or raise SchemaError."""
    return _checked(content, _SUMMARY)


def check_observed(content: bytes) -> dict[str, Any]:
    """Return where counts of played strings come from, or raise SchemaError."""
    return _checked(content, _OBSERVED)


def _checked(content: bytes, check: Check) -> dict[str, Any]:
    """An object of JSON that has passed a check."""
    if len(content) > MAX_JSON_BYTES:
        raise SchemaError("is larger than any run makes it")
    try:
        entries = json.loads(content, object_pairs_hook=_object, parse_constant=_no_constant)
    except RecursionError as error:
        raise SchemaError("is nested deeper than any run makes it") from error
    except ValueError as error:
        raise SchemaError("is not JSON") from error
    check(entries, "")
    return dict(entries)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    entries = dict(pairs)
    if len(entries) != len(pairs):
        raise SchemaError("has an object with a name that is there twice")
    return entries


def _no_constant(name: str) -> NoReturn:
    raise SchemaError(f"holds {name}, which is not a number")


def _wrong(value: Any, place: str, expected: str) -> NoReturn:  # noqa: ANN401
    """Only the type of a container is named: it may be of any size and depth."""
    names: dict[type, str] = {dict: "an object", list: "an array", str: "a text"}
    names |= {bool: "true or false", type(None): "null"}
    shown = names.get(type(value), "a number")
    at = f"at {place}" if place else "as a whole"
    raise SchemaError(f"has {shown} {at}, where {expected} belongs")


def _is(expected: str, fits: Callable[[Any], object]) -> Check:
    """Return a check of a value by a function; it says what belongs there if it does not fit."""

    def check(value: Any, place: str) -> None:  # noqa: ANN401
        if not fits(value):
            _wrong(value, place, expected)

    return check


def _text(pattern: str, expected: str) -> Check:
    return _is(expected, lambda text: isinstance(text, str) and re.fullmatch(pattern, text))


_count: Final = _is("a count", lambda n: type(n) is int and 0 <= n <= MAX_COUNTED)
_observed_count: Final = _is("a count", lambda n: type(n) is int and 0 <= n <= MAX_OBSERVED)
_quantity: Final = _is(
    "a number that is not negative",  # nor NaN
    lambda number: type(number) in (int, float) and 0 <= number <= MAX_COUNTED,
)


def _or_null(check: Check) -> Check:
    return lambda value, place: None if value is None else check(value, place)


def _array(check: Check, lengths: range) -> Check:
    def check_all(value: Any, place: str) -> None:  # noqa: ANN401
        if not isinstance(value, list) or len(value) not in lengths:
            _wrong(value, place, "an array of the length that a run gives it")
        for number, entry in enumerate(value):
            check(entry, f"{place}[{number}]")

    return check_all


def _mapping(name: Check, check: Check) -> Check:
    def check_all(value: Any, place: str) -> None:  # noqa: ANN401
        if not isinstance(value, dict) or len(value) > MAX_ENTRIES:
            _wrong(value, place, "an object")
        for key, entry in value.items():
            name(key, f"the names of {place}")
            check(entry, f"{place}.{key}")

    return check_all


def _record(required: Mapping[str, Check], optional: Mapping[str, Check] | None = None) -> Check:
    checks = {**required, **(optional or {})}

    def check_all(value: Any, place: str) -> None:  # noqa: ANN401
        if not isinstance(value, dict):
            _wrong(value, place, "an object")
        if missing := [name for name in required if name not in value]:
            raise SchemaError(f"has no {'.'.join(filter(None, [place, missing[0]]))}")
        for name, entry in value.items():
            if name not in checks:
                raise SchemaError(f"has an entry {_shown(name)} that no run makes")
            checks[name](entry, f"{place}.{name}" if place else name)

    return check_all


def _shown(text: str) -> str:
    return ascii(cut(text, 60))


# Cells. None can begin with a character that a spreadsheet takes for a formula's.

SAN: Final = r"(?:O-O(?:-O)?|[BKNQR]?[a-h]?[1-8]?x?[a-h][1-8](?:=[BKNQR])?)[+#]?"
_RANK: Final = r"(?=[1-8BKNPQRbknpqr])(?:[1-8]?[BKNPQRbknpqr])*[1-8]?"
FEN: Final = (
    rf"{_RANK}(?:/{_RANK}){{7}} [bw] (?:-|(?! )K?Q?k?q?) (?:-|[a-h][36]) "
    r"[0-9]{1,3} [1-9][0-9]{0,3}"
)
UCI: Final = r"(?!(?P<origin>..)(?P=origin))[a-h][1-8][a-h][1-8][bnqr]?"
NUMBER: Final = r"[1-9][0-9]{0,6}"
TIMES: Final = r"[1-9][0-9]{0,14}"
REASON: Final = "|".join(why.value for why in Reason)

_PRINTABLE: Final = rf"[ -~]{{1,{MAX_TEXT_LENGTH}}}"
_LABEL: Final = _text(r"[a-z][a-z ()+#-]{0,39}", "a label")
_SAN: Final = _text(SAN, "a SAN string")
_DIGEST: Final = _text("[0-9a-f]{64}", "a SHA-256 in hexadecimal digits")
_ONLY: Final = _or_null(_text(_PRINTABLE, "a pattern, or null"))
_VERDICTS: Final = dict.fromkeys(("reachable", "impossible", "undecided"), _count)
_TOTALS: Final = {"strings": _count, **_VERDICTS}
_VERSIONS: Final = _mapping(
    _text("[a-z][a-z0-9_.-]{0,39}", "a program's name"),
    _text(
        r"[0-9]{1,9}(\.[0-9]{1,9}){0,4}((a|b|rc|\.dev|\.post)[0-9]{1,9}){0,2}|[0-9a-f]{16}",
        "a version, or the hash of code",
    ),
)
_LENGTHS: Final[dict[str, Check]] = {
    "plies_mean": _or_null(_quantity),
    "plies_deciles": _or_null(_array(_count, range(11, 12))),
}
_PLAYERS: Final = _text("white|black|white and black", "who plays")

_MANIFEST: Final = _record(
    {
        "files": _mapping(_text("|".join(map(re.escape, WITH_COVER)), "a run's file"), _DIGEST),
        "only": _ONLY,
        "counts": _record(_TOTALS),
        "versions": _VERSIONS,
        "sha256": _DIGEST,
    }
)
_SUMMARY: Final = _record(
    {
        "only": _ONLY,
        **_TOTALS,
        **dict.fromkeys(
            ("by_piece", "by_suffix", "by_discriminator"), _mapping(_LABEL, _record(_VERDICTS))
        ),
        "by_reason": _mapping(_text(REASON, "a reason"), _count),
        "games": _or_null(
            _record({"games": _count, "strings_by_player": _mapping(_PLAYERS, _count), **_LENGTHS})
        ),
        "cover": _or_null(
            _record({**dict.fromkeys(("games", "mates", "plies"), _count), **_LENGTHS})
        ),
        "generator": _record(
            {
                "strings": _count,
                "missing": _mapping(_SAN, _text(FEN, "a position")),
                "too_many": _mapping(_SAN, _text(_PRINTABLE, "a sentence")),
            }
        ),
        "undecided_strings": _array(_SAN, range(101)),
        "undecided_players": _array(_text(rf"{SAN} \((?:white|black)\)", "a player"), range(101)),
        "versions": _VERSIONS,
    },
    {
        "search": _record({}, dict.fromkeys(SEARCH, _count)),
        "times": _record({}, dict.fromkeys(TIMES_OF_RUN, _quantity)),
    },
)
_MONTH: Final = _text("[0-9]{4}-(?:0[1-9]|1[0-2])", "a month")
_OBSERVED: Final = _record(
    {
        "games_of": _text(r"[A-Za-z][A-Za-z0-9 ,.'-]{0,79}", "what games were counted"),
        "first_month": _MONTH,
        "last_month": _MONTH,
        **dict.fromkeys(("games", "moves", "strings"), _observed_count),
        "address": _text(r"https://[!#-;=?-~]{1,200}", "an address"),
        "version": _text("[0-9A-Za-z._-]{1,64}", "a version"),
        "how": _text(_PRINTABLE, "how it was counted"),
        "licence": _text("[A-Za-z0-9.+-]{1,40}", "a licence by its SPDX identifier"),
        "copyright": _text(_PRINTABLE, "whose copyright it is"),
        "files": _record({OBSERVED: _DIGEST, OBSERVED_LICENCE: _DIGEST}),
    }
)


# Tables and lists


class RowForm:
    """A table's header and the form of its rows; a list has one cell and no header."""

    def __init__(self, header: str | None, *cells: str) -> None:
        self.header = header
        self._cells = cells

    @cached_property
    def _row(self) -> re.Pattern[str]:
        """One row. Compiled when it is needed: that takes milliseconds."""
        cells = enumerate(self._cells)
        return re.compile(",".join(f"(?P<cell{i}>{cell})" for i, cell in cells))

    @cached_property
    def _rows(self) -> re.Pattern[str]:
        """Any number of rows, at once because that is ten times as fast as one by one.

        Before Python 3.11.5 part of a last row without its end would pass: see :meth:`check`.
        """
        line = ",".join(f"(?:{cell})" for cell in self._cells)
        return re.compile(f"(?:{line}\n)*+")

    def check(self, text: str) -> None:
        """Check many rows, each with its line end.

        Raises:
            SchemaError: One of them is not a row of this table.
        """
        if text and not text.endswith("\n"):
            raise SchemaError("does not end with the end of a line")
        if not self._rows.fullmatch(text):
            for line in text.split("\n")[:-1]:
                self.cells(line)

    def cells(self, line: str) -> tuple[str, ...]:
        """Return the cells of one row.

        Raises:
            SchemaError: It is not a row of this table.
        """
        match = self._row.fullmatch(line)
        if match is None:
            raise SchemaError(f"holds the row {_shown(line)}, which no run writes there")
        return tuple(match[f"cell{i}"] for i in range(len(self._cells)))


LIST: Final = RowForm(None, SAN)
IMPOSSIBLE_ROWS: Final = RowForm("san,reason", SAN, REASON)
COVER_ROWS: Final = RowForm("san,game,ply", SAN, NUMBER, NUMBER)
OBSERVED_ROWS: Final = RowForm("san,times", SAN, TIMES)
WITNESS_ROWS: Final = RowForm("san,before_fen,uci,after_fen", SAN, FEN, UCI, FEN)
PLAYED_ROWS: Final = RowForm(
    "san,before_fen,uci,after_fen,game,ply,other_game,other_ply",
    *(SAN, FEN, UCI, FEN, NUMBER, NUMBER),
    *(rf"(?:{NUMBER})?", rf"(?:{NUMBER})?"),
)


def check_order(sans: Sequence[str]) -> None:
    """Check that strings stand in list order, each once.

    Raises:
        SchemaError: They do not.
    """
    for before, after in pairwise(map(list_order, sans)):
        if not before < after:
            raise SchemaError(f"has {after[1]} after {before[1]}, which is not the list order")


_DOTS: Final = str.maketrans({str(n): "." * n for n in range(1, 9)})


def check_witness_row(san: str, before_fen: str, uci: str, after_fen: str) -> None:
    """Check that two positions have eight squares a rank, and that the move is one of this string.

    A piece of the player to move, of the string's kind, goes from the move's origin to the string's
    destination. So python-chess can be asked about the move, whether or not it is legal.

    Raises:
        SchemaError: It is not so.
    """
    for fen in (before_fen, after_fen):
        if [len(rank) for rank in _board(fen)] != [8] * 8:
            raise SchemaError(f"holds {_shown(fen)}, which has a rank of more or fewer squares")
    parsed = parse_san(san)
    origin, target = uci[:2], uci[2:4]
    white = before_fen.split(" ")[1] == "w"
    square = parse_square(origin)
    piece = _board(before_fen)[7 - rank_of(square)][file_of(square)]
    castles = parsed.piece.startswith("O")
    if castles:
        home = "1" if white else "8"
        expected = f"e{home}", ("c" if parsed.piece == "O-O-O" else "g") + home
        fits = (origin, target) == expected
    else:
        fits = target == parsed.destination and uci[4:].upper() == parsed.promotion
    kind = "K" if castles else parsed.piece or "P"
    if not fits or piece != (kind if white else kind.lower()):
        raise SchemaError(f"holds the move {uci} for {san} in {before_fen}: they do not fit")


def _board(fen: str) -> list[str]:
    """The ranks from the eighth to the first, a character for each square."""
    return fen.partition(" ")[0].translate(_DOTS).split("/")


# Games

_MOVES: Final = rf"(?:{SAN} )++"
MAX_GAME_LENGTH: Final = 1 << 14
"""Characters; the longest game of a run has a twentieth of them."""


def check_game(text: str) -> PgnGame:
    """Return the game of a text that is written as a run writes games.

    Raises:
        SchemaError: It is not so, or the game does not show its string where it says.
    """
    if len(text) > MAX_GAME_LENGTH:
        raise SchemaError("holds a game longer than any of a run")
    try:
        game = read_pgn(text)
    except ValueError as error:
        raise SchemaError(f"holds a game that cannot be read: {error}") from error
    if not re.fullmatch(_MOVES, " ".join([*game.sans, ""])):
        raise SchemaError(f"holds game {game.number}, with a move that is no SAN string")
    if not 0 <= game.ply < len(game.sans) or game.sans[game.ply] != game.san:
        raise SchemaError(f"holds game {game.number}, which does not show its string")
    return game
