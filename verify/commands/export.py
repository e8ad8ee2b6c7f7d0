"""``sanproof export``: a table of a finished run, or of the published data, to a file or a pipe."""

import sys
from contextlib import AbstractContextManager, nullcontext
from difflib import get_close_matches
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final

import click

from sanproof.reports.archive.door import Archive, ArchiveError, open_archive
from sanproof.reports.archive.replayed import PLAYERS
from sanproof.reports.escaping import shown
from sanproof.reports.exports.certificates import SMT2, foreign_files
from sanproof.reports.exports.exports import FORMS, TABLES, ExportError, plan, write_export
from sanproof.reports.exports.languages import LANGUAGES, MOST_NUMBERS, Language, language
from sanproof.reports.tables.files import whole_file, write_folder
from sanproof.verify.commands.options import (
    command,
    fen_option,
    file_option,
    flag,
    number_option,
    run_option,
)
from sanproof.verify.errors import Failure, failure

if TYPE_CHECKING:
    import chess

CERTIFICATES: Final = "certificates"
NAMES: Final = (*TABLES, *LANGUAGES, CERTIFICATES)
ALL_FORMS: Final = sorted({*FORMS, *LANGUAGES["movetext"], SMT2})


def run_export(
    what: str,
    form: str | None,
    columns: str | None,
    run: Path | None,
    out: Path | None,
    wanted: Language,
    player: str | None = None,
) -> None:
    """Write a table to a file, which appears when it is complete, or to standard output.

    The form is by default the one that the file's name ends with, or the table's usual one. Columns
    are names with commas between. The run is by default the published data.

    Raises:
        Failure: There is no such table, an option does not fit it, the run is damaged, or the file
            cannot be written.
    """
    if what not in NAMES:
        close = get_close_matches(what, NAMES, 1, 0.7)
        advice = f"Did you mean {close[0]}?" if close else f"Choose from: {', '.join(NAMES)}."
        raise Failure(f"There is no table {shown(what)}. {advice}")
    if what not in TABLES and (columns is not None or player):
        raise Failure(f"{what} has no columns and no witnesses: leave out --columns and --player.")
    if what in TABLES and wanted != Language(bare=wanted.bare):
        raise Failure(f"{what} is a table: leave out the options for languages.")
    if what == CERTIFICATES and (out is None or form not in {None, SMT2}):
        raise Failure(
            f"--what {what} writes to a folder: add --out FOLDER. It takes no --format except "
            f"{SMT2}."
        )
    try:
        _write(open_archive(run), what, form, columns, out, wanted, player)
    except (ArchiveError, ExportError) as error:
        raise Failure(f"{error}.") from error
    except OSError as error:  # it may name a temporary file, which the user did not ask for
        if out is None:
            raise
        raise failure(f"{out} cannot be written: {error.strerror}.", error) from error


def _write(
    archive: Archive,
    what: str,
    form: str | None,
    columns: str | None,
    out: Path | None,
    wanted: Language,
    player: str | None,
) -> None:
    if what == CERTIFICATES and out is not None:
        number = write_folder(out, foreign_files(archive, form))
        click.echo(f"{number:,} files are in {out}.", err=True)
        return
    form = form or _form_of(out)
    if what in LANGUAGES:
        text = language(archive, what, form, wanted)
        with _opened(out) as file:
            file.write(text.encode("ascii"))
        return
    names = None if columns is None else columns.split(",")
    export = plan(what, form, names, bare=wanted.bare, player=player)
    if out is None and export.form == "parquet":
        raise Failure("Parquet cannot be written to a pipe: name a file with --out.")
    with _opened(out) as file:
        write_export(export, archive, file)


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


@command
@click.option("--what", metavar="TABLE", help="The table: one of those above.  [default: strings]")
@click.option(
    "--format",
    "form",
    type=click.Choice(ALL_FORMS),
    metavar="FORMAT",
    help="The format; by default that of FILE's extension, or the table's usual one.",
)
@click.option("--columns", metavar="NAMES", help="Columns, separated by commas.")
@flag("--bare", "Leave out strings with + or #.")
@click.option(
    "--player",
    type=click.Choice([*PLAYERS, "both"]),
    help="For witnesses: whose move it is. By default White's, if White can play the string.",
)
@number_option(
    "--at-least", "For a language: leave out strings played fewer than N times on Lichess.", 1
)
@fen_option("For a language: take the legal moves of this position instead of all strings.")
@flag("--parts", "For a tokenizer: make tokens of the parts of strings.")
@flag("--results", "For a tokenizer: add the results of games.")
@click.option(
    "--special", metavar="TOKENS", help="For a tokenizer: add special tokens, such as <pad>,<s>."
)
@number_option(
    "--numbers", "For a tokenizer or movetext: have move numbers up to N.", 1, MOST_NUMBERS
)
@run_option
@file_option("--out", "Write to FILE instead of standard output.")
@click.pass_context
def export(
    context: click.Context,
    what: str | None,
    form: str | None,
    columns: str | None,
    player: str | None,
    at_least: int | None,
    board: "chess.Board | None",
    special: str | None,
    numbers: int | None,
    run: Path | None,
    out: Path | None,
    *,
    bare: bool,
    parts: bool,
    results: bool,
) -> None:
    """Export strings, positions and games for other programs.

    Try:
      sanproof export --what witnesses --format csv --out positions.csv
      sanproof export --what vocabulary --out vocabulary.json
      sanproof export --what tokenizer --out tokenizer.json

    Tables (csv, jsonl, json, parquet, sqlite; some also as txt, pgn or epd):
      strings       each string and its parts: piece, file, rank, capture,
                    destination, promotion, suffix [earliest, bound, id]
      vocabulary    each string with its number, from 0
      witnesses     before_fen, san, after_fen of each string, to test parsers
                    [uci, game, ply, player]
      games         number, san, colour, ply, plies, result, moves
      cover         few games that together contain every string
      impossible    every other string of the grammar, with its reason
      observed      how often each string was played on Lichess
      uci, lan      each move in UCI or long form, and by whom [a game of each]
      certificates  a folder of formulas (cnf) and refutations (lrat), or of
                    formulas for any SMT solver (smt2)

    The strings as a language:
      tokenizer     for Hugging Face's tokenizers: a token for each string
      regex         an expression for Python, JavaScript, RE2 and PCRE
      gbnf, lark    grammars for constrained decoding
      movetext      a whole game, as gbnf or lark, or as an expression (txt)

    The columns in brackets are written if --columns names them.
    """
    if what is None and out is None and sys.stdout.isatty():
        click.echo(context.get_help())  # rather than 28,938 lines
        return
    from sanproof.verify.notation.writing import legal_sans

    others = () if special is None else tuple(special.split(","))
    legal = None if board is None else legal_sans(board, bare=bare)
    wanted = Language(bare, at_least or 0, legal, parts, results, numbers or 0, others)
    file = None if out == Path("-") else out
    run_export(what or "strings", form, columns, run, file, wanted, player)
