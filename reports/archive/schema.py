"""Checks what is read from a run, once, at the door: the forms of all its files.

A run may be forged: its hashes are right and its content is anything. So nothing passes but what
a run can contain: known names, counts, SAN strings, positions, games. A program behind the door
may rely on every type, on every key, and on every cell of a table.

That what is read is *true* is not checked here: that is the work of ``sanproof audit``.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final, NoReturn

from sanproof.proofs.rules.san import list_order, parse_san
from sanproof.proofs.theory.reasons import Reason
from sanproof.reports.archive import SchemaError as SchemaError  # noqa: PLC0414 - of these checks
from sanproof.reports.escaping import cut
from sanproof.reports.tables.names import OBSERVED, OBSERVED_LICENCE, WITH_COVER
from sanproof.reports.tables.pgn import PgnGame, read_pgn

MAX_JSON_BYTES: Final = 1 << 22
"""A summary has 3 kB. Its largest part, a generator's differences, could make it 1 MB."""

MAX_COUNTED: Final = 10**9
MAX_OBSERVED: Final = 10**15
"""Moves in games: two thousand times as many as were counted so far."""
KIND: Final = r"[a-z0-9-]{1,60}(?: [a-z0-9-]{1,60}){0,9}"
"""A kind of deviation, as a scan names it."""
MAX_ENTRIES: Final = 50_000
MAX_TEXT_LENGTH: Final = 400
SEARCH: Final = ("witnesses", "witnesses_replaced", "positions_given_up")
"""Counts of a run's search: White's witnesses, how many of them had to be replaced because no
game to their position was found, and how many positions were given up in all."""
TIMES_OF_RUN: Final = (
    *("working_seconds", "deciding_worker_seconds", "games_worker_seconds"),
    *("cover_worker_seconds", "writing_seconds"),
)


# JSON


Check = Callable[[Any, str], None]
"""Raises SchemaError, with the place that it is given, if a value is not as it should be."""


def read_json(content: bytes, check: Check, most_bytes: int = MAX_JSON_BYTES) -> dict[str, Any]:
    """Return an object of JSON that passes a check, or raise SchemaError."""
    if len(content) > most_bytes:
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


def fitting(expected: str, fits: Callable[[Any], object]) -> Check:
    """Return a check of a value by a function; it says what belongs there if it does not fit.

    Only the type of a container is named: it may be of any size and depth.
    """
    types: dict[type, str] = {dict: "an object", list: "an array", str: "a text"}
    types |= {bool: "true or false", type(None): "null"}

    def check(value: Any, place: str) -> None:  # noqa: ANN401
        if not fits(value):
            found, at = types.get(type(value), "a number"), f"at {place}" if place else "as a whole"
            raise SchemaError(f"has {found} {at}, where {expected} belongs")

    return check


def text(pattern: str, expected: str) -> Check:
    """Return a check of a text by its pattern."""
    return fitting(expected, lambda text: isinstance(text, str) and re.fullmatch(pattern, text))


def number(most: int, *types: type) -> Check:
    """Return a check of a number that is not negative, nor NaN: a count if no types are given."""
    expected = "a number that is not negative" if types else "a count"
    return fitting(expected, lambda n: type(n) in (types or (int,)) and 0 <= n <= most)


def or_null(check: Check) -> Check:
    """Return a check that null passes too."""
    return lambda value, place: None if value is None else check(value, place)


def array(check: Check, lengths: range) -> Check:
    """Return a check of an array of any of these lengths, and of each entry."""
    right = fitting(
        "an array of the length that a run gives it",
        lambda value: isinstance(value, list) and len(value) in lengths,
    )

    def check_all(value: Any, place: str) -> None:  # noqa: ANN401
        right(value, place)
        for at, entry in enumerate(value):
            check(entry, f"{place}[{at}]")

    return check_all


_an_object: Final = fitting(
    "an object", lambda value: isinstance(value, dict) and len(value) <= MAX_ENTRIES
)


def mapping(name: Check, check: Check) -> Check:
    """Return a check of an object whose names and entries have one form each."""

    def check_all(value: Any, place: str) -> None:  # noqa: ANN401
        _an_object(value, place)
        for key, entry in value.items():
            name(key, f"the names of {place}")
            check(entry, f"{place}.{key}")

    return check_all


def record(
    required: Mapping[str, Check],
    optional: Mapping[str, Check] | None = None,
    others: Check | None = None,
) -> Check:
    """Return a check of an object by its entries, some of which may be missing.

    Another name is refused, if there is no check of ``others``.
    """
    checks = {**required, **(optional or {})}

    def check_all(value: Any, place: str) -> None:  # noqa: ANN401
        _an_object(value, place)
        within = f"{place}." if place else ""
        if missing := [name for name in required if name not in value]:
            raise SchemaError(f"has no {within}{missing[0]}")
        for name, entry in value.items():
            if (check := checks.get(name, others)) is None:
                raise SchemaError(f"has an entry {_shown(name)} that no run makes")
            check(entry, within + name)

    return check_all


def anything(value: Any, place: str) -> None:  # noqa: ANN401
    """Let every value pass."""


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
REASON: Final = "|".join(why.value for why in Reason)

_PRINTABLE: Final = rf"[ -~]{{1,{MAX_TEXT_LENGTH}}}"
_COUNT: Final = number(MAX_COUNTED)
_QUANTITY: Final = number(MAX_COUNTED, int, float)
_SAN: Final = text(SAN, "a SAN string")
_DIGEST: Final = text("[0-9a-f]{64}", "a SHA-256 in hexadecimal digits")
_ONLY: Final = or_null(text(_PRINTABLE, "a pattern, or null"))
_VERDICTS: Final = dict.fromkeys(("reachable", "impossible", "undecided"), _COUNT)
_TOTALS: Final = {"strings": _COUNT, **_VERDICTS}
_BY_KIND: Final = mapping(text(r"[a-z][a-z ()+#-]{0,39}", "a label"), record(_VERDICTS))
_VERSIONS: Final = mapping(
    text("[a-z][a-z0-9_.-]{0,39}", "a program's name"),
    text(
        r"[0-9]{1,9}(\.[0-9]{1,9}){0,4}((a|b|rc|\.dev|\.post)[0-9]{1,9}){0,2}|[0-9a-f]{16}",
        "a version, or the hash of code",
    ),
)
_LENGTHS: Final[dict[str, Check]] = {
    "plies_mean": or_null(_QUANTITY),
    "plies_deciles": or_null(array(_COUNT, range(11, 12))),
}
_BY_PLAYER: Final = mapping(text("white|black|white and black", "who plays"), _COUNT)
_MONTH: Final = text("[0-9]{4}-(?:0[1-9]|1[0-2])", "a month")

MANIFEST_FORM: Final = record(
    {
        "files": mapping(text("|".join(map(re.escape, WITH_COVER)), "a run's file"), _DIGEST),
        "only": _ONLY,
        "counts": record(_TOTALS),
        "versions": _VERSIONS,
        "sha256": _DIGEST,
    }
)
SUMMARY_FORM: Final = record(
    {
        "only": _ONLY,
        **_TOTALS,
        **dict.fromkeys(("by_piece", "by_suffix", "by_discriminator"), _BY_KIND),
        "by_reason": mapping(text(REASON, "a reason"), _COUNT),
        "refuted": _COUNT,
        "games": or_null(record({"games": _COUNT, "strings_by_player": _BY_PLAYER, **_LENGTHS})),
        "cover": or_null(
            record({**dict.fromkeys(("games", "mates", "plies"), _COUNT), **_LENGTHS})
        ),
        "generator": record(
            {
                "strings": _COUNT,
                "missing": mapping(_SAN, text(FEN, "a position")),
                "too_many": mapping(_SAN, text(_PRINTABLE, "a sentence")),
            }
        ),
        "undecided_strings": array(_SAN, range(101)),
        "undecided_players": array(text(rf"{SAN} \((?:white|black)\)", "a player"), range(101)),
        "versions": _VERSIONS,
    },
    {
        "search": record({}, dict.fromkeys(SEARCH, _COUNT)),
        "times": record({}, dict.fromkeys(TIMES_OF_RUN, _QUANTITY)),
    },
)
OBSERVED_FORM: Final = record(
    {
        "games_of": text(r"[A-Za-z][A-Za-z0-9 ,.'-]{0,79}", "what games were counted"),
        "first_month": _MONTH,
        "last_month": _MONTH,
        **dict.fromkeys(("games", "moves", "strings"), number(MAX_OBSERVED)),
        "address": text(r"https://[!#-;=?-~]{1,200}", "an address"),
        "version": text("[0-9A-Za-z._-]{1,64}", "a version"),
        "how": text(_PRINTABLE, "how it was counted"),
        "licence": text("[A-Za-z0-9.+-]{1,40}", "a licence by its SPDX identifier"),
        "copyright": text(_PRINTABLE, "whose copyright it is"),
        "files": record({OBSERVED: _DIGEST, OBSERVED_LICENCE: _DIGEST}),
    }
)


# Tables and lists


class RowForm:
    """A table's header and the form of its rows; a list has one cell and no header."""

    def __init__(self, header: str | None, *cells: str) -> None:
        self.header = header
        self._line = ",".join(f"(?:{cell})" for cell in cells)

    def check(self, text: str) -> None:
        """Check many rows, each with its line end: at once, which is ten times as fast.

        Raises:
            SchemaError: One of them is not a row of this table.
        """
        if text and not text.endswith("\n"):  # before Python 3.11.5 part of a row would pass
            raise SchemaError("does not end with the end of a line")
        if not re.fullmatch(rf"(?:{self._line}\n)*+", text):
            for line in text.split("\n")[:-1]:
                self.cells(line)

    def cells(self, line: str) -> tuple[str, ...]:
        """Return the cells of one row, which hold no comma.

        Raises:
            SchemaError: It is not a row of this table.
        """
        if not re.fullmatch(self._line, line):
            raise SchemaError(f"holds the row {_shown(line)}, which no run writes there")
        return tuple(line.split(","))


LIST: Final = RowForm(None, SAN)
IMPOSSIBLE_ROWS: Final = RowForm("san,reason", SAN, REASON)
COVER_ROWS: Final = RowForm("san,game,ply", SAN, NUMBER, NUMBER)
OBSERVED_ROWS: Final = RowForm("san,times", SAN, r"[1-9][0-9]{0,14}")
WITNESS_ROWS: Final = RowForm("san,before_fen,uci,after_fen", SAN, FEN, UCI, FEN)
PLAYED_ROWS: Final = RowForm(
    f"{WITNESS_ROWS.header},game,ply,other_game,other_ply",
    *(SAN, FEN, UCI, FEN, NUMBER, NUMBER, rf"(?:{NUMBER},{NUMBER}|,)"),
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
_CASTLING_MOVES: Final = {"O-O": "e1g1", "O-O-O": "e1c1"}


def check_witness_row(san: str, before_fen: str, uci: str, after_fen: str) -> None:
    """Check that two positions have eight squares a rank, and that the move is one of this string.

    A piece of the player to move, of the string's kind, goes from the move's origin to the string's
    destination. So python-chess can be asked about the move, whether or not it is legal.

    Raises:
        SchemaError: It is not so.
    """
    board, after = (fen.partition(" ")[0].translate(_DOTS) for fen in (before_fen, after_fen))
    for ranks in (board, after):
        if [len(rank) for rank in ranks.split("/")] != [8] * 8:
            raise SchemaError(f"holds {_shown(ranks)}, which has a rank of more or fewer squares")
    parsed, home = parse_san(san), "1" if before_fen.split(" ")[1] == "w" else "8"
    piece = board.split("/")[8 - int(uci[1])]["abcdefgh".index(uci[0])]
    if castling := _CASTLING_MOVES.get(parsed.piece):
        kind, fits = "K", uci == castling.replace("1", home)
    else:
        kind = parsed.piece or "P"
        fits = uci[2:] == parsed.destination + parsed.promotion.lower()
    if not fits or piece != (kind if home == "1" else kind.lower()):
        raise SchemaError(f"holds the move {uci} for {san} in {before_fen}: they do not fit")


# Games

MAX_GAME_LENGTH: Final = 1 << 14
"""Characters; the longest game of a run has a twentieth of them."""


def check_game(number: int, text: str) -> PgnGame:
    """Return the game of a text that is written as a run writes the game of this number.

    Raises:
        SchemaError: It is not so, or the game does not show its string where it says.
    """
    if len(text) > MAX_GAME_LENGTH:
        raise SchemaError("holds a game longer than any of a run")
    try:
        game = read_pgn(text)
    except ValueError as error:
        raise SchemaError(f"holds a game that cannot be read: {error}") from error
    if game.number != number:
        raise SchemaError(f"has game {game.number} as number {number}")
    if not re.fullmatch(rf"(?:{SAN} )++", " ".join([*game.sans, ""])):
        raise SchemaError(f"holds game {game.number}, with a move that is no SAN string")
    if not 0 <= game.ply < len(game.sans) or game.sans[game.ply] != game.san:
        raise SchemaError(f"holds game {game.number}, which does not show its string")
    return game


def ascii_text(content: bytes) -> str:
    """Return a file's content as a text, or raise SchemaError."""
    try:
        return content.decode("ascii")
    except UnicodeDecodeError as error:
        raise SchemaError("is not plain text") from error
