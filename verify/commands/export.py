"""``sanproof export``: writes a table of a finished run, or of the published data."""

import sys
from contextlib import nullcontext
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final

import click

from sanproof.reports.archive.door import PLAYERS, Archive, ArchiveError, open_archive
from sanproof.reports.escaping import shown
from sanproof.reports.exports.certificates import SMT2, foreign_files
from sanproof.reports.exports.exports import FORMS, TABLES, ExportError, plan, write_export
from sanproof.reports.exports.languages import LANGUAGES, MOST_NUMBERS, Language, language
from sanproof.reports.tables.files import whole_file, write_folder
from sanproof.verify.commands import options
from sanproof.verify.errors import Failure, failure

CERTIFICATES: Final = "certificates"
NAMES: Final = (*TABLES, *LANGUAGES, CERTIFICATES)
ALL_FORMS: Final = sorted({*FORMS, *LANGUAGES["movetext"], SMT2})


def _check(what: str, form: str | None, out: Path | None, *, names: bool, languages: bool) -> None:
    """Raise a Failure if there is no such table, or an option is for tables, or for languages."""
    if what not in NAMES:
        close = get_close_matches(what, NAMES, 1, 0.7)
        advice = f"Did you mean {close[0]}?" if close else f"Choose from: {', '.join(NAMES)}."
        raise Failure(f"There is no table {shown(what)}. {advice}")
    if what not in TABLES and names:
        raise Failure(f"{what} has no columns and no witnesses: leave out --columns and --player.")
    if what in TABLES and languages:
        raise Failure(f"{what} is a table: leave out the options for languages.")
    if what == CERTIFICATES and (out is None or form not in {None, SMT2}):
        raise Failure(
            f"--what {what} writes to a folder: add --out FOLDER. It takes no --format except "
            f"{SMT2}."
        )


def _write(
    archive: Archive,
    what: str,
    form: str | None,
    out: Path | None,
    wanted: Language,
    **of_tables: Any,  # noqa: ANN401 - as they are planned
) -> None:
    """Write to a file or a folder, which appears when it is complete, or to standard output."""
    if what == CERTIFICATES and out is not None:
        click.echo(
            f"{write_folder(out, foreign_files(archive, form)):,} files are in {out}.", err=True
        )
        return
    form = form or _form_of(out)
    text = language(archive, what, form, wanted).encode("ascii") if what in LANGUAGES else b""
    export = None if text else plan(what, form, bare=wanted.bare, **of_tables)
    if out is None and export and export.form == "parquet":
        raise Failure("Parquet cannot be written to a pipe: name a file with --out.")
    with nullcontext(sys.stdout.buffer) if out is None else whole_file(out) as file:
        if export:
            write_export(export, archive, file)
        else:
            file.write(text)


def _form_of(out: Path | None) -> str | None:
    """Return the form that a file's name ends with, None if the name has no ending."""
    if out is None or not out.suffix:
        return None
    if (form := out.suffix[1:].lower()) in ALL_FORMS:
        return form
    known = ", ".join(f".{name}" for name in ALL_FORMS)
    raise Failure(f"{out} has no known extension: use {known}, or give --format.")


@options.command
@click.option("--what", metavar="TABLE", help="The table: one of those above.  [default: strings]")
@click.option(
    "--format",
    "form",
    type=click.Choice(ALL_FORMS),
    metavar="FORMAT",
    help="The format; by default that of FILE's extension, or the first that the table has.",
)
@click.option("--columns", metavar="NAMES", help="Write just these columns, such as san,earliest.")
@options.flag("--bare", "Leave out strings with + or #.")
@options.choice(
    "--player",
    [*PLAYERS, "both"],
    "For witnesses: whose move it is. By default White's, if White can play the string.",
)
@options.number(
    "--at-least", "For a language: leave out strings played fewer than N times on Lichess.", 1
)
@options.fen("For a language: take the legal moves of this position instead of all strings.")
@options.flag("--parts", "For a tokenizer: make tokens of the parts of strings.")
@options.flag("--results", "For a tokenizer: add the results of games.")
@click.option(
    "--special", metavar="TOKENS", help="For a tokenizer: add special tokens, such as <pad>,<s>."
)
@options.number(
    "--numbers", "For a tokenizer or movetext: have move numbers up to N.", 1, MOST_NUMBERS
)
@options.run
@options.file("--out", "Write to FILE instead of standard output.")
@click.pass_context
def export(
    context: click.Context,
    /,
    *,
    what: str | None,
    form: str | None,
    columns: str | None,
    player: str | None,
    run: Path | None,
    out: Path | None,
    **asked: Any,  # noqa: ANN401 - of each its type
) -> None:
    """Export strings, positions and games for other programs.

    Try:
      sanproof export --what witnesses --format csv --out positions.csv
      sanproof export --what vocabulary --out vocabulary.json
      sanproof export --what tokenizer --out tokenizer.json

    Tables (csv, jsonl, json, parquet, sqlite; some also as txt, pgn or epd):
      strings       each string (txt), or also its parts: piece, file, rank,
                    capture, destination, promotion, suffix [earliest, bound, id]
      vocabulary    each string with its number, from 0
      witnesses     before_fen, san, after_fen of each string, to test parsers
                    [uci, game, ply, player]
      games         number, san, colour, ply, plies, result, moves
      cover         the fewest games that together contain every string
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

    bare, board, what = asked["bare"], asked["board"], what or "strings"
    wanted = Language(
        bare,
        asked["at_least"] or 0,
        None if board is None else legal_sans(board, bare=bare),
        asked["parts"],
        asked["results"],
        asked["numbers"] or 0,
        tuple(asked["special"].split(",")) if asked["special"] is not None else (),
    )
    out = None if out == Path("-") else out
    names = None if columns is None else columns.split(",")
    is_named, is_language = names is not None or bool(player), wanted != Language(bare=bare)
    _check(what, form, out, names=is_named, languages=is_language)
    try:
        _write(open_archive(run), what, form, out, wanted, columns=names, player=player)
    except (ArchiveError, ExportError) as error:
        raise Failure(f"{error}.") from error
    except OSError as error:  # it may name a temporary file, which the user did not ask for
        if out is None:
            raise
        raise failure(f"{out} cannot be written: {error.strerror}.", error) from error
