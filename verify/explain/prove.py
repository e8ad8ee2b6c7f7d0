"""Proves one string now: finds and checks a game with it, or refutes it and names the reason."""

from collections.abc import Mapping

from sanproof.proofs.board.malformed import read_san
from sanproof.proofs.games.game import CheckedGame, check_game
from sanproof.proofs.kernel.files import EvidenceError
from sanproof.proofs.rules.cubes import BLACK, WHITE, exchanged_san
from sanproof.proofs.rules.san import San
from sanproof.proofs.search import SolverGaveUp
from sanproof.proofs.theory.reasons import Verdict
from sanproof.reports.archive.door import GameRow
from sanproof.verify.explain.answers import Answer, impossible
from sanproof.verify.work.provenance import require_solvers


def prove(text: str, *, black: bool = False) -> Answer:
    """Return the verdict on a string, proved now with a solver. No data is read.

    A reachable string comes with its game, which python-chess has replayed. An impossible string
    was refuted, and the refutation was checked; this is tried first. The verdict is
    ``Verdict.UNDECIDED`` if neither was found. With ``black`` Black plays the string in the game,
    if there is such a game.

    Raises:
        MalformedSan: ``text`` is not a SAN string.
        Failure: The solvers are not installed.
    """
    require_solvers("A proof")
    san = read_san(text)
    try:
        players = _not_refuted(san)
        if not players:
            playable = bool(san.suffix) and _search(san.bare, _not_refuted(san.bare)) is not None
            return impossible(san, playable=playable)
        found = _search(san, dict(reversed(players.items())) if black else players)
        said = "no game was found, and no refutation either"
    except (SolverGaveUp, EvidenceError) as error:
        found, said = None, f"{error}"
    if found is None:
        return Answer(text, Verdict.UNDECIDED, sentence=f"{san} is undecided: {said}.")
    game, sans, *_ = found
    result = "1-0" if len(sans) % 2 else "0-1"
    row = GameRow(0, game.san, game.colour, game.ply + 1, sans, result)
    return Answer(text, Verdict.REACHABLE, proof=row)


def _not_refuted(san: San) -> dict[str, San]:
    """Return the players for whom the string is not refuted, each with it as seen from White."""
    from sanproof.proofs.search.decide import is_refuted  # noqa: PLC0415

    seen_from_white = {WHITE: san, BLACK: exchanged_san(san)}
    return {player: seen for player, seen in seen_from_white.items() if not is_refuted(seen)}


def _search(san: San, players: Mapping[str, San]) -> CheckedGame | None:
    """Return a checked game in which the string is played, by the first player who can."""
    from sanproof.proofs.games.search import solve_games  # noqa: PLC0415
    from sanproof.proofs.search.decide import search_witness  # noqa: PLC0415

    for player, seen in players.items():
        witness = search_witness(seen)
        if witness is None:
            continue
        games, _ = solve_games(witness)
        shown = (game for game in games if (game.san, game.colour) == (str(san), player))
        return next(map(check_game, shown), None)
    return None
