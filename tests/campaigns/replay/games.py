"""Reading PGN files game by game, of any length, and without a chess program."""

import gzip
import re
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple, cast

from sanproof.verify.errors import Failure, NegativeAnswer

RESULTS: Final = frozenset({"1-0", "0-1", "1/2-1/2", "*"})
_TAG: Final = re.compile(r'\[(\w+) "([^"]*)"\]')


class GameText(NamedTuple):
    """A game as it stands in a file: nothing of it has been held against the rules.

    Attributes:
        tags: The tags.
        movetext: All of the movetext on one line.
    """

    tags: dict[str, str]
    movetext: str

    @property
    def sans(self) -> tuple[str, ...]:
        """Everything in the movetext that is neither a move number nor the result."""
        words = self.movetext.split()
        return tuple(word for word in words if word[-1] != "." and word not in RESULTS)


def open_pgn(path: Path) -> BinaryIO:
    """Open a file of games for reading, unpacked."""
    if path.suffix == ".gz":
        return cast("BinaryIO", gzip.open(path, "rb"))
    return path.open("rb")


def split_games(lines: Iterable[str]) -> Iterator[GameText]:
    """The games in lines of PGN: one ends where the next one's tags begin."""
    tags: dict[str, str] = {}
    movetext: list[str] = []
    for line in lines:
        match = _TAG.fullmatch(line.strip())
        if match is None:
            movetext += line.split()
            continue
        if movetext or match[1] in tags:
            yield GameText(tags, " ".join(movetext))
            tags, movetext = {}, []
        tags[match[1]] = match[2]
    if tags or movetext:
        yield GameText(tags, " ".join(movetext))


def read_games(path: Path) -> Iterator[GameText]:
    """The games of a file, which have to be numbered from 1 by their tags ``Round``.

    Raises:
        Failure: The file cannot be read.
        NegativeAnswer: A game has another number.
    """
    try:
        with open_pgn(path) as file:
            games = split_games(line.decode("ascii") for line in file)
            for number, game in enumerate(games, 1):
                if (found := game.tags.get("Round")) != str(number):
                    raise NegativeAnswer(f"{path.name}: game {number} has the Round {found}.")
                yield game
    except UnicodeDecodeError as error:
        raise Failure(f"{path.name}: something in it is not ASCII.") from error
    except (OSError, EOFError, zlib.error) as error:
        raise Failure(f"{path.name}: cannot be read: {error}.") from error
