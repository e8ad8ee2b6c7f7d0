(** * UCI and the long form: the definitions

    Read this file for the theorems on these two notations; the theorem on SAN does without it. *)
From Coq Require Import List Bool String ZArith.
From Sanproof Require Import Chess.
Import ListNotations.

Definition kinds := [Pawn; Knight; Bishop; Rook; Queen; King].
Definition suffixes := [Quiet; Check; Mate].
Definition inner (l : line) : bool := not (line_beq l L1) and not (line_beq l L8).

(** A pawn's squares, whether it captures or not. *)
Definition pawn_steps (c : color) (s d : square) : bool :=
  reaches (c, Pawn) s d
  or (line_beq (file s) (file d)
      and ((ranks_apart s d =? forward c)%Z
           or ((ranks_apart s d =? 2 * forward c)%Z and line_beq (rank s) (pawn_home c)))).

(** ** UCI

    The Universal Chess Interface writes a move as its origin and its destination, and in small letters
    the piece that a pawn becomes. Castling is the king's move. *)

Open Scope string_scope.
Definition square_name (s : square) : string := file_letter (file s) ++ rank_digit (rank s).
Definition small_letter (k : kind) : string :=
  match k with Queen => "q" | Rook => "r" | Bishop => "b" | Knight => "n" | Pawn | King => "" end.
Definition uci (m : move) : string :=
  square_name (origin m) ++ square_name (destination m) ++ maybe small_letter (promotion m).
Close Scope string_scope.

(** In some legal game this player makes a move that is written so. *)
Definition played_by (c : color) (u : string) : Prop :=
  exists l p past m, game l p past /\ ~ over p past /\ legal p m = true /\ turn p = c /\ uci m = u.

(** The texts that are possible: a queen's or a knight's move on an empty board, or a promotion. *)
Definition crosses (s d : square) : bool := reaches (White, Queen) s d or reaches (White, Knight) s d.
Definition last_step (c : color) (s d : square) : bool :=
  line_beq (rank d) (home (other c)) and (ranks_apart s d =? forward c)%Z
  and (Z.abs (files_apart s d) <=? 1)%Z.
Definition uci_possible (c : color) (m : move) : bool :=
  match promotion m with
  | None => crosses (origin m) (destination m)
  | Some _ => last_step c (origin m) (destination m)
  end.
Definition uci_of (f : move -> bool) : list string := map uci (filter f moves).
Definition uci_language (c : color) : list string := uci_of (uci_possible c).
Definition uci_language_of_either : list string :=
  uci_of (fun m => uci_possible White m or uci_possible Black m).
Definition uci_language_of_both : list string :=
  uci_of (fun m => uci_possible White m and uci_possible Black m).

(** ** The long form

    Long algebraic notation (FIDE, Appendix C) names the origin, and here puts a hyphen where nothing is
    captured: Ng1-f3, e7xd8=Q+. (C.8 allows it without the hyphen too.) Castling is written as in SAN. *)

Inductive lan :=
| LanCastled (e : side) (x : suffix)
| LanMoved (k : kind) (takes : bool) (m : move) (x : suffix).
Definition lan_text (p : position) (m : move) (x : suffix) : lan :=
  if is_castling p m Short then LanCastled Short x
  else if is_castling p m Long then LanCastled Long x
  else LanMoved (match on (men p) (origin m) with Some (_, k) => k | None => Pawn end)
         (captures p m) m x.
Definition write_lan (p : position) (m : move) : lan := lan_text p m (suffix_of p m).

Open Scope string_scope.
Definition print_lan (t : lan) : string :=
  match t with
  | LanCastled Short x => "O-O" ++ mark x
  | LanCastled Long x => "O-O-O" ++ mark x
  | LanMoved k takes m x =>
      letter k ++ square_name (origin m) ++ (if takes then "x" else "-")
      ++ square_name (destination m) ++ maybe (fun k => "=" ++ letter k) (promotion m) ++ mark x
  end.
Close Scope string_scope.

(** In some legal game this player makes a move that is written so. *)
Definition lan_written_by (c : color) (s : string) : Prop :=
  exists l p past m, game l p past /\ ~ over p past /\ legal p m = true /\ turn p = c
    /\ print_lan (write_lan p m) = s.

(** The texts that are possible: how pieces move on an empty board, and every suffix. But some moves
    never give check: a king's out of a corner or along the edge, and a bishop's from corner to corner. *)
Definition corner (s : square) : bool := not (inner (file s) or inner (rank s)).
Definition along_the_edge (s d : square) : bool :=
  (line_beq (file s) (file d) and not (inner (file s)))
  or (line_beq (rank s) (rank d) and not (inner (rank s))).
Definition never_checks (k : kind) (s d : square) : bool :=
  match k with
  | King => corner s or along_the_edge s d
  | Bishop => corner s and corner d
  | _ => false
  end.
Definition lan_moves (c : color) (k : kind) (takes : bool) (m : move) : bool :=
  let s := origin m in
  let d := destination m in
  match k with
  | Pawn => pawn_steps c s d and inner (rank s) and promotes c d (promotion m)
            and Bool.eqb takes (reaches (c, Pawn) s d)
  | _ => reaches (White, k) s d and match promotion m with None => true | Some _ => false end
  end.
Definition lan_texts_of (marks : kind -> move -> list suffix) (c : color) : list lan :=
  flat_map (fun m => flat_map (fun k => flat_map (fun takes =>
    if lan_moves c k takes m then map (LanMoved k takes m) (marks k m) else [])
    [false; true]) kinds) moves.
Definition lan_marks (k : kind) (m : move) : list suffix :=
  if never_checks k (origin m) (destination m) then [Quiet] else suffixes.
Definition lan_texts (c : color) : list lan :=
  flat_map (fun e => map (LanCastled e) suffixes) [Short; Long] ++ lan_texts_of lan_marks c.
Definition lan_language (c : color) : list string := map print_lan (lan_texts c).

(** The texts with a suffix that one would expect besides. *)
Definition lan_missing_marks (k : kind) (m : move) : list suffix :=
  if never_checks k (origin m) (destination m) then [Check; Mate] else [].
Definition lan_refuted (c : color) : list string := map print_lan (lan_texts_of lan_missing_marks c).
