"""The answer for one string, with its evidence, looked up in a finished run."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final, NamedTuple

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


_FEW: Final = 100
"""Of so many strings the witnesses are looked up one by one; of more, the whole table is read."""


class Answer(NamedTuple):
    """The verdict on a string, with its evidence.

    ``game`` is the shortest game known in which the string is played; ``fen``, ``uci`` and
    ``board`` are of that game. The ``witness`` is a position with few pieces.

    Attributes:
        san: The string.
        verdict: ``Verdict.REACHABLE`` or ``Verdict.IMPOSSIBLE``; ``Verdict.UNDECIDED`` only if a
            proof was tried and neither a game nor a refutation was found.
        found: The witness of a reachable string; None for others.
        reason: The name of the reason why it is impossible.
        sentence: That reason in a sentence about this string, or why it is undecided.
        proof_game: A game of the run or of the proof, if no shorter one is known.
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
    proof_game: GameRow | None = None
    players: tuple[str, ...] = ()
    proved: bool = False
    observed: Sighting | None = None
    earliest: Earliest | None = None

    @property
    def witness(self) -> WitnessRow:
        """Position and move, with few pieces, for tests of programs.

        Raises:
            ValueError: The string is not known to be reachable.
        """
        if self.found is None:
            raise ValueError(f"{self.san} is {self.verdict.value}: there is no witness.")
        return self.found

    @property
    def game(self) -> GameRow | None:
        """The shortest game known, which ends in mate; an ArchiveError if it is damaged."""
        if self.earliest is None:
            return self.proof_game
        try:
            return self.earliest.game
        except ValueError as error:
            message = f"the table of shortest games is damaged: the game of {self.san}: {error}"
            raise ArchiveError(message) from error

    @property
    def shown(self) -> WitnessRow:
        """Position and move as the game has them, or the witness if there is no game.

        Raises:
            ValueError: The string is not known to be reachable.
        """
        return self.witness if (game := self.game) is None else played(game)

    @property
    def fen(self) -> str:
        """The position in which the game has the string; raises as :attr:`shown` does."""
        return self.shown.fen

    @property
    def uci(self) -> str:
        """The move there; raises as :attr:`shown` does."""
        return self.shown.uci

    @property
    def board(self) -> "chess.Board":
        """The position for python-chess; raises as :attr:`shown` does."""
        return self.shown.board

    @property
    def pgn(self) -> str:
        """The game as PGN, or the witness if there is none; raises as :attr:`shown` does."""
        return self.game.pgn if self.game else self.shown.pgn

    def _repr_svg_(self) -> str | None:
        reachable = self.verdict is Verdict.REACHABLE
        return board_svg(self.fen, self.uci) if reachable else None


def look_up(
    archive: Archive, text: str, *, player: str | None = None, witness: bool = True
) -> Answer:
    """Return the answer about one string; unpack nothing but its rows.

    It is shown where ``player``, ``white`` or ``black``, plays it, if that player can. Without
    ``witness`` a string whose shortest game is known has none: it takes as long as all the rest.

    Raises:
        MalformedSan: The text is not a SAN string.
        ArchiveError: The data is damaged.
    """
    (answer,) = look_up_all(archive, [text], player=player, witness=witness)
    return answer


def look_up_all(
    archive: Archive, texts: Iterable[str], *, player: str | None = None, witness: bool = True
) -> list[Answer]:
    """Return the answers about some strings, as :func:`look_up` does for one."""
    texts, counts = list(texts), archive.observed
    rows: dict[str, WitnessRow] = {}
    if len(texts) > _FEW:
        _ = counts and counts.times  # so that it is read once
        rows = {row.san: row for row in archive.witnesses()}
    found = []
    for text in texts:
        san = read_san(text)
        if not archive.is_reachable(text):
            found.append(_impossible(archive, san))
            continue
        seen = counts.sighting(text) if counts else None
        shortest = archive.shortest.rows_of(text) if archive.shortest else []
        players = tuple(sorted({row.player for row in shortest}, reverse=True))
        answer = Answer(text, Verdict.REACHABLE, players=players, observed=seen)
        if witness or not shortest:
            row = rows.get(text) or archive.witness_of(text)
            answer = answer._replace(found=row, players=players or row.players)
        found.append(answer._replace(earliest=archive.earliest(text, player)))
    return _with_games(archive, found, player)


def _with_games(archive: Archive, answers: list[Answer], player: str | None) -> list[Answer]:
    """Add a game of the run where no shortest game is known; the player's, if there is one."""
    where = {
        answer.san: min(answer.found.places, key=lambda place: player_at(place[1]) != player)
        for answer in answers
        if answer.found and answer.found.places and not answer.earliest
    }
    numbers = {number for number, _ in where.values()}
    games = {game.number: game for game in archive.games(numbers)} if numbers else {}
    for at, answer in enumerate(answers):
        if answer.san in where:
            number, ply = where[answer.san]
            game = games.get(number)
            if game is None or game.sans[ply - 1 : ply] != (answer.san,):
                message = f"is damaged: {answer.san} is not in game {number}"
                raise ArchiveError(f"{archive.directory} {message}")
            game = game._replace(san=answer.san, colour=player_at(ply), ply=ply)
            answers[at] = answer._replace(proof_game=game)
    return answers


def _impossible(archive: Archive, san: San) -> Answer:
    playable = bool(san.suffix) and archive.is_reachable(str(san.bare))
    try:
        why = reason(san.bare, playable=playable)
    except NoReason as error:
        message = f"{archive.directory} is not a genuine run: its list lacks {san}"
        raise ArchiveError(message) from error
    return Answer(str(san), Verdict.IMPOSSIBLE, None, why.value, sentence(san, why))


def played(game: GameRow) -> WitnessRow:
    """Return the position of a game in which its string is played."""
    try:
        board = game.board
        before_fen, move = board.fen(), board.push_san(game.san)
    except ValueError as error:
        raise ArchiveError(f"the game of {game.san} is damaged: {error}") from error
    if game.sans[game.ply - 1] != game.san:
        raise ArchiveError(f"the game of {game.san} is damaged: it is not at ply {game.ply}")
    return WitnessRow(game.san, before_fen, move.uci(), board.fen(), game.number, game.ply)
