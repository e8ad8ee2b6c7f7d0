(** * Chess and its notation: the definitions

    Whoever believes that this file says chess, and believes Coq, need believe nothing else of ours.
    Articles are those of the FIDE Laws of Chess in force from 1 January 2023, sections those of the
    PGN standard of 1994. Everything is finite and can be computed, but for [dead]. *)

From Coq Require Import String List Bool ZArith.
Import ListNotations.
Open Scope Z_scope.

(** How to read it. [Definition f (x : A) : B := e] says that [f] of an [x] is [e]. [true] and [false]
    are answers, and these are the words between them: [not] binds closest, then [and], then [or], so
    that [not a and b or c] is [((not a) and b) or c]. What follows [and] is asked only if what precedes
    it holds, and what follows [or] only if that does not. *)
Notation "'not' a" := (negb a) (at level 75, right associativity).
Notation "a 'and' b" := (if a then b else false) (at level 77, right associativity).
Notation "a 'or' b" := (if a then true else b) (at level 79, right associativity).

(** Some, or each, of the things in a list has a property. *)
Fixpoint some_of {A} (f : A -> bool) (l : list A) : bool :=
  match l with [] => false | a :: l => f a or some_of f l end.
Fixpoint each_of {A} (f : A -> bool) (l : list A) : bool :=
  match l with [] => true | a :: l => f a and each_of f l end.
Notation "'some' x 'of' l , e" := (some_of (fun x => e) l) (at level 79, x name, l at level 9).
Notation "'each' x 'of' l , e" := (each_of (fun x => e) l) (at level 79, x name, l at level 9).

(** ** The board (2.1, 2.4) *)

(** A line is a file (1 is a, 8 is h) or a rank. [Scheme Equality] makes [line_beq]: are they equal? *)
Inductive line := L1 | L2 | L3 | L4 | L5 | L6 | L7 | L8.
Scheme Equality for line.
Definition lines := [L1; L2; L3; L4; L5; L6; L7; L8].
Definition number (l : line) : Z :=
  match l with L1 => 1 | L2 => 2 | L3 => 3 | L4 => 4 | L5 => 5 | L6 => 6 | L7 => 7 | L8 => 8 end.

Definition square := (line * line)%type.
Definition file : square -> line := fst.
Definition rank : square -> line := snd.
Definition squares : list square := list_prod lines lines.
Definition same (s t : square) : bool := line_beq (file s) (file t) and line_beq (rank s) (rank t).

(** ** Pieces (2.2) *)

Inductive color := White | Black.
Inductive kind := Pawn | Knight | Bishop | Rook | Queen | King.
Scheme Equality for color.
Scheme Equality for kind.
Definition piece := (color * kind)%type.
Definition same_piece (p q : piece) : bool := color_beq (fst p) (fst q) and kind_beq (snd p) (snd q).
Definition other (c : color) : color := match c with White => Black | Black => White end.

(** ** What stands where

    [eight A] has an [A] for each line. A board has eight files of eight squares, and on each square
    a piece, [Some (White, King)] for example, or [None]. *)

Inductive eight (A : Type) := Eight (a b c d e f g h : A).
Arguments Eight {A}.
Definition get {A} (t : eight A) (l : line) : A :=
  let (a, b, c, d, e, f, g, h) := t in
  match l with L1 => a | L2 => b | L3 => c | L4 => d | L5 => e | L6 => f | L7 => g | L8 => h end.
Definition table {A} (f : line -> A) : eight A :=
  Eight (f L1) (f L2) (f L3) (f L4) (f L5) (f L6) (f L7) (f L8).
Definition set {A} (t : eight A) (l : line) (x : A) : eight A :=
  table (fun k => if line_beq l k then x else get t k).

Definition board := eight (eight (option piece)).
Definition on (b : board) (s : square) : option piece := get (get b (file s)) (rank s).
Definition put (b : board) (s : square) (x : option piece) : board :=
  set b (file s) (set (get b (file s)) (rank s) x).
Definition empty (b : board) (s : square) : bool :=
  match on b s with None => true | Some _ => false end.
Definition holds (b : board) (s : square) (p : piece) : bool :=
  match on b s with None => false | Some q => same_piece p q end.
Definition has_color (b : board) (s : square) (c : color) : bool :=
  match on b s with None => false | Some q => color_beq c (fst q) end.

(** ** How pieces move, if nothing is in the way *)

Definition files_apart (s d : square) : Z := number (file d) - number (file s).
Definition ranks_apart (s d : square) : Z := number (rank d) - number (rank s).
Definition apart (s d : square) (f r : Z) : bool :=
  (Z.abs (files_apart s d) =? f) and (Z.abs (ranks_apart s d) =? r).
Definition on_line (s d : square) : bool :=                                             (* 3.3 *)
  (line_beq (file s) (file d) or line_beq (rank s) (rank d)) and not (same s d).
Definition on_diagonal (s d : square) : bool :=                                         (* 3.2 *)
  (Z.abs (files_apart s d) =? Z.abs (ranks_apart s d)) and not (same s d).
Definition forward (c : color) : Z := match c with White => 1 | Black => -1 end.

(** A piece on [s] attacks [d] (3.1.2) if nothing is in between. A pawn attacks as it captures. *)
Definition reaches (p : piece) (s d : square) : bool :=
  match snd p with
  | Bishop => on_diagonal s d                                                           (* 3.2 *)
  | Rook => on_line s d                                                                 (* 3.3 *)
  | Queen => on_line s d or on_diagonal s d                                             (* 3.4 *)
  | Knight => apart s d 1 2 or apart s d 2 1                                            (* 3.6 *)
  | Pawn => (ranks_apart s d =? forward (fst p)) and (Z.abs (files_apart s d) =? 1)     (* 3.7.3 *)
  | King => apart s d 0 1 or apart s d 1 0 or apart s d 1 1                             (* 3.8.1 *)
  end.

(** The squares in between, on a straight line (3.5): step by step from [s] until [d] is next, which is
    so after 7 steps at most. *)
Definition step (a b : line) : line :=             (* the neighbour of line [a] on the way to [b] *)
  let next := number a + Z.sgn (number b - number a) in
  hd a (filter (fun l => number l =? next) lines).
Fixpoint steps (n : nat) (s d : square) : list square :=
  match n with
  | O => []
  | S n => let t := (step (file s) (file d), step (rank s) (rank d)) in
           if same t d then [] else t :: steps n t d
  end.
Definition between (s d : square) : list square :=
  if on_line s d or on_diagonal s d then steps 7 s d else [].
Definition clear (b : board) (s d : square) : bool := each x of (between s d), empty b x.

(** ** Attack and check *)

Definition attacks (b : board) (c : color) (s d : square) : bool :=   (* 3.1.2, 3.1.3: pinned or not *)
  match on b s with
  | Some p => color_beq c (fst p) and reaches p s d and clear b s d
  | None => false
  end.
Definition attacked (b : board) (c : color) (d : square) : bool := some s of squares, attacks b c s d.
Definition in_check (b : board) (c : color) : bool :=                                   (* 3.9.1 *)
  some k of squares, holds b k (c, King) and attacked b (other c) k.

(** ** Positions and moves *)

Inductive side := Short | Long.
Record rights := Rights
  { white_short : bool; white_long : bool; black_short : bool; black_long : bool }.
Definition may (r : rights) (c : color) (e : side) : bool :=
  match c, e with
  | White, Short => white_short r | White, Long => white_long r
  | Black, Short => black_short r | Black, Long => black_long r
  end.

Record position := Position {
  men : board;
  turn : color;               (* who has the move *)
  castling : rights;          (* king and rook have not moved, and the rook is there (3.8.2.1) *)
  passed : option square;     (* the square that a pawn just passed, advancing two squares (3.7.3.1) *)
  clock : N                   (* moves of both players since the last capture or pawn's move (9.6.2) *)
}.

(** Castling is written down as the king's move of two squares (3.8.2). *)
Record move := Move { origin : square; destination : square; promotion : option kind }.

Definition home (c : color) : line := match c with White => L1 | Black => L8 end.
Definition pawn_home (c : color) : line := match c with White => L2 | Black => L7 end.
Definition is_passed (p : position) (d : square) : bool :=
  match passed p with Some e => same e d | None => false end.

(** A pawn captures what stands diagonally in front of it (3.7.3), or the pawn that has just passed
    that square (3.7.3.1, 3.7.3.2); or it advances by one square (3.7.1) or, first, by two (3.7.2). *)
Definition pawn_moves (p : position) (s d : square) : bool :=
  let c := turn p in
  if reaches (c, Pawn) s d then has_color (men p) d (other c) or is_passed p d
  else line_beq (file s) (file d) and empty (men p) d and clear (men p) s d
       and ((ranks_apart s d =? forward c)
            or ((ranks_apart s d =? 2 * forward c) and line_beq (rank s) (pawn_home c))).

(** On the last rank, and only there, it is exchanged for another piece (3.7.3.3). *)
Definition promotes (c : color) (d : square) (x : option kind) : bool :=
  let last := line_beq (rank d) (home (other c)) in
  match x with
  | None => not last
  | Some (Queen | Rook | Bishop | Knight) => last
  | Some (Pawn | King) => false
  end.

(** Castling (3.8.2): where king and rook come from and go to. [rook_to] is also the square that the
    king crosses. *)
Definition king_from (c : color) : square := (L5, home c).
Definition king_to (c : color) (e : side) : square :=
  (match e with Short => L7 | Long => L3 end, home c).
Definition rook_from (c : color) (e : side) : square :=
  (match e with Short => L8 | Long => L1 end, home c).
Definition rook_to (c : color) (e : side) : square :=
  (match e with Short => L6 | Long => L4 end, home c).
Definition castles (p : position) (s d : square) (e : side) : bool :=
  let c := turn p in
  same s (king_from c) and same d (king_to c e) and may (castling p) c e               (* 3.8.2.1 *)
  and holds (men p) (rook_from c e) (c, Rook) and clear (men p) s (rook_from c e)       (* 3.8.2.2 *)
  and each x of [s; rook_to c e; d], not (attacked (men p) (other c) x).                (* 3.8.2.2 *)

(** A move by articles 3.1 to 3.8: the own king may be left in check. *)
Definition pseudolegal (p : position) (m : move) : bool :=
  let s := origin m in
  let d := destination m in
  let becomes_none := match promotion m with None => true | Some _ => false end in
  match on (men p) s with
  | None => false
  | Some (c, k) =>
      color_beq c (turn p) and not (has_color (men p) d c)                              (* 3.1 *)
      and match k with
          | Pawn => pawn_moves p s d and promotes c d (promotion m)                     (* 3.7 *)
          | King => (reaches (c, King) s d or castles p s d Short or castles p s d Long)
                    and becomes_none                                                    (* 3.8 *)
          | _ => reaches (c, k) s d and clear (men p) s d and becomes_none              (* 3.2 to 3.6 *)
          end
  end.

(** The board after a move. *)
Definition in_passing (p : position) (m : move) : bool :=                               (* 3.7.3.1 *)
  holds (men p) (origin m) (turn p, Pawn) and is_passed p (destination m)
  and not (line_beq (file (origin m)) (file (destination m))).
Definition is_castling (p : position) (m : move) (e : side) : bool :=
  holds (men p) (origin m) (turn p, King) and same (origin m) (king_from (turn p))
  and same (destination m) (king_to (turn p) e).
Definition arrives (p : position) (m : move) : option piece :=
  match promotion m with Some k => Some (turn p, k) | None => on (men p) (origin m) end.
Definition after (p : position) (m : move) : board :=
  let c := turn p in
  let b := put (put (men p) (origin m) None) (destination m) (arrives p m) in
  let rook e := put (put b (rook_from c e) None) (rook_to c e) (Some (c, Rook)) in
  if in_passing p m then put b (file (destination m), rank (origin m)) None
  else if is_castling p m Short then rook Short else if is_castling p m Long then rook Long else b.

(** A legal move leaves the own king not in check (3.9.2, 3.10.1). *)
Definition legal (p : position) (m : move) : bool :=
  pseudolegal p m and not (in_check (after p m) (turn p)).

(** The position after a move. *)
Definition captures (p : position) (m : move) : bool :=                                 (* 3.1.1 *)
  not (empty (men p) (destination m)) or in_passing p m.
Definition moves_pawn (p : position) (m : move) : bool := holds (men p) (origin m) (turn p, Pawn).
Definition passes (p : position) (m : move) : option square :=
  if moves_pawn p m and (Z.abs (ranks_apart (origin m) (destination m)) =? 2)
  then hd_error (between (origin m) (destination m)) else None.
Definition play (p : position) (m : move) : position :=
  let touched s := same s (origin m) or same s (destination m) in
  let keeps c e := may (castling p) c e and not (touched (king_from c) or touched (rook_from c e)) in
  {| men := after p m;
     turn := other (turn p);
     castling := Rights (keeps White Short) (keeps White Long) (keeps Black Short) (keeps Black Long);
     passed := passes p m;
     clock := if captures p m or moves_pawn p m then 0 else N.succ (clock p) |}.

(** All moves that could be in any position, and whether one is legal in this. *)
Definition moves : list move :=
  flat_map (fun s => flat_map (fun d => map (Move s d)
    [None; Some Queen; Some Rook; Some Bishop; Some Knight]) squares) squares.
Definition can_move (p : position) : bool := some m of moves, legal p m.
Definition checkmate (p : position) : bool :=                                           (* 5.1.1 *)
  in_check (men p) (turn p) and not (can_move p).
Definition stalemate (p : position) : bool :=                                           (* 5.2.1 *)
  not (in_check (men p) (turn p) or can_move p).

(** ** Standard Algebraic Notation (8.2.3) *)

Inductive suffix := Quiet | Check | Mate.
Inductive san :=
| Castled (e : side) (x : suffix)
| Moved (k : kind) (f r : option line) (takes : bool) (d : square) (becomes : option kind) (x : suffix).

(** Pieces of the same kind and color that can legally move to the same square (8.2.3.4). The section
    asks that the mover be told apart from each of them, not that they be told apart. *)
Definition twins (p : position) (m : move) : list square :=
  match on (men p) (origin m) with
  | None => []
  | Some q => filter (fun t => not (same t (origin m)) and holds (men p) t q
                               and legal p (Move t (destination m) (promotion m))) squares
  end.

(** What is written of the origin. A pawn's file if it captures (8.2.3.3). Of another piece (8.2.3.4)
    nothing if it has no twin; the file if no twin stands on it; else the rank if no twin stands on
    that; else both. *)
Definition discriminator (p : position) (m : move) (k : kind) : option line * option line :=
  let f := file (origin m) in
  let r := rank (origin m) in
  match k, twins p m with
  | Pawn, _ => (if captures p m then Some f else None, None)
  | _, [] => (None, None)
  | _, ts => if not (some t of ts, line_beq (file t) f) then (Some f, None)
             else if not (some t of ts, line_beq (rank t) r) then (None, Some r)
             else (Some f, Some r)
  end.

Definition suffix_of (p : position) (m : move) : suffix :=                              (* 8.2.3.5 *)
  let q := play p m in
  if in_check (men q) (turn q) then if can_move q then Check else Mate else Quiet.

(** The whole text (8.2.3.3), and the same with its suffix. *)
Definition text (p : position) (m : move) (x : suffix) : san :=
  if is_castling p m Short then Castled Short x
  else if is_castling p m Long then Castled Long x
  else
    let k := match on (men p) (origin m) with Some (_, k) => k | None => Pawn end in
    let (f, r) := discriminator p m k in
    Moved k f r (captures p m) (destination m) (promotion m) x.
Definition write (p : position) (m : move) : san := text p m (suffix_of p m).

(** The letters (8.2.3.1, 8.2.3.2), and their order (8.2.3.3). *)
Open Scope string_scope.
Definition file_letter (l : line) : string :=
  match l with
  | L1 => "a" | L2 => "b" | L3 => "c" | L4 => "d" | L5 => "e" | L6 => "f" | L7 => "g" | L8 => "h"
  end.
Definition rank_digit (l : line) : string :=
  match l with
  | L1 => "1" | L2 => "2" | L3 => "3" | L4 => "4" | L5 => "5" | L6 => "6" | L7 => "7" | L8 => "8"
  end.
Definition letter (k : kind) : string :=
  match k with
  | Pawn => "" | Knight => "N" | Bishop => "B" | Rook => "R" | Queen => "Q" | King => "K"
  end.
Definition maybe {A} (f : A -> string) (x : option A) : string :=
  match x with Some a => f a | None => "" end.
Definition mark (x : suffix) : string := match x with Quiet => "" | Check => "+" | Mate => "#" end.
Definition print (t : san) : string :=
  match t with
  | Castled Short x => "O-O" ++ mark x
  | Castled Long x => "O-O-O" ++ mark x
  | Moved k f r takes d becomes x =>
      letter k ++ maybe file_letter f ++ maybe rank_digit r ++ (if takes then "x" else "")
      ++ file_letter (file d) ++ rank_digit (rank d) ++ maybe (fun k => "=" ++ letter k) becomes
      ++ mark x
  end.
Close Scope string_scope.

(** ** Legal games *)

(** The initial position (2.3). *)
Definition initial : position :=
  let officer f := match f with
    | L1 | L8 => Rook | L2 | L7 => Knight | L3 | L6 => Bishop | L4 => Queen | L5 => King end in
  let man f r := match r with
    | L1 => Some (White, officer f) | L2 => Some (White, Pawn)
    | L7 => Some (Black, Pawn) | L8 => Some (Black, officer f)
    | _ => None end in
  Position (table (fun f => table (fun r => man f r))) White (Rights true true true true) None 0.

(** Two positions are the same (9.2.3) if the same player has the move, the same pieces stand on the
    same squares, the rights to castle are the same, now or later, and so are the legal moves: a
    pawn could be captured in passing in both or in neither. The opponent's possible moves depend on
    nothing else. *)
Definition repeats (p q : position) : bool :=
  color_beq (turn p) (turn q)
  and (each s of squares, match on (men q) s with
       | Some x => holds (men p) s x | None => empty (men p) s end)
  and (each c of [White; Black], each e of [Short; Long],
       Bool.eqb (may (castling p) c e) (may (castling q) c e))
  and each m of moves, Bool.eqb (legal p m) (legal q m).

(** A dead position (5.2.2): no series of legal moves leads to checkmate, of either player. The
    series is any at all: the articles that end games do not shorten it. *)
Inductive leads_to : position -> position -> Prop :=
| at_once p : leads_to p p
| by_move p m q : legal p m = true -> leads_to (play p m) q -> leads_to p q.
Definition dead (p : position) : Prop := forall q, leads_to p q -> checkmate q = false.

(** A game is over when the player to move is mated (5.1.1) or stalemated (5.2.1), when the position
    is dead (5.2.2), has appeared five times (9.6.1), or when each player has made 75 moves without a
    capture or a pawn's move (9.6.2). [past] are the positions before. *)
Definition fivefold (p : position) (past : list position) : bool :=
  (5 <=? 1 + length (filter (repeats p) past))%nat.
Definition seventy_five (p : position) : bool := (2 * 75 <=? clock p)%N.
Definition over (p : position) (past : list position) : Prop :=
  checkmate p = true \/ stalemate p = true \/ dead p \/ fivefold p past = true \/ seventy_five p = true.

(** A legal game: its score sheet (who wrote what, the latest first), its position, and those before. *)
Definition sheet := list (color * string).
Inductive game : sheet -> position -> list position -> Prop :=
| begins : game [] initial []
| goes_on l p past m : game l p past -> ~ over p past -> legal p m = true ->
    game ((turn p, print (write p m)) :: l) (play p m) (p :: past).

(** ** What the theorem speaks of *)

Definition legal_sheet (l : sheet) : Prop := exists p past, game l p past.
Definition written_by (c : color) (s : string) : Prop := exists l, legal_sheet l /\ In (c, s) l.
Definition written (s : string) : Prop := exists c, written_by c s.

(** A cover: legal games that together show every string that is written in any. *)
Definition cover (games : list sheet) : Prop :=
  Forall legal_sheet games
  /\ forall s, written s -> exists l c, In l games /\ In (c, s) l.

(** Any position, reachable or not: at most one king a side, no pawn on the first or last rank, and the
    side that does not move is not in check. *)
Record valid (p : position) : Prop := Valid {
  one_king : forall c s t, on (men p) s = Some (c, King) -> on (men p) t = Some (c, King) -> s = t;
  pawns_inside : forall c s, on (men p) s = Some (c, Pawn) -> rank s <> L1 /\ rank s <> L8;
  not_in_check : in_check (men p) (other (turn p)) = false
}.
