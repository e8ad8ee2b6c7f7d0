"""Builds the theorem in Coq: ``python -m sanproof.proofs.formal.build DATA BUILD``.

It writes the list and the games (`generate`), lets Coq compile every file, and compares what Coq
then says: on which assumptions the theorems rest (none), and what ``language`` is (the published list,
to the byte). Exit codes: 0 proved, 1 not proved, 2 misuse, 4 could not finish.
"""

from __future__ import annotations

import argparse
import graphlib
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path

from sanproof.proofs.formal.generate import generated_files

HERE = Path(__file__).parent
LOGICAL_NAME = "Sanproof"
MAIN = "Theorem"
COMPILE = ("coqc", "-q", "-w", "none", "-Q", ".", LOGICAL_NAME)
CLOSED = "Closed under the global context"
STATEMENTS = (
    *("exactly", "anywhere", "how_many", "by_suffix", "exactly_by", "anywhere_by", "how_many_by"),
    *("exactly_by_both", "how_many_both", "not_29274", "no_check_on_b2"),
    *("cover_at_least", "cover_published"),
)


class NotProvedError(Exception):
    """Coq refuses a file, or says something else than the theorem needs."""


@dataclass(frozen=True)
class Compiled:
    """A file that Coq accepted: its processor time in seconds, largest memory, and what it printed."""

    name: str
    seconds: float
    megabytes: float
    printed: str


def sources() -> list[Path]:
    """The files that are written by hand."""
    return sorted(HERE.glob("*.v"))


def prepare(data: Path, build: Path) -> None:
    """An empty folder with all sources, ours and those that are generated from ``data``."""
    shutil.rmtree(build, ignore_errors=True)
    build.mkdir(parents=True)
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
    """Have Coq compile one file, and measure the process.

    Raises:
        NotProvedError: Coq refuses it.
    """
    process = subprocess.Popen(
        [*COMPILE, f"{name}.v"],
        cwd=build,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert_stream = process.stdout
    printed = assert_stream.read() if assert_stream else ""
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise NotProvedError(f"Coq refuses {name}.v:\n{printed.strip()}")
    seconds = usage.ru_utime + usage.ru_stime
    return Compiled(name, seconds, usage.ru_maxrss / 1024, printed)


def compile_all(
    build: Path, workers: int, *, needs: dict[str, set[str]] | None = None
) -> list[Compiled]:
    """Have Coq compile all files, each after those that it requires.

    Raises:
        NotProvedError: Coq refuses a file.
    """
    order = graphlib.TopologicalSorter(needs or dependencies(build))
    order.prepare()
    done: list[Compiled] = []
    running: set[Future[Compiled]] = set()
    with ThreadPoolExecutor(workers) as pool:
        while order.is_active():
            running |= {pool.submit(compile_file, build, name) for name in sorted(order.get_ready())}
            finished, running = wait(running, return_when=FIRST_COMPLETED)
            try:
                for future in finished:
                    done.append(future.result())
                    order.done(done[-1].name)
            except NotProvedError:
                pool.shutdown(cancel_futures=True)
                raise
    return done


def ask(build: Path, commands: Iterable[str]) -> str:
    """What Coq prints for these commands, once the theorem is built.

    Raises:
        NotProvedError: Coq refuses them.
    """
    name = "Questions"
    lines = [f"From Coq Require Import String.\nFrom {LOGICAL_NAME} Require Import {MAIN} Published."]
    lines += [*commands, ""]
    (build / f"{name}.v").write_text("\n".join(lines), encoding="ascii")
    return compile_file(build, name).printed


def check_assumptions(build: Path) -> None:
    """Compare what the theorems assume with nothing.

    Raises:
        NotProvedError: one of them rests on an axiom, or on something that is admitted.
    """
    for statement in STATEMENTS:
        said = ask(build, [f"Print Assumptions {statement}."]).strip()
        if said != CLOSED:
            raise NotProvedError(f"{statement} rests on more than Coq:\n{said}")


def check_language(build: Path, data: Path) -> None:
    """Compare what Coq calls ``language`` with the published list, byte for byte.

    Raises:
        NotProvedError: they differ.
    """
    said = ask(build, ["Open Scope string_scope.", "Eval vm_compute in language."])
    strings = "".join(f"{string}\n" for string in re.findall('"([^"]*)"', said))
    if strings.encode() != (data / "san_strings_with_symbols.txt").read_bytes():
        raise NotProvedError("What Coq calls language is not san_strings_with_symbols.txt.")
