(** * The theorems on UCI and on the long form: exactly these texts can be played, and written *)
From Coq Require Import List Bool String PArith FMapPositive.
From Sanproof Require Import Chess Forms Statements Quick Facts Bound Words Lan Notes Noted.
Import ListNotations.

(** Proofs do not look into what was generated; the virtual machine does. *)
Opaque all_noted.

(** ** UCI *)

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

(** ** UCI: different moves are written differently *)

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

(** ** UCI: both players, and how many *)

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

(** ** The long form *)

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

(** ** The long form: how many *)

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
