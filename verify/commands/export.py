"""``sanproof export``: a table of a finished run, or of the published data, to a file or a pipe."""

import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from difflib import get_close_matches
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final

import click
from click.core import ParameterSource

from sanproof.reports.archive.door import ArchiveError, open_archive
from sanproof.reports.archive.replayed import PLAYERS
from sanproof.reports.escaping import shown
from sanproof.reports.exports.certificates import SMT2, write_certificates
from sanproof.reports.exports.exports import FORMS, TABLES, ExportError, plan, write_export
from sanproof.reports.exports.languages import LANGUAGE_FORMS, LANGUAGES, LanguageStrings, language
from sanproof.reports.exports.tokenizers import MOST_NUMBERS, Extras
from sanproof.reports.tables.files import whole_file
from sanproof.verify.commands.options import file_option, number_option, position, run_option
from sanproof.verify.errors import Failure, failure

if TYPE_CHECKING:
    import chess

CERTIFICATES: Final = "certificates"
ALL_FORMS: Final = sorted({*FORMS, *LANGUAGE_FORMS, SMT2})
_FORMULAS: Final = {
    None: "formulas (.cnf) and refutations (.lrat)",
    SMT2: "formulas (.smt2)",
}


def run_export(
    what: str,
    form: str | None,
    columns: str | None,
    directory: Path | None,
    out: Path | None,
    wanted: LanguageStrings,
    player: str | None = None,
) -> None:
    """Write a table to a file, which appears when it is complete, or to standard output.

    The form is by default the one that the file's name ends with, or the table's usual one. Columns
    are names with commas between. The run is by default the published data.

    Raises:
        Failure: There is no such table, the run is damaged, or the file cannot be written.
    """
    names = None if columns is None else columns.split(",")
    note = None
    with _in_words(out):
        if player and what not in TABLES:
            raise Failure(f"--player is for witnesses, not for {shown(what)}.")
        if what == CERTIFICATES:
            if out is None or form not in _FORMULAS or names is not None:
                raise Failure(
                    "Certificates are written to a folder: name it with --out, leave out --columns "
                    "and give no --format but smt2."
                )
            number = write_certificates(open_archive(directory), out, form)
            note = f"{number:,} {_FORMULAS[form]} in {out}"
        elif what in LANGUAGES:
            if names is not None:
                raise Failure(f"{what} has no columns: leave out --columns.")
            form = form or _form_of(out)
            text, note = language(open_archive(directory), what, form, wanted)
            with _opened(out) as file:
                file.write(text.encode("ascii"))
        elif what not in TABLES:
            raise Failure(f"There is no table {shown(what)}.")
        elif wanted != LanguageStrings(bare=wanted.bare):
            raise Failure(f"{what} is a table: leave out the options for languages, except --bare.")
        else:
            export = plan(what, form or _form_of(out), names, bare=wanted.bare, player=player)
            if out is None and export.form == "parquet":
                raise Failure("Parquet cannot be written to a pipe: name a file with --out.")
            archive = open_archive(directory)
            with _opened(out) as file:
                write_export(export, archive, file)
    if note:
        click.echo(note, err=True)


@contextmanager
def _in_words(out: Path | None) -> Iterator[None]:
    """End with a sentence if the data cannot be read, or the file cannot be written."""
    try:
        yield
    except (ArchiveError, ExportError) as error:
        raise Failure(f"{error}.") from error
    except OSError as error:  # it may name a temporary file, which the user did not ask for
        if out is None:
            raise
        raise failure(f"{out} cannot be written: {error.strerror}.", error) from error


def _opened(out: Path | None) -> AbstractContextManager[IO[bytes]]:
    """Open a file that appears when it is complete, or standard output."""
    return nullcontext(sys.stdout.buffer) if out is None else whole_file(out)


def _form_of(out: Path | None) -> str | None:
    """Return the form that a file's name ends with, None if the name has no ending."""
    if out is None or not out.suffix:
        return None
    if (form := out.suffix[1:].lower()) in ALL_FORMS:
        return form
    known = ", ".join(f".{name}" for name in ALL_FORMS)
    raise Failure(f"{out} has no known extension: use {known}, or give --format.")


class _Table(click.Choice[str]):
    """The name of a table; for another name that is close, the error asks about it."""

    def convert(
        self,
        value: Any,  # noqa: ANN401 - as click has it
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> str:
        names = list(self.choices)
        if value not in names and (close := get_close_matches(value, names, 1, 0.7)):
            self.fail(f"There is no table {shown(value)}. Did you mean '{close[0]}'?", param, ctx)
        return super().convert(value, param, ctx)


@click.command("export")
@click.option(
    "--what",
    type=_Table([*TABLES, *LANGUAGES, CERTIFICATES]),
    metavar="TABLE",
    default="strings",
    help="The table: one of those above.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(ALL_FORMS),
    metavar="FORMAT",
    help="The format; by default that of FILE's extension, or the table's usual one.",
)
@click.option("--columns", metavar="NAMES", help="Columns, separated by commas.")
@click.option("--bare", is_flag=True, help="Leave out strings with + or #.")
@number_option(
    "--at-least", "Leave out strings played fewer than N times on Lichess. For languages.", 1
)
@click.option("--parts", is_flag=True, help="Make a tokenizer's tokens the parts of strings.")
@click.option("--results", is_flag=True, help="Add the results of games to a tokenizer.")
@number_option(
    "--numbers",
    "Add move numbers up to N to a tokenizer, or let movetext count up to N.",
    1,
    MOST_NUMBERS,
)
@click.option(
    "--special", metavar="TOKENS", help="Add special tokens to a tokenizer, separated by commas."
)
@click.option(
    "--fen",
    "board",
    metavar="FEN",
    type=position,
    help="Take the legal moves of a position instead of all strings. For languages.",
)
@click.option(
    "--player",
    type=click.Choice([*PLAYERS, "both"]),
    help="The player of the witnesses; by default one for each string, White if possible.",
)
@run_option
@file_option(
    "--out",
    "Write to FILE, which appears when it is complete, instead of standard output (-).",
)
def command(
    at_least: int | None,
    numbers: int | None,
    special: str | None,
    board: "chess.Board | None",
    *,
    bare: bool,
    parts: bool,
    results: bool,
    **asked: Any,  # noqa: ANN401 - of each its type
) -> None:
    """Write strings, positions, games, the cover or reasons for use in other programs.

    \b
    strings       each reachable string and its parts: piece, file, rank,
                  capture, destination, promotion, suffix. With --columns:
                  earliest, bound, id
    vocabulary    each reachable string with its id, from 0
    witnesses     before_fen, san, after_fen for each, to test parsers. With
                  --columns: uci, game, ply, player. With --player those of
                  a player, or of both
    games         the proof games: number, san, colour, ply, plies, result, moves
    cover         the games that together show every string; as a table, the
                  game and ply at which each string first occurs
    impossible    every other string of the grammar, with its reason
    observed      how often each string was played on Lichess
    uci, lan      each move text that can be played, and by whom. With
                  --columns: a game
    certificates  for each cube its formula (DIMACS) and refutation (LRAT), or
                  its formula for any SMT solver (smt2), to a folder

    The strings as a language, for models and programs:

    \b
    tokenizer     for Hugging Face's tokenizers: a token for each string, or
                  --parts
    regex         one expression, for Python, JavaScript, RE2 and PCRE
    gbnf, lark    grammars for constrained decoding
    movetext      a whole game with numbers and result, as gbnf or lark, or as
                  an expression (txt) that does not check the numbers

    \b
    Try:
      sanproof export --what witnesses --format csv --out positions.csv
      sanproof export --what vocabulary --out vocabulary.json
      sanproof export --what tokenizer --out tokenizer.json
      sanproof export --what certificates --out certificates
    """  # noqa: D301
    context = click.get_current_context()
    if sys.stdout.isatty() and all(
        context.get_parameter_source(name) is ParameterSource.DEFAULT for name in context.params
    ):
        click.echo(context.get_help())  # rather than 28,938 lines
        return
    if asked["out"] == Path("-"):
        asked["out"] = None
    from sanproof.verify.notation.writing import legal_sans

    extras = Extras(results, numbers or 0, tuple(special.split(",")) if special is not None else ())
    legal = None if board is None else legal_sans(board, bare=bare)
    run_export(**asked, wanted=LanguageStrings(bare, at_least or 0, parts, extras, legal))
