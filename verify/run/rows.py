"""The rows of a run's store: what is found, as JSON, and back.

What is read may be damaged or forged, so everything is looked at before it is used: a value of
another shape is a ``TypeError`` or a ``ValueError``.
"""

import json
import sys
import zlib
from typing import Any, Final, NamedTuple

from sanproof.proofs.cover.parts import Tour
from sanproof.proofs.games.game import CheckedGame, ProofGame
from sanproof.proofs.rules.cubes import Cube
from sanproof.proofs.verdicts.witness import CheckedWitness

# ruff: noqa: ANN401 - JSON may hold anything

MOST_BYTES: Final = 1 << 24
"""More than ten times what the largest row of a run holds, unpacked."""


class CubeFindings(NamedTuple):
    """What was found of a cube and checked.

    Attributes:
        cube: The cube, of White's moves.
        witnesses: A checked witness for each string found, and for a pawn's also Black's.
        left_open: The strings that the certificate leaves open: those with a witness, and any
            for which there is neither a witness nor a refutation.
        certificate: The cube's certificate, as :mod:`proofs.kernel.certificates` writes it.
    """

    cube: Cube
    witnesses: list[CheckedWitness]
    left_open: list[str]
    certificate: str


class GamesFound(NamedTuple):
    """The proof games found and checked for one of White's witnesses.

    Attributes:
        san: The string of the witness.
        games: White's game, and Black's of the string with the colours exchanged; or none.
        given_up: How many positions were tried in vain before.
    """

    san: str
    games: list[CheckedGame]
    given_up: int


def packed(value: list[Any]) -> bytes:
    """A row's value as it is stored; :func:`unpacked` reads it."""
    return zlib.compress(json.dumps(value).encode("ascii"))


def unpacked(content: bytes) -> Any:
    """A row's value, unless it is larger than any row's.

    Raises:
        ValueError: It is, or it is no JSON.
        zlib.error: It was not packed by us.
    """
    unpacker = zlib.decompressobj()
    plain = unpacker.decompress(content, MOST_BYTES)
    if not unpacker.eof:
        raise ValueError("too large")
    return json.loads(plain)


def items(value: Any) -> list[Any]:
    """A list."""
    if not isinstance(value, list):
        raise TypeError("not a list")
    return value


def texts(value: Any) -> list[str]:
    """A list of texts."""
    return [text(item) for item in items(value)]


def text(value: Any) -> str:
    """A text."""
    if not isinstance(value, str):
        raise TypeError("not a text")
    return value


def number(value: Any) -> int:
    """An integer."""
    if type(value) is not int:
        raise TypeError("not an integer")
    return value


def read_findings(row: Any) -> CubeFindings:
    """What was found of a cube."""
    cube, witnesses, left_open, certificate = items(row)
    return CubeFindings(
        Cube(*texts(cube)),
        [CheckedWitness(*texts(witness)) for witness in items(witnesses)],
        texts(left_open),
        text(certificate),
    )


def games_row(found: GamesFound) -> tuple[Any, ...]:
    """The games of a witness as a row; :func:`read_games` reads it."""
    return (found.san, [_game_row(game) for game in found.games], found.given_up)


def read_games(row: Any) -> GamesFound:
    """The games of a witness."""
    san, games, given_up = items(row)
    return GamesFound(text(san), [_read_game(game) for game in items(games)], number(given_up))


def _game_row(checked: CheckedGame) -> tuple[str | int, ...]:
    game, sans, *witness = checked
    return (game.ply, game.san, game.colour, " ".join(game.moves), " ".join(sans), *witness)


def _read_game(row: Any) -> CheckedGame:
    ply, *rest = items(row)
    san, colour, moves, sans, before_fen, uci, after_fen = texts(rest)
    game = ProofGame(san, colour, number(ply), _shared(moves))
    return CheckedGame(game, _shared(sans), before_fen, uci, after_fen)


def tour_row(tour: Tour) -> tuple[str, str, str]:
    """A tour as a row; :func:`read_tour` reads it."""
    return (tour.start, " ".join(tour.moves), " ".join(tour.sans))


def read_tour(row: Any) -> Tour:
    """A tour of the cover."""
    start, moves, sans = texts(row)
    return Tour(start, _shared(moves), _shared(sans))


def _shared(moves: str) -> tuple[str, ...]:
    """Moves, of which equal ones are one object: a fifth of the memory."""
    return tuple(map(sys.intern, moves.split(" ")))
