"""What is found, as values of a run's store and back; :mod:`verify.work.rows` says what fails."""

import sys
from collections.abc import Iterable
from typing import Any, NamedTuple

from sanproof.proofs.cover.parts import Tour
from sanproof.proofs.games.game import CheckedGame, ProofGame
from sanproof.proofs.rules.cubes import Cube
from sanproof.proofs.verdicts.witness import CheckedWitness
from sanproof.verify.work.rows import items, number, text, texts

# ruff: noqa: ANN401 - JSON may hold anything


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


def share_moves(found: GamesFound) -> GamesFound:
    """The same games, of whose moves equal ones are one object: a fifth of the memory."""
    games = [
        checked._replace(
            game=checked.game._replace(moves=_shared(checked.game.moves)),
            sans=_shared(checked.sans),
        )
        for checked in found.games
    ]
    return found._replace(games=games)


def _game_row(checked: CheckedGame) -> tuple[str | int, ...]:
    game, sans, *witness = checked
    return (game.ply, game.san, game.colour, " ".join(game.moves), " ".join(sans), *witness)


def _read_game(row: Any) -> CheckedGame:
    ply, *rest = items(row)
    san, colour, moves, sans, before_fen, uci, after_fen = texts(rest)
    game = ProofGame(san, colour, number(ply), _shared(moves.split(" ")))
    return CheckedGame(game, _shared(sans.split(" ")), before_fen, uci, after_fen)


def tour_row(tour: Tour) -> tuple[str, str, str]:
    """A tour as a row; :func:`read_tour` reads it."""
    return (tour.start, " ".join(tour.moves), " ".join(tour.sans))


def read_tour(row: Any) -> Tour:
    """A tour of the cover."""
    start, moves, sans = texts(row)
    return Tour(start, _shared(moves.split(" ")), _shared(sans.split(" ")))


def _shared(moves: Iterable[str]) -> tuple[str, ...]:
    return tuple(map(sys.intern, moves))
