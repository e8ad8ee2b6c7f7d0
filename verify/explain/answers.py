"""The answer for one string, with its evidence, looked up in a finished run."""

from typing import TYPE_CHECKING, NamedTuple

from sanproof.proofs.board.drawing import board_svg
from sanproof.proofs.board.malformed import read_san
from sanproof.proofs.rules.san import San
from sanproof.proofs.theory.reasons import NoReason, Verdict, reason, sentence
from sanproof.reports.archive.door import (
    Archive,
    ArchiveError,
    Earliest,
    GameRow,
    WitnessRow,
    player_at,
)
from sanproof.reports.archive.observed import Sighting

if TYPE_CHECKING:
    import chess


class Answer(NamedTuple):
    """The verdict on a string, with its evidence.

    Attributes:
        san: The string.
        verdict: ``Verdict.REACHABLE`` or ``Verdict.IMPOSSIBLE``; ``Verdict.UNDECIDED`` only if a
            proof was tried and neither a game nor a refutation was found.
        found: Position and move, for a reachable string; None for others.
        reason: The name of the reason why it is impossible.
        sentence: That reason in a sentence about this string, or why it is undecided.
        game: The proof game of the witness, if it was asked for.
        players: Who can play the string, if that is known: ``white``, ``black``, or both.
        proved: Whether it was proved now; if not, it was looked up.
        observed: How often a reachable string was played in real games; None if the data does not
            say, or if nothing was looked up.
        earliest: The ply of a reachable string in the shortest game known, that game, and a bound;
            None if the data does not say, or if nothing was looked up.
    """

    san: str
    verdict: Verdict
    found: WitnessRow | None = None
    reason: str | None = None
    sentence: str | None = None
    game: GameRow | None = None
    players: tuple[str, ...] = ()
    proved: bool = False
    observed: Sighting | None = None
    earliest: Earliest | None = None

    @property
    def witness(self) -> WitnessRow:
        """Position and move.

        Raises:
            ValueError: The string is not known to be reachable.
        """
        if self.found is None:
            raise ValueError(f"{self.san} is {self.verdict.value}: there is no witness.")
        return self.found

    @property
    def fen(self) -> str:
        """The position of the witness; raises as :attr:`witness` does."""
        return self.witness.fen

    @property
    def board(self) -> "chess.Board":
        """The position of the witness, for python-chess; raises as :attr:`witness` does."""
        return self.witness.board

    @property
    def pgn(self) -> str:
        """The game as PGN, or the witness if the answer has no game; raises as :attr:`witness`."""
        return self.game.pgn if self.game else self.witness.pgn

    def _repr_svg_(self) -> str | None:
        return board_svg(self.fen, self.found.uci) if self.found else None


def look_up(
    archive: Archive, text: str, *, player: str | None = None, with_game: bool = True
) -> Answer:
    """Return the answer about one string, with its game if there are games; unpack nothing else.

    It is shown where ``player``, ``white`` or ``black``, plays it, if that player can; otherwise
    at the first of its places. That other place is found in the game.

    Raises:
        MalformedSan: The text is not a SAN string.
        ArchiveError: The data is damaged.
    """
    san = read_san(text)
    if not archive.is_reachable(text):
        return _impossible(archive, san)
    witness = archive.witness_of(text)
    counts = archive.observed
    answer = Answer(
        text,
        Verdict.REACHABLE,
        witness,
        players=witness.players,
        observed=counts.sighting(text) if counts else None,
        earliest=archive.earliest(text, player),
    )
    wanted = [place for place in witness.places if player_at(place[1]) == player]
    place = next(iter([*wanted, *witness.places]), None)
    if place is None or (place == witness.places[0] and not with_game):
        return answer
    game = archive.game(place[0])._replace(san=text, colour=player_at(place[1]), ply=place[1])
    if game.sans[game.ply - 1 : game.ply] != (text,):
        raise ArchiveError(f"{archive.directory} is damaged: {text} is not in game {game.number}")
    if place != witness.places[0]:
        answer = answer._replace(found=_replayed(archive, game))
    return answer._replace(game=game)


def look_up_earliest(archive: Archive, text: str, *, player: str | None = None) -> Answer:
    """Return the answer about one string, shown in the shortest game known.

    If there is no such table, or it lacks the string, it is what :func:`look_up` returns.

    Raises:
        MalformedSan: The text is not a SAN string.
        ArchiveError: The data is damaged.
    """
    san = read_san(text)
    if not archive.is_reachable(text):
        return _impossible(archive, san)
    earliest = archive.earliest(text, player)
    if archive.shortest is None or earliest is None:
        return look_up(archive, text, player=player)
    try:
        game = earliest.game
    except ValueError as error:
        message = f"{archive.directory} is damaged: the shortest game of {text}: {error}"
        raise ArchiveError(message) from error
    players = {row.player for row in archive.shortest.rows_of(text)}
    return Answer(
        text,
        Verdict.REACHABLE,
        _replayed(archive, game),
        game=game,
        players=tuple(sorted(players, reverse=True)),
        observed=archive.observed.sighting(text) if archive.observed else None,
        earliest=earliest,
    )


def _impossible(archive: Archive, san: San) -> Answer:
    playable = bool(san.suffix) and archive.is_reachable(str(san.bare))
    try:
        why = reason(san.bare, playable=playable)
    except NoReason as error:
        message = f"{archive.directory} is not a genuine run: its list lacks {san}"
        raise ArchiveError(message) from error
    return Answer(str(san), Verdict.IMPOSSIBLE, None, why.value, sentence(san, why))


def _replayed(archive: Archive, game: GameRow) -> WitnessRow:
    """Return the position of a game in which its string is played."""
    import chess  # noqa: PLC0415 - the witness of most answers is in the table

    board = chess.Board()
    try:
        for san in game.sans[: game.ply - 1]:
            board.push_san(san)
        before_fen, move = board.fen(), board.push_san(game.san)
    except ValueError as error:
        raise ArchiveError(
            f"{archive.directory} is damaged: game {game.number} is not legal: {error}"
        ) from error
    if game.sans[game.ply - 1] != game.san:
        raise ArchiveError(f"{archive.directory} is damaged: {game.san} is not in its game")
    return WitnessRow(game.san, before_fen, move.uci(), board.fen(), game.number, game.ply)
