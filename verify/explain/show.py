"""An answer about a string as text for people, and as JSON for programs."""

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from shlex import quote
from typing import TYPE_CHECKING, Any, Final

from sanproof.proofs.board.drawing import drawn
from sanproof.proofs.board.malformed import read_san
from sanproof.proofs.rules.squares import square_name
from sanproof.proofs.theory.reasons import NAMES, Reason, Verdict
from sanproof.reports.archive.door import Earliest, GameRow
from sanproof.reports.tables.pgn import movetext
from sanproof.reports.tables.words import joined
from sanproof.verify.errors import ANSWER_NO, UNDECIDED
from sanproof.verify.explain.answers import Answer, played
from sanproof.verify.findings.width import filled

if TYPE_CHECKING:
    from sanproof.proofs.rules.san import San

PUBLISHED: Final = "the published data"


def exit_code(verdicts: Collection[Verdict]) -> int:
    """1 if any string is impossible, otherwise 3 if any stayed undecided."""
    if Verdict.IMPOSSIBLE in verdicts:
        return ANSWER_NO
    return UNDECIDED if Verdict.UNDECIDED in verdicts else 0


def to_text(answer: Answer, source: str, width: int = 80) -> str:
    """Write the answer for people, looked up in the source."""
    if not answer.proved:
        how = f"Looked up in {source}; use --prove to prove it now."
    elif answer.verdict is Verdict.UNDECIDED:
        how = "Tried now, with a solver."
    else:
        how = "Proved now, with a solver."
    lines = [*_lines(answer), how]
    return "\n".join(line if line.startswith("FEN ") else filled(line, width) for line in lines)


def to_json(answers: Iterable[Answer]) -> str:
    """Return the answers as a JSON array of objects; what an answer does not have is null."""
    return json.dumps([_entries(answer) for answer in answers], indent=2)


def _lines(answer: Answer) -> list[str]:
    if answer.verdict is Verdict.IMPOSSIBLE:
        return _impossible(answer)
    if answer.verdict is Verdict.UNDECIDED:
        return [f"{answer.sentence}"]
    from sanproof.verify.notation.writing import write  # noqa: PLC0415 - only for reachable ones

    game = answer.game  # which is played each time that it is asked for
    position = played(game) if game else answer.witness
    written = write(position.uci, position.before_fen)
    # The second sentence of an explanation names what the origin tells the piece from.
    twins = [written.explanation[1], ""] if written.twins else []
    player = "White" if position.board.turn else "Black"
    return [
        f"{answer.san} can occur. {player} plays {position.uci} in this position:",
        "",
        *drawn(position.before_fen).split("\n"),
        "",
        *twins,
        f"FEN before  {position.before_fen}",
        f"FEN after   {position.after_fen}",
        "",
        *(_game(game, answer.earliest) if game else ()),
        *_who(answer.players, game),
        *([answer.observed.sentence()] if answer.observed else ()),
    ]


def _impossible(answer: Answer) -> list[str]:
    from sanproof.proofs.theory import pictures  # noqa: PLC0415 - only for impossible ones

    san, no_check = read_san(answer.san), answer.reason == Reason.NO_CHECK.value
    head = f"{san} cannot occur ({answer.reason})."
    marks = pictures.picture(san, playable=no_check)
    if not marks:
        return [head, f"{answer.sentence}"]
    why = _no_check(san, marks) if no_check else f"{answer.sentence}"
    return [head, why, "", *pictures.drawn(san, marks), ""]


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


def _game(game: GameRow, earliest: Earliest | None) -> list[str]:
    """Return the game up to the move, which is marked; its rest; and where the bound is argued."""
    number = (game.ply + 1) // 2
    suffix = "th" if number // 10 == 1 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    where = f"ply {game.ply}, {game.colour.capitalize()}'s {number}{suffix} move"
    rest, why = [], []
    if len(game.sans) > game.ply:
        end = "It goes on to mate, so that no position on the way is dead:"
        rest = [end, _from(game.sans, game.ply)]
    if earliest is not None:
        known = "which is the earliest possible" if earliest.exact else "in the shortest game known"
        where += f", {known}"
        command = f"python -m sanproof.proofs.shortest.bounds {quote(game.san)}"
        if earliest.exact:
            why = [f"To see why no game has it earlier, run: {command}"]
        else:
            why = [f"No game has it before ply {earliest.bound}. To see why, run: {command}"]
    moves = movetext(game.sans[: game.ply])
    return [f"A legal game has it at {where}:", f"{moves} {{here}}", *rest, *why, ""]


def _from(sans: Sequence[str], ply: int) -> str:
    """Return the moves after a ply, the first with its number."""
    numbers = [f"{place // 2 + 1}. " if place % 2 == 0 else "" for place in range(len(sans))]
    numbers[ply] = f"{ply // 2 + 1}{'.' if ply % 2 == 0 else '...'} "
    return " ".join(map("".join, zip(numbers[ply:], sans[ply:], strict=True)))


def _who(players: Sequence[str], game: GameRow | None) -> list[str]:
    """Say who else can play the string, as far as it is known."""
    if len(players) == 1:
        return [f"Only {players[0].capitalize()} can play it."]
    if not players or game is None:
        return []
    other = "black" if game.colour == "white" else "white"
    return [f"{other.capitalize()} can play it too: --player {other} shows how."]


def _entries(answer: Answer) -> dict[str, Any]:
    game = answer.game
    shown = None
    if answer.verdict is Verdict.REACHABLE:
        shown = played(game) if game else answer.witness
    return {
        "san": answer.san,
        "verdict": answer.verdict.value,
        "source": "proved" if answer.proved else "looked up",
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
        "bound": answer.earliest and answer.earliest.bound,
        "exact": answer.earliest and answer.earliest.exact,
        "observed": answer.observed and answer.observed._asdict(),
    }
