"""Makes every file of a run from its evidence: a run writes them so, and an audit compares them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from sanproof.proofs.board.witness import Witness
from sanproof.proofs.games.game import CheckedGame
from sanproof.proofs.kernel.certificates import read_certificate, split_certificates
from sanproof.proofs.kernel.files import CERTIFICATES, GAMES, EvidenceError
from sanproof.proofs.rules.cubes import COLOURS, Cube
from sanproof.proofs.rules.san import list_order
from sanproof.proofs.theory.rulings import Findings
from sanproof.reports.tables import names
from sanproof.reports.tables.outputs import cover_index, games_pgn, lists, tables
from sanproof.reports.tables.pgn import PgnGame, number_games
from sanproof.reports.tables.places import Place, find_places, positions_of
from sanproof.reports.tables.summary import summary, to_json, to_markdown
from sanproof.reports.tables.survey import Survey, survey
from sanproof.verify.claims.crosscheck import differences
from sanproof.verify.claims.selection import Selection


class Evidence(NamedTuple):
    """The texts for which a run searches: certificates, and games in the form of the kernel's file.

    ``games`` and ``cover`` are None where none were looked for.
    """

    certificates: str
    games: str | None = None
    cover: str | None = None

    def left_open(self) -> dict[Cube, list[str]]:
        """Return the strings that the certificate of each cube leaves open."""
        read = map(read_certificate, split_certificates(self.certificates))
        return {cube: left_open for cube, _, left_open, _ in read}


class Played(NamedTuple):
    """What was played and checked: the games and the cover, or positions in the place of games."""

    games: Sequence[CheckedGame] | None = None
    cover: Sequence[CheckedGame] | None = None
    positions: Sequence[Witness] = ()


class Publication(NamedTuple):
    """The files of a run, not packed; and what they tell.

    The summary and the manifest are missing, for they tell more than the evidence does:
    :func:`summaries`.
    """

    files: dict[str, bytes]
    counts: dict[str, Any]
    survey: Survey
    findings: Findings


def publish(evidence: Evidence, played: Played, selection: Selection) -> Publication:
    """Make the files of a run.

    With games, a string is reachable only if there is a game in which it is played.

    Raises:
        EvidenceError: A certificate has another form, or the cover lacks a string.
    """
    findings = Findings(left_open=dict(evidence.left_open()))
    findings.add_witnesses(played.positions)
    findings.add_witnesses(game.witness for game in played.games or ())
    found = survey(findings.rulings(selection.cubes), selection.selected)
    files = lists(found) | {CERTIFICATES: evidence.certificates.encode("ascii")}
    games, cover, places, witnesses = None, None, None, findings.witnesses
    if played.games is not None and evidence.games is not None:
        games = _numbered(played.games)
        places = find_places(games)
        witnesses = witnesses | _positions_at(places, games, played.games)
        files |= {GAMES: evidence.games.encode("ascii"), names.GAMES_PGN: games_pgn(games)}
    files |= tables(found, witnesses, places)
    if played.cover is not None and evidence.cover is not None:
        cover = _numbered(played.cover)
        check_cover(cover, found.reachable)
        files |= {names.COVER: evidence.cover.encode("ascii"), names.COVER_PGN: games_pgn(cover)}
        files[names.COVER_INDEX] = cover_index(cover, found.reachable)
    generator = differences(found.reachable, findings, selection.selected)
    undecided = _undecided_players(findings, games, selection)
    closed = len(selection.closed_cubes)
    counts = summary(selection.pattern or None, found, closed, games, generator, undecided, cover)
    return Publication(files, counts, found, findings)


def summaries(counts: Mapping[str, Any]) -> dict[str, bytes]:
    """Return the summary, of all counts and of what only the run knows, in both forms."""
    return {names.SUMMARY: to_json(counts), names.SUMMARY_TEXT: to_markdown(counts)}


def _numbered(games: Iterable[CheckedGame]) -> list[PgnGame]:
    """Return the games in their published order."""
    return number_games((game.san, game.ply, sans) for game, sans, *_ in games)


def _positions_at(
    places: Mapping[str, Sequence[Place]],
    games: Sequence[PgnGame],
    played: Iterable[CheckedGame],
) -> dict[str, Witness]:
    """Return the positions of strings whose first place is not in their own first game."""
    moves = {(game.san, game.ply % 2): game.moves for game, *_ in played}
    own = {game.san: (game.number, game.ply) for game in reversed(games)}
    wanted = []
    for san, (first, *_) in places.items():
        if first != own[san]:
            game = games[first.game - 1]
            wanted.append((moves[game.san, game.ply % 2][: first.ply + 1], san))
    return positions_of(wanted)


def check_cover(cover: Sequence[PgnGame], reachable: Sequence[str]) -> None:
    """Check that each mate has one game, which ends with it, and each string is in some game.

    A game beyond those shows a string that no other game shows.

    Raises:
        EvidenceError: It is not so.
    """
    mating = [game for game in cover if game.san.endswith("#")]
    mates = sorted(san for san in reachable if san.endswith("#"))
    late = [game.san for game in mating if game.ply != len(game.sans) - 1]
    if late or sorted(game.san for game in mating) != mates:
        wrong = late or {game.san for game in mating} ^ {*mates} or {game.san for game in mating}
        raise EvidenceError(
            f"{names.COVER}: not one game for each mate, which ends with it, such as {min(wrong)}"
        )
    shown = {san for game in mating for san in game.sans}
    for game in cover:
        if not game.san.endswith("#"):
            if game.san in shown:
                raise EvidenceError(f"{names.COVER}: {game.san} has a game and is in another")
            shown.update(game.sans)
    if missing := set(reachable) - shown:
        raise EvidenceError(f"{names.COVER}: {min(missing)} is played in none of its games")


def _undecided_players(
    findings: Findings, games: list[PgnGame] | None, selection: Selection
) -> list[str]:
    """Return strings with a player for whom there is neither a game nor a refutation."""
    if games is None:
        return []
    shown = {(game.san, game.colour) for game in games}
    return [
        f"{san} ({colour})"
        for colour in COLOURS
        for san in sorted(findings.open_to(colour), key=list_order)
        if (san, colour) not in shown and (selection.selected is None or selection.selected(san))
    ]
