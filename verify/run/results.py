"""Turns what a run has found into the content of its files."""

from collections.abc import Iterable, Sequence
from typing import Any

from sanproof.proofs.board.witness import Witness
from sanproof.proofs.games.game import CheckedGame
from sanproof.proofs.kernel.files import CERTIFICATES, GAMES
from sanproof.proofs.rules.cubes import COLOURS
from sanproof.proofs.rules.san import list_order
from sanproof.proofs.search.symmetry import CubeFindings
from sanproof.proofs.theory.rulings import Findings
from sanproof.reports.tables.names import COVER, COVER_INDEX, COVER_PGN, FULL_LIST, GAMES_PGN
from sanproof.reports.tables.outputs import (
    cover_index,
    games_pgn,
    games_text,
    lists,
    packed,
    tables,
)
from sanproof.reports.tables.pgn import PgnGame, number_games
from sanproof.reports.tables.places import shown_strings
from sanproof.reports.tables.summary import count_cover, summary
from sanproof.reports.tables.survey import survey
from sanproof.verify.claims.crosscheck import differences
from sanproof.verify.claims.selection import Selection
from sanproof.verify.run.workers import GamesFound
from sanproof.verify.work.executors import beside

Results = tuple[dict[str, Any], dict[str, bytes]]
"""The counts of a run, and its files but for those that tell the counts and hashes."""


def gather_results(
    decided: Iterable[CubeFindings], games: Sequence[GamesFound] | None, selection: Selection
) -> Results:
    """Return all that a run has found of the selected strings, but for a cover.

    With games, a string is reachable only if there is a game in which it is played.
    """
    findings, certificates = Findings(), {}
    for cube, witnesses, left_open, certificate in decided:
        findings.left_open[cube] = left_open
        certificates[cube] = certificate
        if games is None:
            findings.add_witnesses(witnesses)
    closing = "".join(certificates[c] for c in selection.closed_cubes).encode("ascii")
    evidence = beside(packed, {CERTIFICATES: closing})  # takes as long as the survey
    checked = [game for found in games or () for game in found.games]
    findings.add_witnesses(Witness(g.game.san, *g[2:]) for g in checked)
    found = survey(findings.rulings(selection.cubes), selection.selected)
    reachable = set(found.reachable)
    shown = [game for game in checked if game.game.san in reachable]
    published = None if games is None else _published(shown)
    generator = differences(found.reachable, findings, selection.selected)
    undecided = _undecided_players(findings, published, selection)
    refuted = len(selection.closed_cubes)
    counts = summary(selection.pattern or None, found, refuted, published, generator, undecided)
    given_up = [found.given_up for found in games or ()]
    counts["search"] = {
        "witnesses": len(given_up),
        "witnesses_replaced": sum(map(bool, given_up)),  # those with positions tried in vain
        "positions_given_up": sum(given_up),
    }
    moves = {(g.game.san, g.game.ply % 2): g.game.moves for g in shown}
    places = None
    if published is not None:
        places = shown_strings(published, moves.__getitem__, findings.witnesses)
    # Packed in three parts: all of them not packed would be the most that a run ever holds.
    files = packed(lists(found) | tables(found, findings.witnesses, places))
    if published is not None:
        games_of_run = games_text(game.game for game in shown)
        files |= packed({GAMES: games_of_run, GAMES_PGN: games_pgn(published)})
    return counts, files | evidence.result()


def with_cover(results: Results, cover: Sequence[CheckedGame]) -> Results:
    """Add a cover to the results of a run."""
    counts, files = results
    covering = _published(cover)
    reachable = files[FULL_LIST].decode("ascii").split()
    more = packed({COVER: games_text(checked.game for checked in cover)})
    more |= {COVER_PGN: games_pgn(covering), COVER_INDEX: cover_index(covering, reachable)}
    return counts | {"cover": count_cover(covering)}, files | more


def _published(checked: Iterable[CheckedGame]) -> list[PgnGame]:
    """Return the games in their published order."""
    return number_games((g.game.san, g.game.ply, g.sans) for g in checked)


def _undecided_players(
    findings: Findings, published: list[PgnGame] | None, selection: Selection
) -> list[str]:
    """Return strings with a player for whom there is neither a game nor a refutation."""
    if published is None:
        return []
    shown = {(game.san, game.colour) for game in published}
    return [
        f"{san} ({colour})"
        for colour in COLOURS
        for san in sorted(findings.open_to(colour), key=list_order)
        if (san, colour) not in shown and (selection.selected is None or selection.selected(san))
    ]
