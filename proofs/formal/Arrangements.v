(** * Knights, bishops, rooks and queens: a search over arrangements

    What is written of such a move depends on its origin and on at most two twins; whether it can check
    depends on one square for the king, the lines in between, and that the king was not in check before.
    An _arrangement_ is an origin with such twins. The search asks of each whether the board leaves room
    for it. The rest of the file proves that it overlooks nothing: whatever is written in any position is
    found. That what it finds is written as well, games show ([Replay]). *)
From Coq Require Import List Bool ZArith Lia.
From Sanproof Require Import Chess Facts Quick Tables.
Import ListNotations.

(** ** The search *)

Definition file_twin (o t : square) : bool := not (same t o) and line_beq (file t) (file o).
Definition rank_twin (o t : square) : bool := not (same t o) and line_beq (rank t) (rank o).
Definition far_twin (o t : square) : bool := not (same t o) and not (line_beq (file t) (file o)).

(** The twins that make the writer name so much of the origin [o]. *)
Definition twins_for (all : list square) (f r : option line) (o : square) : list (list square) :=
  match f, r with
  | None, None => [[]]
  | Some f, None =>
      if line_beq f (file o) then map (fun t => [t]) (filter (far_twin o) all) else []
  | None, Some r =>
      if line_beq r (rank o) then map (fun t => [t]) (filter (file_twin o) all) else []
  | Some f, Some r =>
      if same (f, r) o then
        flat_map (fun t => map (fun u => [t; u]) (filter (rank_twin o) all)) (filter (file_twin o) all)
      else []
  end.
Definition arrangements (k : kind) (f r : option line) (d : square) : list (square * list square) :=
  let all := origins k d in
  flat_map (fun o => map (pair o) (twins_for all f r o)) all.

(** Squares that must be empty: the ways to the destination, and the destination of a quiet move. *)
Definition ways (takes : bool) (d : square) (l : list square) : list square :=
  (if takes then [] else [d]) ++ flat_map (fun t => way t d) l.
Definition fits (takes : bool) (d : square) (l : list square) : bool :=
  each t of l, not (mem t (ways takes d l)).

(** With [e] empty as well there is room for a king on [q], and it is not in check before the move. *)
Definition calm (k : kind) (l e : list square) (q : square) : bool :=
  not (mem q e) and (each t of l, not (mem t e))
  and each t of l, not (reaches (White, k) t q and each x of (way t q), mem x e).

Definition without (o : square) (l : list square) : list square := filter (fun x => not (same x o)) l.

(** The piece gives check from the destination, or opens the line of a discoverer on [s]. *)
Definition direct (k : kind) (e : list square) (o : square) (l : list square) (d q : square) : bool :=
  reaches (White, k) d q and calm k (o :: l) (e ++ without o (way d q)) q.
Definition discovered (k : kind) (e : list square) (o : square) (l : list square) (d q : square) : bool :=
  some s of (through o q),
    not (same s d) and not (mem d (way s q))
    and not (mem s (e ++ without o (way s q))) and calm k (o :: l) (e ++ without o (way s q)) q.
Definition checks (k : kind) (takes : bool) (o : square) (l : list square) (d : square) : bool :=
  let e := ways takes d (o :: l) in
  some q of squares, not (same q d) and not (mem q (o :: l))
    and (direct k e o l d q or discovered k e o l d q).

(** Can it be written so, without a suffix? With one? *)
Definition quiet_possible (k : kind) (f r : option line) (takes : bool) (d : square) : bool :=
  some a of (arrangements k f r d), fits takes d (fst a :: snd a).
Definition check_possible (k : kind) (f r : option line) (takes : bool) (d : square) : bool :=
  some a of (arrangements k f r d),
    fits takes d (fst a :: snd a) and checks k takes (fst a) (snd a) d.

(** ** It overlooks nothing *)

Definition officer (k : kind) : Prop := k = Knight \/ k = Bishop \/ k = Rook \/ k = Queen.

Lemma reaches_white c k s d : officer k -> reaches (c, k) s d = reaches (White, k) s d.
Proof. intros [|[|[|]]]; subst; destruct c; reflexivity. Qed.

Section Officer.
  Variables (p : position) (m : move) (k : kind).
  Let c := turn p.
  Let o := origin m.
  Let d := destination m.
  Hypothesis Hk : officer k.
  Hypothesis Ho : on (men p) o = Some (c, k).
  Hypothesis Hl : legal p m = true.
  Hypothesis Hcalm : in_check (men p) (other c) = false.

  Lemma officer_facts n : on (men p) (origin n) = Some (c, k) -> legal p n = true ->
    reaches (c, k) (origin n) (destination n) = true
    /\ clear (men p) (origin n) (destination n) = true
    /\ has_color (men p) (destination n) c = false /\ promotion n = None.
  Proof.
    intros Hn H. destruct (legal_pseudolegal _ _ H) as [P _].
    destruct (pseudolegal_facts _ _ P) as (j & Hj & HD & F).
    assert (j = k) as -> by congruence.
    destruct Hk as [->|[->|[->| ->]]]; tauto.
  Qed.

  Lemma move_facts :
    reaches (c, k) o d = true /\ clear (men p) o d = true /\ has_color (men p) d c = false
    /\ promotion m = None.
  Proof. exact (officer_facts m Ho Hl). Qed.

  Lemma not_pawn : holds (men p) (origin m) (turn p, Pawn) = false.
  Proof. apply (holds_other p _ k); [exact Ho|]. destruct Hk as [->|[->|[->| ->]]]; discriminate. Qed.
  Lemma not_king : holds (men p) (origin m) (turn p, King) = false.
  Proof. apply (holds_other p _ k); [exact Ho|]. destruct Hk as [->|[->|[->| ->]]]; discriminate. Qed.

  Lemma on_after s :
    on (after p m) s = if same d s then Some (c, k) else if same o s then None else on (men p) s.
  Proof.
    unfold after, in_passing, is_castling, arrives. rewrite not_pawn, not_king.
    destruct move_facts as (_ & _ & _ & ->). rewrite !on_put. fold o d. rewrite Ho. reflexivity.
  Qed.

  Lemma captures_officer : captures p m = not (empty (men p) d).
  Proof.
    unfold captures, in_passing. rewrite not_pawn. fold d. destruct (empty (men p) d); reflexivity.
  Qed.

  (** A man of an arrangement stands on the board, and nothing is in its way. *)
  Definition stands (t : square) : Prop :=
    on (men p) t = Some (c, k) /\ reaches (White, k) t d = true /\ clear (men p) t d = true.

  Lemma origin_stands : stands o.
  Proof.
    destruct move_facts as (H1 & H2 & _). rewrite reaches_white in H1 by assumption.
    repeat split; assumption.
  Qed.

  Lemma twin_stands t : In t (twins p m) -> stands t /\ t <> o.
  Proof.
    unfold twins. fold o d. rewrite Ho, filter_In, !and_true, not_true, same_false, holds_eq.
    intros (_ & H1 & H2 & H3). split; [|assumption].
    destruct (officer_facts (Move t d (promotion m)) H2 H3) as (H4 & H5 & _). simpl in H4, H5.
    rewrite reaches_white in H4 by assumption. repeat split; assumption.
  Qed.

  Lemma ways_empty l x : (forall t, In t l -> stands t) ->
    In x (ways (captures p m) d l) -> on (men p) x = None.
  Proof.
    intros H. unfold ways. rewrite in_app_iff, in_flat_map, captures_officer.
    intros [I|(t & I & J)].
    - destruct (empty (men p) d) eqn:E; simpl in I; [|destruct I].
      destruct I as [<-|[]]. apply empty_eq. assumption.
    - rewrite way_eq in J. destruct (H t I) as (_ & _ & C). rewrite clear_spec in C. auto.
  Qed.

  Lemma fits_real l : (forall t, In t l -> stands t) -> fits (captures p m) d l = true.
  Proof.
    intros H. unfold fits. rewrite each_spec. intros t I. rewrite not_true, mem_false. intros J.
    apply ways_empty in J; [|assumption]. destruct (H t I) as (E & _). congruence.
  Qed.

  Lemma calm_real l e q : (forall t, In t l -> stands t) ->
    (forall x, In x e -> on (men p) x = None) -> on (men p) q = Some (other c, King) ->
    calm k l e q = true.
  Proof.
    intros H E Q. unfold calm. rewrite !and_true, not_true, mem_false, !each_spec.
    split; [|split].
    - intros J. apply E in J. congruence.
    - intros t I. rewrite not_true, mem_false. intros J. apply E in J.
      destruct (H t I) as (F & _). congruence.
    - intros t I. rewrite not_true, way_eq.
      destruct (reaches (White, k) t q) eqn:R; [|reflexivity].
      destruct (each x of (between t q), mem x e) eqn:F; [|reflexivity]. exfalso.
      assert (in_check (men p) (other c) = true); [|congruence].
      apply in_check_spec. exists q, t, (c, k). destruct (H t I) as (G & _).
      rewrite other_other, reaches_white, clear_spec by assumption. repeat split; auto.
      intros x J. apply E. rewrite each_spec in F. apply mem_spec. auto.
  Qed.

  Lemma checks_real l : (forall t, In t l -> stands t) ->
    in_check (after p m) (other c) = true -> checks k (captures p m) o l d = true.
  Proof.
    intros H. rewrite in_check_spec. intros (q & s & a & Q & S & A & R & C).
    rewrite other_other in A. rewrite on_after in Q, S.
    destruct (same d q) eqn:Dq; [destruct Hk as [E|[E|[E|E]]]; rewrite E in Q; discriminate|].
    destruct (same o q) eqn:Oq; [discriminate|].
    rewrite same_false in Dq, Oq. rewrite clear_spec in C.
    assert (HO : forall t, In t (o :: l) -> stands t)
      by (intros t [<-|I]; [apply origin_stands|auto]).
    unfold checks. rewrite some_spec. exists q. split; [apply in_squares|].
    rewrite !and_true, or_true, !not_true, same_false, mem_false.
    assert (C' : forall x, In x (between s q) -> x <> d /\ (x <> o -> on (men p) x = None)).
    { intros x I. specialize (C x I). rewrite on_after in C.
      destruct (same d x) eqn:E1; [discriminate|]. rewrite same_false in E1.
      split; [congruence|]. intros N. destruct (same o x) eqn:E2; [|assumption].
      apply same_eq in E2. congruence. }
    assert (E : forall x, In x (ways (captures p m) d (o :: l) ++ without o (between s q)) ->
                on (men p) x = None).
    { intros x I. rewrite in_app_iff in I. destruct I as [I|I].
      - eapply ways_empty; eassumption.
      - unfold without in I. rewrite filter_In, not_true, same_false in I. apply C'; tauto. }
    split; [congruence|]. split.
    - intros I. destruct (HO q I) as (F & _). rewrite F in Q.
      destruct Hk as [G|[G|[G|G]]]; rewrite G in Q; discriminate.
    - destruct (same d s) eqn:Ds.
      + left. apply same_eq in Ds. subst s. injection S as <-. unfold direct.
        rewrite way_eq, and_true. split; [rewrite <- (reaches_white c); assumption|].
        apply calm_real; assumption.
      + right. destruct (same o s) eqn:Os; [discriminate|]. rewrite same_false in Ds, Os.
        unfold discovered. rewrite some_spec. exists s. rewrite way_eq, in_through.
        assert (M : In o (between s q)).
        { rewrite <- mem_spec. destruct (mem o (between s q)) eqn:M; [reflexivity|].
          rewrite mem_false in M. exfalso.
          assert (in_check (men p) (other c) = true); [|congruence].
          apply in_check_spec. exists q, s, a. rewrite other_other, clear_spec.
          repeat split; auto. intros x I. apply C'; [assumption|]. congruence. }
        split; [exact M|]. rewrite !and_true, !not_true, same_false, !mem_false.
        repeat split; try congruence.
        * intros I. apply C' in I. tauto.
        * intros I. apply E in I. congruence.
        * apply calm_real; assumption.
  Qed.

  (** The twins on the board that made the writer name so much. *)
  Lemma in_arrangements f r l : In l (twins_for (origins k d) f r o) -> In (o, l) (arrangements k f r d).
  Proof.
    intros I. unfold arrangements. apply in_flat_map. exists o. split; [|now apply in_map].
    rewrite origins_eq, filter_In. split; [apply in_squares|apply origin_stands].
  Qed.

  Lemma twin_origin t : In t (twins p m) -> In t (origins k d) /\ same t o = false /\ stands t.
  Proof.
    intros I. apply twin_stands in I. destruct I as [I N].
    rewrite origins_eq, filter_In, same_false. repeat split; auto using in_squares; apply I.
  Qed.

  Lemma discriminator_arrangement f r : discriminator p m k = (f, r) ->
    exists l, In (o, l) (arrangements k f r d) /\ forall t, In t l -> stands t.
  Proof.
    assert (Self : forall a, line_beq a a = true) by (intros; now apply line_eq).
    intros D.
    assert (E : (twins p m = [] /\ f = None /\ r = None) \/ exists t, In t (twins p m)
      /\ (f, r) = if not (some t of (twins p m), line_beq (file t) (file o)) then (Some (file o), None)
             else if not (some t of (twins p m), line_beq (rank t) (rank o)) then (None, Some (rank o))
             else (Some (file o), Some (rank o))).
    { unfold discriminator in D. fold o in D. destruct (twins p m) as [|t ts].
      - left. destruct Hk as [E|[E|[E|E]]]; rewrite E in D; injection D as <- <-; auto.
      - right. exists t. split; [left; reflexivity|].
        destruct Hk as [E|[E|[E|E]]]; rewrite E in D; symmetry; exact D. }
    clear D. destruct E as [(_ & -> & ->)|(t0 & I0 & E)].
    { exists []. split; [apply in_arrangements; left; reflexivity|intros t []]. }
    destruct (some t of (twins p m), line_beq (file t) (file o)) eqn:SF; simpl in E.
    - apply some_spec in SF. destruct SF as (t & It & Ft).
      destruct (twin_origin t It) as (Jt & Nt & St).
      assert (Kt : In t (filter (file_twin o) (origins k d)))
        by (rewrite filter_In; unfold file_twin; rewrite Nt, Ft; auto).
      destruct (some t of (twins p m), line_beq (rank t) (rank o)) eqn:SR; simpl in E;
        injection E as -> ->.
      + apply some_spec in SR. destruct SR as (u & Iu & Fu).
        destruct (twin_origin u Iu) as (Ju & Nu & Su).
        exists [t; u]. split; [|intros x [<-|[<-|[]]]; assumption].
        apply in_arrangements. unfold twins_for.
        replace (same (file o, rank o) o) with true
          by (symmetry; apply same_eq; destruct o; reflexivity).
        apply in_flat_map. exists t. split; [assumption|]. apply in_map_iff. exists u.
        split; [reflexivity|]. rewrite filter_In. unfold rank_twin. rewrite Nu, Fu. auto.
      + exists [t]. split; [|intros x [<-|[]]; assumption].
        apply in_arrangements. unfold twins_for. rewrite Self. apply in_map_iff. exists t. auto.
    - injection E as -> ->. rewrite some_false in SF.
      destruct (twin_origin t0 I0) as (Jt & Nt & St).
      exists [t0]. split; [|intros x [<-|[]]; assumption].
      apply in_arrangements. unfold twins_for. rewrite Self. apply in_map_iff. exists t0.
      split; [reflexivity|]. rewrite filter_In. unfold far_twin. rewrite Nt, (SF t0 I0). auto.
  Qed.

  Definition possible (f r : option line) (x : suffix) : bool :=
    match x with
    | Quiet => quiet_possible k f r (captures p m) d
    | _ => check_possible k f r (captures p m) d
    end.

  (** Whatever is written of such a move, the search finds. *)
  Theorem officer_bound :
    exists f r x, write p m = Moved k f r (captures p m) d None x /\ possible f r x = true.
  Proof.
    destruct (discriminator p m k) as [f r] eqn:D.
    destruct (discriminator_arrangement f r D) as (l & I & S).
    exists f, r, (suffix_of p m). split.
    - unfold write, text, is_castling. rewrite not_king. fold o d. rewrite Ho, D.
      destruct move_facts as (_ & _ & _ & ->). reflexivity.
    - assert (F : fits (captures p m) d (o :: l) = true)
        by (apply fits_real; intros t [<-|J]; [apply origin_stands|auto]).
      unfold possible, suffix_of. simpl.
      destruct (in_check (after p m) (other (turn p))) eqn:C.
      + assert (check_possible k f r (captures p m) d = true).
        { unfold check_possible. rewrite some_spec. exists (o, l). split; [assumption|]. simpl.
          rewrite F. apply checks_real; assumption. }
        destruct (can_move _); assumption.
      + unfold quiet_possible. rewrite some_spec. exists (o, l). split; assumption.
  Qed.
End Officer.
