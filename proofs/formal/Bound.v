(** * Whatever is written, in any position, is one of these texts *)
From Coq Require Import List Bool ZArith Lia.
From Sanproof Require Import Chess Forms Facts Arrangements.
Import ListNotations.

(** ** Positions of games are valid *)

Lemma inner_eq l : inner l = true <-> l <> L1 /\ l <> L8.
Proof. destruct l; simpl; split; intros H; try discriminate; try (split; discriminate); destruct H; congruence. Qed.

Lemma valid_initial : valid initial.
Proof.
  assert (K : forall s t, (each c of colors, if holds (men initial) s (c, King)
      and holds (men initial) t (c, King) then same s t else true) = true)
    by (apply for_squares; now vm_compute).
  assert (P : forall s t, (each c of colors, if holds (men initial) s (c, Pawn)
      then inner (rank s) else same t t) = true)
    by (apply for_squares; now vm_compute).
  split.
  - intros c s t Hs Ht. specialize (K s t). rewrite each_spec in K. specialize (K c (in_colors c)).
    apply holds_eq in Hs, Ht. cbv beta in K. rewrite Hs, Ht in K. apply same_eq. exact K.
  - intros c s Hs. specialize (P s s). rewrite each_spec in P. specialize (P c (in_colors c)).
    apply holds_eq in Hs. cbv beta in P. rewrite Hs in P. now apply inner_eq.
  - now vm_compute.
Qed.

(** What stands on a square after a move stood there before, or is what arrived, or a rook. *)
Lemma on_after_any p m s q : on (after p m) s = Some q ->
  (on (men p) s = Some q /\ s <> origin m) \/ (s = destination m /\ arrives p m = Some q)
  \/ q = (turn p, Rook).
Proof.
  unfold after. set (b := put (put (men p) (origin m) None) (destination m) (arrives p m)). intros H.
  assert (B : on b s = Some q ->
    (on (men p) s = Some q /\ s <> origin m) \/ (s = destination m /\ arrives p m = Some q)
    \/ q = (turn p, Rook)).
  { unfold b. rewrite !on_put. destruct (same (destination m) s) eqn:E1.
    - apply same_eq in E1. auto.
    - destruct (same (origin m) s) eqn:E2; [discriminate|]. apply same_false in E2. intros A.
      left. split; [assumption|congruence]. }
  assert (R : forall t u, on (put (put b t None) u (Some (turn p, Rook))) s = Some q ->
    (on (men p) s = Some q /\ s <> origin m) \/ (s = destination m /\ arrives p m = Some q)
    \/ q = (turn p, Rook)).
  { intros t u. rewrite !on_put. destruct (same u s); [intros [= <-]; auto|].
    destruct (same t s); [discriminate|exact B]. }
  destruct (in_passing p m).
  - rewrite on_put in H. destruct (same _ s); [discriminate|auto].
  - destruct (is_castling p m Short); [exact (R _ _ H)|].
    destruct (is_castling p m Long); [exact (R _ _ H)|exact (B H)].
Qed.

Lemma promotes_officer c d k : promotes c d (Some k) = true -> k <> King /\ k <> Pawn.
Proof. destruct k; simpl; split; intros; discriminate. Qed.

Lemma reaches_pawn c s d : reaches (c, Pawn) s d = true ->
  ranks_apart s d = forward c /\ line_beq (file s) (file d) = false.
Proof.
  assert (H : forall p s d, (if kind_beq (snd p) Pawn and reaches p s d
    then (ranks_apart s d =? forward (fst p))%Z and not (line_beq (file s) (file d)) else true) = true)
    by (apply for_pieces; now vm_compute).
  intros R. specialize (H (c, Pawn) s d). cbn [fst snd kind_beq] in H. rewrite R in H.
  rewrite and_true, Z.eqb_eq, not_true in H. exact H.
Qed.

(** A pawn moves forward, and stays inside unless it reaches its last rank. *)
Lemma pawn_forward p s d : pawn_moves p s d = true ->
  ranks_apart s d = forward (turn p) \/ ranks_apart s d = (2 * forward (turn p))%Z.
Proof.
  unfold pawn_moves. destruct (reaches (turn p, Pawn) s d) eqn:R.
  - intros _. left. apply (reaches_pawn _ _ _ R).
  - rewrite !and_true, or_true, and_true, !Z.eqb_eq. tauto.
Qed.
Lemma pawn_inside c s d : inner (rank s) = true ->
  ranks_apart s d = forward c \/ ranks_apart s d = (2 * forward c)%Z ->
  line_beq (rank d) (home (other c)) = false -> inner (rank d) = true.
Proof.
  intros H1 R H3. destruct s as [f r], d as [g q]. unfold ranks_apart in R. simpl in *.
  destruct c, r; try discriminate H1; destruct q; try discriminate H3; try reflexivity;
    destruct R; discriminate.
Qed.

Theorem valid_play p m : valid p -> legal p m = true -> valid (play p m).
Proof.
  intros V H. apply legal_pseudolegal in H. destruct H as [H C].
  destruct (pseudolegal_facts _ _ H) as (k & Ho & Hd & F).
  split; simpl.
  - assert (A : forall a s, arrives p m = Some (a, King) -> on (men p) s = Some (a, King) -> s = origin m).
    { intros a s. unfold arrives. destruct (promotion m) as [x|] eqn:E.
      - destruct k; try solve [intuition discriminate].
        destruct F as [_ F]. apply promotes_officer in F. intros [= _ X]. destruct F. contradiction.
      - intros A S. exact (one_king p V _ _ _ S A). }
    intros a s t S T. apply on_after_any in S, T.
    destruct S as [[S S']|[[S S']|S]], T as [[T T']|[[T T']|T]]; try discriminate; subst.
    + exact (one_king p V _ _ _ S T).
    + exfalso. apply S'. eapply A; eassumption.
    + exfalso. apply T'. eapply A; eassumption.
    + reflexivity.
  - intros a s S. apply on_after_any in S. destruct S as [[S _]|[[-> S]|S]]; [| |discriminate].
    + exact (pawns_inside p V _ _ S).
    + unfold arrives in S. destruct (promotion m) as [x|] eqn:E.
      * destruct k; try solve [intuition discriminate].
        destruct F as [_ F]. apply promotes_officer in F. injection S as _ X. destruct F. contradiction.
      * rewrite Ho in S. injection S as <- ->. destruct F as [F G].
        unfold promotes in G. rewrite not_true in G. apply inner_eq.
        eapply pawn_inside; [apply inner_eq, (pawns_inside p V _ _ Ho)|exact (pawn_forward _ _ _ F)|exact G].
  - rewrite other_other. exact C.
Qed.

Theorem game_valid l p past : game l p past -> valid p.
Proof. induction 1; [apply valid_initial|apply valid_play; assumption]. Qed.

(** ** The texts that are possible *)

Definition maybes {A} (l : list A) : list (option A) := None :: map Some l.

Definition officer_texts : list san :=
  flat_map (fun k => flat_map (fun f => flat_map (fun r => flat_map (fun takes => flat_map (fun d =>
    map (Moved k f r takes d None)
      ((if quiet_possible k f r takes d then [Quiet] else [])
       ++ (if check_possible k f r takes d then [Check; Mate] else [])))
    squares) [false; true]) (maybes lines)) (maybes lines)) [Knight; Bishop; Rook; Queen].

Definition king_texts : list san :=
  flat_map (fun takes => flat_map (fun d => map (Moved King None None takes d None) suffixes) squares)
    [false; true]
  ++ flat_map (fun e => map (Castled e) suffixes) [Short; Long].

(** A pawn's move, taking or not, on a board on which nothing stands in its way. *)
Definition pawn_possible (c : color) (f : option line) (takes : bool) (d : square) : bool :=
  some o of squares, inner (rank o)
    and if takes then match f with Some f => line_beq f (file o) | None => false end
                      and reaches (c, Pawn) o d
        else match f with Some _ => false | None => true end and line_beq (file o) (file d)
             and ((ranks_apart o d =? forward c)%Z
                  or ((ranks_apart o d =? 2 * forward c)%Z and line_beq (rank o) (pawn_home c))).
Definition pawn_texts (c : color) : list san :=
  flat_map (fun f => flat_map (fun takes => flat_map (fun d => flat_map (fun b =>
    if pawn_possible c f takes d and promotes c d b
    then map (Moved Pawn f None takes d b) suffixes else [])
    (maybes kinds)) squares) [false; true]) (maybes lines).

Definition texts (c : color) : list san := officer_texts ++ king_texts ++ pawn_texts c.

Lemma in_maybes {A} (l : list A) x : (forall a, In a l) -> In x (maybes l).
Proof. intros H. destruct x as [a|]; [right; apply in_map; apply H|left; reflexivity]. Qed.
Lemma in_suffixes x : In x suffixes.
Proof. destruct x; simpl; tauto. Qed.
Lemma in_bools b : In b [false; true].
Proof. destruct b; simpl; tauto. Qed.

Lemma in_officer_texts k f r takes d x : officer k ->
  match x with Quiet => quiet_possible k f r takes d | _ => check_possible k f r takes d end = true ->
  In (Moved k f r takes d None x) officer_texts.
Proof.
  intros O H. unfold officer_texts.
  apply in_flat_map. exists k. split; [destruct O as [->|[->|[->| ->]]]; simpl; tauto|].
  apply in_flat_map. exists f. split; [apply in_maybes, in_lines|].
  apply in_flat_map. exists r. split; [apply in_maybes, in_lines|].
  apply in_flat_map. exists takes. split; [apply in_bools|].
  apply in_flat_map. exists d. split; [apply in_squares|].
  apply in_map. apply in_app_iff. destruct x; rewrite H; simpl; tauto.
Qed.

(** ** The theorem *)

Lemma pawn_captures p m : on (men p) (origin m) = Some (turn p, Pawn) ->
  pawn_moves p (origin m) (destination m) = true ->
  captures p m = reaches (turn p, Pawn) (origin m) (destination m).
Proof.
  intros Ho F. unfold captures, in_passing, pawn_moves in *.
  assert (holds (men p) (origin m) (turn p, Pawn) = true) as -> by now apply holds_eq.
  destruct (reaches (turn p, Pawn) (origin m) (destination m)) eqn:R.
  - apply reaches_pawn in R. destruct R as [_ R]. rewrite R.
    rewrite or_true in F. destruct F as [F| ->].
    + apply has_color_eq in F. destruct F as (k & F). unfold empty. rewrite F. reflexivity.
    + destruct (empty (men p) (destination m)); reflexivity.
  - rewrite !and_true in F. destruct F as (-> & -> & _). simpl.
    destruct (is_passed p (destination m)); reflexivity.
Qed.

Lemma pawn_bound p m : valid p -> legal p m = true -> on (men p) (origin m) = Some (turn p, Pawn) ->
  In (write p m) (pawn_texts (turn p)).
Proof.
  intros V L Ho. destruct (legal_pseudolegal _ _ L) as [H _].
  destruct (pseudolegal_facts _ _ H) as (k & Hk & Hd & F).
  assert (k = Pawn) as -> by congruence. destruct F as [F G].
  pose proof (pawn_captures p m Ho F) as T.
  assert (W : write p m = Moved Pawn (if captures p m then Some (file (origin m)) else None) None
                (captures p m) (destination m) (promotion m) (suffix_of p m)).
  { unfold write, text, is_castling. rewrite (holds_other _ _ _ King Ho) by discriminate.
    rewrite Ho. unfold discriminator. reflexivity. }
  rewrite W. unfold pawn_texts.
  apply in_flat_map. exists (if captures p m then Some (file (origin m)) else None).
  split; [apply in_maybes, in_lines|].
  apply in_flat_map. exists (captures p m). split; [apply in_bools|].
  apply in_flat_map. exists (destination m). split; [apply in_squares|].
  apply in_flat_map. exists (promotion m). split; [apply in_maybes, in_kinds|].
  assert (pawn_possible (turn p) (if captures p m then Some (file (origin m)) else None)
            (captures p m) (destination m) = true) as ->.
  { unfold pawn_possible. rewrite some_spec. exists (origin m). split; [apply in_squares|].
    assert (inner (rank (origin m)) = true) as -> by apply inner_eq, (pawns_inside p V _ _ Ho).
    unfold pawn_moves in F. rewrite T. destruct (reaches _ _ _) eqn:R.
    - rewrite and_true. split; [now apply line_eq|reflexivity].
    - rewrite !and_true in F. destruct F as (-> & _ & _ & F). exact F. }
  rewrite G. apply in_map, in_suffixes.
Qed.

Lemma king_bound p m : valid p -> legal p m = true -> on (men p) (origin m) = Some (turn p, King) ->
  In (write p m) king_texts.
Proof.
  intros V L Ho. destruct (legal_pseudolegal _ _ L) as [H _].
  destruct (pseudolegal_facts _ _ H) as (k & Hk & Hd & F).
  assert (k = King) as -> by congruence.
  assert (C : forall e, In (Castled e (suffix_of p m)) king_texts).
  { intros e. apply in_app_iff. right. apply in_flat_map. exists e.
    split; [destruct e; simpl; tauto|apply in_map, in_suffixes]. }
  unfold write, text. rewrite Ho.
  destruct (is_castling p m Short); [apply C|]. destruct (is_castling p m Long); [apply C|].
  assert (twins p m = []) as T.
  { unfold twins. rewrite Ho. destruct (filter _ squares) as [|t l] eqn:E; [reflexivity|].
    assert (I : In t (t :: l)) by (left; reflexivity). rewrite <- E, filter_In in I.
    rewrite !and_true, not_true, same_false, holds_eq in I. destruct I as (_ & N & A & _).
    elim N. exact (one_king p V _ _ _ A Ho). }
  unfold discriminator. rewrite T, F.
  apply in_app_iff. left. apply in_flat_map. exists (captures p m). split; [apply in_bools|].
  apply in_flat_map. exists (destination m). split; [apply in_squares|apply in_map, in_suffixes].
Qed.

Theorem bound p m : valid p -> legal p m = true -> In (write p m) (texts (turn p)).
Proof.
  intros V L. destruct (legal_pseudolegal _ _ L) as [H _].
  destruct (pseudolegal_facts _ _ H) as (k & Ho & _).
  assert (Off : officer k -> In (write p m) (texts (turn p))).
  { intros O. destruct (officer_bound p m k O Ho L (not_in_check p V)) as (f & r & x & -> & E).
    apply in_app_iff. left. apply in_officer_texts; assumption. }
  destruct k; try (apply Off; unfold officer; tauto); apply in_app_iff; right; apply in_app_iff.
  - right. apply pawn_bound; assumption.
  - left. apply king_bound; assumption.
Qed.
