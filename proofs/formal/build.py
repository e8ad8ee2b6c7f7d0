"""Build the theorem in Coq: ``python -m sanproof.proofs.formal.build DATA BUILD``.

Four steps: Coq compiles the definitions and statements, before any generated file exists; it
compiles the proofs and what `generate` writes of the published data; it compiles `Pinned.v`, which
says that each statement holds, and prints what they assume; and its lists are compared with the
data, byte for byte. Exit codes: 0 proved, 1 not proved, 2 misuse, 4 could not finish.
"""

from __future__ import annotations

import argparse
import csv
import graphlib
import hashlib
import re
import resource
import shutil
import subprocess
import sys
import time
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from pathlib import Path
from typing import TYPE_CHECKING

from sanproof.proofs.formal.generate import (
    UnsafeTextError,
    generated_files,
    read_lines,
    sample,
)
from sanproof.proofs.kernel.files import EvidenceError
from sanproof.proofs.shortest.table import PUBLISHED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

HERE = Path(__file__).parent
LOGICAL_NAME = "Sanproof"
DEFINITIONS = ("Chess", "Forms", "Statements")
"""The files to read and believe, in the order of compiling. Nothing generated comes before them."""
PINNED = "Pinned"
"""States every theorem with whole names, and is compiled after everything else."""
COQCHK_SECONDS = 60
"""The command for Coq's second checker, which has no virtual machine."""
MARK = ".sanproof-formal"
"""A file of this name says that a folder is a build, and may be emptied."""
LIST = "san_strings_with_symbols.txt"
ROWS = "long_form/rows.csv.xz"
MISSING = "coqc is missing: install Coq 8.16 (Debian: apt-get install coq)."
QUESTIONS = "Questions"
UNCHECKED = ("Extract", f"{QUESTIONS}_")
"""How the modules begin that hold no proof."""
COMPILE = ("coqc", "-q", "-w", "none", "-native-compiler", "no", "-Q", ".", LOGICAL_NAME)
SHOW_LISTS = (
    *("From Coq Require Import String List.", "Import ListNotations.", "Open Scope string_scope."),
    *("Set Printing Depth 1000000.", "Set Printing Width 100."),
)
"""The notation of lists, set before anything of ours is loaded; nothing is imported later."""
CLOSED = "Closed under the global context"
REQUIRED = re.compile(
    rf"^(?:From {LOGICAL_NAME} )?Require (?:Import )?([\w.]*\w(?:\s+[\w.]*\w)*)\.$", re.MULTILINE
)
NAME = re.compile(r"(?:Published|Moves|Games|Sample|Noted|(?:Cover|Rest|Long)[0-9]{3})\.v")
"""The generated files, which may have no other names."""


class MisuseError(Exception):
    """The command's arguments do not suit: the folder to build in is another user's, say."""


class NotProvedError(Exception):
    """Coq refuses a file, or says something else than the theorem needs."""


def sources() -> list[Path]:
    """Return the files that are written by hand."""
    return sorted(HERE.glob("*.v"))


def statements() -> dict[str, tuple[str, int]]:
    """Return each pinned statement with the file that says it and the line there, from 1."""
    pinned = (HERE / f"{PINNED}.v").read_text(encoding="utf-8")
    lines = (HERE / "Statements.v").read_text(encoding="utf-8").splitlines()
    places = {line.split()[1]: place for place, line in enumerate(lines, 1) if "Prop :=" in line}
    names = re.findall(r"^Definition (\w+) : Sanproof\.Statements\.\1\b", pinned, re.MULTILINE)
    return {name: ("Statements.v", places[name]) for name in names}


def prepare(build: Path) -> None:
    """Make a folder with the sources alone, for the first step.

    Raises:
        MisuseError: the folder holds something else than an earlier build.
    """
    if build.exists():
        if any(build.iterdir()) and not (build / MARK).exists():
            raise MisuseError(
                f"{build} contains other files. Choose an empty folder, or a new one."
            )
        shutil.rmtree(build)
    build.mkdir(parents=True)
    (build / MARK).touch()
    for path in sources():
        shutil.copy(path, build)


def add_generated(files: Iterable[tuple[str, str]], build: Path) -> None:
    """Write what was generated beside the sources.

    Raises:
        NotProvedError: a file has another name than those that are generated.
    """
    for name, text in files:
        if not NAME.fullmatch(name):
            raise NotProvedError(f"A generated file may not be called {name!r}.")
        (build / name).write_text(text, encoding="ascii")


def dependencies(build: Path) -> dict[str, set[str]]:
    """Return for each module the modules of the folder that it requires, by its own words."""
    names = {path.stem for path in build.glob("*.v")}
    found = {}
    for name in names:
        text = (build / f"{name}.v").read_text(encoding="utf-8")
        sentences = REQUIRED.findall(text)
        words = {word for sentence in sentences for word in sentence.split()}
        found[name] = {word.removeprefix(f"{LOGICAL_NAME}.") for word in words} & names
    return found


def compile_file(build: Path, name: str) -> str:
    """Have Coq compile one file; returns what it printed.

    Raises:
        NotProvedError: Coq refuses it.
    """
    return run_coq([*COMPILE, f"{name}.v"], build, f"Coq refuses {name}.v")


def run_coq(command: list[str], build: Path, refused: str, seconds: float | None = None) -> str:
    """Return what a program of Coq's prints; a NotProvedError with these words if it fails."""
    done = subprocess.run(
        command,
        cwd=build,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        timeout=seconds,
    )
    if done.returncode:
        raise NotProvedError(f"{refused}:\n{done.stdout.strip()}")
    return done.stdout


def fingerprint(build: Path, names: Iterable[str] = DEFINITIONS) -> dict[str, str]:
    """Return the hashes of the definitions, as they are written and as Coq compiled them."""
    files = (build / f"{name}{ending}" for name in names for ending in (".v", ".vo"))
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def compile_all(build: Path, workers: int) -> int:
    """Have Coq compile all other files, each after those that it requires; `Pinned` comes later.

    Returns how many files those are.

    Raises:
        NotProvedError: Coq refuses a file.
    """
    done = [*DEFINITIONS, PINNED]
    graph = {
        name: required.difference(done)
        for name, required in dependencies(build).items()
        if name not in done
    }
    order = graphlib.TopologicalSorter(graph)
    try:
        order.prepare()
    except graphlib.CycleError as error:
        raise NotProvedError(f"Files require one another: {', '.join(error.args[1])}.") from error
    running: dict[Future[str], str] = {}
    with ThreadPoolExecutor(workers) as pool:
        while order.is_active():
            running |= {
                pool.submit(compile_file, build, name): name for name in sorted(order.get_ready())
            }
            try:
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    future.result()
                    order.done(running.pop(future))
            except NotProvedError:
                pool.shutdown(cancel_futures=True)
                raise
    return len(graph)


def pin(build: Path, before: dict[str, str]) -> None:
    """Have Coq compile the pinned statements, and compare what they assume with nothing.

    Raises:
        NotProvedError: a definition is no longer what was compiled at first, Coq refuses a
            statement, or one rests on an axiom or on a check that was switched off.
    """
    if fingerprint(build) != before or any(build.glob("*.vio")):  # Coq would prefer a .vio
        raise NotProvedError("The compiled definitions were changed while other files compiled.")
    shutil.copy(HERE / f"{PINNED}.v", build)  # whatever a generated file has written in its place
    said = compile_file(build, PINNED)
    if said != f"{CLOSED}\n":
        raise NotProvedError(f"The theorems rest on more than Coq:\n{said.strip()}")


def ask(build: Path, about: str, module: str, commands: Iterable[str]) -> str:
    """Return what Coq prints for these commands, with one module loaded, and not imported.

    Lists are shown as Coq shows them; see `SHOW_LISTS`.

    Raises:
        NotProvedError: Coq refuses them.
    """
    name = f"{QUESTIONS}_{about}"
    lines = [*SHOW_LISTS, f"Require {LOGICAL_NAME}.{module}.", *commands, ""]
    (build / f"{name}.v").write_text("\n".join(lines), encoding="ascii")
    return compile_file(build, name)


def printed_list(build: Path, about: str, module: str, term: str, most: int) -> list[str]:
    """Return the strings of a list, no more than ``most``, as Coq prints their bytes.

    The module is loaded and not imported: the term has whole names.

    Raises:
        NotProvedError: Coq knows no such list, or prints anything besides.
    """
    # A thousand strings at a time, for the sake of Coq's stack; the last of the slices is empty.
    listed = f"Coq.Strings.String.list_byte_of_string ({LOGICAL_NAME}.{term})"
    commands = [f"Definition all := Coq.Lists.List.map {listed}."]
    first, skip = "Coq.Lists.List.firstn", "Coq.Lists.List.skipn"
    starts = range(0, most + 1001, 1000)
    commands += [f"Eval vm_compute in {first} 1000 ({skip} {start} all)." for start in starts]
    said = " ".join(ask(build, about, module, commands).split()).replace("[ ", "[")
    shown = re.findall(r"\[(?:Byte\.x[0-9a-f]{2}(?:; )?)+\]", said)
    slices = ("; ".join(shown[start : start + 1000]) for start in starts)
    if said != " ".join(f"= [{strings}] : list (list Byte.byte)" for strings in slices):
        raise NotProvedError(f"Coq does not print {term} as a list of strings.")
    return [
        bytes.fromhex(re.sub(r"\[|\]|Byte\.x|; ", "", text)).decode("latin-1") for text in shown
    ]


def check_language(build: Path, data: Path) -> None:
    """Compare what Coq calls ``language``, a line each, with the published list, byte for byte.

    Raises:
        NotProvedError: they differ.
    """
    published = (data / LIST).read_text(encoding="ascii").split("\n")
    if (
        printed_list(build, "language", "Published", "Published.language", len(published))
        != published
    ):
        raise NotProvedError(f"What Coq calls language is not {LIST}.")


def check_sample(build: Path, data: Path) -> None:
    """Compare the strings and plies that Coq says games show with those that are published.

    Raises:
        NotProvedError: they differ.
    """
    said = ask(build, "sample", "Sample", [f"Eval vm_compute in {LOGICAL_NAME}.Sample.plies."])
    found = [(san, int(ply)) for san, ply in re.findall(r'"([^"]*)",\s+(\d+)', said)]
    if found != [(row.san, row.ply) for row in sample(data)]:
        raise NotProvedError(f"The sample of the shortest games is not that of {PUBLISHED}.")


def check_form(build: Path, form: str, player: str, published: list[str]) -> None:
    """Compare what Coq says that a player can write in a form with what is published, sorted.

    Raises:
        NotProvedError: they differ.
    """
    term = f"Forms.{form}_language {LOGICAL_NAME}.Chess.{player}"
    if sorted(printed_list(build, f"{form}_{player}", "Forms", term, len(published))) != published:
        raise NotProvedError(
            f"{player} cannot write exactly what is published, in the form {form}."
        )


def published_forms(data: Path) -> dict[tuple[str, str], list[str]]:
    """Return, for each form and player, the published texts: those of the long form, and UCI."""
    rows = list(csv.DictReader(read_lines(data / ROWS)))
    games = [line.split()[:-2] for line in read_lines(data / "games.txt.xz")]
    found = {}
    for parity, player in enumerate(("White", "Black")):
        lan = sorted(row["lan"] for row in rows if row["player"] == player.lower())
        found["lan", player] = lan
        found["uci", player] = sorted({move for moves in games for move in moves[parity::2]})
    return found


def check_all(build: Path, data: Path, workers: int) -> None:
    """Ask Coq everything, in as many processes; what takes longest is asked first.

    Raises:
        NotProvedError: its answer is not what the theorem needs.
    """
    with ThreadPoolExecutor(workers) as pool:
        asked = [pool.submit(check, build, data) for check in (check_language, check_sample)]
        for (form, player), published in sorted(published_forms(data).items()):
            asked.append(pool.submit(check_form, build, form, player, published))
        for answer in asked:
            answer.result()


def check_again(build: Path, names: Iterable[str], seconds: float) -> tuple[list[str], list[str]]:
    """Have Coq's second checker go through the compiled files, each for so long.

    Returns which it went through, and which it did not finish.

    Raises:
        NotProvedError: it refuses a file.
    """
    checked, unfinished = [], []
    for name in names:
        command = ["coqchk", "-silent", "-Q", ".", LOGICAL_NAME, "-norec", f"{LOGICAL_NAME}.{name}"]
        try:
            run_coq(command, build, f"coqchk refuses {name}", seconds)
            checked.append(name)
        except subprocess.TimeoutExpired:
            unfinished.append(name)
    return checked, unfinished


def prove(data: Path, build: Path, workers: int) -> str:
    """Do all of it, and say in a sentence what was proved.

    Raises:
        NotProvedError: Coq refuses a file, or says something else than the theorem needs.
    """
    start = time.monotonic()
    prepare(build)
    for name in DEFINITIONS:
        compile_file(build, name)
    before = fingerprint(build)
    add_generated(generated_files(data), build)
    done = compile_all(build, workers)
    pin(build, before)
    check_all(build, data, workers)
    seconds, used = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return (
        f"Proved in Coq, with no axiom: the strings of {LIST}, byte for byte, are exactly those "
        f"that are written in legal games; White's and Black's as well; and no set of games "
        f"smaller than the published cover shows them all. The moves in UCI that games show are "
        f"exactly those that can be played, and the texts of {ROWS} exactly those that can be "
        f"written in the long form. {len(statements())} theorems, "
        f"{done + len(DEFINITIONS) + 1} files, "
        f"{seconds:.0f} s with {workers} processes, {used.ru_utime + used.ru_stime:.0f} s of "
        f"processor time, {used.ru_maxrss / 1024:.0f} MB for the largest process."
    )


def conclude(parser: argparse.ArgumentParser, work: Callable[[], Iterable[str]]) -> None:
    """Print what the work of a command says, line by line, and leave with its exit code."""
    if not shutil.which("coqc"):
        sys.stderr.write(f"{MISSING}\n")
        sys.exit(4)
    try:
        for line in work():
            sys.stdout.write(f"{line}\n")
    except MisuseError as error:
        parser.error(str(error))
    except (NotProvedError, UnsafeTextError, EvidenceError) as error:
        sys.stderr.write(f"Not proved. {error}\n")
        sys.exit(1)
    except OSError as error:
        sys.stderr.write(f"Could not finish: {error}\n")
        sys.exit(4)


def build_and_check(options: argparse.Namespace) -> Iterator[str]:
    """Yield what was proved, each statement's place, and perhaps what the second checker says."""
    yield prove(options.data, options.build, options.workers)
    for name, (file, line) in statements().items():
        yield f"  {name:<26}{file}, line {line}"
    if options.coqchk:
        names = [name for name in dependencies(options.build) if not name.startswith(UNCHECKED)]
        checked, unfinished = check_again(options.build, sorted(names), COQCHK_SECONDS)
        yield (
            f"coqchk accepts {len(checked)} files: {', '.join(checked)}. In {COQCHK_SECONDS} s "
            f"it did not finish: {', '.join(unfinished) or 'none'}."
        )


def main() -> None:
    """Build, and say what was proved."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("data", type=Path, help="the folder of the published data")
    parser.add_argument(
        "build", type=Path, help="the folder to build in: empty, new, or an earlier build"
    )
    parser.add_argument("--workers", type=int, default=2, help="how many processes (2 by default)")
    parser.add_argument("--coqchk", action="store_true", help="ask Coq's second checker as well")
    options = parser.parse_args()
    conclude(parser, lambda: build_and_check(options))


if __name__ == "__main__":
    main()
