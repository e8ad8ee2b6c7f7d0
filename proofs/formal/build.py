"""Builds the theorem in Coq: ``python -m sanproof.proofs.formal.build DATA BUILD``.

It writes the list and the games (`generate`), has Coq compile every file, and compares what Coq
then says: that the theorems rest on no axiom, that ``language`` is the published list, to the
byte, and that the texts of UCI and of the long form are those that published games show. Exit
codes: 0 proved, 1 not proved, 2 misuse, 4 could not finish.
"""

from __future__ import annotations

import argparse
import csv
import graphlib
import re
import resource
import shutil
import subprocess
import sys
import time
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sanproof.proofs.formal.generate import generated_files, read_lines

if TYPE_CHECKING:
    from collections.abc import Iterable

HERE = Path(__file__).parent
LOGICAL_NAME = "Sanproof"
MAIN = "Theorem"
COQCHK_SECONDS = 60
"""What Coq's second checker, which has no virtual machine, is given for a file."""
MARK = ".sanproof-formal"
"""A file of this name says that a folder is a build, and may be emptied."""
LIST = "san_strings_with_symbols.txt"
ROWS = "long_form/rows.csv.xz"
MISSING = "coqc is missing: install Coq 8.16 or later (Debian: apt-get install coq)."
QUESTIONS = "Questions"
COMPILE = ("coqc", "-q", "-w", "none", "-Q", ".", LOGICAL_NAME)
SHOW_LISTS = (
    *("Import ListNotations.", "Open Scope string_scope."),
    *("Set Printing Depth 1000000.", "Set Printing Width 100."),
)
CLOSED = "Closed under the global context"
STATED_IN = (MAIN, "UciTheorem", "LanTheorem")
STATEMENTS = (
    *("exactly", "anywhere", "how_many", "by_suffix", "exactly_by", "anywhere_by", "how_many_by"),
    *("exactly_by_both", "how_many_both", "not_29274", "no_check_on_b2"),
    *("cover_at_least", "cover_published"),
    *("uci_exactly", "uci_exactly_by", "uci_exactly_by_both", "uci_how_many", "uci_how_many_by"),
    *("lan_exactly_by", "lan_anywhere", "lan_how_many_by", "lan_by_suffix"),
    *("lan_never_checks", "lan_how_many_never_check"),
)


class ForeignFolderError(Exception):
    """The folder to build in is somebody else's."""


class NotProvedError(Exception):
    """Coq refuses a file, or says something else than the theorem needs."""


@dataclass(frozen=True)
class Compiled:
    """A file that Coq accepted, and what it printed."""

    name: str
    printed: str


def sources() -> list[Path]:
    """The files that are written by hand."""
    return sorted(HERE.glob("*.v"))


def prepare(data: Path, build: Path) -> None:
    """A folder of its own with all sources, ours and those that are generated from ``data``.

    Raises:
        ForeignFolderError: the folder holds something else than an earlier build.
    """
    if build.exists():
        if any(build.iterdir()) and not (build / MARK).exists():
            raise ForeignFolderError(
                f"{build} holds other files: name an empty folder, or a new one."
            )
        shutil.rmtree(build)
    build.mkdir(parents=True)
    (build / MARK).touch()
    for path in sources():
        shutil.copy(path, build)
    for name, text in generated_files(data):
        (build / name).write_text(text, encoding="ascii")


def dependencies(build: Path) -> dict[str, set[str]]:
    """For each module those that it requires, by its own words."""
    names = {path.stem for path in build.glob("*.v")}
    found = {}
    for name in names:
        text = (build / f"{name}.v").read_text(encoding="utf-8")
        lines = re.findall(rf"^From {LOGICAL_NAME} Require (?:Import )?(.*)\.$", text, re.MULTILINE)
        found[name] = {word for line in lines for word in line.split()} & names
    return found


def compile_file(build: Path, name: str) -> Compiled:
    """Have Coq compile one file.

    Raises:
        NotProvedError: Coq refuses it.
    """
    done = subprocess.run(
        [*COMPILE, f"{name}.v"],
        cwd=build,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode:
        raise NotProvedError(f"Coq refuses {name}.v:\n{done.stdout.strip()}")
    return Compiled(name, done.stdout)


def compile_all(build: Path, workers: int) -> list[Compiled]:
    """Have Coq compile all files, each after those that it requires.

    Raises:
        NotProvedError: Coq refuses a file.
    """
    order = graphlib.TopologicalSorter(dependencies(build))
    order.prepare()
    done: list[Compiled] = []
    running: set[Future[Compiled]] = set()
    with ThreadPoolExecutor(workers) as pool:
        while order.is_active():
            running |= {
                pool.submit(compile_file, build, name) for name in sorted(order.get_ready())
            }
            finished, running = wait(running, return_when=FIRST_COMPLETED)
            try:
                for future in finished:
                    done.append(future.result())
                    order.done(done[-1].name)
            except NotProvedError:
                pool.shutdown(cancel_futures=True)
                raise
    return done


def ask(build: Path, about: str, commands: Iterable[str]) -> str:
    """What Coq prints for these, once the theorem is built.

    Raises:
        NotProvedError: Coq refuses them.
    """
    name = f"{QUESTIONS}_{about}"
    files = ("Chess", "Published", "Uci", "Lan", *STATED_IN)
    names = " ".join(f"{LOGICAL_NAME}.{file}" for file in files)  # `Theorem` alone is a keyword
    lines = ["From Coq Require Import String List.", f"Require Import {names}."]
    lines += [*commands, ""]
    (build / f"{name}.v").write_text("\n".join(lines), encoding="ascii")
    return compile_file(build, name).printed


def check_assumptions(build: Path) -> None:
    """Compare what the theorems assume with nothing.

    Raises:
        NotProvedError: one of them rests on an axiom, or on something that is admitted.
    """
    # Of all together: Coq goes through the proofs once, and not once for each statement.
    all_ = f"Definition all_of_them := ({', '.join(STATEMENTS)})."
    said = ask(build, "assumptions", [all_, "Print Assumptions all_of_them."])
    if said != f"{CLOSED}\n":
        raise NotProvedError(f"The theorems rest on more than Coq:\n{said.strip()}")


def printed_list(build: Path, about: str, term: str, most: int) -> list[str]:
    """The strings of a list, which has no more than ``most``, as Coq prints them.

    Raises:
        NotProvedError: Coq knows no such list.
    """
    # A thousand strings at a time, for the sake of Coq's stack; the last of the slices is empty.
    starts = range(0, most + 1001, 1000)
    slices = [f"Eval vm_compute in firstn 1000 (skipn {start} ({term}))." for start in starts]
    return re.findall('"([^"]*)"', ask(build, about, [*SHOW_LISTS, *slices]))


def check_language(build: Path, data: Path) -> None:
    """Compare what Coq calls ``language``, a line each, with the published list, byte for byte.

    Raises:
        NotProvedError: they differ.
    """
    published = (data / LIST).read_bytes()
    strings = printed_list(build, "language", "language", published.count(b"\n"))
    if "\n".join(strings).encode() != published:
        raise NotProvedError(f"What Coq calls language is not {LIST}.")


def check_uci(build: Path, data: Path) -> None:
    """Compare the moves in UCI that Coq says a player can play with those in the published games.

    Raises:
        NotProvedError: they differ.
    """
    for parity, player in enumerate(("White", "Black")):
        games = (line.split()[:-2] for line in read_lines(data / "games.txt.xz"))
        played = sorted({move for moves in games for move in moves[parity::2]})
        if sorted(printed_list(build, "uci", f"uci_language {player}", len(played))) != played:
            raise NotProvedError(f"{player} does not play what Coq says that {player} can.")


def check_lan(build: Path, data: Path, player: str) -> None:
    """Compare the texts of the long form that Coq says a player can write with the published ones.

    Raises:
        NotProvedError: they differ.
    """
    rows = csv.DictReader(read_lines(data / ROWS))
    published = sorted(row["lan"] for row in rows if row["player"] == player.lower())
    strings = printed_list(build, f"lan_{player}", f"lan_language {player}", len(published))
    if sorted(strings) != published:
        raise NotProvedError(f"What Coq says that {player} can write is not in {ROWS}.")


def check_all(build: Path, data: Path, workers: int) -> None:
    """Ask Coq everything, in as many processes; what takes longest is asked first.

    Raises:
        NotProvedError: its answer is not what the theorem needs.
    """
    with ThreadPoolExecutor(workers) as pool:
        asked = [
            pool.submit(check_language, build, data),
            *(pool.submit(check_lan, build, data, player) for player in ("White", "Black")),
            pool.submit(check_uci, build, data),
            pool.submit(check_assumptions, build),
        ]
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
            said = subprocess.run(
                command, cwd=build, capture_output=True, text=True, check=False, timeout=seconds
            )
        except subprocess.TimeoutExpired:
            unfinished.append(name)
            continue
        if said.returncode:
            raise NotProvedError(f"coqchk refuses {name}:\n{said.stderr.strip()}")
        checked.append(name)
    return checked, unfinished


def prove(data: Path, build: Path, workers: int) -> str:
    """Do all of it, and say in a sentence what was proved.

    Raises:
        NotProvedError: Coq refuses a file, or says something else than the theorem needs.
    """
    start = time.monotonic()
    prepare(data, build)
    done = compile_all(build, workers)
    check_all(build, data, workers)
    seconds, used = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return (
        f"Proved in Coq, with no axiom: the strings of {LIST}, byte for byte, are exactly those "
        f"that are written in legal games; White's and Black's as well; and no set of games "
        f"smaller than the published cover shows them all. The moves in UCI that games show are "
        f"exactly those that can be played, and the texts of {ROWS} exactly those that can be "
        f"written in the long form. {len(STATEMENTS)} theorems, {len(done)} files, "
        f"{seconds:.0f} s with {workers} processes, {used.ru_utime + used.ru_stime:.0f} s of "
        f"processor time, {used.ru_maxrss / 1024:.0f} MB for the largest process."
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
    if not shutil.which("coqc"):
        sys.stderr.write(f"{MISSING}\n")
        sys.exit(4)
    try:
        sys.stdout.write(f"{prove(options.data, options.build, options.workers)}\n")
        if options.coqchk:
            names = sorted(
                name
                for name in dependencies(options.build)
                if name != "Extract" and not name.startswith(QUESTIONS)
            )
            checked, unfinished = check_again(options.build, names, COQCHK_SECONDS)
            sys.stdout.write(
                f"coqchk accepts {len(checked)} files: {', '.join(checked)}. In {COQCHK_SECONDS} s "
                f"it did not finish: {', '.join(unfinished) or 'none'}.\n"
            )
    except ForeignFolderError as error:
        parser.error(str(error))
    except NotProvedError as error:
        sys.stderr.write(f"Not proved. {error}\n")
        sys.exit(1)
    except OSError as error:
        sys.stderr.write(f"Could not finish: {error}\n")
        sys.exit(4)


if __name__ == "__main__":
    main()
