(** * A sample of the shortest games known: each shows its string at the ply that is said *)
From Coq Require Import List Bool String Arith.
From Sanproof Require Import Chess Statements Quick Facts Answers Words Replay.
Import ListNotations.

(** A string, a ply and a game to mate. The tree claims what is written at the ply, and no more. *)
Definition short_game : Type := string * nat * list move.
Fixpoint marked (played n : nat) (ms : list move) : tree :=
  match ms with [] => Stop | m :: ms => Ply m (S played =? n) (marked (S played) n ms) end.
Definition is_shown (g : short_game) : bool :=
  let '(s, n, ms) := g in
  match replay (L1, L1) initial [] (marked 0 n ms) [] with
  | Some [x] => String.eqb (print (snd x)) s
  | _ => false
  end.

Lemma marked_occurs n ms : forall h p past acc out,
  run over p past -> replay h p past (marked (List.length past) n ms) acc = Some out ->
  forall x, In x out -> In x acc \/ occurs_at over n (print (snd x)).
Proof.
  induction ms as [|m ms IH]; intros h p past acc out R H x I.
  - simpl in H. destruct (quick_check _ _ and _); [|discriminate]. injection H as <-. auto.
  - pose proof (replay_mates _ _ _ _ _ _ H) as M. cbn [marked replay] in H.
    destruct (lives h p past and quick_legal p m) eqn:L; [|discriminate].
    rewrite and_true, quick_legal_eq in L. destruct L as [V L]. pose proof (not_over h p past m V L M) as N.
    destruct (IH _ _ (p :: past) _ _ (run_goes_on over p past m R N L) H x I) as [J|J]; [|auto].
    destruct (S (List.length past) =? n) eqn:E; [|auto]. destruct J as [<-|J]; [|auto]. right.
    apply Nat.eqb_eq in E. exists p, past, m. unfold write. rewrite <- quick_suffix_eq. auto 6.
Qed.

Theorem sample_shown l : each_of is_shown l = true -> shown_at_plies (map fst l).
Proof.
  intros C s n I. apply in_map_iff in I. destruct I as ([[t k] ms] & E & I). injection E as -> ->.
  pose proof (proj1 (each_spec _ _) C _ I) as H. unfold is_shown in H.
  destruct (replay _ _ _ _ _) as [[|x [|]]|] eqn:R; try discriminate.
  apply String.eqb_eq in H. subst s.
  destruct (marked_occurs n ms _ _ [] _ _ (run_begins over) R x (or_introl eq_refl)) as [[]|O].
  exact O.
Qed.
