(** * Quick ways to some answers of Chess.v

    How pieces move and what is in between is looked up in tables, and not all 20,480 moves are tried,
    but those that the player's own men could make on an empty board. [Answers] proves that the answers
    are the same. *)
From Coq Require Import List Bool ZArith.
From Sanproof Require Import Chess Forms.
Import ListNotations.

(** ** Tables, which the definitions fill *)

Definition ways_table : eight (eight (eight (eight (list square)))) :=
  table (fun f => table (fun r => table (fun g => table (fun q => between (f, r) (g, q))))).
Definition way (s d : square) : list square :=
  get (get (get (get ways_table (file s)) (rank s)) (file d)) (rank d).

(** Squares that the piece could go to at all, a king that castles included. *)
Definition goes (p : piece) (s d : square) : bool :=
  match snd p with
  | Pawn => pawn_steps (fst p) s d
  | King => reaches p s d or line_beq (rank s) (rank d)
  | _ => reaches p s d
  end.
Definition tables (p : piece) : eight (eight (eight (eight bool) * list square)) :=
  table (fun f => table (fun r =>
    (table (fun g => table (fun q => reaches p (f, r) (g, q))), filter (goes p (f, r)) squares))).
Definition white_pawn := tables (White, Pawn).
Definition black_pawn := tables (Black, Pawn).
Definition knight := tables (White, Knight).
Definition bishop := tables (White, Bishop).
Definition rook := tables (White, Rook).
Definition queen := tables (White, Queen).
Definition king := tables (White, King).
Definition looked_up (p : piece) (s : square) : eight (eight bool) * list square :=
  let t := match p with
    | (White, Pawn) => white_pawn | (Black, Pawn) => black_pawn | (_, Knight) => knight
    | (_, Bishop) => bishop | (_, Rook) => rook | (_, Queen) => queen | (_, King) => king end in
  get (get t (file s)) (rank s).
Definition quick_reaches (p : piece) (s d : square) : bool :=
  get (get (fst (looked_up p s)) (file d)) (rank d).
Definition quick_clear (b : board) (s d : square) : bool := each x of (way s d), empty b x.
(** From where a square can be attacked at all. *)
Definition crossing : eight (eight (list square)) :=
  table (fun f => table (fun r => filter (fun s => crosses s (f, r)) squares)).

(** ** Attack and check *)

Definition quick_attacks (b : board) (c : color) (s d : square) : bool :=
  match on b s with
  | Some p => color_beq c (fst p) and quick_reaches p s d and quick_clear b s d
  | None => false
  end.
Definition quick_attacked (b : board) (c : color) (d : square) : bool :=
  some s of (get (get crossing (file d)) (rank d)), quick_attacks b c s d.
Definition some_line {A} (f : line -> A -> bool) (t : eight A) : bool :=
  let (a, b, c, d, e, g, h, i) := t in
  f L1 a or f L2 b or f L3 c or f L4 d or f L5 e or f L6 g or f L7 h or f L8 i.
Definition quick_check (b : board) (c : color) : bool :=
  some_line (fun f => some_line (fun r (x : option piece) => match x with
    | Some (a, King) => color_beq c a and quick_attacked b (other c) (f, r)
    | _ => false end)) b.

(** ** Legal moves *)

Definition quick_pawn (p : position) (s d : square) : bool :=
  let c := turn p in
  if quick_reaches (c, Pawn) s d then has_color (men p) d (other c) or is_passed p d
  else line_beq (file s) (file d) and empty (men p) d and quick_clear (men p) s d
       and ((ranks_apart s d =? forward c)%Z
            or ((ranks_apart s d =? 2 * forward c)%Z and line_beq (rank s) (pawn_home c))).
Definition quick_pseudolegal (p : position) (m : move) : bool :=
  let s := origin m in
  let d := destination m in
  match on (men p) s with
  | None => false
  | Some (c, k) =>
      color_beq c (turn p) and not (has_color (men p) d c)
      and match k with
          | Pawn => quick_pawn p s d and promotes c d (promotion m)
          | King => (quick_reaches (c, King) s d or castles p s d Short or castles p s d Long)
                    and match promotion m with None => true | Some _ => false end
          | _ => quick_reaches (c, k) s d and quick_clear (men p) s d
                 and match promotion m with None => true | Some _ => false end
          end
  end.
Definition quick_legal (p : position) (m : move) : bool :=
  quick_pseudolegal p m and not (quick_check (after p m) (turn p)).

Definition promotions := [None; Some Queen; Some Rook; Some Bishop; Some Knight].
Definition becomes (k : kind) (d : square) : list (option kind) :=
  match k with Pawn => if inner (rank d) then [None] else promotions | _ => [None] end.
Definition candidates (p : position) : list move :=
  flat_map (fun s => match on (men p) s with
    | None => []
    | Some (c, k) => if color_beq c (turn p) then flat_map (fun d =>
        if has_color (men p) d c then [] else map (Move s d) (becomes k d))
        (snd (looked_up (c, k) s)) else []
    end) squares.
Definition quick_moves (p : position) : list move := filter (quick_legal p) (candidates p).
Definition quick_can_move (p : position) : bool := some m of (candidates p), quick_legal p m.
Definition quick_suffix (p : position) (m : move) : suffix :=
  let q := play p m in
  if quick_check (men q) (turn q) then if quick_can_move q then Check else Mate else Quiet.

(** All legal moves by [legal] itself, for the program that is compared with python-chess. *)
Definition own_moves (p : position) : list move :=
  flat_map (fun s => if has_color (men p) s (turn p) then
    filter (legal p) (flat_map (fun d => map (Move s d)
      (if holds (men p) s (turn p, Pawn) then promotions else [None])) squares) else []) squares.
