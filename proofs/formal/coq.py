"""A folder in which Coq compiles files and answers queries: first the definitions, then proofs."""

from __future__ import annotations

import argparse
import graphlib
import hashlib
import itertools
import re
import shutil
import subprocess
import sys
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, Self

from sanproof.proofs.kernel.files import EvidenceError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

HERE = Path(__file__).parent
LOGICAL_NAME = "Sanproof"
MARK = ".sanproof-formal"
"""The name of a file that marks a folder as a build, which may be emptied."""
COMPILE = (
    *("coqc", "-q", "-no-glob", "-w", "none"),
    *("-native-compiler", "no", "-Q", ".", LOGICAL_NAME),
)
SHOW_LISTS = (
    *("From Coq Require Import String List.", "Import ListNotations.", "Open Scope string_scope."),
    *("Set Printing Depth 1000000.", "Set Printing Width 100."),
)
"""The notation of lists, set before any of our modules is loaded; nothing is imported later."""
CLOSED = "Closed under the global context\n"
REQUIRED = re.compile(
    rf"^(?:From {LOGICAL_NAME} )?Require (?:Import )?([\w.]*\w(?:\s+[\w.]*\w)*)\.$", re.MULTILINE
)


class MisuseError(Exception):
    """The arguments of the command cannot be used: the folder contains other files, for example."""


class NotProvedError(Exception):
    """Coq refuses a file, or prints something other than the theorem needs."""


class Build:
    """A folder of Coq's files, whose compiled definitions may not change any more.

    Each method raises a NotProvedError if Coq refuses a file or prints something unexpected.
    """

    def __init__(self, folder: Path, definitions: Sequence[str] = ()) -> None:
        self.folder = folder
        self.definitions = definitions
        self._before = self._fingerprint()
        self._questions = itertools.count()

    @classmethod
    def begin(cls, folder: Path, definitions: Sequence[str]) -> Self:
        """Make a folder that contains only the sources, and compile the definitions in this order.

        Raises:
            MisuseError: The folder contains something other than an earlier build.
        """
        if folder.exists():
            if any(folder.iterdir()) and not (folder / MARK).exists():
                raise MisuseError(
                    f"{folder} contains other files. Choose an empty folder, or a new one."
                )
            shutil.rmtree(folder)
        folder.mkdir(parents=True)
        (folder / MARK).touch()
        for path in HERE.glob("*.v"):
            shutil.copy(path, folder)
        for name in definitions:
            cls(folder).compile(name)
        return cls(folder, definitions)

    def _fingerprint(self) -> list[str]:
        """Return the hashes of the definitions, as they are written and as Coq compiled them."""
        files = (self.folder / f"{n}{ending}" for n in self.definitions for ending in (".v", ".vo"))
        return [hashlib.sha256(path.read_bytes()).hexdigest() for path in files]

    def compile(self, name: str, text: str | None = None) -> str:
        """Compile a module, first written if there is a ``text``, and return what Coq printed."""
        if text is not None:
            (self.folder / f"{name}.v").write_text(text, encoding="utf-8")
        done = subprocess.run(
            [*COMPILE, f"{name}.v"],
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        if done.returncode:
            raise NotProvedError(f"Coq refuses {name}.v:\n{done.stdout.strip()}")
        return done.stdout

    def dependencies(self) -> dict[str, set[str]]:
        """Map each module to the modules of the folder that its text requires."""
        names = {path.stem for path in self.folder.glob("*.v")}
        found = {}
        for name in names:
            sentences = REQUIRED.findall((self.folder / f"{name}.v").read_text(encoding="utf-8"))
            words = {word for sentence in sentences for word in sentence.split()}
            found[name] = {word.removeprefix(f"{LOGICAL_NAME}.") for word in words} & names
        return found

    def compile_all(self, names: Iterable[str], workers: int) -> int:
        """Compile modules and all that they require, unless compiled already, and count them."""
        required = self.dependencies()
        needed = list(names)
        for name in needed:
            needed += [other for other in required[name] if other not in needed]
        waiting = {name for name in needed if not (self.folder / f"{name}.vo").exists()}
        order = graphlib.TopologicalSorter({name: required[name] & waiting for name in waiting})
        order.prepare()
        ready: list[str] = []
        running: dict[Future[str], str] = {}
        with ThreadPoolExecutor(workers) as pool:
            while order.is_active():
                ready += sorted(order.get_ready())
                while ready and len(running) < workers:  # first what had to wait for others
                    name = ready.pop()
                    running[pool.submit(self.compile, name)] = name
                for task in wait(running, return_when=FIRST_COMPLETED).done:
                    task.result()
                    order.done(running.pop(task))
        return len(waiting)

    def pin(self, name: str, text: str) -> None:
        """Compile the pinned statements, and check that they assume nothing.

        They may not rest on an axiom or on a check that was switched off, and the definitions must
        be those that were compiled at first.
        """
        # Coq would prefer a .vio
        if self._fingerprint() != self._before or any(self.folder.glob("*.vio")):
            raise NotProvedError(
                "The compiled definitions were changed while other files compiled."
            )
        if (said := self.compile(name, text)) != CLOSED:
            raise NotProvedError(f"{name}.v rests on more than Coq:\n{said.strip()}")

    def ask(self, module: str, commands: Iterable[str]) -> str:
        """Return what Coq prints for these commands, with one module loaded but not imported.

        Lists are printed as Coq itself prints them; see `SHOW_LISTS`.
        """
        lines = [*SHOW_LISTS, f"Require {LOGICAL_NAME}.{module}.", *commands, ""]
        return self.compile(f"Question{next(self._questions)}", "\n".join(lines))

    def strings(self, module: str, term: str, most: int) -> list[str]:
        """Return the strings of a list in Coq, at most ``most``, decoded from the printed bytes."""
        # A thousand strings at a time, for Coq's stack; the last of the slices is empty.
        listed = f"Coq.Strings.String.list_byte_of_string ({LOGICAL_NAME}.{term})"
        commands = [f"Definition all := Coq.Lists.List.map {listed}."]
        first, skip = "Coq.Lists.List.firstn", "Coq.Lists.List.skipn"
        starts = range(0, most + 1001, 1000)
        commands += [f"Eval vm_compute in {first} 1000 ({skip} {start} all)." for start in starts]
        said = " ".join(self.ask(module, commands).split()).replace("[ ", "[")
        shown = re.findall(r"\[(?:Byte\.x[0-9a-f]{2}(?:; )?)+\]", said)
        slices = ("; ".join(shown[start : start + 1000]) for start in starts)
        if said != " ".join(f"= [{strings}] : list (list Byte.byte)" for strings in slices):
            raise NotProvedError(f"Coq does not print {term} as a list of strings.")
        return [
            bytes.fromhex(re.sub(r"\[|\]|Byte\.x|; ", "", text)).decode("latin-1") for text in shown
        ]


def run(about: str, source: str, prove: Callable[[Path, Path, int], str]) -> NoReturn:
    """Run ``prove`` as a command about a source and a folder, and exit with its code."""
    parser = argparse.ArgumentParser(description=about.partition("\n")[0])
    parser.add_argument("source", type=Path, help=source)
    parser.add_argument(
        "build", type=Path, help="the folder to build in: empty, new, or an earlier build"
    )
    parser.add_argument("--workers", type=int, default=2, help="how many processes (2 by default)")
    options = parser.parse_args()
    if options.workers < 1:
        parser.error("--workers takes a number from 1")
    if not shutil.which("coqc"):
        sys.stderr.write("coqc is missing: install Coq 8.16 (Debian: apt-get install coq).\n")
        sys.exit(4)
    try:
        sys.stdout.write(f"{prove(options.source, options.build, options.workers)}\n")
    except MisuseError as error:
        parser.error(str(error))
    except (NotProvedError, EvidenceError) as error:
        sys.stderr.write(f"Not proved. {error}\n")
        sys.exit(1)
    except OSError as error:
        sys.stderr.write(f"Could not finish: {error}\n")
        sys.exit(4)
    sys.exit(0)
