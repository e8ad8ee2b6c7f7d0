"""What is known of one string, with its evidence; and how to look it up in a finished run."""

from pathlib import Path
from typing import NamedTuple

from sanproof.proofs.rules.san import San
from sanproof.proofs.verdicts.drawing import board_svg
from sanproof.proofs.verdicts.malformed import read_san
from sanproof.proofs.verdicts.reasons import NoReason, Verdict, reason, sentence
from sanproof.reports.archive.door import (
    Archive,
    ArchiveError,
    GameRow,
    WitnessRow,
)
from sanproof.reports.archive.observed import Sighting, open_observed


class Answer(NamedTuple):
    """The verdict on a string, with its evidence.

    Attributes:
        san: The string.
        verdict: ``Verdict.REACHABLE`` or ``Verdict.IMPOSSIBLE``; ``Verdict.UNDECIDED`` only if a
            proof was tried and neither a game nor a refutation was found.
        witness: Position and move, for a reachable string.
        reason: The name of the reason why it is impossible.
        sentence: That reason in a sentence about this string, or why it is undecided.
        game: The proof game of the witness, if it was asked for.
        players: Who can play the string, if that is known: ``white``, ``black``, or both.
        proved: Whether it was proved now; if not, it was looked up.
        observed: How often a reachable string was played in real games; None if the data does not
            say, or if nothing was looked up.
    """

    san: str
    verdict: Verdict
    witness: WitnessRow | None = None
    reason: str | None = None
    sentence: str | None = None
    game: GameRow | None = None
    players: tuple[str, ...] = ()
    proved: bool = False
    observed: Sighting | None = None

    def _repr_svg_(self) -> str | None:
        return board_svg(self.witness.before_fen, self.witness.uci) if self.witness else None


def impossible_answer(san: San, directory: Path, *, playable: bool) -> Answer:
    """The answer about a string that a run does not list; whether its bare string is listed.

    Raises:
        ArchiveError: No rule excludes the string, so the list is not one of a genuine run.
    """
    try:
        named = reason(san.bare, playable=playable)
    except NoReason as error:
        raise ArchiveError(f"{directory} is not a genuine run: its list lacks {san}") from error
    return Answer(str(san), Verdict.IMPOSSIBLE, None, named.value, sentence(san, named))


def look_up(archive: Archive, text: str, *, player: str | None = None) -> Answer:
    """The answer about one string, with its game if there are games; the rest is not unpacked.

    It is shown where ``player``, ``white`` or ``black``, plays it, if that player can; otherwise
    at the first of its places.

    Raises:
        MalformedSan: The text is not a SAN string.
        ArchiveError: The data is damaged.
    """
    san = read_san(text)
    if not archive.is_reachable(text):
        playable = bool(san.suffix) and archive.is_reachable(str(san.bare))
        return impossible_answer(san, archive.directory, playable=playable)
    witness = archive.witness_of(text)
    counts = open_observed(archive.directory)
    seen = counts.sighting(text) if counts else None
    if not witness.places:
        return Answer(text, Verdict.REACHABLE, witness, observed=seen)
    wanted = [(n, ply) for n, ply in witness.places if ("black", "white")[ply % 2] == player]
    number, ply = (*wanted, *witness.places)[0]
    game = archive.game(number)
    if game.sans[ply - 1 : ply] != (text,):
        raise ArchiveError(f"{archive.directory} is damaged: {text} is not in game {number}")
    game = game._replace(san=text, colour=("black", "white")[ply % 2], ply=ply)
    first = (number, ply) == witness.places[0]
    shown = witness if first else _replayed(archive, game)
    return Answer(text, Verdict.REACHABLE, shown, game=game, players=witness.players, observed=seen)


def _replayed(archive: Archive, game: GameRow) -> WitnessRow:
    """The position of a game in which its string is played."""
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
    return WitnessRow(game.san, before_fen, move.uci(), board.fen(), game.number, game.ply)
