"""Lies that generated files could tell Coq: each must be refused, or change nothing that is said.

``python -m tests.campaigns.coq_lies BUILD [--only WORDS]`` copies a finished build of
`sanproof.proofs.formal.build`, writes a lie into its generated files, compiles what depends on them
and asks as the build does. All hand-written files stay as they are, but in the lie that leaves
proofs out. It prints a table of what was
tried and who refused it. Exit codes: 0 every lie failed as it should, 1 one did not.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import traceback
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

from sanproof.proofs.formal.build import (
    LIST,
    NotProvedError,
    add_generated,
    check_language,
    compile_file,
    dependencies,
    fingerprint,
    pin,
)
from sanproof.proofs.formal.generate import UnsafeTextError, literal
from tests.verify.command import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable

TRUE, FALSE = "Qh1xa8", "Qh1xa9"
"""A string of the list, and one that no legal move is ever written as."""

FORGED: Final = """
Close Scope bytes_scope.
Definition swap (s : string) : string :=
  if String.eqb s "Qh1xa8"%string then "Qh1xa9"%string else s.
Definition print (t : san) : string := swap (Chess.print t).
Definition rn (x : color * string) : color * string := (fst x, swap (snd x)).
Inductive game : sheet -> position -> list position -> Prop :=
| begins : game [] initial []
| goes_on l p past m : game l p past -> ~ over p past -> legal p m = true ->
    game ((turn p, print (write p m)) :: l) (play p m) (p :: past).
Definition legal_sheet (l : sheet) : Prop := exists p past, game l p past.
Definition written_by (c : color) (s : string) : Prop := exists l, legal_sheet l /\\ In (c, s) l.
Definition written (s : string) : Prop := exists c, written_by c s.
Definition cover (games : list sheet) : Prop :=
  Forall legal_sheet games
  /\\ forall s, written s -> exists l c, In l games /\\ In (c, s) l.
Theorem game_valid l p past : game l p past -> valid p.
Proof. induction 1; [apply valid_initial|apply valid_play; assumption]. Qed.
Lemma says_mate_print t : says_mate (print t) = true -> suffix_in t = Mate.
Proof.
  unfold print, swap. destruct (String.eqb (Chess.print t) _) eqn:E.
  - intros H. vm_compute in H. discriminate.
  - apply Words.says_mate_print.
Qed.
Lemma game_rn l p past : Chess.game l p past -> game (map rn l) p past.
Proof. induction 1; simpl; [apply begins|]. apply goes_on; assumption. Qed.
Definition games (t : tree) : list sheet := map (map rn) (Replay.games t).
Definition all_show (ts : list tree) (white black : list string) : Prop :=
  Forall legal_sheet (flat_map games ts)
  /\\ (forall s, In s white -> exists l, In l (flat_map games ts) /\\ In (White, s) l)
  /\\ (forall s, In s black -> exists l, In l (flat_map games ts) /\\ In (Black, s) l).
Lemma flat_games ts : flat_map games ts = map (map rn) (flat_map Replay.games ts).
Proof.
  induction ts as [|t ts IH]; [reflexivity|]. cbn [flat_map]. rewrite map_app, IH. reflexivity.
Qed.
Lemma all_show_rn ts w b : Replay.all_show ts w b -> all_show ts (map swap w) (map swap b).
Proof.
  intros (F & W & B). unfold all_show. rewrite flat_games. split; [|split].
  - rewrite Forall_forall in *. intros l I. apply in_map_iff in I. destruct I as (k & <- & I).
    destruct (F k I) as (p & past & G). exists p, past. apply game_rn. exact G.
  - intros s I. apply in_map_iff in I. destruct I as (u & <- & I). destruct (W u I) as (l & L & K).
    exists (map rn l). split; [apply in_map; exact L|]. exact (in_map rn _ _ K).
  - intros s I. apply in_map_iff in I. destruct I as (u & <- & I). destruct (B u I) as (l & L & K).
    exists (map rn l). split; [apply in_map; exact L|]. exact (in_map rn _ _ K).
Qed.
Lemma games_count ts : N.of_nat (List.length (flat_map games ts)) = count_all ts.
Proof. rewrite flat_games, map_length. apply Replay.games_count. Qed.
"""
FORGED_IMPORTS: Final = (
    "From Sanproof Require Import Chess Statements Facts Bound Words Replay.\n"
    "From Coq Require Import Bool String ZArith.\n"
)
FORGED_GAMES: Final = (
    "From Coq Require Import List.\nFrom Sanproof Require Import Published.\n"
    "From Sanproof Require Honest.\n"
    "Definition cover_trees := Honest.cover_trees.\nDefinition rest_trees := Honest.rest_trees.\n"
    + "".join(
        f"Definition {name} := map swap Honest.{name}.\n"
        for name in ("cover_white", "cover_black", "rest_white", "rest_black")
    )
    + "".join(
        f"Lemma {kind}_all_show : all_show {kind}_trees {kind}_white {kind}_black.\n"
        f"Proof. exact (all_show_rn _ _ _ Honest.{kind}_all_show). Qed.\n"
        for kind in ("cover", "rest")
    )
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
    """A lie at the end of a generated file."""

    def tell(build: Path) -> None:
        with (build / name).open("a", encoding="ascii") as file:
            file.write(f"\n{text}\n")

    return tell


def shadow(*, notations: bool = False, cut: bool = False) -> Callable[[Path], None]:
    """The list holds a false string, and names of ours mean something else.

    With ``cut`` all proofs that lead from words of ours to others are left out, so that only the
    pinned file can notice.
    """

    def tell(build: Path) -> None:
        text = forged_list((build / "Published.v").read_text(encoding="ascii"))
        place = text.index("Import ListNotations.")
        forged = FORGED
        if notations:  # the definitions have names of their own, and ours are abbreviations of them
            forged = "Module Forged.\n" + FORGED + "End Forged.\n"
            names: tuple[str, ...] = (
                "print",
                "game",
                "begins",
                "goes_on",
                "legal_sheet",
                "written_by",
                "written",
            )
            names += ("cover", "games", "all_show", "games_count", "game_valid", "says_mate_print")
            names += ("all_show_rn", "swap")
            forged += "".join(f"Notation {name} := Forged.{name}.\n" for name in names)
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
            (build / "Ends.v").unlink()

    return tell


def forged_list(text: str) -> str:
    """The published list with a string that no move is written as."""
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
    """A generated file of this name."""
    return lambda build: add_generated([(name, "Definition written := True.\n")], build)


def break_out(_: Path) -> None:
    """A string of the data closes its literal."""
    literal(['e4". Axiom false : False. Definition more := "'])


PRINTS: Final = f"""
Close Scope bytes_scope.
From Coq.Strings Require Import Byte Ascii String.
Definition false_string : string := "{FALSE}"%string.
Definition to_bytes (s : string) : list byte :=
  list_byte_of_string (if String.eqb s "{TRUE}"%string then false_string else s).
"""
"""A printer that shows the true string as the false one."""

LOOP: Final = "Fixpoint loop (n : nat) : False := loop n.\n"
BAD: Final = (
    "Inductive bad := Bad (f : bad -> False).\n"
    "Definition no (b : bad) : False := match b with Bad f => f b end.\n"
)

LIES: Final = (
    Lie("names that shadow ours", shadow(), "proofs"),
    Lie("abbreviations that shadow ours", shadow(notations=True), "proofs"),
    Lie("names that shadow ours, with the proofs that notice left out", shadow(cut=True), "pinned"),
    Lie("a file with the name of a definition", add("Chess.v"), "files"),
    Lie("a file with the name of the pinned statements", add("pinned.v"), "files"),
    Lie("a file with a name of Coq's own", add("ListNotations.v"), "files"),
    Lie("a file outside the folder", add("../Chess.v"), "files"),
    Lie("a string that closes its literal", break_out, "files"),
    Lie("an axiom", append("Games.v", "Axiom unproved : False."), "no one"),
    Lie(
        "a statement by an axiom",
        assume("Proof. destruct unproved. Qed.", "Axiom unproved : False.\n"),
        "pinned",
    ),
    Lie("a statement that is admitted", assume("Admitted."), "pinned"),
    Lie(
        "recursion without end",
        assume("Proof. destruct (loop O). Qed.", f"Unset Guard Checking.\n{LOOP}"),
        "pinned",
    ),
    Lie(
        "an inductive type that is not positive",
        assume("Proof. destruct (no (Bad no)). Qed.", f"Unset Positivity Checking.\n{BAD}"),
        "pinned",
    ),
    Lie(
        "a printer that shows another string",
        append(
            "Published.v",
            f"{PRINTS}String Notation string string_of_list_byte to_bytes : string_scope.",
        ),
        "list",
    ),
    Lie(
        "an abbreviation that is printed instead",
        append(
            "Published.v",
            f'From Coq Require Import String.\nNotation lie := "{TRUE}"%string.',
        ),
        "list",
    ),
    Lie(
        "settings and hints for all that follows",
        append(
            "Published.v",
            "#[global] Set Printing Depth 3. #[global] Set Printing Width 5.\n"
            "#[global] Set Universe Polymorphism. #[global] Set Printing All.\n"
            "#[global] Hint Extern 0 => fail : core.",
        ),
        "no one",
    ),
    Lie(
        "another scope by the name of numbers",
        append("Published.v", "Declare Scope other_scope. Delimit Scope other_scope with nat."),
        "proofs",
    ),
    Lie(
        "a canonical structure for strings",
        append(
            "Published.v",
            "Record thing := Thing { carrier : Type; chosen : carrier }.\n"
            "Canonical Structure lists := Thing (list String.string) nil.",
        ),
        "no one",
    ),
    Lie(
        "a tactic that does nothing",
        append("Published.v", 'Tactic Notation "split" := idtac.'),
        "proofs",
    ),
    Lie(
        "a coercion of the list to an empty one",
        append(
            "Published.v",
            "From Coq Require Import String.\nDefinition strings := list string.\n"
            "Definition kept (l : strings) : list string := nil.\n"
            "Coercion kept : strings >-> list.",
        ),
        "no one",
    ),
    Lie(
        "another file in the place of the statements",
        append("Published.v", 'Print Universes "Statements.v".'),
        "pinned",
    ),
    Lie(
        "another file in the place of the pinned statements",
        append("Published.v", 'Print Universes "Pinned.v".'),
        "no one",
    ),
)


def affected(build: Path, changed: set[str]) -> list[str]:
    """The modules that must be compiled again, each after those that it requires."""
    required = dependencies(build)
    again = set(changed)
    while more := {name for name, needs in required.items() if needs & again} - again:
        again |= more
    again -= {"Pinned", "Cut"}
    order: list[str] = []
    while again - set(order):
        order += sorted(
            name for name in again - set(order) if not required[name] & (again - set(order))
        )
    return [name for name in order if not name.startswith("Questions")]


def refusal(lie: Lie, finished: Path, build: Path) -> tuple[str, str]:
    """Tell a lie in a copy of the build; returns who refuses it, and the words."""
    shutil.copytree(finished, build)
    before = fingerprint(build)
    texts = {path.stem: path.read_bytes() for path in build.glob("*.v")}
    try:
        lie.tell(build)
    except (NotProvedError, UnsafeTextError) as error:
        return "files", str(error)
    changed = {path.stem for path in build.glob("*.v") if texts.get(path.stem) != path.read_bytes()}
    try:
        for name in affected(build, changed - {"Cut"}):
            compile_file(build, name)
    except NotProvedError as error:
        return "proofs", str(error)
    try:
        if "Cut" in changed:
            compile_file(build, "Cut")
        pin(build, before)
    except NotProvedError as error:
        return "pinned", str(error)
    if is_accepted(build, forged_data(build)):
        return "believed", "the list is said to hold a false string"
    return ("no one", "") if is_accepted(build, ROOT / "data") else ("list", "")


def forged_data(build: Path) -> Path:
    """A folder of data whose list holds the false string."""
    data = build / "data"
    data.mkdir(parents=True)
    text = (ROOT / "data" / LIST).read_text(encoding="ascii")
    (data / LIST).write_text(forged_list(text), encoding="ascii")
    return data


def is_accepted(build: Path, data: Path) -> bool:
    """Whether Coq's list is said to be the one of the data."""
    try:
        check_language(build, data)
    except NotProvedError:
        return False
    return True


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
