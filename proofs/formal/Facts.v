(** * Facts about lists, boards and attacks, each of a line or two. *)
From Coq Require Import List Bool ZArith Lia.
From Sanproof Require Import Chess Forms.
Import ListNotations.

(** ** The words of Chess.v *)

Lemma and_true (a b : bool) : (a and b) = true <-> a = true /\ b = true.
Proof. destruct a, b; intuition congruence. Qed.
Lemma or_true (a b : bool) : (a or b) = true <-> a = true \/ b = true.
Proof. destruct a, b; simpl; tauto || intuition congruence. Qed.
Lemma not_true (a : bool) : (not a) = true <-> a = false.
Proof. destruct a; simpl; split; congruence. Qed.

Lemma each_spec {A} (f : A -> bool) l : each_of f l = true <-> forall x, In x l -> f x = true.
Proof.
  induction l as [|a l IH]; simpl; [intuition|].
  rewrite and_true, IH. split.
  - intros [H1 H2] x [<-|H]; auto.
  - intros H. split; auto.
Qed.
Lemma some_spec {A} (f : A -> bool) l : some_of f l = true <-> exists x, In x l /\ f x = true.
Proof.
  induction l as [|a l IH]; simpl.
  - split; [discriminate|]. intros (x & [] & _).
  - rewrite or_true, IH. split.
    + intros [H|(x & H1 & H2)]; eauto.
    + intros (x & [<-|H1] & H2); eauto.
Qed.
Lemma some_false {A} (f : A -> bool) l : some_of f l = false <-> forall x, In x l -> f x = false.
Proof.
  split.
  - intros H x I. destruct (f x) eqn:E; [|reflexivity].
    assert (some_of f l = true) by (apply some_spec; eauto). congruence.
  - intros H. destruct (some_of f l) eqn:E; [|reflexivity].
    apply some_spec in E. destruct E as (x & I & E). rewrite H in E; congruence.
Qed.

(** ** Equality *)

Lemma line_eq a b : line_beq a b = true <-> a = b.
Proof. split; [apply internal_line_dec_bl|apply internal_line_dec_lb]. Qed.
Lemma color_eq a b : color_beq a b = true <-> a = b.
Proof. split; [apply internal_color_dec_bl|apply internal_color_dec_lb]. Qed.
Lemma kind_eq a b : kind_beq a b = true <-> a = b.
Proof. split; [apply internal_kind_dec_bl|apply internal_kind_dec_lb]. Qed.
Lemma same_eq s t : same s t = true <-> s = t.
Proof. destruct s, t. unfold same. rewrite and_true, !line_eq. simpl. intuition congruence. Qed.
Lemma same_false s t : same s t = false <-> s <> t.
Proof. rewrite <- same_eq. destruct (same s t); intuition congruence. Qed.
Lemma same_piece_eq p q : same_piece p q = true <-> p = q.
Proof.
  destruct p, q. unfold same_piece. rewrite and_true, color_eq, kind_eq. simpl. intuition congruence.
Qed.
Lemma other_other c : other (other c) = c.
Proof. destruct c; reflexivity. Qed.

(** ** Lists that hold everything *)

Definition colors := [White; Black].
Lemma in_lines l : In l lines.
Proof. destruct l; simpl; tauto. Qed.
Lemma in_squares s : In s squares.
Proof. destruct s. apply in_prod; apply in_lines. Qed.
Lemma in_kinds k : In k kinds.
Proof. destruct k; simpl; tauto. Qed.
Lemma in_colors c : In c colors.
Proof. destruct c; simpl; tauto. Qed.

(** What holds for all, by computing. *)
Lemma for_squares (f : square -> square -> bool) :
  (each s of squares, each d of squares, f s d) = true -> forall s d, f s d = true.
Proof.
  intros H s d. rewrite each_spec in H. specialize (H s (in_squares s)). cbv beta in H.
  rewrite each_spec in H. exact (H d (in_squares d)).
Qed.
Lemma for_pieces (f : piece -> square -> square -> bool) :
  (each c of colors, each k of kinds, each s of squares, each d of squares, f (c, k) s d) = true ->
  forall p s d, f p s d = true.
Proof.
  intros H [c k]. rewrite each_spec in H. specialize (H c (in_colors c)). cbv beta in H.
  rewrite each_spec in H. specialize (H k (in_kinds k)). exact (for_squares (f (c, k)) H).
Qed.

(** ** Boards *)

Lemma get_set {A} (t : eight A) l m x : get (set t l x) m = if line_beq l m then x else get t m.
Proof. destruct t, l, m; reflexivity. Qed.
Lemma on_put b s t x : on (put b s x) t = if same s t then x else on b t.
Proof.
  destruct s as [f r], t as [g q]. unfold on, put, same, file, rank; cbn [fst snd].
  rewrite get_set. destruct (line_beq f g) eqn:E; [|reflexivity].
  apply line_eq in E; subst. rewrite get_set. reflexivity.
Qed.

Lemma holds_eq b s q : holds b s q = true <-> on b s = Some q.
Proof.
  unfold holds. destruct (on b s) as [p|]; [|intuition congruence].
  rewrite same_piece_eq. intuition congruence.
Qed.
Lemma empty_eq b s : empty b s = true <-> on b s = None.
Proof. unfold empty. destruct (on b s); intuition congruence. Qed.
Lemma has_color_eq b s c : has_color b s c = true <-> exists k, on b s = Some (c, k).
Proof.
  unfold has_color. destruct (on b s) as [[a k]|]; simpl.
  - rewrite color_eq. split; [intros <-; eauto|intros (x & [= <- _]); reflexivity].
  - split; [discriminate|intros (x & [=])].
Qed.
Lemma clear_spec b s d : clear b s d = true <-> forall x, In x (between s d) -> on b x = None.
Proof. unfold clear. rewrite each_spec. setoid_rewrite empty_eq. reflexivity. Qed.

Lemma in_check_spec b c :
  in_check b c = true <->
  exists k s p, on b k = Some (c, King) /\ on b s = Some p /\ fst p = other c
    /\ reaches p s k = true /\ clear b s k = true.
Proof.
  unfold in_check, attacked. rewrite some_spec. split.
  - intros (k & _ & H). rewrite and_true, holds_eq, some_spec in H.
    destruct H as [Hk (s & _ & H)]. unfold attacks in H.
    destruct (on b s) as [p|] eqn:E; [|discriminate].
    rewrite !and_true, color_eq in H. exists k, s, p. intuition.
  - intros (k & s & p & Hk & Hs & Hc & R & C). exists k. split; [apply in_squares|].
    rewrite and_true, holds_eq, some_spec. split; [assumption|].
    exists s. split; [apply in_squares|]. unfold attacks. rewrite Hs, !and_true, color_eq. intuition.
Qed.

(** ** Squares in a list *)

Definition mem (s : square) (l : list square) : bool := some_of (same s) l.
Lemma mem_spec s l : mem s l = true <-> In s l.
Proof.
  unfold mem. rewrite some_spec. setoid_rewrite same_eq. split.
  - intros (x & H & <-). assumption.
  - intros H. exists s. auto.
Qed.
Lemma mem_false s l : mem s l = false <-> ~ In s l.
Proof. rewrite <- mem_spec. destruct (mem s l); intuition congruence. Qed.

(** ** Legal moves *)

Lemma legal_pseudolegal p m :
  legal p m = true -> pseudolegal p m = true /\ in_check (after p m) (turn p) = false.
Proof. unfold legal. rewrite and_true, not_true. tauto. Qed.

Lemma pseudolegal_facts p m : pseudolegal p m = true ->
  exists k, on (men p) (origin m) = Some (turn p, k)
    /\ has_color (men p) (destination m) (turn p) = false
    /\ match k with
       | Pawn => pawn_moves p (origin m) (destination m) = true
                 /\ promotes (turn p) (destination m) (promotion m) = true
       | King => promotion m = None
       | _ => reaches (turn p, k) (origin m) (destination m) = true
              /\ clear (men p) (origin m) (destination m) = true /\ promotion m = None
       end.
Proof.
  unfold pseudolegal. destruct (on (men p) (origin m)) as [[c k]|]; [|discriminate].
  rewrite !and_true, color_eq, not_true. intros (<- & H1 & H2). exists k.
  split; [reflexivity|]. split; [assumption|].
  destruct k; rewrite !and_true in H2; try exact H2;
    destruct (promotion m); intuition congruence.
Qed.

Lemma holds_other p s k j : on (men p) s = Some (turn p, k) -> k <> j ->
  holds (men p) s (turn p, j) = false.
Proof.
  intros H N. destruct (holds (men p) s (turn p, j)) eqn:E; [|reflexivity].
  apply holds_eq in E. congruence.
Qed.
