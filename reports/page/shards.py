"""What the page looks up, cut into one file for each piece and destination.

A phone loads only what is asked for. A shard says the verdict on each of its strings (with their
reasons, a letter each, run by run) and gives witness and game of those that are reachable. It is
a script that hands its content to the page, because a page opened from disk may not fetch data.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from itertools import groupby, product
from string import ascii_lowercase
from typing import Any, Final

from proofs.rules.san import (
    CAPTURES,
    CASTLINGS,
    DESTINATIONS,
    FILE_LETTERS,
    PIECES,
    PROMOTIONS,
    RANK_DIGITS,
    SUFFIXES,
    San,
    parse_san,
)
from proofs.rules.squares import square_name
from proofs.verdicts.reasons import Reason, origins
from reports.exports.archive import Archive, ArchiveError, GameRow, WitnessRow

CASTLING: Final = "castling"
REACHABLE: Final = "."
UNDECIDED: Final = "?"
NOT_ASKED: Final = "-"
LETTERS: Final = dict(zip((why.value for why in Reason), ascii_lowercase, strict=False))
"""A letter for each reason, by its name."""


def shard_of(san: San) -> str:
    """The name of the shard that holds a string."""
    return CASTLING if san.piece in CASTLINGS else f"{san.piece or 'P'}-{san.destination}"


def make_shards(
    archive: Archive, selected: Callable[[str], bool] | None = None
) -> Iterator[tuple[str, bytes]]:
    """Each shard's name and script.

    Args:
        archive: The run.
        selected: Which strings the run is about; all if None.

    Raises:
        ArchiveError: The files of the run are not those of one run.
    """
    codes = {san: _letter(why) for san, why in archive.impossible()}
    codes |= dict.fromkeys(archive.strings(), REACHABLE)
    shown: dict[str, list[WitnessRow]] = {}
    for row in archive.witnesses():
        if codes.get(row.san) != REACHABLE:
            raise ArchiveError(f"{archive.directory} has a witness for {row.san}, not reachable")
        shown.setdefault(shard_of(parse_san(row.san)), []).append(row)
    games = _games_of(archive, {row.game for rows in shown.values() for row in rows})

    def code(san: str) -> str:
        silent = UNDECIDED if selected is None or selected(san) else NOT_ASKED
        return codes.get(san, silent)

    for name, strings in _strings_by_shard():
        verdicts = [code(san) for san in strings]
        shard = {
            "codes": run_lengths(verdicts),
            "places": _places(strings, verdicts),
            "rows": [_entry(row, games) for row in shown.get(name, ())],
        }
        yield name, script("sanproof.receive", name, shard)


def script(function: str, *arguments: object) -> bytes:
    """A script that calls a function of the page."""
    return f"{function}({', '.join(map(to_json, arguments))});\n".encode("ascii")


def to_json(content: object) -> str:
    """JSON that may stand in a script and in a page: nothing in it can open or close a tag."""
    text = json.dumps(content, separators=(",", ":"), ensure_ascii=True)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def run_lengths(letters: list[str]) -> str:
    """Runs of equal letters, each the letter and how often it stands there: ``a3b1``."""
    return "".join(f"{letter}{len(list(run))}" for letter, run in groupby(letters))


def _letter(why: str) -> str:
    try:
        return LETTERS[why]
    except KeyError as error:
        raise ArchiveError(f"{why!a} is not a reason that this version knows") from error


def _games_of(archive: Archive, wanted: set[int | None]) -> dict[int, GameRow]:
    numbers = {number for number in wanted if number is not None}
    games = {game.number: game for game in archive.games(numbers)} if numbers else {}
    if missing := numbers - games.keys():
        raise ArchiveError(f"{archive.directory} has no game {min(missing)}")
    return games


def _strings_by_shard() -> Iterator[tuple[str, list[str]]]:
    """Every string of the universe, in the order in which the page counts them."""
    yield CASTLING, list(map("".join, product(CASTLINGS, SUFFIXES)))
    promotions = [p and f"={p}" for p in PROMOTIONS]
    for piece, destination in product(PIECES, DESTINATIONS):
        heads = map("".join, product([piece], FILE_LETTERS, RANK_DIGITS, CAPTURES))
        tails = list(map("".join, product([destination], promotions, SUFFIXES)))
        strings = [head + tail for head in heads for tail in tails]
        yield shard_of(parse_san(strings[0])), strings


def _places(strings: list[str], verdicts: list[str]) -> dict[str, str]:
    """Where the moves that never give check come from, as their sentence names it."""
    never = LETTERS[Reason.NO_CHECK.value]
    judged = zip(strings, verdicts, strict=True)
    bare = {parse_san(san).bare for san, verdict in judged if verdict == never}
    return {str(san): " or ".join(map(square_name, sorted(origins(san)))) for san in sorted(bare)}


def _entry(row: WitnessRow, games: Mapping[int, GameRow]) -> list[Any]:
    entry = [row.san, row.before_fen, row.uci]
    if row.game is None:
        return entry
    game = games[row.game]
    return [*entry, game.number, game.ply - 1, " ".join(game.sans)]
