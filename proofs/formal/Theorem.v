(** * The theorem

    [language] is the published list ([Published], made from data/), [published_cover] the published games
    ([Games]). That they are is not needed for what is proved here. All computing is in [Language] and
    [Shown]. *)
From Coq Require Import List Bool String Arith Lia.
From Sanproof Require Import Chess Statements Facts Bound Words Published Language Shown.
Import ListNotations.

(** Proofs do not look into what was generated. *)
Opaque language published_cover language_set silent_language.

(** ** Exactly these *)

(** No position at all, of a game or not, has a legal move that is written otherwise. *)
Theorem anywhere_by p m : valid p -> legal p m = true -> In (print (write p m)) (language_of (turn p)).
Proof. intros V L. apply texts_in, bound; assumption. Qed.
Theorem anywhere p m : valid p -> legal p m = true -> In (print (write p m)) language.
Proof. intros V L. exact (proj1 (in_filter _ _ _ (anywhere_by p m V L))). Qed.

Lemma sheet_bound l p past : game l p past -> forall c s, In (c, s) l -> In s (language_of c).
Proof.
  induction 1 as [|l p past m G IH O L]; intros c s I; [destruct I|].
  destruct I as [[= <- <-]|I]; [|exact (IH c s I)].
  exact (anywhere_by p m (game_valid _ _ _ G) L).
Qed.

Theorem exactly_by c s : written_by c s <-> In s (language_of c).
Proof.
  split.
  - intros (l & (p & past & G) & I). exact (sheet_bound l p past G c s I).
  - apply language_written.
Qed.

Lemma some_player s : In s language -> exists c, In s (language_of c).
Proof.
  intros I. pose proof (proj1 (each_spec _ _) nobody_shut_out s I) as N. cbv beta in N.
  apply not_true in N. destruct (reserved White s) eqn:W.
  - exists White. apply filter_In. split; [exact I|]. apply not_true. exact N.
  - exists Black. apply filter_In. split; [exact I|]. apply not_true. exact W.
Qed.

Theorem exactly s : written s <-> In s language.
Proof.
  unfold written. setoid_rewrite exactly_by. split; [|apply some_player].
  intros (c & I). exact (proj1 (in_filter _ _ _ I)).
Qed.

Theorem exactly_by_both s : (written_by White s /\ written_by Black s) <-> In s language_of_both.
Proof.
  rewrite !exactly_by. unfold strings_of, strings_of_both. rewrite !filter_In. simpl.
  rewrite and_true. tauto.
Qed.

(** ** How many *)

Theorem by_suffix : counts language = [28938; 9758; 9590; 9590]%nat.
Proof. exact language_by_suffix. Qed.
Theorem by_piece : Statements.by_piece language.
Proof. exact language_by_piece. Qed.
Theorem how_many : NoDup language /\ List.length language = 28938%nat.
Proof. exact (conj (distinct_nodup language language_distinct) length_language). Qed.
Theorem how_many_by c : NoDup (language_of c) /\ List.length (language_of c) = 28608%nat.
Proof. split; [apply NoDup_filter, how_many|exact (length_language_of c)]. Qed.
Theorem how_many_both : NoDup language_of_both /\ List.length language_of_both = 28278%nat.
Proof. split; [apply NoDup_filter, how_many|exact length_language_of_both]. Qed.

(** The count that was published, three times 9,758, is wrong. *)
Theorem not_29274 : ~ exists l, NoDup l /\ (forall s, written s <-> In s l) /\ List.length l = 29274%nat.
Proof.
  intros (l & N & E & L). destruct how_many as [N' L'].
  assert (A : (List.length l <= List.length language)%nat).
  { apply NoDup_incl_length; [exact N|]. intros s I. apply exactly, E, I. }
  rewrite L, L' in A. apply Nat.leb_le in A. vm_compute in A. discriminate.
Qed.

(** ** Strings that never give check *)

Lemma has_written s : has language_set s = true <-> written s.
Proof. rewrite exactly. apply has_language. Qed.
Lemma has_not s : has language_set s = false -> ~ written s.
Proof. intros F W. apply has_written in W. congruence. Qed.

Theorem never_check : Statements.never_check.
Proof.
  exists silent_language. split; [exact silent_distinct|]. split; [exact length_silent|].
  split; [|split; [|exact silent_by_piece]].
  - intros s. rewrite in_silent, <- exactly. unfold silent, has_suffix. rewrite and_true, not_true.
    destruct (has language_set (s ++ "+")) eqn:P, (has language_set (s ++ "#")) eqn:M;
      split; intros (A & B & C); try discriminate; try (exfalso; apply C; now apply has_written);
      try (destruct C as [C D]; exfalso; (apply C || apply D); now apply has_written).
    + repeat split; auto using has_not.
    + destruct C. repeat split; auto.
  - intros s W B N. apply exactly in W. pose proof (proj1 (each_spec _ _) silent_or_both s W) as E.
    cbv beta in E. rewrite B, or_true, and_true in E. destruct E as [E|[P M]].
    + elim N. exact (proj2 (in_silent s) (conj W E)).
    + split; apply has_written; assumption.
Qed.

(** The example that the documentation walks through. *)
Theorem no_check_on_b2 : written "Ba1b2" /\ ~ written "Ba1b2+" /\ ~ written "Ba1b2#".
Proof.
  destruct examples as (Y & N & M).
  split; [exact (proj1 (has_written _) Y)|]. split; [exact (has_not _ N)|exact (has_not _ M)].
Qed.

(** ** The cover is as small as can be

    After mate nobody moves, so a legal game shows at most one string that says mate. *)
Lemma mate_is_last l p past : game l p past ->
  match l with [] => True | x :: before => Forall (fun y => says_mate (snd y) = false) before
    /\ (says_mate (snd x) = true -> checkmate p = true) end.
Proof.
  induction 1 as [|l p past m G IH O L]; [exact I|]. split.
  - destruct l as [|x before]; [constructor|]. destruct IH as [F M].
    constructor; [|exact F]. destruct (says_mate (snd x)) eqn:E; [|reflexivity].
    exfalso. apply O. left. exact (M eq_refl).
  - cbn [snd]. intros H. apply says_mate_print in H.
    assert (S : suffix_of p m = Mate).
    { unfold write, text in H. destruct (is_castling p m Short); [exact H|].
      destruct (is_castling p m Long); [exact H|]. destruct (discriminator _ _ _). exact H. }
    unfold suffix_of in S. unfold checkmate. destruct (in_check _ _); [|discriminate].
    destruct (can_move _); [discriminate|reflexivity].
Qed.

Definition last_string (l : sheet) : list string := match l with [] => [] | x :: _ => [snd x] end.
Lemma mate_shown_last l c s : legal_sheet l -> In (c, s) l -> says_mate s = true -> In s (last_string l).
Proof.
  intros (p & past & G) I M. apply mate_is_last in G. destruct l as [|x before]; [destruct I|].
  destruct G as [F _]. destruct I as [->|I]; [left; reflexivity|].
  rewrite Forall_forall in F. specialize (F _ I). simpl in F. congruence.
Qed.
Lemma last_strings_length games : (List.length (flat_map last_string games) <= List.length games)%nat.
Proof.
  induction games as [|l games IH]; [apply le_n|]. cbn [flat_map]. rewrite app_length.
  destruct l; simpl; lia.
Qed.

Theorem cover_at_least games : cover games -> (9590 <= List.length games)%nat.
Proof.
  intros [F S]. rewrite Forall_forall in F. rewrite <- length_mate.
  refine (Nat.le_trans _ _ _ _ (last_strings_length games)).
  apply NoDup_incl_length; [apply NoDup_filter, how_many|].
  intros s J. destruct (in_filter says_mate language s J) as [I M]. apply (proj2 (exactly s)) in I.
  destruct (S s I) as (l & c & L & K). apply in_flat_map. exists l.
  split; [exact L|]. exact (mate_shown_last l c s (F l L) K M).
Qed.

(** The published games are a cover, and have as many. *)
Theorem cover_exists : exists games, cover games /\ List.length games = 9590%nat.
Proof.
  exists published_cover.
  split; [split; [exact published_legal|]|exact length_published].
  intros s W. exact (published_shows s (proj1 (exactly s) W)).
Qed.

(** ** The end of a game does not matter

    Every position of a run is valid, so what is written there is in the list; and every game of the Laws
    is a run, if the rule ends no game earlier. *)

Section Ends.
  Variable ends : position -> list position -> Prop.
  Lemma run_valid p past : run ends p past -> valid p.
  Proof. induction 1; [apply valid_initial|apply valid_play; assumption]. Qed.

  Hypothesis not_earlier : forall p past, ends p past -> over p past.
  Lemma run_of_game l p past : game l p past -> run ends p past.
  Proof. induction 1; [apply run_begins|apply run_goes_on; auto]. Qed.

  Theorem any_end s : occurs ends s <-> In s language.
  Proof.
    split.
    - intros (p & past & m & R & _ & L & <-). exact (anywhere p m (run_valid _ _ R) L).
    - intros I. apply exactly in I. destruct I as (c & l & (p & past & G) & I).
      induction G as [|l p past m G IH O L]; [destruct I|].
      destruct I as [E|I]; [|exact (IH I)]. injection E as _ <-.
      exists p, past, m. split; [exact (run_of_game _ _ _ G)|]. auto.
  Qed.
End Ends.

Theorem no_end s : occurs (fun _ _ => False) s <-> In s language.
Proof. apply any_end. intros p past []. Qed.
