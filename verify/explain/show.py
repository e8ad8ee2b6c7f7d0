"""An answer about a string as text for people, and as JSON for programs."""

import json
from collections.abc import Collection, Iterable
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
    witness = answer.found
    if witness is None:
        return [f"{answer.sentence}"]
    player = "White" if witness.before_fen.split(" ")[1] == "w" else "Black"
    return [
        f"{san} is reachable: {player} plays {witness.uci} here.",
        "",
        drawn(witness.before_fen),
        "",
        f"before  {witness.before_fen}",
        f"after   {witness.after_fen}",
        "",
        *(_game(answer.game, answer.earliest) if answer.game else ()),
        *_who(answer),
        *([answer.observed.sentence()] if answer.observed else ()),
    ]


def _game(game: GameRow, earliest: Earliest | None) -> list[str]:
    last = game.ply == len(game.sans)
    if earliest is None or game.number:  # one of the run
        where = f"move {(game.ply + 1) // 2}, {'its last' if last else 'which ends in checkmate'}"
        head = f"A legal game that contains it, at {where}:"
    elif earliest.exact:
        head = f"At ply {earliest.ply}, the earliest possible:"
    else:
        known, bound = earliest.ply, earliest.bound
        head = f"At ply {known} in the shortest game known; no game has it before ply {bound}:"
    return [head, wrapped(movetext(game.sans)), ""]


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
    if not answer.players or answer.game is None:
        return []
    other = "black" if answer.game.colour == "white" else "white"
    return [f"{other.capitalize()} can play it too: --{other} shows how."]


def _entries(answer: Answer) -> dict[str, Any]:
    witness, game = answer.found, answer.game
    return {
        "san": answer.san,
        "verdict": answer.verdict.value,
        "source": "proved" if answer.proved else "looked up",
        "reason": answer.reason,
        "sentence": answer.sentence,
        "players": list(answer.players) or None,
        "before_fen": witness and witness.before_fen,
        "uci": witness and witness.uci,
        "after_fen": witness and witness.after_fen,
        "player": game and game.colour,
        "ply": game and game.ply,
        "moves": game and list(game.sans),
        "result": game and game.result,
        "bound": answer.earliest and answer.earliest.bound,
        "exact": answer.earliest and answer.earliest.exact,
        "observed": answer.observed and answer.observed._asdict(),
    }
