(** * SAN names the move

    Two legal moves of one kind of piece to one square are twins, and each is told apart from the other;
    two pawns come from different files, or one would stand in the way of the other. *)
From Coq Require Import List Bool String ZArith Lia PArith FMapPositive.
From Sanproof Require Import Chess Statements Facts Bound Words.
Import ListNotations.

Lemma twin_of p m n k : on (men p) (origin m) = Some (turn p, k) ->
  on (men p) (origin n) = Some (turn p, k) -> legal p n = true ->
  destination n = destination m -> promotion n = promotion m -> origin n <> origin m ->
  In (origin n) (twins p m).
Proof.
  intros A B L D P N. unfold twins. rewrite A. apply filter_In. split; [apply in_squares|].
  rewrite !and_true, not_true, same_false, holds_eq. split; [exact N|]. split; [exact B|].
  rewrite <- D, <- P. destruct n; exact L.
Qed.

Lemma discriminator_cases p m k t : k <> Pawn -> In t (twins p m) ->
  discriminator p m k =
    if some t of (twins p m), line_beq (file t) (file (origin m)) then
      if some t of (twins p m), line_beq (rank t) (rank (origin m))
      then (Some (file (origin m)), Some (rank (origin m))) else (None, Some (rank (origin m)))
    else (Some (file (origin m)), None).
Proof.
  intros K I. unfold discriminator. destruct (twins p m) as [|u l]; [destruct I|].
  destruct k; try congruence; destruct (some_of _ _), (some_of _ _); reflexivity.
Qed.

Lemma same_origin p m n k : k <> Pawn -> In (origin n) (twins p m) -> In (origin m) (twins p n) ->
  discriminator p m k = discriminator p n k -> origin n = origin m.
Proof.
  intros K I J E. rewrite (discriminator_cases p m k _ K I), (discriminator_cases p n k _ K J) in E.
  destruct (some_of _ (twins p m)) eqn:Fm in E; [destruct (some_of _ (twins p m)) eqn:Rm in E|];
  (destruct (some_of _ (twins p n)) eqn:Fn in E; [destruct (some_of _ (twins p n)) eqn:Rn in E|]);
  try discriminate E; injection E; clear E; intros.
  - destruct (origin n), (origin m). unfold file, rank in *. simpl in *. congruence.
  - exfalso. rewrite some_false in Rm. specialize (Rm _ I). simpl in Rm.
    apply (fun h => eq_true_false_abs _ h Rm). apply line_eq. congruence.
  - exfalso. rewrite some_false in Fm. specialize (Fm _ I). simpl in Fm.
    apply (fun h => eq_true_false_abs _ h Fm). apply line_eq. congruence.
Qed.

Lemma number_eq a b : number a = number b -> a = b.
Proof. destruct a, b; intros H; try reflexivity; discriminate H. Qed.

Lemma square_eq (s t : square) : file s = file t -> rank s = rank t -> s = t.
Proof. destruct s, t. unfold file, rank. simpl. congruence. Qed.

(** The square in between of a double step. *)
Lemma double_over c s t d : file s = file d -> file t = file d ->
  ranks_apart s d = (2 * forward c)%Z -> ranks_apart t d = forward c -> In t (between s d).
Proof.
  assert (H : forall s d, (each t of squares, each c of colors,
     if line_beq (file s) (file d) and line_beq (file t) (file d)
        and (ranks_apart s d =? 2 * forward c)%Z and (ranks_apart t d =? forward c)%Z
     then mem t (between s d) else true) = true) by (apply for_squares; now vm_compute).
  intros A B R S. specialize (H s d). rewrite each_spec in H. specialize (H t (in_squares t)).
  cbv beta in H. rewrite each_spec in H. specialize (H c (in_colors c)). cbv beta in H.
  apply mem_spec. rewrite (proj2 (line_eq _ _) A), (proj2 (line_eq _ _) B), (proj2 (Z.eqb_eq _ _) R),
    (proj2 (Z.eqb_eq _ _) S) in H. exact H.
Qed.

Lemma pawn_origin p m n : legal p m = true -> legal p n = true ->
  on (men p) (origin m) = Some (turn p, Pawn) -> on (men p) (origin n) = Some (turn p, Pawn) ->
  destination m = destination n -> captures p m = captures p n ->
  (captures p m = true -> file (origin m) = file (origin n)) -> origin m = origin n.
Proof.
  intros L M A B D E F.
  destruct (legal_pseudolegal _ _ L) as [P _]. destruct (pseudolegal_facts _ _ P) as (k & K & _ & X).
  assert (k = Pawn) as -> by congruence. destruct X as [X _].
  destruct (legal_pseudolegal _ _ M) as [Q _]. destruct (pseudolegal_facts _ _ Q) as (j & J & _ & Y).
  assert (j = Pawn) as -> by congruence. destruct Y as [Y _].
  pose proof (pawn_captures p m A X) as CX. pose proof (pawn_captures p n B Y) as CY.
  unfold pawn_moves in X, Y. rewrite <- CX in X. rewrite <- CY, <- E in Y. rewrite CX in E, F, X, Y.
  destruct (reaches (turn p, Pawn) (origin m) (destination m)) eqn:R.
  - rewrite CY in E. symmetry in E. apply reaches_pawn in R, E. destruct R as [R _], E as [E _].
    apply square_eq; [auto|]. apply number_eq. unfold ranks_apart in *. rewrite D in R. lia.
  - rewrite !and_true, or_true, and_true, !Z.eqb_eq, !line_eq, empty_eq, clear_spec in X, Y.
    destruct X as (X1 & _ & X3 & X4), Y as (Y1 & _ & Y3 & Y4). rewrite D in *.
    destruct X4 as [X4|[X4 _]], Y4 as [Y4|[Y4 _]].
    + apply square_eq; [congruence|]. apply number_eq. unfold ranks_apart in *. lia.
    + exfalso. rewrite (Y3 _ (double_over _ _ _ _ Y1 X1 Y4 X4)) in A. discriminate.
    + exfalso. rewrite (X3 _ (double_over _ _ _ _ X1 Y1 X4 Y4)) in B. discriminate.
    + apply square_eq; [congruence|]. apply number_eq. unfold ranks_apart in *. lia.
Qed.

Lemma castling_facts p m e : legal p m = true -> is_castling p m e = true ->
  m = Move (king_from (turn p)) (king_to (turn p) e) None.
Proof.
  intros L. unfold is_castling. rewrite !and_true, holds_eq, !same_eq. intros (K & O & D).
  destruct (legal_pseudolegal _ _ L) as [P _]. destruct (pseudolegal_facts _ _ P) as (k & K' & _ & X).
  assert (k = King) as -> by congruence. destruct m. simpl in *. congruence.
Qed.

(** In any position at all, and whatever suffix is written. *)
Theorem names_the_move p m n x y : legal p m = true -> legal p n = true ->
  text p m x = text p n y -> m = n.
Proof.
  intros L M E. unfold text in E.
  destruct (is_castling p m Short) eqn:S; [|destruct (is_castling p m Long) eqn:G];
  (destruct (is_castling p n Short) eqn:S'; [|destruct (is_castling p n Long) eqn:G']);
  try discriminate E;
  try (destruct (discriminator _ _ _); discriminate E);
  try (rewrite (castling_facts _ _ _ L S), (castling_facts _ _ _ M S'); reflexivity);
  try (rewrite (castling_facts _ _ _ L G), (castling_facts _ _ _ M G'); reflexivity).
  destruct (legal_pseudolegal _ _ L) as [P _]. destruct (pseudolegal_facts _ _ P) as (k & K & _ & _).
  destruct (legal_pseudolegal _ _ M) as [Q _]. destruct (pseudolegal_facts _ _ Q) as (j & J & _ & _).
  rewrite K, J in E. destruct (discriminator p m k) as [f r] eqn:Dm, (discriminator p n j) as [g q] eqn:Dn.
  injection E as <- <- <- C D B _.
  assert (O : origin m = origin n).
  { destruct (kind_beq k Pawn) eqn:KP.
    - apply kind_eq in KP. subst k. apply (pawn_origin p m n L M K J D C). intros T.
      unfold discriminator in Dm, Dn. rewrite <- C, T in Dn. rewrite T in Dm.
      injection Dm as <- _. injection Dn as X _. congruence.
    - assert (k <> Pawn) as NP by (intros ->; discriminate).
      destruct (same (origin n) (origin m)) eqn:Sa; [apply same_eq in Sa; congruence|].
      apply same_false in Sa. symmetry. apply (same_origin p m n k NP).
      + apply (twin_of p m n k); auto.
      + apply (twin_of p n m k); auto.
      + congruence. }
  destruct m, n. simpl in *. congruence.
Qed.

Lemma nodup_map_inj {A B} (f : A -> B) l a b : NoDup (map f l) -> In a l -> In b l -> f a = f b -> a = b.
Proof.
  induction l as [|x l IH]; intros N I J E; [destruct I|]. inversion_clear N as [|? ? X N'].
  destruct I as [->|I], J as [->|J]; auto.
  - exfalso. apply X. rewrite E. apply in_map. exact J.
  - exfalso. apply X. rewrite <- E. apply in_map. exact I.
Qed.
Lemma texts_distinct c : distinct (PositiveMap.empty _) (map print (texts c)) = true.
Proof. destruct c; vm_cast_no_check (eq_refl true). Qed.
(** Different texts are printed differently, so the string names the move as well. *)
Theorem string_names_the_move p m n : valid p -> legal p m = true -> legal p n = true ->
  print (write p m) = print (write p n) -> m = n.
Proof.
  intros V L M E. apply (names_the_move p m n (suffix_of p m) (suffix_of p n) L M).
  change (write p m = write p n).
  exact (nodup_map_inj print _ _ _ (distinct_nodup _ (texts_distinct (turn p)))
           (bound p m V L) (bound p n V M) E).
Qed.
