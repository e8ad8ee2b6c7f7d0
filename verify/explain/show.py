"""An answer about a string as text for people, and as JSON for programs."""

import json
from collections.abc import Collection, Iterable, Sequence
from shlex import quote
from typing import Any, Final

from sanproof.proofs.board.drawing import drawn
from sanproof.proofs.board.malformed import read_san
from sanproof.proofs.theory.reasons import Reason, Verdict
from sanproof.reports.archive.door import Earliest, GameRow
from sanproof.reports.tables.pgn import LONGEST_LINE, movetext, wrapped
from sanproof.verify.errors import ANSWER_NO, UNDECIDED
from sanproof.verify.explain.answers import Answer
from sanproof.verify.findings.width import filled

PUBLISHED: Final = "the published data"


def exit_code(verdicts: Collection[Verdict]) -> int:
    """1 if any string is impossible, otherwise 3 if any stayed undecided."""
    if Verdict.IMPOSSIBLE in verdicts:
        return ANSWER_NO
    return UNDECIDED if Verdict.UNDECIDED in verdicts else 0


def to_text(answer: Answer, source: str, width: int | None = None) -> str:
    """Write the answer for people, looked up in the source; lines of any length without width."""
    if not answer.proved:
        how = f"Looked up in {source}; use --prove to prove it now."
    elif answer.verdict is Verdict.UNDECIDED:
        how = "Tried now, with a solver."
    else:
        how = "Proved now, with a solver."
    lines = [*_lines(answer), how]
    return "\n".join(lines if width is None else [_fitted(line, width) for line in lines])


def to_json(answers: Iterable[Answer]) -> str:
    """Return the answers as a JSON array of objects; what an answer does not have is null."""
    return json.dumps([_entries(answer) for answer in answers], indent=2)


def _lines(answer: Answer) -> list[str]:
    san, verdict = answer.san, answer.verdict
    if verdict is Verdict.IMPOSSIBLE:
        from sanproof.proofs.theory import pictures  # noqa: PLC0415 - a reachable one has none

        head = [f"{san} is impossible ({answer.reason}).", f"{answer.sentence}"]
        shown = pictures.picture(read_san(san), playable=answer.reason == Reason.NO_CHECK.value)
        return [*head, "", *pictures.drawn(shown), ""] if shown else head
    if verdict is Verdict.UNDECIDED:
        return [f"{answer.sentence}"]
    position = answer.shown
    player = "White" if position.before_fen.split(" ")[1] == "w" else "Black"
    return [
        f"{san} is reachable: {player} plays {position.uci} here.",
        "",
        drawn(position.before_fen),
        "",
        f"before  {position.before_fen}",
        f"after   {position.after_fen}",
        "",
        *(_game(answer.game, answer.earliest) if answer.game else ()),
        *_who(answer),
        *([answer.observed.sentence()] if answer.observed else ()),
    ]


def _game(game: GameRow, earliest: Earliest | None) -> list[str]:
    """Return the game up to the move, which is marked; its rest; and where the bound is argued."""
    number = (game.ply + 1) // 2
    suffix = "th" if number // 10 == 1 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    where = f"ply {game.ply}, {game.colour.capitalize()}'s {number}{suffix} move"
    rest, why = [], []
    if len(game.sans) > game.ply:
        moves = _from(game.sans, game.ply)
        end = "games here end in mate, so that no position on the way is dead."
        rest = [f"The rest: {moves} ({end})"]
    if earliest is not None:
        known = "the earliest possible" if earliest.exact else "in the shortest game known"
        where += f", {known}"
        bound = "" if earliest.exact else f"No game has it before ply {earliest.bound}: "
        command = f"python -m sanproof.proofs.shortest.bounds {quote(game.san)}"
        why = [f"{bound}{command} prints {'the argument' if bound else 'why'}."]
    moves = f"{movetext(game.sans[: game.ply])} {{here}}"
    return [f"A legal game has it at {where}:", wrapped(moves), *rest, *why, ""]


def _from(sans: Sequence[str], ply: int) -> str:
    """Return the moves after a ply, the first with its number."""
    numbers = [f"{place // 2 + 1}. " if place % 2 == 0 else "" for place in range(len(sans))]
    numbers[ply] = f"{ply // 2 + 1}{'.' if ply % 2 == 0 else '...'} "
    return " ".join(map("".join, zip(numbers[ply:], sans[ply:], strict=True)))


def _fitted(text: str, width: int) -> str:
    """Return a line, or the lines of a game, as lines that fit; a position's are indented."""
    if "\n" in text and width <= LONGEST_LINE:
        return filled(text.replace("\n", " "), width)
    further = 2 if text.startswith(("before ", "after ")) else 0
    return "\n".join(filled(line, width, further) for line in text.split("\n"))


def _who(answer: Answer) -> list[str]:
    """Say who else can play the string, as far as it is known."""
    if len(answer.players) == 1:
        return [f"Only {answer.players[0].capitalize()} can play it."]
    if not answer.players or (game := answer.game) is None:
        return []
    other = "black" if game.colour == "white" else "white"
    return [f"{other.capitalize()} can play it too: --{other} shows how."]


def _entries(answer: Answer) -> dict[str, Any]:
    game = answer.game
    shown = answer.shown if answer.verdict is Verdict.REACHABLE else None
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
