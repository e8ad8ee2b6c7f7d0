"""Looks up the answer about one string in a finished run, with its evidence."""

from typing import TYPE_CHECKING, NamedTuple

from sanproof.proofs.board.malformed import read_san
from sanproof.proofs.rules.san import San
from sanproof.proofs.theory.reasons import NoReason, Verdict, reason, sentence
from sanproof.reports.archive.door import Archive, ArchiveError, GameRow, WitnessRow, player_at
from sanproof.reports.archive.observed import Sighting

if TYPE_CHECKING:
    from sanproof.proofs.shortest.table import ShortestRow


class Answer(NamedTuple):
    """The verdict on a string. Its evidence is read when an attribute needs it.

    An attribute raises an ArchiveError if its evidence is damaged, and a ValueError if there can be
    none, because the string is not known to be reachable.

    Attributes:
        san: The string.
        verdict: ``Verdict.REACHABLE`` or ``Verdict.IMPOSSIBLE``; ``Verdict.UNDECIDED`` only if a
            proof was tried and neither a game nor a refutation was found.
        reason: The name of the reason why it is impossible.
        sentence: That reason in a sentence about this string, or why it is undecided.
        archive: The run in which it was looked up, or None if it was proved now.
        player: The player whose move and game are preferred, ``white`` or ``black``.
        proof: The game that was found by a proof now.
    """

    san: str
    verdict: Verdict
    reason: str | None = None
    sentence: str | None = None
    archive: Archive | None = None
    player: str | None = None
    proof: GameRow | None = None

    @property
    def witness(self) -> WitnessRow:
        """The published position and move of the string."""
        if self.proof:
            return self.shown
        if self.source is None:
            raise ValueError(f"{self.san} is {self.verdict.value}: there is no witness.")
        return self.source.witness_of(self.san)

    @property
    def earliest(self) -> "ShortestRow | None":
        """The ply in the shortest game known, and a lower bound, or None if the data has none."""
        return self.source.earliest(self.san, self.player) if self.source else None

    @property
    def observed(self) -> Sighting | None:
        """How often the string was played in real games, or None if the data has no counts."""
        counts = self.source and self.source.observed
        return counts.sighting(self.san) if counts else None

    @property
    def players(self) -> tuple[str, ...]:
        """The players who can play it: ``white``, ``black`` or both. Empty if that is not known."""
        if self.source is None:
            return ()
        rows = self.source.shortest_of(self.san)
        return tuple(sorted({row.player for row in rows}, reverse=True)) or self.witness.players

    @property
    def game(self) -> GameRow | None:
        """The shortest game known, or else one of the run or of the proof. It ends in mate."""
        if self.source is None:
            return self.proof
        if earliest := self.earliest:
            return GameRow.of_row(earliest)
        return self._game_of(self.source)

    @property
    def shown(self) -> WitnessRow:
        """The position and move of :attr:`game`, or the witness if there is no game."""
        return game.shown if (game := self.game) else self.witness

    def _repr_svg_(self) -> str | None:
        return self.shown._repr_svg_() if self.verdict is Verdict.REACHABLE else None

    @property
    def source(self) -> Archive | None:
        """The run with the evidence of a reachable string, or None if it was proved now."""
        return self.archive if self.verdict is Verdict.REACHABLE else None

    def _game_of(self, archive: Archive) -> GameRow | None:
        """Return a game of the run, the player's if there is one."""
        if not (places := self.witness.places):
            return None
        number, ply = min(places, key=lambda place: player_at(place[1]) != self.player)
        return archive.game(number)._replace(san=self.san, colour=player_at(ply), ply=ply)


def look_up(archive: Archive, text: str, player: str | None = None) -> Answer:
    """Return the answer about one string.

    Its game is one in which ``player``, ``white`` or ``black``, plays it, if that player can.

    Raises:
        MalformedSan: The text is not a SAN string.
        ArchiveError: The data is damaged.
    """
    san = read_san(text)
    if archive.is_reachable(text):
        return Answer(text, Verdict.REACHABLE, archive=archive, player=player)
    try:
        answer = impossible(san, playable=bool(san.suffix) and archive.is_reachable(str(san.bare)))
    except NoReason as error:
        message = f"{archive.directory} is not a genuine run: its list lacks {san}"
        raise ArchiveError(message) from error
    return answer._replace(archive=archive)


def impossible(san: San, *, playable: bool) -> Answer:
    """Return the answer about an impossible string.

    ``playable`` says that the string without its suffix is reachable.

    Raises:
        NoReason: None of the known reasons fits.
    """
    why = reason(san, playable=playable)
    return Answer(str(san), Verdict.IMPOSSIBLE, why.value, sentence(san, why))
