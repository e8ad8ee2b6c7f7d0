"""Build the theorem in Coq: ``python -m sanproof.proofs.formal.build DATA BUILD``.

There are four steps. Coq compiles the definitions and statements, before any generated file exists.
It compiles the proofs, and the files that `generate` writes from the published data. It compiles
`Pinned.v`, which says that each statement holds, and prints what they assume. Its lists are
compared with the data, byte for byte. If a step does not end well, it raises a NotProvedError.

Exit codes: 0 proved, 1 not proved, 2 wrong usage, 4 could not finish.
"""

from __future__ import annotations

import csv
import re
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from sanproof.proofs.formal.coq import HERE, LOGICAL_NAME, Build, NotProvedError, run
from sanproof.proofs.formal.generate import LIST, generated_files, read_lines, sample
from sanproof.proofs.shortest.table import PUBLISHED

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

DEFINITIONS = ("Chess", "Forms", "Statements")
"""The files that have to be read and believed, in the order of compiling, before generated ones."""
LEMMAS = ("Judged", "Lan", "Notes", "Sampled", "Short", "Turned")
"""Files that need no generated one, nor does any that they require."""
PINNED = "Pinned"
"""The file that states every theorem with full names, and is compiled after all others."""
ROWS = "long_form/rows.csv.xz"
NAME = re.compile(r"(?:Published|Moves|Games|Sample|Noted|(?:Cover|Rest|Long)[0-9]{3})\.v")
"""The names that generated files may have."""


def statements() -> list[str]:
    """Return the names of the pinned statements of `Statements.v`."""
    pinned = (HERE / f"{PINNED}.v").read_text(encoding="utf-8")
    return re.findall(r"^Definition (\w+) : Sanproof\.Statements\.\1\b", pinned, re.MULTILINE)


def add_generated(files: Iterable[tuple[str, str]], folder: Path) -> None:
    """Write the generated files to the folder of the sources."""
    for name, text in files:
        if not NAME.fullmatch(name):
            raise NotProvedError(f"A generated file may not be called {name!r}.")
        (folder / name).write_text(text, encoding="ascii")


def pin_statements(build: Build) -> None:
    """Make Coq compile `Pinned.v`, even if a generated file has written another in its place."""
    build.pin(PINNED, (HERE / f"{PINNED}.v").read_text(encoding="utf-8"))


def published_lists(data: Path) -> dict[tuple[str, str], list[str]]:
    """Return the published lists of strings, by the module and the term that have them in Coq.

    The texts that a player can write in UCI and in the long form are sorted.
    """
    found = {("Published", "Published.language"): (data / LIST).read_text("ascii").split("\n")}
    rows = list(csv.DictReader(read_lines(data / ROWS)))
    games = [line.split()[:-2] for line in read_lines(data / "games.txt.xz")]
    for parity, player in enumerate(("White", "Black")):
        lan = sorted(row["lan"] for row in rows if row["player"] == player.lower())
        uci = sorted({move for moves in games for move in moves[parity::2]})
        for form, texts in (("lan", lan), ("uci", uci)):
            found["Forms", f"Forms.{form}_language {LOGICAL_NAME}.Chess.{player}"] = texts
    return found


def check_list(build: Build, module: str, term: str, published: list[str]) -> None:
    """Compare the strings that Coq prints (those of `Forms` sorted) with the published ones."""
    said = build.strings(module, term, len(published))
    if (sorted(said) if module == "Forms" else said) != published:
        raise NotProvedError(f"What Coq calls {term} is not what is published.")


def check_sample(build: Build, data: Path) -> None:
    """Compare the strings and plies of the sample that Coq prints with those published."""
    said = build.ask("Sample", [f"Eval vm_compute in {LOGICAL_NAME}.Sample.plies."])
    found = [(san, int(ply)) for san, ply in re.findall(r'"([^"]*)",\s+(\d+)', said)]
    if found != [(row.san, row.ply) for row in sample(data)]:
        raise NotProvedError(f"The sample of the shortest games is not that of {PUBLISHED}.")


def prove(data: Path, folder: Path, workers: int) -> str:
    """Build the whole theorem in ``folder``, and return a sentence with what was proved."""
    build = Build.begin(folder, DEFINITIONS)
    with ThreadPoolExecutor() as pool:
        lemmas = pool.submit(build.compile_all, LEMMAS, workers)  # while the others are written
        add_generated(generated_files(data), folder)
        done = lemmas.result()
    done += build.compile_all(sorted({*build.dependencies()} - {PINNED}), workers)
    with ThreadPoolExecutor(workers) as pool:  # what takes longest is asked first
        asked = [pool.submit(pin_statements, build)]
        lists = published_lists(data).items()
        asked += [pool.submit(check_list, build, *said, texts) for said, texts in lists]
        for answer in (*asked, pool.submit(check_sample, build, data)):
            answer.result()
    return (
        f"Proved in Coq, with no axiom: the strings of {LIST}, byte for byte, are exactly those "
        f"that are written in legal games; White's and Black's as well; and no set of games "
        f"smaller than the published cover shows them all. The moves in UCI that games show are "
        f"exactly those that can be played, and the texts of {ROWS} exactly those that can be "
        f"written in the long form. {len(statements())} theorems of Statements.v, "
        f"{done + len(DEFINITIONS) + 1} files."
    )


if __name__ == "__main__":
    run(__doc__, "the folder of the published data", prove)
