"""One string, proved now: a checked game with it, or a refutation and its reason."""

from collections.abc import Mapping

from sanproof.proofs.games.game import CheckedGame, check_game
from sanproof.proofs.kernel.games import GameError
from sanproof.proofs.rules.cubes import BLACK, WHITE, exchanged_san
from sanproof.proofs.rules.san import San
from sanproof.proofs.search import SolverGaveUp
from sanproof.proofs.verdicts.malformed import read_san
from sanproof.proofs.verdicts.reasons import Reason, Verdict, reason, sentence
from sanproof.reports.archive.door import GameRow, WitnessRow
from sanproof.verify.errors import Undecided
from sanproof.verify.explain.answers import Answer
from sanproof.verify.work.provenance import require_solvers


def prove(san: str, *, black: bool = False) -> Answer:
    """Return the verdict on a string, proved now with a solver; no data is read.

    A reachable string comes with its game, which python-chess has replayed; an impossible one has
    been refuted. The verdict is ``Verdict.UNDECIDED`` if neither was found. With ``black`` the
    game is one in which Black plays the string, if there is one.

    Raises:
        MalformedSan: It is not a SAN string at all.
        Failure: The solvers are not installed.
    """
    require_solvers("A proof")
    parts = read_san(san)
    try:
        found = decide(parts, black=black)
    except Undecided as error:
        return Answer(san, Verdict.UNDECIDED, sentence=str(error), proved=True)
    if isinstance(found, CheckedGame):
        return _shown(found)
    why = sentence(parts, found)
    return Answer(san, Verdict.IMPOSSIBLE, None, found.value, why, proved=True)


def decide(san: San, *, black: bool = False) -> CheckedGame | Reason:
    """Return a checked game with the string, or, tried first, the reason why it is impossible.

    Raises:
        Undecided: Neither was found.
    """
    try:
        players = _not_refuted(san)
        if not players:
            bare = _not_refuted(san.bare) if san.suffix else {}
            return reason(san.bare, playable=_search(san.bare, bare) is not None)
        game = _search(san, dict(reversed(players.items())) if black else players)
    except SolverGaveUp as error:
        raise Undecided(f"{san} is undecided: {error}.") from error
    if game is None:
        raise Undecided(f"{san} is undecided: no game was found, and no refutation either.")
    return game


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
        try:
            return next(map(check_game, shown), None)
        except GameError as error:
            raise Undecided(f"{san} is undecided: {error}.") from error
    return None


def _shown(checked: CheckedGame) -> Answer:
    game, sans, before_fen, uci, after_fen = checked
    witness = WitnessRow(game.san, before_fen, uci, after_fen, None)
    result = "1-0" if len(sans) % 2 else "0-1"
    row = GameRow(0, game.san, game.colour, game.ply + 1, sans, result)
    return Answer(game.san, Verdict.REACHABLE, witness, game=row, proved=True)
