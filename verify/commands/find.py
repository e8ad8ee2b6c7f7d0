"""``sanproof find``: positions and moves by what they hold, or a refutation."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final, NoReturn

import click

from sanproof.verify.commands.options import (
    file_option,
    format_option,
    in_a_sentence,
    number_option,
    seed_option,
    timeout_option,
)
from sanproof.verify.errors import ANSWER_NO, UNDECIDED
from sanproof.verify.findings.width import filled

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sanproof.proofs.find.asking import Conclusion
    from sanproof.proofs.find.hunt import Hit, PartsSearched
    from sanproof.proofs.find.questions import Question

FORMS: Final = ("board", "fen", "epd", "pgn", "json")
USUAL_TIMEOUT_SECONDS: Final = 60.0
MAX_TIMEOUT_SECONDS: Final = 1e6
MAX_ANSWERS: Final = 100_000


def _say_contradictions(question: "Question", *, is_answer: bool) -> None:
    """Say how a question contradicts itself; if it does and that is an answer, end."""
    from sanproof.proofs.find.contradictions import contradictions

    said = list(contradictions(question))
    for sentence in said:
        click.echo(sentence, err=True)
    if said and is_answer:
        _end("No position: the question contradicts itself.", ANSWER_NO)


def _end(sentence: str, code: int) -> NoReturn:
    """End the command with a sentence and an exit code."""
    click.echo(sentence, err=True)
    sys.exit(code)


def _print_answers(
    inquiry: "Conclusion", events: "Iterator[Hit | PartsSearched]", form: str
) -> None:
    """Search; print each answer, and on a terminal each step."""
    from sanproof.proofs.find.hunt import Hit

    for event in events:
        if not isinstance(event, Hit):
            _show_progress(f"{event.done} of {event.parts} cases " if event.parts > 1 else "")
        elif form != "json":
            _show_progress()
            click.echo(_written(event, len(inquiry.answers), form))


def _show_progress(text: str = "") -> None:
    """Write how far the search is in place of what stands in the line, on a terminal."""
    if sys.stderr.isatty():
        click.echo(f"\r{text}\x1b[K", nl=False, err=True)


def _say_what_lacks(inquiry: "Conclusion", count: int, why: str, *, game: bool) -> None:
    """Say what is not as asked for, if anything is."""
    found = len(inquiry.answers)
    if inquiry.is_out_of_time:
        click.echo(f"Found {found} of {count}: {why}.", err=True)
    elif inquiry.complete and found < count:
        click.echo(f"Found {found}; the solver finds no more.", err=True)
    without = sum(not answer.game for answer in inquiry.answers) if game else 0
    if without:
        those = f"{without} of the {found} positions" if found > 1 else "the position"
        them = "them" if found > 1 else "it"
        click.echo(f"No game was found for {those}; that does not make {them} illegal.", err=True)


def _refuted(certificates: tuple[str, ...], file: Path | None) -> str:
    """Write the certificates to a file, if one is named; return what is refuted, in a sentence."""
    from sanproof.reports.tables.files import write_whole

    if file is not None and certificates:
        write_whole(file, "".join(certificates).encode("ascii"))
    if not certificates:
        return "No position: neither player has such a move."
    formulas = len(certificates)
    how = "s; each refutation was checked" if formulas > 1 else "; its refutation was checked"
    return f"No position: refuted by {formulas} formula{how}."


def _left_open(step: "PartsSearched | None") -> str:
    """Say what a search that was stopped leaves open."""
    if step is None:
        return "Nothing was searched."
    cases = f"{step.done} of {step.parts} cases (a player, a piece and a destination each)"
    if step.is_refuting:
        return f"According to the solver no case has a position, but only {cases} are refuted."
    return f"{cases} were searched without an answer; the others are open."


# Forms


def _written(answer: "Hit", number: int, form: str) -> str:
    """Return an answer in a form other than JSON; the first has number 1."""
    import chess

    from sanproof.proofs.board.drawing import drawn
    from sanproof.reports.tables.pgn import movetext, wrapped

    if form == "fen":
        return answer.fen
    if form == "epd":
        board, move = chess.Board(answer.fen), chess.Move.from_uci(answer.uci)
        return board.epd(en_passant="fen", sm=move)
    if form == "pgn":
        return _as_pgn(answer, number)
    lines = [drawn(answer.fen), "", answer.fen, f"{answer.san} ({answer.uci})"]
    lines += ["", wrapped(movetext(answer.game))] if answer.game else []
    return "\n".join([*([""] if number > 1 else []), *lines])


def _as_pgn(answer: "Hit", number: int) -> str:
    import chess.pgn

    sans = answer.game or (answer.san,)
    game = chess.pgn.Game()
    game.headers.update({"Event": "sanproof", "Round": str(number)})
    if not answer.game:
        game.headers["SetUp"] = "1"  # before the FEN
        game.setup(answer.fen)
    node: chess.pgn.GameNode = game
    for san in sans:
        node = node.add_variation(node.board().parse_san(san))
    if sans[-1].endswith("#"):
        game.headers["Result"] = "1-0" if node.turn() == chess.BLACK else "0-1"
    return game.accept(chess.pgn.StringExporter(columns=80)) + "\n"


def _print_json(answers: "tuple[Hit, ...]", *, game: bool) -> None:
    import json

    from sanproof.reports.tables.pgn import movetext

    rows = []
    for answer in answers:
        row: dict[str, str | None] = {"fen": answer.fen, "san": answer.san, "uci": answer.uci}
        if game:
            row["game"] = movetext(answer.game) if answer.game else None
        rows.append(row)
    click.echo(json.dumps(rows, indent=1))


# The command line


class _WithCriteria(click.Command):
    """A command whose help ends with all criteria, as the table has them."""

    def format_epilog(self, _: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the forms of all criteria."""
        from sanproof.proofs.find.terms import TERMS, form, is_of_position

        for heading, of_position in (("Criteria of the position", True), ("Of the move", False)):
            with formatter.section(heading):
                forms = [form(name) for name in TERMS if is_of_position(name) == of_position]
                formatter.write(f"{filled('  ' + '  '.join(forms), formatter.width)}\n")


def _list_criteria(context: click.Context, _: click.Parameter, value: bool) -> None:
    if value:
        from sanproof.proofs.find.terms import listed

        click.echo(listed(), nl=False)
        context.exit()


@click.command("find", cls=_WithCriteria)
@click.argument("words", nargs=-1, metavar="[STRING|PATTERN] [CRITERIA]...")
@number_option(
    "--count",
    "The number of answers. No two have the same board and side to move.",
    *(1, MAX_ANSWERS),
    default=1,
)
@format_option(FORMS, "The format of the answers.")
@click.option("--game", is_flag=True, help="Add a legal game to each answer, where one is found.")
@seed_option("Draw answers at random; the same seed draws the same.")
@file_option("--certificate", "Write the refutation to FILE, if there is one.", is_new=True)
@timeout_option(
    USUAL_TIMEOUT_SECONDS,
    "The time after which the search ends, undecided.",
    MAX_TIMEOUT_SECONDS,
)
@click.option(
    "--criteria",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_list_criteria,
    help="List all criteria with their meanings.",
)
def command(
    words: tuple[str, ...],
    *,
    count: int,
    form: str,
    game: bool,
    seed: int | None,
    certificate: Path | None,
    timeout_seconds: float,
) -> None:
    """Find positions by their move and contents, or prove that none exist.

    \b
    Such as d5=P e4=. h*=r *7=any Q=0 p=..2 men=7 white=KQN rights=Kq rights=-

    `not` before a criterion negates it. The first word is a SAN string or shell pattern if it
    matches one; so e8=Q is a promotion there, and a queen on e8 anywhere else.

    Exit codes: 0 found, 1 refuted, 2 misuse, 3 undecided.

    \b
    Try:
      sanproof find 'Q*d4#' d5=p men=7 pinned-twin not double-check
      sanproof find 'Qd4#' --game --format pgn
      sanproof find castling mate --count 3 --seed 7 --format fen
    """  # noqa: D301 - click takes the character
    if not words:
        raise click.UsageError("Name a string, a pattern or a criterion.")
    from sanproof.proofs.find.words import read_question

    with in_a_sentence():
        question = read_question(words)
    _say_contradictions(question, is_answer=certificate is None)
    # The following modules take long to load: a wrong word has been refused by now.
    from sanproof.verify.work.provenance import require_solvers

    require_solvers("sanproof find")
    from sanproof.proofs.find.asking import Conclusion
    from sanproof.proofs.find.limited import SearchDied
    from sanproof.proofs.kernel.files import EvidenceError
    from sanproof.proofs.search import Disagreement

    inquiry = Conclusion(question)
    events = inquiry.search(count, seed=seed, game=game, timeout_seconds=timeout_seconds)
    why = f"the time of {timeout_seconds:g} seconds is up (--timeout)"
    try:
        _print_answers(inquiry, events, form)
    except Disagreement as error:
        inquiry.is_out_of_time, why = True, str(error)
    except (EvidenceError, SearchDied) as error:
        _end(f"Undecided: {error}.", UNDECIDED)
    _show_progress()
    if form == "json":
        _print_json(inquiry.answers, game=game)
    if certificate and not inquiry.certificates:
        click.echo(f"{certificate} is not written: there is no refutation.", err=True)
    if inquiry.answers:
        _say_what_lacks(inquiry, count, why, game=game)
    elif not inquiry.complete:
        _end(f"Undecided: {why}. {_left_open(inquiry.step)}", UNDECIDED)
    else:
        _end(_refuted(inquiry.certificates, certificate), ANSWER_NO)
