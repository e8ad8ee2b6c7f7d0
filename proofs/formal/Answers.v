(** * The quick ways give the answers of Chess.v *)
From Coq Require Import List Bool ZArith.
From Sanproof Require Import Chess Forms Facts Quick Tables.
Import ListNotations.

Lemma looked_up_eq p s : looked_up p s = get (get (tables p) (file s)) (rank s).
Proof.
  destruct p as [[] []]; unfold looked_up, white_pawn, black_pawn, knight, bishop, rook, queen, king,
    tables; rewrite !get_table; reflexivity.
Qed.
Lemma quick_reaches_eq p s d : quick_reaches p s d = reaches p s d.
Proof.
  unfold quick_reaches. rewrite looked_up_eq. destruct s, d. unfold tables.
  rewrite !get_table. simpl fst. rewrite !get_table. reflexivity.
Qed.
Lemma in_looked_up p s d : goes p s d = true -> In d (snd (looked_up p s)).
Proof.
  intros G. rewrite looked_up_eq. destruct s as [f r]. unfold tables. rewrite !get_table.
  cbn [snd]. apply filter_In. split; [apply in_squares|exact G].
Qed.
Lemma quick_clear_eq b s d : quick_clear b s d = clear b s d.
Proof. unfold quick_clear. rewrite way_eq. reflexivity. Qed.
Lemma reaches_crosses p s d : reaches p s d = true -> crosses s d = true.
Proof.
  assert (H : forall p s d, (if reaches p s d then crosses s d else true) = true)
    by (apply for_pieces; now vm_compute).
  intros R. specialize (H p s d). rewrite R in H. exact H.
Qed.
Lemma quick_attacks_eq b c s d : quick_attacks b c s d = attacks b c s d.
Proof.
  unfold quick_attacks, attacks. destruct (on b s); [|reflexivity].
  rewrite quick_reaches_eq, quick_clear_eq. reflexivity.
Qed.
Lemma quick_attacked_eq b c d : quick_attacked b c d = attacked b c d.
Proof.
  unfold quick_attacked, crossing. rewrite !get_table. apply eq_true_iff_eq. unfold attacked.
  rewrite !some_spec. setoid_rewrite filter_In. setoid_rewrite quick_attacks_eq.
  split; intros (s & I & A); exists s; [split; [apply in_squares|exact A]|].
  split; [split; [exact I|]|exact A]. unfold attacks in A. destruct (on b s) as [p|]; [|discriminate].
  rewrite !and_true in A. destruct d. apply (reaches_crosses p), A.
Qed.
Lemma some_line_spec {A} (f : line -> A -> bool) t : some_line f t = true <-> exists l, f l (get t l) = true.
Proof.
  assert (E : some_line f t = some l of lines, f l (get t l)).
  { destruct t. simpl. destruct (f L8 h); reflexivity. }
  rewrite E, some_spec. split; [intros (l & _ & H); eauto|]. intros (l & H). exists l.
  split; [apply in_lines|exact H].
Qed.
Lemma quick_check_eq b c : quick_check b c = in_check b c.
Proof.
  apply eq_true_iff_eq. unfold quick_check, in_check. rewrite some_line_spec, some_spec.
  setoid_rewrite some_line_spec. setoid_rewrite and_true. setoid_rewrite holds_eq. split.
  - intros (f & r & H). exists (f, r). unfold on, file, rank. cbn [fst snd]. revert H.
    destruct (get (get b f) r) as [[a []]|]; try discriminate. intros H.
    rewrite and_true, color_eq, quick_attacked_eq in H. destruct H as [<- H].
    split; [apply in_squares|]. auto.
  - intros ([f r] & _ & H & A). exists f, r. unfold on, file, rank in H. cbn [fst snd] in H. rewrite H.
    rewrite quick_attacked_eq, A. destruct c; reflexivity.
Qed.
Lemma quick_pseudolegal_eq p m : quick_pseudolegal p m = pseudolegal p m.
Proof.
  unfold quick_pseudolegal, quick_pawn, pseudolegal, pawn_moves. cbv zeta.
  destruct (on (men p) (origin m)) as [[c k]|]; [|reflexivity].
  rewrite !quick_reaches_eq, quick_clear_eq. reflexivity.
Qed.
Lemma quick_legal_eq p m : quick_legal p m = legal p m.
Proof. unfold quick_legal, legal. rewrite quick_pseudolegal_eq, quick_check_eq. reflexivity. Qed.
Lemma becomes_spec p m k : legal p m = true -> on (men p) (origin m) = Some (turn p, k) ->
  In (promotion m) (becomes k (destination m)).
Proof.
  intros L Ho. destruct (legal_pseudolegal _ _ L) as [H _].
  destruct (pseudolegal_facts _ _ H) as (j & Hj & _ & F). assert (j = k) as -> by congruence.
  destruct k; try (left; symmetry; tauto). destruct F as [_ F]. unfold promotes in F. cbv zeta in F.
  unfold becomes. destruct (turn p), (rank (destination m)), (promotion m) as [[]|];
    try discriminate F; simpl; auto 6.
Qed.
Lemma legal_in_moves p m : legal p m = true -> In m moves.
Proof.
  intros L. destruct (legal_pseudolegal _ _ L) as [H _].
  destruct (pseudolegal_facts _ _ H) as (k & Ho & _). pose proof (becomes_spec _ _ _ L Ho) as B.
  apply in_flat_map. exists (origin m). split; [apply in_squares|].
  apply in_flat_map. exists (destination m). split; [apply in_squares|].
  apply in_map_iff. exists (promotion m). split; [destruct m; reflexivity|].
  unfold becomes in B. destruct k; [destruct (inner _); [|exact B]|..];
    destruct B as [<-|[]]; left; reflexivity.
Qed.
Lemma can_move_spec p : can_move p = true <-> exists m, legal p m = true.
Proof.
  unfold can_move. rewrite some_spec. split; [intros (m & _ & L); eauto|].
  intros (m & L). exists m. split; [exact (legal_in_moves p m L)|exact L].
Qed.
Lemma pawn_moves_steps p s d : pawn_moves p s d = true -> pawn_steps (turn p) s d = true.
Proof.
  unfold pawn_moves, pawn_steps. destruct (reaches _ s d); [reflexivity|].
  rewrite !and_true. tauto.
Qed.
Lemma goes_spec p m k : pseudolegal p m = true -> on (men p) (origin m) = Some (turn p, k) ->
  goes (turn p, k) (origin m) (destination m) = true.
Proof.
  intros H Ho. destruct (pseudolegal_facts _ _ H) as (j & Hj & _ & F).
  assert (j = k) as -> by congruence. unfold goes. simpl snd. simpl fst. cbv iota.
  destruct k; try apply F.
  - apply pawn_moves_steps, F.
  - unfold pseudolegal in H. cbv zeta in H. rewrite Ho, !and_true, !or_true in H.
    rewrite or_true. destruct H as (_ & _ & [H|[H|H]] & _); [auto|right..];
      unfold castles in H; cbv zeta in H; rewrite !and_true, !same_eq in H;
      destruct H as (-> & -> & _); destruct (turn p); reflexivity.
Qed.
Lemma in_candidates p m : legal p m = true -> In m (candidates p).
Proof.
  intros L. apply in_flat_map. exists (origin m). split; [apply in_squares|].
  destruct (legal_pseudolegal _ _ L) as [H _].
  destruct (pseudolegal_facts _ _ H) as (k & Ho & Hd & _). rewrite Ho.
  rewrite (proj2 (color_eq _ _) (eq_refl (turn p))).
  apply in_flat_map. exists (destination m). split.
  - apply in_looked_up. exact (goes_spec _ _ _ H Ho).
  - rewrite Hd. apply in_map_iff. exists (promotion m).
    split; [destruct m; reflexivity|exact (becomes_spec _ _ _ L Ho)].
Qed.
Lemma quick_moves_spec p m : In m (quick_moves p) <-> legal p m = true.
Proof.
  unfold quick_moves. rewrite filter_In, quick_legal_eq. split; [tauto|].
  intros L. split; [exact (in_candidates p m L)|exact L].
Qed.
Lemma quick_can_move_eq p : quick_can_move p = can_move p.
Proof.
  apply eq_true_iff_eq. unfold quick_can_move. rewrite can_move_spec, some_spec. split.
  - intros (m & _ & L). rewrite quick_legal_eq in L. eauto.
  - intros (m & L). exists m. rewrite quick_legal_eq. split; [exact (in_candidates p m L)|exact L].
Qed.
Lemma quick_suffix_eq p m : quick_suffix p m = suffix_of p m.
Proof. unfold quick_suffix, suffix_of. rewrite quick_check_eq, quick_can_move_eq. reflexivity. Qed.

Lemma own_moves_spec p m : In m (own_moves p) <-> legal p m = true.
Proof.
  unfold own_moves. rewrite in_flat_map. split.
  - intros (s & _ & I). destruct (has_color _ _ _); [|destruct I]. apply filter_In in I. apply I.
  - intros L. exists (origin m). split; [apply in_squares|].
    destruct (legal_pseudolegal _ _ L) as [H _].
    destruct (pseudolegal_facts _ _ H) as (k & Ho & _). pose proof (becomes_spec _ _ _ L Ho) as B.
    rewrite (proj2 (has_color_eq _ _ _) (ex_intro _ k Ho)). apply filter_In. split; [|exact L].
    apply in_flat_map. exists (destination m). split; [apply in_squares|].
    apply in_map_iff. exists (promotion m). split; [destruct m; reflexivity|].
    destruct (holds (men p) (origin m) (turn p, Pawn)) eqn:P.
    + apply holds_eq in P. assert (k = Pawn) as -> by congruence. unfold becomes in B.
      destruct (inner _); [destruct B as [<-|[]]; left; reflexivity|exact B].
    + destruct k; try exact B. apply holds_eq in Ho. congruence.
Qed.
