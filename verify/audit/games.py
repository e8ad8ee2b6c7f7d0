"""The part of the audit that replays games. Trusted.

Each game is read from its canonical form, replayed with python-chess under the rules of
:mod:`proofs.kernel.games`, and compared with what it is there for: a position for a witness, and a
player who plays the string.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from concurrent.futures import Executor
from functools import partial
from typing import Final, NamedTuple

from proofs.kernel.files import AuditError
from proofs.kernel.games import GameChecker, GameError
from proofs.kernel.proof_game import COLOURS, ProofGame
from proofs.search.models import CheckedWitness
from reports.tables.outputs import GAMES, SUITE
from reports.tables.pgn import PgnError, PgnGame, number_games, read_pgn, split_pgn

BATCH: Final = 1000


class AuditedGame(NamedTuple):
    """A game that was replayed, and the witness that it gives."""

    game: PgnGame
    witness: CheckedWitness


def audit_games(
    file: str, text: str, executor: Executor, tell: Callable[[str], None]
) -> list[AuditedGame]:
    """Replay all games of a file.

    Raises:
        AuditError: A game does not hold, or the games are not in their order.
    """
    texts = enumerate(split_pgn(text), 1)
    games = [_read(file, number, paragraph) for number, paragraph in texts]
    tell(f"replaying {len(games)} games of {file}")
    in_order = number_games((game.san, game.ply, game.sans) for game in games)
    for right, found in zip(in_order, games, strict=True):
        if right != found:
            raise AuditError(f"{file}: game {found.number} ({found.san}) is out of order")
    # Sorted by their moves, games share their beginnings, which are then replayed once.
    alike = sorted(games, key=lambda game: game.sans)
    batches = [alike[i : i + BATCH] for i in range(0, len(alike), BATCH)]
    replayed = [game for batch in executor.map(partial(replay, file), batches) for game in batch]
    return sorted(replayed, key=lambda audited: audited.game.number)


def replay(file: str, games: list[PgnGame]) -> list[AuditedGame]:
    """Replay games of a file.

    Raises:
        AuditError: A game does not hold.
    """
    checker = GameChecker(in_san=True)
    replayed = []
    for game in games:
        try:
            checked = checker.check(ProofGame(game.san, game.colour, game.ply, game.sans))
        except GameError as error:
            raise AuditError(f"{file}: game {game.number}: {error}") from error
        witness = CheckedWitness(game.san, checked.before_fen, checked.uci, checked.after_fen)
        replayed.append(AuditedGame(game, witness))
    return replayed


def check_players(games: Collection[AuditedGame], playable: Mapping[str, Iterable[str]]) -> None:
    """Each player has one game for each string that no refutation excludes for that player.

    Args:
        games: The games.
        playable: For each player, the strings that the refutations leave open.

    Raises:
        AuditError: It is not so.
    """
    shown = [(audited.game.san, audited.game.colour) for audited in games]
    for colour in COLOURS:
        mine = [san for san, player in shown if player == colour]
        if len(mine) != len(set(mine)):
            twice = next(san for san in mine if mine.count(san) > 1)
            raise AuditError(f"{GAMES}: {colour} has two games for {twice}")
        if strange := set(mine).symmetric_difference(playable[colour]):
            san = min(strange)
            verb = "has a game for" if san in mine else "has neither a game nor a refutation for"
            raise AuditError(f"{GAMES}: {colour} {verb} {san}")


def check_suite(suite: Collection[PgnGame], reachable: Iterable[str]) -> None:
    """Each mate has one game, which ends with it, and every string is played in some game.

    Games beyond those are about strings for which there was no place in them.

    Args:
        suite: The games of the covering suite.
        reachable: The strings.

    Raises:
        AuditError: It is not so.
    """
    strings = set(reachable)
    ends = [game.san for game in suite if game.san.endswith("#")]
    if late := [g for g in suite if g.san.endswith("#") and g.ply != len(g.sans) - 1]:
        raise AuditError(f"{SUITE}: game {late[0].number} does not end with {late[0].san}")
    if len(ends) != len(set(ends)):
        raise AuditError(f"{SUITE}: two games end with the same mate")
    if strange := set(ends).symmetric_difference(san for san in strings if san.endswith("#")):
        raise AuditError(f"{SUITE}: not one game for each mate: {min(strange)}")
    if missing := strings.difference(*(game.sans for game in suite)):
        raise AuditError(f"{SUITE}: {min(missing)} is played in none of its games")


def _read(file: str, number: int, text: str) -> PgnGame:
    try:
        game = read_pgn(text)
    except PgnError as error:
        raise AuditError(f"{file}: game {number}: {error}") from error
    if game.number != number:
        raise AuditError(f"{file}: game {number} has the number {game.number}")
    return game
