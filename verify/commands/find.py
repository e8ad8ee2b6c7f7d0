"""``sanproof find`` and ``position``: finds positions by criteria, and numbers them."""

import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from sanproof.proofs.numbering.placements import PLACEMENTS, Numbering
from sanproof.proofs.numbering.plausible import PLAUSIBLE
from sanproof.verify.commands import options
from sanproof.verify.errors import ANSWER_NO, UNDECIDED

if TYPE_CHECKING:
    from sanproof.proofs.find.asking import Conclusion
    from sanproof.proofs.find.search import Hit

FORMS: Final = ("board", "fen", "pgn", "json")
MAX_ANSWERS: Final = 100_000


def _answers(found: "Conclusion", form: str, **asked: Any) -> str:  # noqa: ANN401
    """Search, and print each answer; return why the search ended early, if it did."""
    from sanproof.proofs.find.asking import SearchDied
    from sanproof.proofs.kernel.files import EvidenceError
    from sanproof.proofs.search import Disagreement

    try:
        for answer in found.search(**asked):
            if form != "json":
                click.echo(_written(answer, len(found.answers), form))
    except (Disagreement, EvidenceError, SearchDied) as error:
        return str(error)
    if form == "json":
        click.echo(_as_json(found.answers, game=asked["game"]))
    return f"the time of {asked['timeout_seconds']} seconds is up" * found.is_out_of_time


def _end(found: "Conclusion", why: str, count: int, *, game: bool) -> int:
    """Say what is not as asked for, if anything is; the exit code."""
    answers, formulas = len(found.answers), len(found.certificates)
    if answers < count and answers:
        click.echo(f"Found {answers} of {count}: {why or 'the solver finds no more'}.", err=True)
    if game and (without := sum(not answer.game for answer in found.answers)):
        click.echo(
            f"No game was found for {without} of {answers} positions. Such a position may be legal "
            "all the same.",
            err=True,
        )
    if answers:
        return 0
    if not found.complete:
        click.echo(f"Undecided: {why} (--timeout gives more).", err=True)
        return UNDECIDED
    said = "neither player has such a move"
    if formulas:
        each = f"{formulas} formulas describe it; all are" if formulas > 1 else "its formula is"
        said = f"{each} refuted, and the refutations were checked"
    click.echo(f"There is no such position: {said}.", err=True)
    return ANSWER_NO


def _written(answer: "Hit", number: int, form: str) -> str:
    """Return an answer in a form other than JSON; the first has number 1."""
    from sanproof.proofs.board.drawing import drawn
    from sanproof.reports.tables.pgn import movetext, wrapped

    if form == "fen":
        return answer.fen
    if form == "pgn":
        return _as_pgn(answer, number)
    lines = [drawn(answer.fen), "", answer.fen, f"{answer.san} ({answer.uci})"]
    lines += ["", wrapped(movetext(answer.game))] if answer.game else []
    return "\n".join([*([""] if number > 1 else []), *lines])


def _as_pgn(answer: "Hit", number: int) -> str:
    import chess.pgn

    board = chess.Board() if answer.game else chess.Board(answer.fen)
    for san in answer.game or (answer.san,):
        board.push_san(san)
    game = chess.pgn.Game.from_board(board)
    game.headers.update({"Event": "sanproof", "Round": str(number)})
    return game.accept(chess.pgn.StringExporter(columns=80)) + "\n"


def _as_json(answers: "tuple[Hit, ...]", *, game: bool) -> str:
    from sanproof.reports.tables.pgn import movetext

    rows = []
    for answer in answers:
        played = {"game": movetext(answer.game) if answer.game else None} if game else {}
        rows.append({"fen": answer.fen, "san": answer.san, "uci": answer.uci, **played})
    return json.dumps(rows, indent=1)


@options.command
@click.argument("words", nargs=-1, metavar="[STRING|PATTERN] [CRITERIA]...")
@options.number("--count", "The number of answers, all different.", 1, MAX_ANSWERS, default=1)
@options.form(FORMS, "The format of the answers.")
@options.flag("--game", "Add a legal game to each answer, where one is found.")
@options.number("--seed", "Draw at random. The same seed gives the same answers.")
@options.file("--certificate", "Write the refutation to FILE, if there is one.", is_new=True)
@options.timeout(60, "The time after which the search ends, undecided.")
@options.flag("--criteria", "List all criteria with their meanings.")
def find(
    words: tuple[str, ...],
    *,
    count: int,
    form: str,
    game: bool,
    certificate: Path | None,
    criteria: bool,
    **asked: Any,  # noqa: ANN401 - of each its type
) -> None:
    """Find positions with given properties, or prove there are none.

    Try:
      sanproof find 'Q*d4#' d5=p men=7 pinned-twin not double-check
      sanproof find 'Qd4#' --game --format pgn
      sanproof find castling mate --count 3 --seed 7 --format fen

    Criteria are about the position, such as d5=P e4=. h*=r *7=any Q=0 p=..2 men=7 white=KQN
    rights=Kq rights=- in-check, or about the move, such as capture, mate or checker=N. All
    are in `sanproof find --criteria`. `not` before a criterion negates it.

    The first word is read as a SAN string or a shell pattern if it matches any string. So e8=Q is a
    promotion if it comes first, and anywhere else it means a queen on e8.

    Exit code 0 if a position is found, 1 if it is proved that there is none, 2 for wrong usage, 3
    if the search ends undecided.
    """
    from sanproof.proofs.find.terms import listed, read_question

    if criteria:
        click.echo(listed(), nl=False)
        return
    if not words:
        raise click.UsageError("Name a string, a pattern or a criterion.")
    with options.in_a_sentence():
        question = read_question(words)
    # The following modules take long to load: a wrong word has been refused by now.
    from sanproof.verify.work.provenance import require_solvers

    require_solvers("sanproof find")
    from sanproof.proofs.find.asking import Conclusion
    from sanproof.reports.tables.files import write_whole

    found = Conclusion(question)
    why = _answers(found, form, count=count, game=game, **asked)
    if certificate and found.certificates:
        write_whole(certificate, "".join(found.certificates).encode("ascii"))
    elif certificate:
        click.echo(f"{certificate} is not written: there is no refutation.", err=True)
    sys.exit(_end(found, why, count, game=game))


NUMBERINGS: Final[dict[str, Numbering]] = {"plausible": PLAUSIBLE, "placements": PLACEMENTS}
MOST_DIGITS: Final = 100
"""The most digits that are read. No position has so large a number."""


@options.command
@click.argument("text", nargs=-1, required=True, metavar="NUMBER|FEN")
@options.choice("--numbering", list(NUMBERINGS), "The numbering.", default="plausible")
def position(text: tuple[str, ...], numbering: str) -> None:
    """Convert between a position and its number.

    Try:
      sanproof position 4363356584943110212154534698526026458664867108
      sanproof position rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
      sanproof position --numbering placements 0

    It prints the number and the FEN on one line. The FEN needs no quotes.

    The numberings:
      plausible    positions that pass simple tests of kings, pawns, promotions
                   and castling rights, fewer than 10^46, most of them not
                   legal; numbered as by John Tromp's ChessPositionRanking.
                   A position may have several numbers. The last
                   two fields of its FEN are not move counters: they say
                   which of its numbers this is, from 0, and how many it
                   has.
      placements   every way to fill 64 squares, 13^64 of them. The number's 64
                   digits in base 13 are the squares from a8 to h1; 0 to 12 stand
                   for PNBRQKpnbrqk and empty.

    In Python, sanproof.positions draws positions at random, too.
    """
    words, numbered = " ".join(text).strip(), NUMBERINGS[numbering]
    with options.in_a_sentence():
        if re.fullmatch("[+-]?[0-9]+", words) and len(words) > MOST_DIGITS:
            raise ValueError(f"{words[:40]}... has more than {MOST_DIGITS} digits")
        if re.fullmatch("[+-]?[0-9]+", words):
            number = int(words)
        elif "/" in words:
            number = numbered.number(words)
        else:
            raise ValueError(f"{words!r} is neither a whole number nor a FEN")
        click.echo(f"{number} {numbered.position(number)}")
