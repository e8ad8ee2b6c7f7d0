(** * The theorem on UCI: exactly these texts can be played *)
From Coq Require Import List Bool String PArith FMapPositive.
From Sanproof Require Import Chess Forms Statements Quick Facts Words Uci Notes Noted.
Import ListNotations.

(** Proofs do not look into what was generated; the virtual machine does. *)
Opaque all_noted.

Definition uci_white : strings := collect (uci_by White all_noted).
Definition uci_black : strings := collect (uci_by Black all_noted).
Strategy expand [uci_white uci_black].
Lemma white_plays_all : each_of (has uci_white) (uci_language White) = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Lemma black_plays_all : each_of (has uci_black) (uci_language Black) = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

Theorem uci_exactly_by c u : played_by c u <-> In u (uci_language c).
Proof.
  split.
  - intros (l & p & past & m & _ & _ & L & <- & <-). exact (uci_bound p m L).
  - intros I. apply (noted_played c all_noted u all_noted_true). destruct c.
    + exact (all_in _ (uci_by White all_noted) white_plays_all u I).
    + exact (all_in _ (uci_by Black all_noted) black_plays_all u I).
Qed.

Lemma in_uci_of f u : In u (uci_of f) <-> exists m, uci m = u /\ In m moves /\ f m = true.
Proof. unfold uci_of. rewrite in_map_iff. setoid_rewrite filter_In. reflexivity. Qed.

Theorem uci_exactly u : (exists c, played_by c u) <-> In u uci_language_of_either.
Proof.
  setoid_rewrite uci_exactly_by. unfold uci_language, uci_language_of_either. setoid_rewrite in_uci_of.
  setoid_rewrite or_true. split.
  - intros ([] & m & E & I & P); exists m; auto.
  - intros (m & E & I & [P|P]); [exists White|exists Black]; eauto.
Qed.

(** ** Different moves are written differently *)

Lemma append_assoc (s t u : string) : String.append (String.append s t) u = String.append s (String.append t u).
Proof. induction s as [|a s IH]; simpl; [reflexivity|]. rewrite IH. reflexivity. Qed.
Lemma square_first s d t u :
  String.append (square_name s) t = String.append (square_name d) u -> s = d /\ t = u.
Proof.
  unfold square_name. rewrite !append_assoc. destruct s as [f r], d as [g q]. unfold file, rank. cbn [fst snd].
  assert (F : forall t u, String.append (file_letter f) t = String.append (file_letter g) u -> f = g /\ t = u)
    by (intros t' u' E; destruct f, g; cbn in E; inversion E; auto).
  assert (R : forall t u, String.append (rank_digit r) t = String.append (rank_digit q) u -> r = q /\ t = u)
    by (intros t' u' E; destruct r, q; cbn in E; inversion E; auto).
  intros E. apply F in E. destruct E as [<- E]. apply R in E. destruct E as [<- E]. auto.
Qed.
Lemma in_moves_promotion m : In m moves -> In (promotion m) promotions.
Proof.
  unfold moves. rewrite in_flat_map. intros (s & _ & I). apply in_flat_map in I.
  destruct I as (d & _ & I). apply in_map_iff in I. destruct I as (x & <- & I). exact I.
Qed.
Lemma uci_injective m n : In m moves -> In n moves -> uci m = uci n -> m = n.
Proof.
  intros I J E. apply in_moves_promotion in I, J. unfold uci in E.
  apply square_first in E. destruct E as [O E]. apply square_first in E. destruct E as [D E].
  destruct m as [s d x], n as [s' d' x']. cbn [origin destination promotion] in *. subst s' d'.
  f_equal. unfold promotions in I, J. simpl in I, J.
  repeat (destruct I as [<-|I]); repeat (destruct J as [<-|J]); try contradiction; try reflexivity;
    discriminate E.
Qed.

(** ** Both players, and how many *)

Theorem uci_exactly_by_both u :
  (played_by White u /\ played_by Black u) <-> In u uci_language_of_both.
Proof.
  rewrite !uci_exactly_by. unfold uci_language, uci_language_of_both. rewrite !in_uci_of.
  setoid_rewrite and_true. split.
  - intros ((m & <- & I & P) & (n & E & J & Q)). apply uci_injective in E; [subst n|exact J|exact I].
    eauto.
  - intros (m & E & I & P & Q). eauto 8.
Qed.

Lemma distinct_uci_of f : distinct (PositiveMap.empty _) (uci_of f) = true -> NoDup (uci_of f).
Proof. exact (distinct_nodup (uci_of f)). Qed.
Theorem uci_how_many :
  NoDup uci_language_of_either /\ List.length uci_language_of_either = 1968%nat
  /\ List.length uci_language_of_both = 1792%nat.
Proof.
  split; [apply distinct_uci_of; vm_cast_no_check (eq_refl true)|].
  split; [vm_cast_no_check (eq_refl 1968%nat)|vm_cast_no_check (eq_refl 1792%nat)].
Qed.
Theorem uci_how_many_by c : NoDup (uci_language c) /\ List.length (uci_language c) = 1880%nat.
Proof.
  split; [apply distinct_uci_of|].
  - destruct c; vm_cast_no_check (eq_refl true).
  - destruct c; vm_cast_no_check (eq_refl 1880%nat).
Qed.
