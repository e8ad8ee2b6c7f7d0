(** * Moves that could be made in the games

    Every position of a replayed tree is of a legal game that is not over, so each legal move there can
    be made. Notes go along with a tree, and name such moves with their texts in the long form. *)
From Coq Require Import List Bool String.
From Sanproof Require Import Chess Forms Quick Facts Answers Replay.
Import ListNotations.

Inductive notes :=
| Done
| Note (c : color) (m : move) (t : lan) (n : notes)   (* here [c] can make [m], which is written [t] *)
| Go (plies : nat) (n : notes)                        (* on by so many moves of the tree *)
| Both (a b : notes).                                 (* notes on two parts of the tree *)

Fixpoint along (plies : nat) (p : position) (t : tree) : position * tree :=
  match plies, t with
  | S plies, Ply m _ t => along plies (play p m) t
  | _, _ => (p, t)
  end.
Fixpoint confirms (p : position) (t : tree) (n : notes) : bool :=
  match n with
  | Done => true
  | Note c m x n =>
      color_beq (turn p) c and quick_legal p m
      and String.eqb (print_lan (lan_text p m (quick_suffix p m))) (print_lan x) and confirms p t n
  | Go plies n => let (p, t) := along plies p t in confirms p t n
  | Both a b => match t with Fork t u => confirms p t a and confirms p u b | _ => false end
  end.

(** What is noted. *)
Definition note := (color * move * lan)%type.
Fixpoint noted (n : notes) : list note :=
  match n with
  | Done => []
  | Note c m x n => (c, m, x) :: noted n
  | Go _ n => noted n
  | Both a b => noted a ++ noted b
  end.
Definition true_note (x : note) : Prop :=
  let '(c, m, t) := x in
  exists l p past, game l p past /\ ~ over p past /\ legal p m = true /\ turn p = c
    /\ print_lan (write_lan p m) = print_lan t.

(** ** Notes are true *)

(** The tree is replayed from this position, which is of a game. *)
Definition replayed_from (p : position) (t : tree) : Prop :=
  exists h l past acc out, game l p past /\ replay h p past t acc = Some out.

Lemma replayed_ply p m show t : replayed_from p (Ply m show t) -> replayed_from (play p m) t.
Proof.
  intros (h & l & past & acc & out & G & H). pose proof (replay_mates _ _ _ _ _ _ H) as M. simpl in H.
  destruct (lives h p past and quick_legal p m) eqn:L; [|discriminate].
  rewrite and_true, quick_legal_eq in L. destruct L as [V L].
  pose proof (goes_on _ _ _ _ G (not_over h p past m V L M) L) as G'.
  do 5 eexists. split; [exact G'|exact H].
Qed.
Lemma replayed_fork p a b : replayed_from p (Fork a b) -> replayed_from p a /\ replayed_from p b.
Proof.
  intros (h & l & past & acc & out & G & H). simpl in H.
  destruct (replay h p past a acc) as [o|] eqn:R; [|discriminate].
  split; do 5 eexists; (split; [exact G|]); [exact R|exact H].
Qed.
Lemma replayed_along plies : forall p t, replayed_from p t ->
  replayed_from (fst (along plies p t)) (snd (along plies p t)).
Proof.
  induction plies as [|plies IH]; intros p t R; [exact R|].
  destruct t as [|m show t|a b]; [exact R| |exact R]. simpl. apply IH. exact (replayed_ply _ _ _ _ R).
Qed.

Lemma replayed_not_over t : forall h p past acc out m,
  replay h p past t acc = Some out -> legal p m = true -> ~ over p past.
Proof.
  induction t as [|n show t _|a IH b _]; intros h p past acc out m H L.
  - simpl in H. destruct (quick_check _ _ and _) eqn:E; [|discriminate].
    rewrite and_true, not_true, quick_can_move_eq in E. destruct E as [_ E].
    assert (can_move p = true) by (apply can_move_spec; eauto). congruence.
  - pose proof (replay_mates _ _ _ _ _ _ H) as M. simpl in H.
    destruct (lives h p past and quick_legal p n) eqn:V; [|discriminate]. rewrite and_true, quick_legal_eq in V.
    exact (not_over h p past n (proj1 V) (proj2 V) M).
  - simpl in H. destruct (replay h p past a acc) as [o|] eqn:R; [|discriminate].
    exact (IH _ _ _ _ _ _ R L).
Qed.

Lemma confirms_true n : forall p t, replayed_from p t -> confirms p t n = true ->
  Forall true_note (noted n).
Proof.
  induction n as [|c m x n IH|plies n IH|a IHa b IHb]; intros p t R H; simpl in *.
  - constructor.
  - rewrite !and_true, color_eq, String.eqb_eq, quick_legal_eq, quick_suffix_eq in H. destruct H as (T & L & W & H).
    constructor; [|exact (IH _ _ R H)]. destruct R as (h & l & past & acc & out & G & R).
    exists l, p, past. pose proof (replayed_not_over _ _ _ _ _ _ _ R L). auto.
  - pose proof (replayed_along plies p t R) as A. destruct (along plies p t) as [q u].
    exact (IH _ _ A H).
  - destruct t as [|m show t|t u]; try discriminate. apply replayed_fork in R. rewrite and_true in H.
    apply Forall_app. split; [exact (IHa _ _ (proj1 R) (proj1 H))|exact (IHb _ _ (proj2 R) (proj2 H))].
Qed.

Definition all_true (n : notes) : Prop := Forall true_note (noted n).
Theorem confirmed t white black n :
  replays t white black = true -> confirms initial t n = true -> all_true n.
Proof.
  unfold replays. rewrite from_initial. destruct (replay _ _ _ t _) as [out|] eqn:R; [|discriminate]. intros _.
  apply confirms_true. do 5 eexists. split; [exact begins|exact R].
Qed.

Lemma all_of_them ns : Forall all_true ns -> Forall true_note (flat_map noted ns).
Proof. induction 1; [constructor|]. apply Forall_app. split; assumption. Qed.

(** ** What a player can make and write by true notes *)

Definition by_color (c : color) (l : list note) : list note :=
  filter (fun x => color_beq (fst (fst x)) c) l.
Definition lan_by (c : color) (l : list note) : list string :=
  map (fun x => print_lan (snd x)) (by_color c l).
Definition uci_by (c : color) (l : list note) : list string :=
  map (fun x => uci (snd (fst x))) (by_color c l).

Lemma noted_written c l s : Forall true_note l -> In s (lan_by c l) -> lan_written_by c s.
Proof.
  intros F I. apply in_map_iff in I. destruct I as ([[a m] x] & <- & I).
  apply filter_In in I. destruct I as [I E]. apply color_eq in E. simpl in E. subst a.
  rewrite Forall_forall in F. destruct (F _ I) as (h & p & past & G & O & L & T & W).
  exists h, p, past, m. auto.
Qed.
Lemma noted_played c l u : Forall true_note l -> In u (uci_by c l) -> played_by c u.
Proof.
  intros F I. apply in_map_iff in I. destruct I as ([[a m] x] & <- & I).
  apply filter_In in I. destruct I as [I E]. apply color_eq in E. simpl in E. subst a.
  rewrite Forall_forall in F. destruct (F _ I) as (h & p & past & G & O & L & T & _).
  exists h, p, past, m. auto.
Qed.
