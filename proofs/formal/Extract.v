(** * The definitions as a program in OCaml, which the comparison asks

    [own_moves] is proved to list exactly the legal moves ([Answers.own_moves_spec]); everything else
    is of [Chess]. Strings, numbers and pairs become OCaml's; no number is larger than a game is long. *)
From Coq Require Import ZArith Extraction ExtrOcamlBasic ExtrOcamlNativeString ExtrOcamlZInt.
From Sanproof Require Import Chess Quick.

Extract Inlined Constant fst => "Stdlib.fst".
Extract Inlined Constant snd => "Stdlib.snd".
Extract Inlined Constant Z.eqb => "Int.equal".

Extraction "chess.ml" initial moves legal own_moves can_move in_check checkmate stalemate
  play write print captures repeats fivefold seventy_five.
