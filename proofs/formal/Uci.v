(** * UCI: what can be played is one of the texts of [Forms] *)
From Coq Require Import List Bool ZArith.
From Sanproof Require Import Chess Forms Facts Answers.
Import ListNotations.

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
