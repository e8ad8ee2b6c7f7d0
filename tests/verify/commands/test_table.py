"""What users type, and what the help says: arguments, exit codes, and the word that tells why."""

import os
import shlex
import shutil
import signal
from pathlib import Path
from typing import Final

import pytest
from click.testing import CliRunner

from sanproof.verify import errors
from sanproof.verify.commands.cli import MODULES, cli
from tests.reports.archive.archives import files, write_run
from tests.verify.command import ROOT, names, sanproof, shell

PINNED = "'4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1'"
KNIGHTS = "'4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1'"
ODD = "'4k3/8/8/8/8/8/8/4K2R w KQ - 0 1'"
LONG = "9" * 5000

ROWS: list[tuple[str, int, str]] = [
    # The program
    ("", 0, "sanproof explain"),
    ("fly", 2, "No such command 'fly'"),
    ("explian", 2, "'explain'"),
    ("Nf3", 2, "sanproof explain Nf3"),
    ("--fly", 2, "No such option"),
    ("generate --out lists", 0, "san_strings_with_symbols.txt"),
    ("generate --out -", 2, "name of a folder"),
    ("generate --out file", 2, "file is another file"),
    # explain
    ("explain", 2, "Missing argument"),
    ("explain e4", 0, "e4 can occur"),
    ("explain Kae1", 1, "king-with-discriminator"),
    ("explain e4 Kae1 e5", 1, "e5 can occur"),
    ("explain --player black e4", 0, "Black plays"),
    ("explain --prove a1=Q#", 0, "Proved now"),
    ("explain --prove Kae1 e5", 1, "Proved now"),
    ("explain --format json e4 Kae1", 1, '"source": "looked up"'),
    ("explain --run run Qh4#", 0, "Looked up in run"),
    ("explain --run . e4", 2, "no finished run"),
    ("explain Ng1-f3", 2, "Perhaps you mean Nf3"),
    ("explain Nf3++", 2, "Nf3+ or Nf3#"),
    ("explain Dh4#", 2, "Qh4# in German"),
    ("explain e9", 2, "at character 2 ('9')"),
    ("explain -- 'e4\x1b[31m\u202e'", 2, "is not a SAN string"),
    (f"explain -- {'Qa1xb2=Q' * 9999}", 2, "is not a SAN string"),
    (f"explain -- {os.fsdecode(bytes([255]))}", 2, "is not a SAN string"),
    ("explain --run x --prove e4", 2, "choose one"),
    # read and write
    ("read Nf3", 0, "is canonical"),
    ("read Nf5", 1, "is illegal"),
    ("read Nf9", 1, "at character 3 ('9')"),
    (f"read Nd5 --fen {PINNED}", 1, "(pinned)"),
    (f"read Nd5 --fen {PINNED} --format json", 1, '"reason": "pinned"'),
    (f"read Nd2 --fen {KNIGHTS}", 1, "1  . N . . K"),
    ("read O-O", 1, "castling-blocked"),
    (f"read nb1d2! --fen {KNIGHTS} --format json", 1, '"canonical": "Nbd2"'),
    (f"write b1d2 --fen {KNIGHTS}", 0, "Nbd2"),
    (f"write b1d2 --fen {KNIGHTS} --format json", 0, '"twins"'),
    ("write e1g1 --format json", 1, '"san": null'),
    ("write Nf3", 2, "in UCI"),
    ("read e4 --fen '8/8 w'", 2, "is not a FEN"),
    (f"write h1g1 --fen {ODD}", 2, "w K - 0 1 would do"),
    # find
    ("find", 2, "Name a string"),
    ("find Nf3 capture", 1, "neither player"),
    ("find mate white=KN --timeout 1", 3, "Undecided"),
    ("find --criteria", 0, "pinned-twin-may-move: "),
    ("find chekc", 2, "'check'"),
    ("find 'e4\x1b[31m'", 2, "is not a criterion"),
    (f"find {'x' * 100_000}", 2, "is not a criterion"),
    ("find mate --count 0", 2, "--count"),
    ("find mate --timeout 0", 2, "--timeout"),
    ("find mate --certificate no/where", 2, "--certificate"),
    # positions
    ("position 8/8/8/8/8/8/8/8 --numbering placements", 0, str(13**64 - 1)),
    ("position 1_0", 2, "neither a whole number nor a FEN"),
    ("position --numbering placements -- -1", 2, "from 0 to"),
    (f"position {LONG}", 2, "100 digits"),
    ("position 8/8", 2, "8 ranks"),
    # gate
    ("gate --bare --suffixed file", 2, "exclude each other"),
    ("gate none.txt", 2, "No such file"),
    ("gate file --run file", 2, "is not a folder"),
    ("gate file", 1, "is NOT right"),
    # runs, pages, libraries
    ("verify", 2, "sanproof verify --out run"),
    ("verify --out run2 --workers 0", 2, "--workers"),
    ("verify --out=", 2, "name of a folder"),
    ("verify --out run2 --only ''", 2, "No SAN string matches"),
    ("verify --out run2 --only Q", 2, "'Q*'"),
    ("verify --out run2 --only '\n[a-'", 2, "occurs in no SAN string"),
    (f"verify --out run2 --only {'[' * 40_000}", 2, "at most 200"),
    ("verify --out file/out --only O-O", 2, "Not a directory"),
    (f"verify --out {'x' * 300} --only O-O", 2, "File name too long"),
    ("report none", 2, "does not exist"),
    ("report run --out .", 2, "new or empty"),
    ("audit .", 2, "holds no finished run"),
    ("verify --scheduler tcp://host --out x", 2, "tcp://HOST:PORT"),
    ("verify --out /proc/x --only O-O", 2, "/proc/x"),
    ("scan --check --out x file", 2, "leave out --check"),
    ("conformance export --out file", 2, "cannot be written"),
    ("export --what tokeniser", 2, "Did you mean tokenizer?"),
    ("export witnesses", 2, "unexpected extra argument"),
    ("export --what regex --columns san", 2, "--columns"),
    ("export --what certificates", 2, "--out"),
    ("export --what games --parts", 2, "languages"),
    ("export --format parquet", 2, "pipe"),
    ("export --out x.y", 2, ".csv"),
    ("scan --find e9 file", 2, "e9"),
    ("scan --check --scheduler tcp://127.0.0.1:1 file", 2, "--scheduler"),
    ("scan --find= file", 2, "--find is empty"),
    ("scan --find e4 --rows csv file", 2, "cannot be combined"),
    ("scan --rows csv file", 2, "--out"),
    ("shorten --check file --exhaust 2", 2, "alone"),
    ("shorten", 2, "--out"),
]


@pytest.mark.parametrize(("line", "code", "word"), ROWS, ids=lambda value: ascii(value)[:50])
def test_what_is_typed(line: str, code: int, word: str, tmp_path: Path) -> None:
    """What is refused prints no answer, changes nothing, and says why in plain text."""
    (tmp_path / "file").write_text("precious")
    if " run " in line:
        write_run(tmp_path / "run", files())
    before = names(tmp_path)
    run = sanproof(*shlex.split(line), cwd=tmp_path)
    printed = run.stdout + run.stderr
    said = printed.encode("ascii", "backslashreplace").decode("ascii")
    assert run.returncode == code, printed
    assert " ".join(word.split()) in " ".join(said.split())
    assert "Traceback" not in printed
    assert "error in sanproof itself" not in printed
    if code == 2:
        assert run.stdout == ""
        assert run.stderr.replace("\n", "").isprintable()
        assert len(run.stderr) < 900
        assert names(tmp_path) == before
        assert (tmp_path / "file").read_text() == "precious"


COLUMNS: Final = 80
TWO_SCREENS: Final = 60
COMMANDS: Final = [*MODULES, *(f"conformance {name}" for name in ("export", "run"))]
SLOW: Final = {
    "audit",
    "conformance",
    "conformance run",
    "find",
    "position",
    "report",
    "shorten",
    "verify",
}


def helped(name: str) -> str:
    """Return the help text of a command on a terminal of 80 columns."""
    arguments = [*name.split(), "--help"]
    done = CliRunner().invoke(cli, arguments, prog_name="sanproof", env={"COLUMNS": str(COLUMNS)})
    assert done.exit_code == 0
    return done.output


@pytest.mark.parametrize("name", ["", *COMMANDS])
def test_help_fits_two_screens(name: str) -> None:
    lines = helped(name).splitlines()
    assert len(lines) <= TWO_SCREENS
    assert max(map(len, lines)) <= COLUMNS


def test_the_program_alone_lists_all_commands_and_exit_codes() -> None:
    text = helped("")
    found = [line.split()[0] for line in text.splitlines() if line.startswith("  ")]
    assert set(MODULES) <= set(found)
    failures = (errors.NegativeAnswer, errors.Failure, errors.Undecided, errors.Unfinished)
    codes = {0, errors.REFUTED, 128 + signal.SIGINT, *(one.exit_code for one in failures)}
    assert {int(word) for word in found if word.isdecimal()} == codes


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Make a folder with the files that examples name."""
    shutil.copy(ROOT / "data" / "san_strings.txt", tmp_path)
    (tmp_path / "games.pgn").write_text("1. e4 e5 2. Nf3 *\n")
    return tmp_path


@pytest.mark.parametrize(
    "name",
    [pytest.param(n, marks=[pytest.mark.slow] if n in SLOW else []) for n in COMMANDS],
)
def test_help_begins_with_an_example_that_works(name: str, folder: Path) -> None:
    _, _, examples, *_ = helped(name).split("\n\n")
    title, line, *_ = (line.strip() for line in examples.splitlines())
    assert title == "Try:"
    assert f"sanproof {name}" in line
    done = shell(line, folder)
    assert (done.returncode, done.stderr.count("Error")) == (0, 0), (line, done.stderr)


def test_bash_completes_commands_and_options(tmp_path: Path) -> None:
    complete = '''eval "$(_SANPROOF_COMPLETE=bash_source sanproof)"
        COMP_WORDS=(sanproof "$@"); COMP_CWORD=$#
        _sanproof_completion sanproof; echo "${COMPREPLY[@]}"'''
    for words, found in {"exp": "explain export", "explain --pr": "--prove"}.items():
        done = shell(f"set -- {words}; {complete}", tmp_path)
        assert (done.stdout, done.stderr) == (f"{found}\n", "")
