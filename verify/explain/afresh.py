"""One string, decided afresh: its board and a game, or its reason."""

from collections.abc import Iterable
from typing import NamedTuple

import chess

from proofs.games.game import CheckedGame, check_game
from proofs.kernel.games import GameError
from proofs.rules.cubes import exchanged_san
from proofs.rules.san import San
from proofs.verdicts.malformed import MalformedSan, read_san
from proofs.verdicts.reasons import Reason, reason, sentence
from reports.tables.pgn import movetext, wrapped
from verify.errors import Failure, NegativeAnswer


class Explanation(NamedTuple):
    """What is to be said of a string."""

    reachable: bool
    text: str


def explain(text: str) -> Explanation:
    """Decide one string and say why.

    Raises:
        Failure: The text is not a SAN string, or could not be decided.
    """
    try:
        san = read_san(text)
    except MalformedSan as error:
        raise Failure(f"{error}.") from error
    found = decide(san)
    if isinstance(found, CheckedGame):
        return Explanation(reachable=True, text=_shown(found))
    text = f"{san} is impossible ({found.value}).\n{sentence(san, found)}"
    return Explanation(reachable=False, text=text)


def decide(san: San) -> CheckedGame | Reason:
    """A checked game with the string, or the reason why it is impossible, which is refuted first.

    Raises:
        NegativeAnswer: It stays undecided.
    """
    seen_from_white = _not_refuted(san)
    if not seen_from_white:
        bare = _not_refuted(san.bare) if san.suffix else []
        return reason(san.bare, playable=_search(san.bare, bare) is not None)
    game = _search(san, seen_from_white)
    if game is None:
        raise NegativeAnswer(f"{san} is undecided: no game was found, and no refutation either.")
    return game


def _not_refuted(san: San) -> list[San]:
    """The string as White plays it, and as Black does seen from White, without what is refuted."""
    # A malformed string needs no solver.
    from proofs.search.decide import is_refuted  # noqa: PLC0415

    return [seen for seen in (san, exchanged_san(san)) if not is_refuted(seen)]


def _search(san: San, seen_from_white: Iterable[San]) -> CheckedGame | None:
    """A checked game in which the string is played, by White if White can, otherwise by Black."""
    from proofs.games.search import solve_games  # noqa: PLC0415
    from proofs.search.decide import search_witness  # noqa: PLC0415

    for seen in seen_from_white:
        witness = search_witness(seen)
        if witness is None:
            continue
        (found,) = solve_games([witness])
        try:
            return next((check_game(game) for game in found.games if game.san == str(san)), None)
        except GameError as error:
            raise NegativeAnswer(f"{error}.") from error
    return None


def _shown(checked: CheckedGame) -> str:
    game, sans, before_fen, uci, after_fen = checked
    board = chess.Board(before_fen)
    return "\n".join(
        [
            f"{game.san} is reachable: {game.colour.capitalize()} plays {uci} here.",
            "",
            _drawn(board),
            "",
            f"before  {before_fen}",
            f"after   {after_fen}",
            "",
            f"A legal game with it, at move {board.fullmove_number}, that goes on to checkmate:",
            wrapped(movetext(sans)),
        ]
    )


def _drawn(board: chess.Board) -> str:
    """The board in FEN's letters, White's in capitals, with its coordinates."""
    rows = str(board).split("\n")
    lines = [f"  {8 - i}  {row}" for i, row in enumerate(rows)]
    return "\n".join([*lines, "", "     a b c d e f g h"])
