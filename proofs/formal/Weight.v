(** * Why no position comes back after a capture or a pawn's move

    Each man counts for something, a pawn for more the farther it has to go. The sum over the board never
    grows, and a capture or a pawn's move makes it smaller. [Replay] uses that: on the same board the sum
    is the same. *)
From Coq Require Import List Bool ZArith Lia.
From Sanproof Require Import Chess Forms Facts Answers.
Import ListNotations.
Open Scope Z_scope.

Definition worth (s : square) (x : option piece) : Z :=
  match x with
  | None => 0
  | Some (c, Pawn) => 1 + Z.abs (number (home (other c)) - number (rank s))
  | Some _ => 1
  end.
Definition sum (f : square -> Z) (l : list square) : Z := fold_right (fun s n => f s + n) 0 l.
Definition weight (b : board) : Z := sum (fun s => worth s (on b s)) squares.

Lemma worth_man s q : 1 <= worth s (Some q).
Proof. unfold worth. destruct q as [c []]; lia. Qed.
Lemma worth_any s x : 0 <= worth s x.
Proof. destruct x as [q|]; [pose proof (worth_man s q); lia|reflexivity]. Qed.

(** ** A square changes *)

Lemma sum_same f g l : (forall s, In s l -> f s = g s) -> sum f l = sum g l.
Proof.
  induction l as [|s l IH]; intros H; simpl; [reflexivity|].
  rewrite IH by (intros t T; apply H; right; exact T). rewrite H by (left; reflexivity). reflexivity.
Qed.
Lemma sum_change f g s l : NoDup l -> In s l -> (forall t, t <> s -> f t = g t) ->
  sum f l + g s = sum g l + f s.
Proof.
  intros N I H. induction N as [|t l T N IH]; simpl; [destruct I|]. destruct I as [->|I].
  - rewrite (sum_same f g) by (intros x X; apply H; congruence). lia.
  - rewrite (H t) by congruence. specialize (IH I). lia.
Qed.
Definition square_dec (s t : square) : {s = t} + {s <> t}.
Proof. decide equality; apply line_eq_dec. Defined.
Lemma nodup_squares : NoDup squares.
Proof. change squares with (nodup square_dec squares). apply NoDup_nodup. Qed.
Lemma weight_put b s x : weight (put b s x) = weight b - worth s (on b s) + worth s x.
Proof.
  unfold weight.
  assert (H : forall t, t <> s -> worth t (on (put b s x) t) = worth t (on b t)).
  { intros t T. rewrite on_put, (proj2 (same_false s t)) by congruence. reflexivity. }
  pose proof (sum_change _ _ s _ nodup_squares (in_squares s) H) as E. cbv beta in E.
  rewrite on_put, (proj2 (same_eq s s) eq_refl) in E. lia.
Qed.

(** ** A move *)

Lemma pawn_worth c s d : pawn_steps c s d = true ->
  worth d (Some (c, Pawn)) < worth s (Some (c, Pawn)) /\ 1 < worth s (Some (c, Pawn)).
Proof.
  assert (H : forall p s d, (if pawn_steps (fst p) s d
    then (worth d (Some (fst p, Pawn)) <? worth s (Some (fst p, Pawn))) and (1 <? worth s (Some (fst p, Pawn)))
    else true) = true) by (apply for_pieces; now vm_compute).
  intros P. specialize (H (c, Pawn) s d). cbn [fst] in H. rewrite P, and_true, !Z.ltb_lt in H. exact H.
Qed.

Definition irreversible (p : position) (m : move) : bool := captures p m or moves_pawn p m.

Lemma weight_arrives p m : pseudolegal p m = true ->
  worth (destination m) (arrives p m) + (if moves_pawn p m then 1 else 0)
    <= worth (origin m) (on (men p) (origin m)).
Proof.
  intros H. destruct (pseudolegal_facts _ _ H) as (k & O & _ & F). unfold arrives, moves_pawn.
  destruct k; try rewrite (holds_other _ _ _ _ O) by discriminate.
  1: rewrite (proj2 (holds_eq _ _ _) O), O; destruct F as [F G];
     pose proof (pawn_worth _ _ _ (pawn_moves_steps _ _ _ F)) as [W V];
     destruct (promotion m) as [[]|]; try discriminate G; cbv iota; try lia; cbn [worth] in *; lia.
  all: replace (promotion m) with (@None kind) by (symmetry; tauto); rewrite O; simpl; lia.
Qed.

Lemma castling_rook p m e : pseudolegal p m = true -> is_castling p m e = true ->
  on (men p) (rook_from (turn p) e) = Some (turn p, Rook).
Proof.
  intros H C. unfold is_castling in C. rewrite !and_true, holds_eq, !same_eq in C.
  destruct C as (O & S & D). unfold pseudolegal in H. cbv zeta in H.
  rewrite O, !and_true, !or_true, S, D in H. destruct H as (_ & _ & [R|R] & _).
  - exfalso. destruct (turn p), e; discriminate R.
  - destruct R as [R|R]; unfold castles in R; cbv zeta in R; rewrite !and_true, holds_eq, !same_eq in R;
      destruct R as (_ & E & _ & R & _); destruct e; try exact R;
      exfalso; destruct (turn p); discriminate E.
Qed.

Theorem weight_after p m : pseudolegal p m = true ->
  weight (after p m) + (if irreversible p m then 1 else 0) <= weight (men p).
Proof.
  intros H. destruct (pseudolegal_facts _ _ H) as (k & O & D & _).
  pose proof (weight_arrives p m H) as A. unfold after. cbv zeta.
  set (b := put (put (men p) (origin m) None) (destination m) (arrives p m)).
  assert (N : same (origin m) (destination m) = false).
  { apply same_false. intros E. rewrite <- E in D.
    rewrite (proj2 (has_color_eq _ _ _) (ex_intro _ k O)) in D. discriminate. }
  assert (B : weight b + (if irreversible p m then 1 else 0) <= weight (men p)).
  { unfold b. rewrite !weight_put, on_put, N. change (worth (origin m) None) with 0.
    unfold irreversible, captures, in_passing, empty. fold (moves_pawn p m).
    destruct (on (men p) (destination m)) as [q|]; [pose proof (worth_man (destination m) q)|];
      change (worth (destination m) None) with 0; destruct (moves_pawn p m);
      cbn [negb]; try match goal with |- context [if ?x then 1 else 0] => destruct x end; lia. }
  assert (R : forall e, is_castling p m e = true ->
    weight (put (put b (rook_from (turn p) e) None) (rook_to (turn p) e) (Some (turn p, Rook))) <= weight b).
  { intros e C. rewrite !weight_put.
    pose proof (worth_any (rook_to (turn p) e) (on (put b (rook_from (turn p) e) None) (rook_to (turn p) e))) as T.
    replace (on b (rook_from (turn p) e)) with (Some (turn p, Rook)); [simpl in *; lia|].
    rewrite <- (castling_rook p m e H C). unfold b. rewrite !on_put.
    unfold is_castling in C. rewrite !and_true, !same_eq in C. destruct C as (_ & -> & ->).
    destruct (turn p), e; reflexivity. }
  destruct (in_passing p m).
  - rewrite weight_put. pose proof (worth_any (file (destination m), rank (origin m))
      (on b (file (destination m), rank (origin m)))). simpl. lia.
  - destruct (is_castling p m Short) eqn:C; [specialize (R _ C); lia|].
    destruct (is_castling p m Long) eqn:L; [specialize (R _ L); lia|exact B].
Qed.
