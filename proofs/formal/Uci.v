(** * UCI: which texts of it can be played

    The Universal Chess Interface writes a move as its origin and its destination, and in small letters
    what a pawn becomes. Castling is the king's move. *)
From Coq Require Import List Bool String ZArith Lia PArith FMapPositive.
From Sanproof Require Import Chess Facts Words Replay.
Import ListNotations.

Open Scope string_scope.
Definition small_letter (k : kind) : string :=
  match k with Queen => "q" | Rook => "r" | Bishop => "b" | Knight => "n" | Pawn | King => "" end.
Definition uci (m : move) : string :=
  let name s := file_letter (file s) ++ rank_digit (rank s) in
  name (origin m) ++ name (destination m) ++ maybe small_letter (promotion m).
Close Scope string_scope.

(** In some legal game this player makes a move that is written so. *)
Definition played_by (c : color) (u : string) : Prop :=
  exists l p past m, game l p past /\ ~ over p past /\ legal p m = true /\ turn p = c /\ uci m = u.

(** ** The texts that are possible: a queen's or a knight's move on an empty board, or a promotion *)

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

Lemma reaches_crosses q s d : reaches q s d = true -> crosses s d = true.
Proof.
  assert (H : forall q s d, (if reaches q s d then crosses s d else true) = true)
    by (apply for_pieces; now vm_compute).
  intros R. specialize (H q s d). rewrite R in H. exact H.
Qed.

Lemma castles_crosses p s d e : castles p s d e = true -> crosses s d = true.
Proof.
  unfold castles. rewrite !and_true, !same_eq. intros (-> & -> & _).
  destruct (turn p), e; reflexivity.
Qed.

(** A pawn's squares, whether it captures or not. *)
Definition pawn_steps (c : color) (s d : square) : bool :=
  reaches (c, Pawn) s d
  or (line_beq (file s) (file d)
      and ((ranks_apart s d =? forward c)%Z
           or ((ranks_apart s d =? 2 * forward c)%Z and line_beq (rank s) (pawn_home c)))).
Lemma pawn_moves_steps p s d : pawn_moves p s d = true -> pawn_steps (turn p) s d = true.
Proof.
  unfold pawn_moves, pawn_steps. destruct (reaches _ s d); [reflexivity|].
  rewrite !and_true. tauto.
Qed.
Lemma pawn_steps_possible c s d : pawn_steps c s d = true ->
  if line_beq (rank d) (home (other c)) then last_step c s d = true else crosses s d = true.
Proof.
  assert (H : forall q s d, (if pawn_steps (fst q) s d then
      if line_beq (rank d) (home (other (fst q))) then last_step (fst q) s d else crosses s d
      else true) = true) by (apply for_pieces; now vm_compute).
  intros P. specialize (H (c, Pawn) s d). cbn [fst] in H. rewrite P in H.
  destruct (line_beq (rank d) _); exact H.
Qed.

Theorem uci_bound p m : legal p m = true -> In (uci m) (uci_language (turn p)).
Proof.
  intros L. apply in_map, filter_In. split; [exact (legal_in_moves p m L)|].
  destruct (legal_pseudolegal _ _ L) as [H _].
  destruct (pseudolegal_facts _ _ H) as (k & Ho & _ & F). unfold uci_possible.
  destruct k; try (destruct F as (R & _ & ->); exact (reaches_crosses _ _ _ R)).
  - destruct F as [F G]. pose proof (pawn_steps_possible _ _ _ (pawn_moves_steps _ _ _ F)) as P.
    unfold promotes in G. destruct (promotion m) as [x|], (line_beq _ _); try exact P;
      [destruct x|]; discriminate.
  - rewrite F. unfold pseudolegal in H. rewrite Ho in H. rewrite !and_true in H.
    destruct H as (_ & _ & K & _). rewrite !or_true in K. destruct K as [K|[K|K]].
    + exact (reaches_crosses _ _ _ K).
    + exact (castles_crosses _ _ _ _ K).
    + exact (castles_crosses _ _ _ _ K).
Qed.
