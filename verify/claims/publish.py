"""Makes every file of a run from its evidence, for the run itself and for the audit."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from sanproof.generator.strings import suffixed_strings
from sanproof.proofs.board.witness import Witness
from sanproof.proofs.games.game import CheckedGame, write_line
from sanproof.proofs.kernel.certificates import read_certificate, split_certificates
from sanproof.proofs.kernel.files import CERTIFICATES, GAMES, EvidenceError
from sanproof.proofs.rules.cubes import COLOURS
from sanproof.proofs.rules.san import list_order, parse_san
from sanproof.proofs.theory.reasons import Findings, sentence
from sanproof.reports.tables import names
from sanproof.reports.tables.outputs import (
    Place,
    cover_index,
    find_places,
    lists,
    positions_of,
    tables,
)
from sanproof.reports.tables.pgn import PgnGame, games_pgn, number_games
from sanproof.reports.tables.summary import Survey, summary, survey, to_json, to_markdown
from sanproof.verify.claims.replay import file_of
from sanproof.verify.claims.selection import Selection

SEARCH: Final = ("witnesses", "witnesses_replaced", "positions_given_up")
TIMES: Final = (
    *("working_seconds", "deciding_worker_seconds", "games_worker_seconds"),
    *("cover_worker_seconds", "writing_seconds"),
)
"""The times that only the run knows; the summary has them, and the versions of its tools."""


def publish(
    selection: Selection,
    certificates: str,
    played: Sequence[CheckedGame] | None,
    played_cover: Sequence[CheckedGame] | None = None,
    positions: Sequence[Witness] = (),
) -> tuple[dict[str, bytes], dict[str, Any], Survey]:
    """Make the files of a run from the replayed games and cover, or from positions without games.

    With games, a string is reachable only if it is played in one.

    Returns:
        The files, not packed and without the summary and the manifest, which need more than the
        evidence; the counts; and the verdicts.

    Raises:
        EvidenceError: A certificate has another form or refutes a position, or the cover lacks a
            string.
    """
    read = map(read_certificate, split_certificates(certificates))
    findings = Findings(left_open={cube: left_open for cube, _, left_open, _ in read})
    findings.add_witnesses(positions or (game.witness for game in played or ()))
    for player, to_move in zip(COLOURS, (" w ", " b "), strict=True):
        mine = {w.san for w in positions if to_move in w.fen and selection.selected(w.san)}
        if refuted := mine - findings.open_to(player):
            raise EvidenceError(f"{names.WITNESSES}: {min(refuted)} is witnessed and refuted")
    found = survey(findings.rulings(selection.cubes), selection.selected)
    files = lists(found) | {CERTIFICATES: certificates.encode("ascii")}
    games, cover, places, witnesses = None, None, None, findings.witnesses
    if played is not None:
        games = _numbered(played)
        places = find_places(games)
        witnesses = witnesses | _positions_at(places, games, played)
        files |= {GAMES: _evidence(played), names.GAMES_PGN: games_pgn(games)}
    files |= tables(found, witnesses, places)
    if played_cover is not None:
        cover = _numbered(played_cover)
        check_cover(cover, found.reachable)
        files |= {names.COVER: _evidence(played_cover), names.COVER_PGN: games_pgn(cover)}
        files[names.COVER_INDEX] = cover_index(cover, found.reachable)
    generator = differences(selection, found.reachable, findings)
    undecided = _undecided_players(selection, findings, games)
    closed = len(selection.closed_cubes)
    counts = summary(selection.pattern, found, closed, games, generator, undecided, cover)
    return files, counts, found


def summaries(counts: Mapping[str, Any]) -> dict[str, bytes]:
    """Return the summary in both forms, given all counts and what only the run knows."""
    return {names.SUMMARY: to_json(counts), names.SUMMARY_TEXT: to_markdown(counts)}


def _numbered(games: Iterable[CheckedGame]) -> list[PgnGame]:
    """Return the games in their published order."""
    return number_games((game.san, game.ply, sans) for game, sans, *_ in games)


def _evidence(games: Iterable[CheckedGame]) -> bytes:
    return file_of(write_line(game) for game, *_ in games).encode("ascii")


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
    """Check that each mate ends exactly one game, and that each string is in a game.

    A game that does not end in a mate of its own must have a string that no other game has.

    Raises:
        EvidenceError: This is not so.
    """
    mating = [game for game in cover if game.san.endswith("#")]
    ending = Counter((game.san, game.ply + 1 == len(game.sans)) for game in mating)
    due = Counter((san, True) for san in reachable if san.endswith("#"))
    if wrong := ending - due or due - ending:
        such = f"such as {min(wrong)[0]}"
        raise EvidenceError(
            f"{names.COVER}: not one game for each mate, which ends with it, {such}"
        )
    shown = {san for game in mating for san in game.sans}
    for game in cover:
        if not game.san.endswith("#"):
            if game.san in shown:
                raise EvidenceError(f"{names.COVER}: {game.san} has a game and is in another")
            shown.update(game.sans)
    if missing := set(reachable) - shown:
        raise EvidenceError(f"{names.COVER}: {min(missing)} is played in none of its games")


def differences(
    selection: Selection, reachable: Sequence[str], findings: Findings
) -> dict[str, Any]:
    """Compare the generator's strings with the reachable ones. Only here do the two meet.

    Returns:
        The number of the generator's strings, its missing ones with a position each, and its extra
        ones with the reason against each.
    """
    generated = list(filter(selection.selected, suffixed_strings()))
    proven, claimed = set(reachable), set(generated)
    missing = {san: findings.witnesses[san].fen for san in reachable if san not in claimed}
    too_many = {}
    for san in (parse_san(text) for text in generated if text not in proven):
        verdict, why = findings.verdict(san)
        too_many[str(san)] = sentence(san, why) if why else verdict.value
    return {"strings": len(generated), "missing": missing, "too_many": too_many}


def _undecided_players(
    selection: Selection, findings: Findings, games: list[PgnGame] | None
) -> list[str]:
    """Return strings with a player for whom there is neither a game nor a refutation."""
    if games is None:
        return []
    shown = {(game.san, game.colour) for game in games}
    return [
        f"{san} ({colour})"
        for colour in COLOURS
        for san in sorted(filter(selection.selected, findings.open_to(colour)), key=list_order)
        if (san, colour) not in shown
    ]
