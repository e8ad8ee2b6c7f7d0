"""Errors planted in the definitions, one at a time: each must be noticed.

``python -m tests.proofs.formal.planted`` changes `Chess.v` in one place, and looks who notices: the
comparison with python-chess (the program answers something wrongly), or the proofs (Coq refuses
one, or published games no longer replay). It writes the table of who noticed what. Exit codes: 0
all were noticed, 1 one was not.
"""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from sanproof.proofs.formal import generate
from sanproof.proofs.formal.coq import HERE, Build, NotProvedError
from tests.proofs.formal.comparison import (
    Question,
    about_games,
    about_positions,
    build_player,
    differences,
)
from tests.verify.command import ROOT

PROOFS: Final = (
    *("Statements", "Facts", "Tables", "Answers", "Arrangements", "Bound", "Weight"),
    *("Words", "Replay", "Lan", "Notes"),
)
GAMES: Final = 60


class Error(NamedTuple):
    """A change of `Chess.v`: what it makes of chess, and the text before and after."""

    says: str
    before: str
    after: str


ERRORS: Final = [Error(*texts) for texts in (
    ("a rook's move keeps the right to castle", "or touched (rook_from c e))", "or false)"),
    ("a king's move keeps the rights to castle", "not (touched (king_from c) or", "not (false or"),
    ("a captured rook keeps the right", "or same s (destination m) in", "or false in"),
    ("castling needs no right", "and may (castling p) c e  ", "and true  "),
    ("castling out of check", "each x of [s; rook_to c e; d]", "each x of [rook_to c e; d]"),
    ("castling through check", "each x of [s; rook_to c e; d]", "each x of [s; d]"),
    ("castling over a man", "and clear (men p) s (rook_from c e)  ", "and true  "),
    ("castling without a rook", "and holds (men p) (rook_from c e) (c, Rook)", "and true"),
    ("the rook stays when castling", "put (put b (rook_from c e) None)", "put b"),
    ("the king castles two files further", "Short => L7 | Long => L3", "Short => L7 | Long => L2"),
    ("capture in passing a move late", "passed := passes p m;",
     "passed := match passes p m with Some s => Some s | None => passed p end;"),
    ("no capture in passing",
     "has_color (men p) d (other c) or is_passed p d", "has_color (men p) d (other c) or false"),
    ("the pawn passed stays", "then put b (file (destination m), rank (origin m)) None", "then b"),
    ("capture in passing is no capture", "or in_passing p m.", "or false."),
    ("any piece captures in passing",
     "holds (men p) (origin m) (turn p, Pawn) and is_passed", "true and is_passed"),
    ("a pawn pushes onto a man", "empty (men p) d and clear (men p) s d", "clear (men p) s d"),
    ("a double push over a man", "and clear (men p) s d\n", "and true\n"),
    ("a double push from anywhere", "and line_beq (rank s) (pawn_home c)", "and true"),
    ("pawns of both sides go up", "match c with White => 1 | Black => -1 end", "1"),
    ("no promotion to a knight", "Some (Queen | Rook | Bishop | Knight) => last",
     "Some (Queen | Rook | Bishop) => last | Some Knight => false"),
    ("a pawn may stay a pawn", "None => not last", "None => true"),
    ("a knight cannot jump far", "apart s d 1 2 or apart s d 2 1", "apart s d 1 2"),
    ("a bishop jumps", "if on_line s d or on_diagonal s d then", "if on_line s d then"),
    ("a queen is a rook", "Queen => on_line s d or on_diagonal s d", "Queen => on_line s d"),
    ("a pinned man may move", "and not (in_check (after p m) (turn p)).", "and true."),
    ("own men are taken", "and not (has_color (men p) d c)  ", "and true  "),
    ("pawns do not give check", "color_beq c (fst p) and reaches p s d and clear b s d",
     "color_beq c (fst p) and not (kind_beq (snd p) Pawn) and reaches p s d and clear b s d"),
    ("a twin's legality is ignored", "and legal p (Move t (destination m) (promotion m))",
     "and pseudolegal p (Move t (destination m) (promotion m))"),
    ("a twin need not reach the square",
     "and legal p (Move t (destination m) (promotion m))", "and true"),
    ("the rank before the file", "if not (some t of ts, line_beq (file t) f) then (Some f, None)",
     "if not (some t of ts, line_beq (rank t) r) then (None, Some r)"),
    ("the file where the rank is due", "then (None, Some r)", "then (Some f, None)"),
    ("a pawn's capture names no file",
     "(if captures p m then Some f else None, None)", "(None, None)"),
    ("no word of mate", "if can_move q then Check else Mate", "Check"),
    ("mate and check exchanged",
     "if can_move q then Check else Mate", "if can_move q then Mate else Check"),
    ("stalemate is written as check",
     "else Mate else Quiet.", "else Mate else if can_move q then Quiet else Check."),
    ("capture without x", '(if takes then "x" else "")', '""'),
    ("promotion without =", '(fun k => "=" ++ letter k)', "letter"),
    ("castlings exchanged in writing",
     'Castled Short x => "O-O" ++', 'Castled Short x => "O-O-O" ++'),
    ("queens and kings exchanged at first", "L4 => Queen | L5 => King", "L4 => King | L5 => Queen"),
    ("captures do not reset the clock",
     "clock := if captures p m or moves_pawn p m", "clock := if moves_pawn p m"),
    ("the clock counts moves of pawns",
     "clock := if captures p m or moves_pawn p m", "clock := if captures p m"),
    ("repetition ignores rights",
     "Bool.eqb (may (castling p) c e) (may (castling q) c e))", "true)"),
    ("repetition ignores capture in passing",
     "and each m of moves, Bool.eqb (legal p m) (legal q m).", "and true."),
    ("repetition ignores who has the move", "color_beq (turn p) (turn q)\n", "true\n"),
    ("repetition ignores what stands where",
     "Some x => holds (men p) s x | None => empty (men p) s end)",
     "Some _ => true | None => true end)"),
    ("four times are enough", "(5 <=? 1 + length", "(4 <=? 1 + length"),
    ("six times are needed", "(5 <=? 1 + length", "(6 <=? 1 + length"),
    ("50 moves", "(2 * 75 <=? clock p)", "(2 * 50 <=? clock p)"),
    ("76 moves", "(2 * 75 <=? clock p)", "(2 * 76 <=? clock p)"),
    ("dead although mate is possible",
     "leads_to p q -> checkmate q = false.", "leads_to p q -> checkmate q = true."),
    ("dead if mate is not possible at once", "forall q, leads_to p q -> checkmate q = false.",
     "forall m, legal p m = true -> checkmate (play p m) = false."),
    ("dead if some series avoids mate", "forall q, leads_to p q -> checkmate q = false.",
     "exists q, leads_to p q /\\ checkmate q = false."),
    ("no position is dead", "forall q, leads_to p q -> checkmate q = false.", "False."),
    ("moves of a series need not be legal", "legal p m = true -> leads_to (play p m) q",
     "pseudolegal p m = true -> leads_to (play p m) q"),
    ("a game goes on after it is over", "game l p past -> ~ over p past -> legal p m = true ->",
     "game l p past -> legal p m = true ->"),
    ("a game begins anywhere", "begins : game [] initial []", "begins p : game [] p []"),
)]  # fmt: skip
NO_ERROR: Final = Error("as they are", "Inductive side :=", "Inductive side :=")


def changed(error: Error) -> str:
    """Return `Chess.v` with this error.

    Raises:
        ValueError: the text to be changed does not stand there exactly once.
    """
    text = (HERE / "Chess.v").read_text(encoding="utf-8")
    if text.count(error.before) != 1:
        raise ValueError(f"{error.before!r} stands {text.count(error.before)} times in Chess.v")
    return text.replace(error.before, error.after)


def some_games() -> dict[str, str]:
    """Return a tree of some published games, as `generate` writes it."""
    games = generate.read_cover(ROOT / "data")[:: 9590 // GAMES]
    games.sort(key=lambda game: game.moves)
    return {"Moves": generate.moves_file(games), "Games": generate.tree_file(games)}


def who_notices(error: Error, asked: list[Question], trees: dict[str, str]) -> tuple[str, str]:
    """Return the question that shows the error, and the first file that Coq refuses.

    A NotProvedError if the definitions say nothing with the error, so that none was planted.
    """
    texts = {name: (HERE / f"{name}.v").read_text(encoding="utf-8") for name in PROOFS}
    with TemporaryDirectory() as folder:
        program = build_player(Path(folder), changed(error))
        (question, _), _ = next(differences(program, asked), (("", ""), ""))
        for name, text in (texts | trees).items():
            try:
                Build(Path(folder)).compile(name, text)
            except NotProvedError:
                return question, f"{name}.v"
    return question, ""


def main() -> None:
    """Plant every error, and write the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pairs", type=int, default=60_000)
    parser.add_argument("--only", default="", help="errors in whose names this stands")
    options = parser.parse_args()
    errors = [error for error in ERRORS if options.only in error.says]
    chance, trees = Random(options.seed), some_games()
    asked = [*about_positions(chance, options.pairs), *about_games(chance, 10)]
    if any(who_notices(NO_ERROR, asked, trees)):
        sys.exit("The definitions as they are pass neither: nothing can be said of errors.")
    missed = 0
    with ThreadPoolExecutor(2) as pool:
        results = pool.map(lambda error: who_notices(error, asked, trees), errors)
        for error, (question, file) in zip(errors, results, strict=True):
            missed += not question and not file
            sys.stdout.write(
                f"{error.says}: {question.split()[:1]} {file or 'every proof holds'}\n"
            )
            sys.stdout.flush()
    sys.stdout.write(f"{len(errors)} errors, {missed} not noticed\n")
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
