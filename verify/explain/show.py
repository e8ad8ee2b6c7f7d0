"""Writes answers about strings as text for people, and as JSON for programs."""

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from sanproof.proofs.board.drawing import drawn
from sanproof.proofs.board.malformed import read_san
from sanproof.proofs.rules.squares import square_name
from sanproof.proofs.theory.reasons import NAMES, Reason, Verdict
from sanproof.reports.tables.pgn import movetext
from sanproof.reports.tables.words import joined
from sanproof.verify.errors import ANSWER_NO, UNDECIDED
from sanproof.verify.explain.answers import Answer
from sanproof.verify.findings.width import filled

if TYPE_CHECKING:
    from sanproof.proofs.rules.san import San
    from sanproof.proofs.shortest.table import ShortestRow
    from sanproof.reports.archive.door import GameRow

PUBLISHED: Final = "the published data"


def exit_code(verdicts: Collection[Verdict]) -> int:
    """Return 1 if any string is impossible, or else 3 if any is undecided, or else 0."""
    if Verdict.IMPOSSIBLE in verdicts:
        return ANSWER_NO
    return UNDECIDED if Verdict.UNDECIDED in verdicts else 0


def to_text(answer: Answer, source: str, width: int = 80) -> str:
    """Write an answer for people. ``source`` names the data in which it was looked up."""
    if answer.verdict is Verdict.UNDECIDED:
        lines, how = [f"{answer.sentence}"], "Tried now, with a solver."
    else:
        can = answer.verdict is Verdict.REACHABLE
        lines = list(_reachable(answer) if can else _impossible(answer))
        how = "Proved now, with a solver."
        if answer.archive:
            how = f"Looked up in {source}; use --prove to prove it now."
    return "\n".join(
        line if line.startswith("FEN ") else filled(line, width) for line in [*lines, how]
    )


def to_json(answers: Iterable[Answer]) -> str:
    """Return the answers as a JSON array of objects. What an answer does not have is null."""
    return json.dumps([_entries(answer) for answer in answers], indent=2)


def _reachable(answer: Answer) -> Iterator[str]:
    from sanproof.verify.notation.position import told_apart  # noqa: PLC0415 - loads python-chess

    game = answer.game  # which is played each time that it is asked for
    shown = game.shown if game else answer.witness
    board = shown.board
    player = "White" if board.turn else "Black"
    yield f"{answer.san} can occur. {player} plays {shown.uci} in this position:"
    yield from ("", *drawn(shown.fen).split("\n"), "")
    if twins := told_apart(board, board.parse_uci(shown.uci)):
        yield from (twins, "")
    yield from (f"FEN before  {shown.before_fen}", f"FEN after   {shown.after_fen}", "")
    players = answer.players
    if game:
        yield from (*_game(game, answer.earliest), "")
        if len(players) == 2:
            other = "black" if game.colour == "white" else "white"
            yield f"{other.capitalize()} can play it too: --player {other} shows how."
    if len(players) == 1:
        yield f"Only {players[0].capitalize()} can play it."
    if seen := answer.observed:
        yield seen.sentence()


def _impossible(answer: Answer) -> Iterator[str]:
    from sanproof.proofs.theory import pictures  # noqa: PLC0415 - only for impossible ones

    san, no_check = read_san(answer.san), answer.reason == Reason.NO_CHECK.value
    yield f"{san} cannot occur ({answer.reason})."
    marks = pictures.picture(san, playable=no_check)
    yield _no_check(san, marks) if marks and no_check else f"{answer.sentence}"
    if marks:
        yield from ("", *pictures.drawn(san, marks), "")


def _no_check(san: "San", marks: Mapping[int, str]) -> str:
    """Say why a move never gives check, with the squares that the piece attacks after it."""
    from sanproof.proofs.theory import pictures  # noqa: PLC0415 - as above

    piece, squares = NAMES[san.piece], defaultdict(list)
    for square, mark in sorted(marks.items()):
        squares[mark].append(square_name(square))
    said = {
        pictures.BEFORE: "was under attack already",
        pictures.SHUT: f"is hidden behind another {piece} or had to be empty",
        pictures.LEFT: "is the one it has just left",
        pictures.TWIN: f"holds another {piece}",
    }
    named = [f"{what} ({', '.join(squares[mark])})" for mark, what in said.items() if squares[mark]]
    return (
        f"{san.bare} can be played, but it never gives check. It uncovers no line, and each square "
        f"that a {piece} reaches from {san.destination} {joined(named, 'or')}."
    )


def _game(game: "GameRow", earliest: "ShortestRow | None") -> Iterator[str]:
    """Yield the game up to the move, which is marked; its rest; and where the bound is argued."""
    number = (game.ply + 1) // 2
    suffix = "th" if number // 10 == 1 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    where = f"ply {game.ply}, {game.colour.capitalize()}'s {number}{suffix} move"
    if earliest:
        exact = earliest.exact
        where += f", {'which is the earliest possible' if exact else 'in the shortest game known'}"
    yield f"A legal game has it at {where}:"
    moves = movetext(game.sans[: game.ply])
    yield f"{moves} {{here}}"
    if rest := movetext(game.sans).removeprefix(moves).strip():
        yield "The game goes on to mate, so no earlier position was dead (drawn, FIDE 5.2.2):"
        yield f"{number}... {rest}" if game.ply % 2 else rest
    if earliest:
        no_game = f"No game has it before ply {earliest.bound}. To see why"
        why = "To see why no game has it earlier" if earliest.exact else no_game
        quoted = f"'{game.san}'" if "#" in game.san else game.san  # in a shell
        yield from (f"{why}, run:", f"  python -m sanproof.proofs.shortest.bounds {quoted}")


def _entries(answer: Answer) -> dict[str, Any]:
    game, shown = answer.game, None
    if answer.verdict is Verdict.REACHABLE:
        shown = game.shown if game else answer.witness
    earliest, observed = answer.earliest, answer.observed
    return {
        "san": answer.san,
        "verdict": answer.verdict.value,
        "source": "looked up" if answer.archive else "proved",
        "reason": answer.reason,
        "sentence": answer.sentence,
        "players": list(answer.players) or None,
        "before_fen": shown and shown.before_fen,
        "uci": shown and shown.uci,
        "after_fen": shown and shown.after_fen,
        "player": game and game.colour,
        "ply": game and game.ply,
        "moves": game and list(game.sans),
        "result": game and game.result,
        "bound": earliest and earliest.bound,
        "exact": earliest and earliest.exact,
        "observed": observed and observed._asdict(),
    }
