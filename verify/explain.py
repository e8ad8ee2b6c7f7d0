"""One string, decided afresh: its board and a game, or its reason."""

from typing import NamedTuple

import chess

from proofs.cubes import mirrored_rank
from proofs.grammar import MalformedSan, San, parse_san
from proofs.reasons import Reason, reason, sentence
from reports.pgn import movetext, wrapped
from verify.errors import Failure, NegativeAnswer
from verify.games import CheckedGame, GameError, check_game


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
        san = parse_san(text)
    except MalformedSan as error:
        raise Failure(f"{error}.") from error
    found = decide(san)
    if isinstance(found, CheckedGame):
        return Explanation(reachable=True, text=_shown(found))
    text = f"{san} is impossible ({found.value}).\n{sentence(san, found)}"
    return Explanation(reachable=False, text=text)


def decide(san: San) -> CheckedGame | Reason:
    """A checked game with the string, or the reason why it is impossible once it is refuted.

    Raises:
        NegativeAnswer: It stays undecided.
    """
    game = _search(san)
    if game is not None:
        return game
    if not _refuted(san):
        raise NegativeAnswer(f"{san} is undecided: no game was found, and no refutation either.")
    playable = bool(san.suffix) and _search(san.bare) is not None
    return reason(san.bare, playable=playable)


def _search(san: San) -> CheckedGame | None:
    """A checked game in which the string is played, by White if White can, otherwise by Black."""
    # A malformed string needs no solver.
    from proofs.decide import search_witness  # noqa: PLC0415
    from proofs.games import solve_games  # noqa: PLC0415

    for seen_from_white in (san, mirrored_rank(san)):
        witness = search_witness(seen_from_white)
        if witness is None:
            continue
        (found,) = solve_games([witness])
        try:
            return next((check_game(game) for game in found.games if game.san == str(san)), None)
        except GameError as error:
            raise NegativeAnswer(f"{error}.") from error
    return None


def _refuted(san: San) -> bool:
    """Whether the relaxation excludes the string for both colours."""
    from proofs.decide import is_refuted  # noqa: PLC0415

    return is_refuted(san) and is_refuted(mirrored_rank(san))


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
