"""Lies that generated files could tell Coq: each must be refused, or change nothing that is said.

``python -m tests.campaigns.coq_lies BUILD [--only WORDS]`` copies a finished build of
`sanproof.proofs.formal.build`, writes a lie into its generated files, compiles what depends on them
and asks as the build does. All hand-written files stay as they are, but in the lie that leaves
proofs out. It prints a table of what was
tried and who refused it. Exit codes: 0 every lie failed as it should, 1 one did not.
"""

from __future__ import annotations

import argparse
import re
import shutil
import sys
import traceback
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

from sanproof.proofs.formal.build import DEFINITIONS, add_generated, check_list, pin_statements
from sanproof.proofs.formal.coq import Build, NotProvedError
from sanproof.proofs.formal.generate import LIST, literal
from tests.verify.command import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable

TRUE, FALSE = "Qh1xa8", "Qh1xa9"
"""A string of the list, and one that no legal move is ever written as."""

FORGED, FORGED_IMPORTS, FORGED_GAMES = re.split(
    r"\(\* (?:imports|games) \*\)\n", Path(__file__).with_suffix(".v").read_text("ascii")
)
"""A forgery that an earlier build believed, by names that shadow ours."""

ASSUMED: Final = "Lemma {0} : all_show cover_trees cover_white cover_black.\n{1}\n"


@dataclass(frozen=True)
class Lie:
    """Something that generated files say, and who must notice it.

    Attributes:
        says: The lie, in words.
        tell: Writes it into a build's folder; may raise as the build does.
        refused_by: Who refuses it: ``files`` that are written, ``proofs`` of ours, ``pinned``,
            ``list``; or ``no one`` if all that is said then is still true.
    """

    says: str
    tell: Callable[[Path], None]
    refused_by: str


def append(name: str, text: str) -> Callable[[Path], None]:
    """Return a function that appends a lie to a generated file."""

    def tell(build: Path) -> None:
        with (build / name).open("a", encoding="ascii") as file:
            file.write(f"\n{text}\n")

    return tell


def shadow(*, notations: bool = False, cut: bool = False) -> Callable[[Path], None]:
    """Make the list hold a false string, and names of ours mean something else.

    With ``cut`` all proofs that lead from words of ours to others are left out, so that only the
    pinned file can notice.
    """

    def tell(build: Path) -> None:
        text = forged_list((build / "Published.v").read_text(encoding="ascii"))
        place = text.index("Import ListNotations.")
        forged = FORGED
        if notations:  # the definitions have names of their own, and ours are abbreviations of them
            forged = "Module Forged.\n" + FORGED + "End Forged.\n"
            names = "print game begins goes_on legal_sheet written_by written cover games all_show"
            names += " games_count game_valid says_mate_print all_show_rn swap"
            forged += "".join(f"Notation {name} := Forged.{name}.\n" for name in names.split())
        (build / "Published.v").write_text(text[:place] + FORGED_IMPORTS + text[place:] + forged)
        (build / "Games.v").rename(build / "Honest.v")
        (build / "Games.v").write_text(FORGED_GAMES, encoding="ascii")
        if cut:
            proofs, pinned = (build / f"{name}.v" for name in ("Theorem", "Pinned"))
            proofs.write_text(proofs.read_text("utf-8").partition("(** ** Strings that")[0])
            text = pinned.read_text("utf-8")
            kept = text[text.index("Definition exactly :") : text.index("Definition anywhere :")]
            requires = "Require Sanproof.Statements Sanproof.Published Sanproof.Theorem."
            proofs.with_name("Cut.v").write_text(f"{requires}\n{kept}")

    return tell


def forged_list(text: str) -> str:
    """Return the published list with a string that no move is written as."""
    before, after = text.split(f"\n{TRUE}\n")
    return f"{before}\n{FALSE}\n{after}"


def assume(proof: str, before: str = "") -> Callable[[Path], None]:
    """Replace the proof that games show their strings."""

    def tell(build: Path) -> None:
        text = (build / "Games.v").read_text(encoding="ascii")
        start = text.index("Lemma cover_all_show")
        stop = text.index("Qed.\n", start) + len("Qed.\n")
        text = text[:start] + before + ASSUMED.format("cover_all_show", proof) + text[stop:]
        (build / "Games.v").write_text(text, encoding="ascii")

    return tell


def add(name: str) -> Callable[[Path], None]:
    """Return a function that adds a generated file of this name."""
    return lambda build: add_generated([(name, "Definition written := True.\n")], build)


def break_out(_: Path) -> None:
    """Let a string of the data close its literal."""
    literal(['e4". Axiom false : False. Definition more := "'])


BYTES: Final = " :: ".join(f"Coq.Init.Byte.x{code:02x}" for code in TRUE.encode())
ABBREVIATION: Final = f"Notation lie := ({BYTES} :: nil)."
PRINTER: Final = """\
Close Scope bytes_scope.
From Coq Require Import Init.Byte Strings.String.
Definition shown (b : byte) : byte := match b with x38 => x39 | _ => b end.
String Notation byte id shown : list_scope."""
"""A printer that shows an 8 as a 9."""
SETTINGS: Final = """\
#[global] Set Printing Depth 3. #[global] Set Printing Width 5.
#[global] Set Universe Polymorphism. #[global] Set Printing All.
#[global] Hint Extern 0 => fail : core."""
SCOPE: Final = "Declare Scope other_scope. Delimit Scope other_scope with nat."
STRUCTURE: Final = """\
Record thing := Thing { carrier : Type; chosen : carrier }.
Canonical Structure lists := Thing (list String.string) nil."""
COERCION: Final = """\
From Coq Require Import String.
Definition strings := list string.
Definition kept (l : strings) : list string := nil.
Coercion kept : strings >-> list."""
LOOP: Final = "Unset Guard Checking.\nFixpoint loop (n : nat) : False := loop n.\n"
BAD: Final = """\
Unset Positivity Checking.
Inductive bad := Bad (f : bad -> False).
Definition no (b : bad) : False := match b with Bad f => f b end.
"""

AXIOM: Final = "Axiom unproved : False."
UNIVERSES: Final = [f'Print Universes "{name}.v".' for name in ("Statements", "Pinned")]

LIES: Final = (
    Lie("names that shadow ours", shadow(), "proofs"),
    Lie("abbreviations that shadow ours", shadow(notations=True), "proofs"),
    Lie("names that shadow ours, with the proofs that notice left out", shadow(cut=True), "pinned"),
    *(
        Lie(f"a file {which}", add(name), "files")
        for which, name in {
            "with the name of a definition": "Chess.v",
            "with the name of the pinned statements": "pinned.v",
            "with a name of Coq's own": "ListNotations.v",
            "outside the folder": "../Chess.v",
        }.items()
    ),
    Lie("a string that closes its literal", break_out, "files"),
    Lie("an axiom", append("Games.v", AXIOM), "no one"),
    *(
        Lie(says, assume(proof, before), "pinned")
        for says, proof, before in (
            ("a statement by an axiom", "Proof. destruct unproved. Qed.", AXIOM + "\n"),
            ("a statement that is admitted", "Admitted.", ""),
            ("recursion without end", "Proof. destruct (loop O). Qed.", LOOP),
            ("an inductive type that is not positive", "Proof. destruct (no (Bad no)). Qed.", BAD),
        )
    ),
    *(
        Lie(says, append("Published.v", text), refused_by)
        for says, refused_by, text in (
            ("a printer that shows another byte", "no one", PRINTER),
            ("an abbreviation that is printed instead", "no one", ABBREVIATION),
            ("settings and hints for all that follows", "list", SETTINGS),
            ("another scope by the name of numbers", "proofs", SCOPE),
            ("a canonical structure for strings", "no one", STRUCTURE),
            ("a tactic that does nothing", "proofs", 'Tactic Notation "split" := idtac.'),
            ("a coercion of the list to an empty one", "proofs", COERCION),
            ("another file in the place of the statements", "pinned", UNIVERSES[0]),
            ("another file in the place of the pinned statements", "no one", UNIVERSES[1]),
        )
    ),
)


def affected(build: Build, changed: set[str]) -> list[str]:
    """Return the modules that require what was changed; those that Coq was asked about are left."""
    required = build.dependencies()
    again = set(changed)
    while more := {name for name, needs in required.items() if needs & again} - again:
        again |= more
    return sorted(name for name in again if not name.startswith(("Question", "Pinned", "Cut")))


def refusal(lie: Lie, finished: Path, folder: Path) -> tuple[str, str]:
    """Tell a lie in a copy of the build; returns who refuses it, and the words."""
    shutil.copytree(finished, folder)
    build = Build(folder, DEFINITIONS)
    texts = {path.stem: path.read_bytes() for path in folder.glob("*.v")}
    try:
        lie.tell(folder)
    except NotProvedError as error:
        return "files", str(error)
    changed = {p.stem for p in folder.glob("*.v") if texts.get(p.stem) != p.read_bytes()}
    try:
        again = affected(build, changed - {"Cut"})
        for name in again:
            (folder / f"{name}.vo").unlink(missing_ok=True)
        build.compile_all(again, 2)
    except NotProvedError as error:
        return "proofs", str(error)
    try:
        if "Cut" in changed:
            build.compile("Cut")
        pin_statements(build)
    except NotProvedError as error:
        return "pinned", str(error)
    published, forged = (ROOT / "data" / LIST).read_text("ascii"), "believed"
    for who, text in ((forged, forged_list(published)), ("no one", published)):
        try:
            check_list(build, "Published", "Published.language", text.split("\n"))
        except NotProvedError:
            continue
        return who, "the list is said to hold a false string" * (who == forged)
    return "list", ""


def main() -> None:
    """Tell every lie, and print who refused it."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("build", type=Path, help="the folder of a finished build")
    parser.add_argument("--only", default="", help="lies in whose description this stands")
    options = parser.parse_args()
    believed = 0
    for lie in LIES:
        if options.only not in lie.says:
            continue
        with TemporaryDirectory() as folder:
            try:
                who, words = refusal(lie, options.build, Path(folder, "build"))
            except Exception:  # noqa: BLE001 - a lie that cannot be told is told by name
                sys.exit(f"{lie.says}:\n{traceback.format_exc()}")
        believed += who != lie.refused_by
        sys.stdout.write(f"| {lie.says} | {who} | {' '.join(words.split())[:90]} |\n")
        sys.stdout.flush()
    sys.stdout.write(f"{len(LIES)} lies, {believed} not as expected\n")
    sys.exit(1 if believed else 0)


if __name__ == "__main__":
    main()
