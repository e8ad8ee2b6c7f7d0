(** * Quick ways to some answers of Chess.v

    Not all 20,480 moves are tried, but those of the player's own men. [Replay] proves that the answers
    are the same. *)
From Coq Require Import List Bool.
From Sanproof Require Import Chess.
Import ListNotations.

Definition promotions := [None; Some Queen; Some Rook; Some Bishop; Some Knight].
Definition quick_can_move (p : position) : bool :=
  some s of squares, match on (men p) s with
    | None => false
    | Some (c, k) => color_beq c (turn p) and some d of squares,
        not (has_color (men p) d c) and match k with
        | Pawn => pawn_moves p s d and some x of promotions, legal p (Move s d x)
        | _ => legal p (Move s d None) end
    end.
Definition quick_moves (p : position) : list move :=
  flat_map (fun s => match on (men p) s with
    | None => []
    | Some (c, k) => if color_beq c (turn p) then flat_map (fun d =>
        if has_color (men p) d c then [] else
        filter (legal p) (map (Move s d) match k with Pawn => promotions | _ => [None] end)) squares
        else []
    end) squares.
Definition quick_suffix (p : position) (m : move) : suffix :=
  let q := play p m in
  if in_check (men q) (turn q) then if quick_can_move q then Check else Mate else Quiet.
