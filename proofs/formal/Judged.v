(** * Computing answers the conformance suite: [nothing_wrong] *)
From Coq Require Import String List Bool ZArith.
From Sanproof Require Import Chess Forms Suite Quick Facts Answers.
Import ListNotations.
Open Scope string_scope.

(** ** Computing *)

Definition square_of (s : string) : option square := find (fun x => square_name x =? s) squares.
Definition move_of (u : string) : option move :=
  match square_of (substring 0 2 u), square_of (substring 2 2 u) with
  | Some s, Some d => Some (Move s d
      (find (fun k => small_letter k =? substring 4 1 u) [Queen; Rook; Bishop; Knight]))
  | _, _ => None
  end.
Fixpoint follow (p : position) (us : list string) : option position :=
  match us with
  | [] => Some p
  | u :: us => match move_of u with
               | Some m => if quick_legal p m and uci m =? u then follow (play p m) us else None
               | None => None
               end
  end.

Definition valid_by_computing (p : position) : bool :=
  (each c of colors, each s of squares, each t of squares,
     if holds (men p) s (c, King) and holds (men p) t (c, King) then same s t else true)
  and (each c of colors, each s of squares, if holds (men p) s (c, Pawn) then inner (rank s) else true)
  and not (quick_check (men p) (other (turn p))).
Definition sign (p : position) (m : move) : string := print (text p m (quick_suffix p m)).
Definition readings (p : position) (t : string) : list move :=
  filter (fun m => existsb (String.eqb t) (spellings p m)) (quick_moves p).
Definition written_as (p : position) (t : string) (m : move) : bool := sign p m =? t.
Definition right_by_computing (p : position) (number : N) (q : question) : bool :=
  match q with
  | Reads t u => match readings p t with
                 | [m] => written_as p t m and uci m =? u
                 | _ => false
                 end
  | Means t u => match readings p t with [m] => uci m =? u | _ => false end
  | Refuses t => not (existsb (written_as p t) (quick_moves p))
                 and match readings p t with
                     | [] => true
                     | m :: ms => existsb (fun n => not (uci n =? uci m)) ms
                     end
  | Writes u t => existsb (fun m => uci m =? u and written_as p t m) (quick_moves p)
  | Lists ts => let written := map (sign p) (quick_moves p) in
                (if list_eq_dec string_dec (nodup string_dec ts) ts then true else false)
                and forallb (fun t => existsb (String.eqb t) written) ts
                and forallb (fun t => existsb (String.eqb t) ts) written
  | Plays t always pseudo lawful => existsb (fun m => written_as p t m
      and let number := match turn p with White => number | Black => N.succ number end in
          fen (play p m) number =? always
          and fen (named pseudolegal (play p m)) number =? pseudo
          and fen (named legal (play p m)) number =? lawful) (quick_moves p)
  end.

(** What is wrong, by name. *)
Definition wrong_at (x : place) : list string :=
  let all why := (at_fen x ++ why) :: map fst (cases x) in
  match follow initial (game x) with
  | None => all ": its game is not legal"
  | Some q =>
      let has_fen p := fen p (move_number x) =? at_fen x in
      let p := if has_fen q then q else named legal q in
      if not (has_fen p) then all ": its game leads elsewhere"
      else if not (valid_by_computing p) then all ": it is not valid"
      else map fst (filter (fun c => not (right_by_computing p (move_number x) (snd c))) (cases x))
  end.
Definition wrong (xs : list place) : list string := flat_map wrong_at xs.

(** ** Computing gives the right answers *)

Lemma valid_computed p : valid_by_computing p = true -> valid p.
Proof.
  unfold valid_by_computing. rewrite !and_true, not_true, quick_check_eq. intros (K & P & C).
  rewrite !each_spec in K, P. constructor; [| |exact C].
  - intros c s t S T. specialize (K c (in_colors c)). cbv beta in K. rewrite each_spec in K.
    specialize (K s (in_squares s)). cbv beta in K. rewrite each_spec in K.
    specialize (K t (in_squares t)). cbv beta in K. apply holds_eq in S, T. rewrite S, T in K.
    now apply same_eq.
  - intros c s S. specialize (P c (in_colors c)). cbv beta in P. rewrite each_spec in P.
    specialize (P s (in_squares s)). cbv beta in P. apply holds_eq in S. rewrite S in P.
    unfold inner in P. destruct (rank s); split; congruence || discriminate.
Qed.

Lemma exists_in {A} (f : A -> bool) l : existsb f l = true <-> exists a, In a l /\ f a = true.
Proof. apply existsb_exists. Qed.
Lemma is_in t ts : existsb (String.eqb t) ts = true <-> In t ts.
Proof.
  rewrite existsb_exists. split.
  - intros (u & I & E). apply String.eqb_eq in E. now subst.
  - intros I. exists t. now rewrite String.eqb_refl.
Qed.
Lemma writes_computed p m t : In m (quick_moves p) /\ written_as p t m = true <-> writes p m t.
Proof.
  unfold written_as, sign, writes, write.
  rewrite quick_suffix_eq, String.eqb_eq, quick_moves_spec. tauto.
Qed.
Lemma readings_computed p t m : In m (readings p t) <-> denotes p t m.
Proof. unfold readings, denotes. now rewrite filter_In, quick_moves_spec, is_in. Qed.
Lemma only_reading p t m : readings p t = [m] -> forall n, denotes p t n <-> n = m.
Proof. intros R n. rewrite <- readings_computed, R. simpl. intuition congruence. Qed.

Lemma right_computed p number q : right_by_computing p number q = true -> right p number q.
Proof.
  destruct q; cbn [right right_by_computing].
  - destruct (readings p t) as [|m [|]] eqn:R; try discriminate. rewrite and_true, String.eqb_eq.
    intros [W U]. pose proof (only_reading _ _ _ R) as S. exists m. split; [|now split].
    apply writes_computed. split; [|exact W]. apply quick_moves_spec. now apply S.
  - destruct (readings p t) as [|m [|]] eqn:R; try discriminate. rewrite String.eqb_eq.
    intros U. exists m. split; [exact U|exact (only_reading _ _ _ R)].
  - rewrite and_true, not_true. intros [N R]. split.
    + intros m W. apply writes_computed in W. rewrite (proj2 (exists_in _ _)) in N; [discriminate|eauto].
    + intros (m & O). assert (D : In m (readings p t)) by (apply readings_computed; now apply O).
      assert (S : forall n, In n (readings p t) -> n = m)
        by (intros n I; now apply O, readings_computed).
      destruct (readings p t) as [|a l]; [destruct D|]. apply exists_in in R. destruct R as (b & I & X).
      rewrite (S b (or_intror I)), (S a (or_introl eq_refl)), String.eqb_refl in X. discriminate.
  - rewrite exists_in. intros (m & I & X). rewrite and_true, String.eqb_eq in X. exists m.
    rewrite <- writes_computed. tauto.
  - cbv zeta. rewrite !and_true, !forallb_forall. intros (N & A & B).
    setoid_rewrite is_in in A. setoid_rewrite is_in in B. setoid_rewrite in_map_iff in A. split.
    + destruct (list_eq_dec _ _ _) as [E|]; [|discriminate]. rewrite <- E. apply NoDup_nodup.
    + intros t. split.
      * intros I. destruct (A t I) as (m & W & J). exists m. apply writes_computed.
        split; [exact J|]. now apply String.eqb_eq.
      * intros (m & W). apply writes_computed in W. destruct W as [J W]. apply String.eqb_eq in W.
        rewrite <- W. apply B. now apply in_map.
  - rewrite exists_in. intros (m & I & X). rewrite !and_true, !String.eqb_eq in X. exists m.
    rewrite <- writes_computed. cbv zeta. tauto.
Qed.

Lemma follow_played us : forall p q, follow p us = Some q -> played p us q.
Proof.
  induction us as [|u us IH]; intros p q H; cbn [follow] in H.
  - injection H as <-. constructor.
  - destruct (move_of u) as [m|]; [|discriminate].
    destruct (if quick_legal p m then _ else _) eqn:L; [|discriminate].
    rewrite and_true, quick_legal_eq, String.eqb_eq in L. destruct L as [L <-].
    exact (at_first _ _ _ _ L (IH _ _ H)).
Qed.

Theorem nothing_wrong xs : wrong xs = [] -> Forall answered xs.
Proof.
  intros H. apply Forall_forall. intros x I.
  assert (W : wrong_at x = []).
  { destruct (wrong_at x) as [|s l] eqn:E; [reflexivity|exfalso].
    assert (J : In s (wrong xs)) by (apply in_flat_map; exists x; rewrite E; simpl; auto).
    rewrite H in J. exact J. }
  unfold wrong_at in W. destruct (follow _ _) as [q|] eqn:G; [|discriminate]. cbv zeta in W.
  set (p := if fen q _ =? _ then q else _) in W.
  destruct (fen p _ =? _) eqn:F; [|discriminate]. apply String.eqb_eq in F.
  destruct (valid_by_computing p) eqn:V; [|discriminate]. exists q, p.
  split; [exact (follow_played _ _ _ G)|]. split; [subst p; destruct (_ =? _); auto|].
  split; [exact F|]. split; [exact (valid_computed p V)|].
  intros c J. apply right_computed. destruct (right_by_computing _ _ _) eqn:R; [reflexivity|].
  assert (K : In (fst c) []); [|destruct K]. rewrite <- W. apply in_map, filter_In. now rewrite R.
Qed.
