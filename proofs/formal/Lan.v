(** * UCI and the long form: what is played or written is one of the texts of [Forms] *)
From Coq Require Import List Bool String ZArith.
From Sanproof Require Import Chess Forms Facts Quick Tables Answers Arrangements Bound.
Import ListNotations.

(** ** UCI *)

Lemma castles_crosses p s d e : castles p s d e = true -> crosses s d = true.
Proof.
  unfold castles. rewrite !and_true, !same_eq. intros (-> & -> & _).
  destruct (turn p), e; reflexivity.
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

(** ** The long form *)

Lemma in_lan_texts c k takes m x : In m moves -> lan_moves c k takes m = true ->
  In x (lan_marks k m) -> In (LanMoved k takes m x) (lan_texts c).
Proof.
  intros I M X. apply in_app_iff. right.
  apply in_flat_map. exists m. split; [exact I|].
  apply in_flat_map. exists k. split; [apply in_kinds|].
  apply in_flat_map. exists takes. split; [apply in_bools|].
  rewrite M. apply in_map. exact X.
Qed.

Lemma checks_or_quiet p m : in_check (men p) (other (turn p)) = false ->
  suffix_of p m = Quiet \/ in_check (after p m) (other (turn p)) = true.
Proof. intros _. unfold suffix_of. simpl. destruct (in_check _ _); auto. Qed.

(** ** A bishop that goes from corner to corner attacks nothing but what it has passed *)

Lemma bishop_checks_nothing takes s d : reaches (White, Bishop) s d = true ->
  never_checks Bishop s d = true -> checks Bishop takes s [] d = false.
Proof.
  assert (H : forall s d, (if reaches (White, Bishop) s d and never_checks Bishop s d
      then each takes of [false; true], not (checks Bishop takes s [] d) else true) = true)
    by (apply for_squares; now vm_compute).
  intros R N. specialize (H s d). rewrite R, N, each_spec in H.
  apply not_true. exact (H takes (in_bools takes)).
Qed.

(** ** A king gives check by discovery alone: it leaves a line, and does not stay on it *)

Definition leaves_line (o d s q : square) : bool :=
  mem o (way s q) and not (same s d) and not (same d q) and not (mem d (way s q)).

Lemma king_opens_nothing o d s q : reaches (White, King) o d = true ->
  never_checks King o d = true -> leaves_line o d s q = false.
Proof.
  assert (H : forall o d, (if reaches (White, King) o d and never_checks King o d
      then each s of squares, each q of squares, not (leaves_line o d s q) else true) = true)
    by (apply for_squares; now vm_compute).
  intros R N. specialize (H o d). rewrite R, N, each_spec in H. specialize (H s (in_squares s)).
  cbv beta in H. rewrite each_spec in H. apply not_true. exact (H q (in_squares q)).
Qed.

Lemma reaches_king_back a b s d : reaches (a, King) s d = true -> reaches (b, King) d s = true.
Proof.
  assert (H : forall s d, (if reaches (White, King) s d then reaches (White, King) d s else true) = true)
    by (apply for_squares; now vm_compute).
  intros R. specialize (H s d). change (reaches (a, King) s d) with (reaches (White, King) s d) in R.
  rewrite R in H. exact H.
Qed.
Lemma nothing_between_king a s d : reaches (a, King) s d = true -> between s d = [].
Proof.
  assert (H : forall s d, (if reaches (White, King) s d
      then match between s d with [] => true | _ => false end else true) = true)
    by (apply for_squares; now vm_compute).
  intros R. specialize (H s d). change (reaches (a, King) s d) with (reaches (White, King) s d) in R.
  rewrite R in H. destruct (between s d); [reflexivity|discriminate].
Qed.

Section King.
  Variables (p : position) (m : move).
  Let c := turn p.
  Let o := origin m.
  Let d := destination m.
  Hypothesis Ho : on (men p) o = Some (c, King).
  Hypothesis Hl : legal p m = true.
  Hypothesis Hshort : is_castling p m Short = false.
  Hypothesis Hlong : is_castling p m Long = false.

  Lemma king_becomes_none : promotion m = None.
  Proof.
    destruct (legal_pseudolegal _ _ Hl) as [H _].
    destruct (pseudolegal_facts _ _ H) as (k & Hk & _ & F).
    assert (k = King) as -> by (unfold o, c in Ho; congruence). exact F.
  Qed.

  Lemma king_reaches : reaches (White, King) o d = true.
  Proof.
    destruct (legal_pseudolegal _ _ Hl) as [H _]. unfold pseudolegal in H.
    fold o d c in H. rewrite Ho in H. rewrite !and_true, !or_true in H.
    destruct H as (_ & _ & [R|K] & _); [exact R|exfalso].
    assert (A : forall e, castles p o d e = true -> is_castling p m e = true).
    { intros e. unfold castles, is_castling. fold o d c. rewrite !and_true, !holds_eq. tauto. }
    destruct K as [K|K]; apply A in K; congruence.
  Qed.

  Lemma on_after_king s :
    on (after p m) s = if same d s then Some (c, King) else if same o s then None else on (men p) s.
  Proof.
    unfold after, in_passing, arrives. rewrite Hshort, Hlong, king_becomes_none.
    rewrite (holds_other p (origin m) King Pawn Ho) by discriminate.
    rewrite !on_put. fold o d. rewrite Ho. reflexivity.
  Qed.

  Hypothesis Hcalm : in_check (men p) (other c) = false.

  Lemma king_leaves_line : in_check (after p m) (other c) = true ->
    exists s q, leaves_line o d s q = true.
  Proof.
    rewrite in_check_spec. intros (q & s & a & Q & S & A & R & C). rewrite other_other in A.
    pose proof Q as Q'. pose proof S as S'. rewrite on_after_king in Q', S'.
    destruct (same d q) eqn:Dq; [destruct c; discriminate|].
    destruct (same o q) eqn:Oq; [discriminate|].
    destruct (legal_pseudolegal _ _ Hl) as [_ Safe]. fold c in Safe.
    destruct (same d s) eqn:Ds.
    - (* Not from its own square: the other king would attack it. *)
      apply same_eq in Ds. subst s. injection S' as <-. exfalso.
      assert (in_check (after p m) c = true); [|congruence].
      apply in_check_spec. exists d, q, (other c, King).
      rewrite clear_spec, (nothing_between_king (other c) q d) by exact (reaches_king_back _ _ _ _ R).
      repeat split; auto; try exact (reaches_king_back _ _ _ _ R). intros x [].
    - destruct (same o s) eqn:Os; [discriminate|]. rewrite clear_spec in C.
      exists s, q. unfold leaves_line. rewrite way_eq, !and_true, !not_true.
      assert (M : mem o (between s q) = true).
      { destruct (mem o (between s q)) eqn:M; [reflexivity|exfalso]. rewrite mem_false in M.
        assert (in_check (men p) (other c) = true); [|congruence].
        apply in_check_spec. exists q, s, a. rewrite other_other, clear_spec.
        repeat split; auto. intros x I. specialize (C x I). rewrite on_after_king in C.
        destruct (same d x); [discriminate|]. destruct (same o x) eqn:E; [|exact C].
        apply same_eq in E. congruence. }
      repeat split; auto.
      + apply same_false. apply same_false in Ds. congruence.
      + rewrite mem_false. intros I. specialize (C d I). rewrite on_after_king in C.
        assert (same d d = true) as E by now apply same_eq. rewrite E in C. discriminate.
  Qed.

  Lemma king_marks : In (suffix_of p m) (lan_marks King m).
  Proof.
    unfold lan_marks. fold o d. destruct (never_checks King o d) eqn:N; [|apply in_suffixes].
    destruct (checks_or_quiet p m Hcalm) as [->|K]; [left; reflexivity|exfalso].
    destruct (king_leaves_line K) as (s & q & L).
    rewrite (king_opens_nothing o d s q king_reaches N) in L. discriminate.
  Qed.
End King.

(** ** Whatever is written, in any position, is one of these texts *)

Lemma officer_marks p m k : officer k -> on (men p) (origin m) = Some (turn p, k) ->
  legal p m = true -> in_check (men p) (other (turn p)) = false ->
  In (suffix_of p m) (lan_marks k m).
Proof.
  intros O Ho L C. unfold lan_marks.
  destruct (never_checks k _ _) eqn:N; [|apply in_suffixes].
  assert (k = Bishop) as -> by (destruct O as [->|[->|[->| ->]]]; try discriminate; reflexivity).
  destruct (checks_or_quiet p m C) as [->|K]; [left; reflexivity|exfalso].
  destruct (move_facts p m Bishop O Ho L) as (R & _).
  pose proof (checks_real p m Bishop O Ho L C [] (fun t I => match I with end) K) as X.
  rewrite bishop_checks_nothing in X; [discriminate|exact R|exact N].
Qed.

Lemma lan_moves_legal p m k : valid p -> legal p m = true ->
  on (men p) (origin m) = Some (turn p, k) ->
  is_castling p m Short = false -> is_castling p m Long = false ->
  lan_moves (turn p) k (captures p m) m = true.
Proof.
  intros V L Ho S G. destruct (legal_pseudolegal _ _ L) as [H _].
  destruct (pseudolegal_facts _ _ H) as (j & Hj & _ & F). assert (j = k) as -> by congruence.
  unfold lan_moves. destruct k; try (destruct F as (R & _ & ->); rewrite and_true; split; [exact R|reflexivity]).
  - destruct F as [F ->]. rewrite (pawn_moves_steps _ _ _ F), (pawn_captures p m Ho F).
    assert (inner (rank (origin m)) = true) as -> by apply inner_eq, (pawns_inside p V _ _ Ho).
    apply eqb_reflx.
  - rewrite F, (king_reaches p m Ho L S G). reflexivity.
Qed.

Theorem lan_bound p m : valid p -> legal p m = true ->
  In (print_lan (write_lan p m)) (lan_language (turn p)).
Proof.
  intros V L. apply in_map. destruct (legal_pseudolegal _ _ L) as [H _].
  destruct (pseudolegal_facts _ _ H) as (k & Ho & _). unfold write_lan, lan_text. rewrite Ho.
  assert (K : forall e, In (LanCastled e (suffix_of p m)) (lan_texts (turn p))).
  { intros e. apply in_app_iff. left. apply in_flat_map. exists e.
    split; [destruct e; simpl; tauto|apply in_map, in_suffixes]. }
  destruct (is_castling p m Short) eqn:S; [apply K|].
  destruct (is_castling p m Long) eqn:G; [apply K|].
  apply in_lan_texts; [exact (legal_in_moves p m L)|now apply lan_moves_legal|].
  pose proof (not_in_check p V) as C.
  assert (Off : officer k -> In (suffix_of p m) (lan_marks k m)) by (intros O; now apply officer_marks).
  destruct k; try (apply Off; unfold officer; tauto); [apply in_suffixes|now apply king_marks].
Qed.
