(** * The theorem on the long form: exactly these texts can be written *)
From Coq Require Import List Bool String PArith FMapPositive.
From Sanproof Require Import Chess Forms Statements Facts Bound Words Lan Notes Noted.
Import ListNotations.

(** Proofs do not look into what was generated; the virtual machine does. *)
Opaque all_noted.

Definition lan_white : strings := collect (lan_by White all_noted).
Definition lan_black : strings := collect (lan_by Black all_noted).
Strategy expand [lan_white lan_black].
Lemma white_writes_all : each_of (has lan_white) (lan_language White) = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Lemma black_writes_all : each_of (has lan_black) (lan_language Black) = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

(** No position at all, of a game or not, has a legal move that is written otherwise. *)
Theorem lan_anywhere p m : valid p -> legal p m = true ->
  In (print_lan (write_lan p m)) (lan_language (turn p)).
Proof. exact (lan_bound p m). Qed.

Theorem lan_exactly_by c s : lan_written_by c s <-> In s (lan_language c).
Proof.
  split.
  - intros (l & p & past & m & G & _ & L & <- & <-). exact (lan_bound p m (game_valid _ _ _ G) L).
  - intros I. apply (noted_written c all_noted s all_noted_true). destruct c.
    + exact (all_in _ (lan_by White all_noted) white_writes_all s I).
    + exact (all_in _ (lan_by Black all_noted) black_writes_all s I).
Qed.

(** ** How many *)

Lemma nodup_app {A} (l k : list A) : NoDup (l ++ k) ->
  NoDup l /\ NoDup k /\ forall a, In a l -> ~ In a k.
Proof.
  induction l as [|x l IH]; intros N; [split; [constructor|auto]|].
  inversion_clear N as [|? ? X N']. apply IH in N'. destruct N' as (L & K & D).
  rewrite in_app_iff in X. split; [constructor; tauto|]. split; [exact K|].
  intros a [<-|I]; [tauto|exact (D a I)].
Qed.
(** Everything at once, so that each list is computed once. *)
Definition figures (l r : list string) : bool * nat * list nat :=
  (distinct (PositiveMap.empty _) (r ++ l), List.length r, counts l).
Lemma lan_figures c :
  figures (lan_language c) (lan_refuted c) = (true, 256, [22376; 7544; 7416; 7416])%nat.
Proof. destruct c; vm_cast_no_check (eq_refl (true, 256, [22376; 7544; 7416; 7416])%nat). Qed.

Lemma all_distinct c : NoDup (lan_refuted c ++ lan_language c).
Proof.
  apply (distinct_nodup (lan_refuted c ++ lan_language c)).
  exact (f_equal (fun x => fst (fst x)) (lan_figures c)).
Qed.
Theorem lan_how_many_by c :
  NoDup (lan_language c) /\ counts (lan_language c) = [22376; 7544; 7416; 7416]%nat.
Proof.
  split; [apply (nodup_app _ _ (all_distinct c))|exact (f_equal snd (lan_figures c))].
Qed.

(** ** The texts with a suffix of moves that never give check: none is written *)

Theorem lan_never_check c s : In s (lan_refuted c) -> ~ lan_written_by c s.
Proof.
  intros I W. apply lan_exactly_by in W. destruct (nodup_app _ _ (all_distinct c)) as (_ & _ & D).
  exact (D s I W).
Qed.
Theorem lan_how_many_never_check c : NoDup (lan_refuted c) /\ List.length (lan_refuted c) = 256%nat.
Proof.
  split; [apply (nodup_app _ _ (all_distinct c))|].
  exact (f_equal (fun x => snd (fst x)) (lan_figures c)).
Qed.
