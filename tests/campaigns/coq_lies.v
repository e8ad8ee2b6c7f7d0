(* A forgery that an earlier build believed, by names that shadow ours: definitions, then games. *)

Close Scope bytes_scope.
Definition swap (s : string) : string :=
  if String.eqb s "Qh1xa8"%string then "Qh1xa9"%string else s.
Definition print (t : san) : string := swap (Chess.print t).
Definition rn (x : color * string) : color * string := (fst x, swap (snd x)).
Inductive game : sheet -> position -> list position -> Prop :=
| begins : game [] initial []
| goes_on l p past m : game l p past -> ~ over p past -> legal p m = true ->
    game ((turn p, print (write p m)) :: l) (play p m) (p :: past).
Definition legal_sheet (l : sheet) : Prop := exists p past, game l p past.
Definition written_by (c : color) (s : string) : Prop := exists l, legal_sheet l /\ In (c, s) l.
Definition written (s : string) : Prop := exists c, written_by c s.
Definition cover (games : list sheet) : Prop :=
  Forall legal_sheet games
  /\ forall s, written s -> exists l c, In l games /\ In (c, s) l.
Theorem game_valid l p past : game l p past -> valid p.
Proof. induction 1; [apply valid_initial|apply valid_play; assumption]. Qed.
Lemma says_mate_print t : says_mate (print t) = true -> suffix_in t = Mate.
Proof.
  unfold print, swap. destruct (String.eqb (Chess.print t) _) eqn:E.
  - intros H. vm_compute in H. discriminate.
  - apply Words.says_mate_print.
Qed.
Lemma game_rn l p past : Chess.game l p past -> game (map rn l) p past.
Proof. induction 1; simpl; [apply begins|]. apply goes_on; assumption. Qed.
Definition games (t : tree) : list sheet := map (map rn) (Replay.games t).
Definition all_show (ts : list tree) (white black : list string) : Prop :=
  Forall legal_sheet (flat_map games ts)
  /\ (forall s, In s white -> exists l, In l (flat_map games ts) /\ In (White, s) l)
  /\ (forall s, In s black -> exists l, In l (flat_map games ts) /\ In (Black, s) l).
Lemma flat_games ts : flat_map games ts = map (map rn) (flat_map Replay.games ts).
Proof.
  induction ts as [|t ts IH]; [reflexivity|]. cbn [flat_map]. rewrite map_app, IH. reflexivity.
Qed.
Lemma all_show_rn ts w b : Replay.all_show ts w b -> all_show ts (map swap w) (map swap b).
Proof.
  intros (F & W & B). unfold all_show. rewrite flat_games. split; [|split].
  - rewrite Forall_forall in *. intros l I. apply in_map_iff in I. destruct I as (k & <- & I).
    destruct (F k I) as (p & past & G). exists p, past. apply game_rn. exact G.
  - intros s I. apply in_map_iff in I. destruct I as (u & <- & I). destruct (W u I) as (l & L & K).
    exists (map rn l). split; [apply in_map; exact L|]. exact (in_map rn _ _ K).
  - intros s I. apply in_map_iff in I. destruct I as (u & <- & I). destruct (B u I) as (l & L & K).
    exists (map rn l). split; [apply in_map; exact L|]. exact (in_map rn _ _ K).
Qed.
Lemma games_count ts : N.of_nat (List.length (flat_map games ts)) = count_all ts.
Proof. rewrite flat_games, map_length. apply Replay.games_count. Qed.
(* imports *)
From Sanproof Require Import Chess Statements Facts Bound Words Replay.
From Coq Require Import Bool String ZArith.
(* games *)
From Coq Require Import List.
From Sanproof Require Import Published.
From Sanproof Require Honest.
Definition cover_trees := Honest.cover_trees.
Definition rest_trees := Honest.rest_trees.
Definition cover_white := map swap Honest.cover_white.
Definition cover_black := map swap Honest.cover_black.
Definition rest_white := map swap Honest.rest_white.
Definition rest_black := map swap Honest.rest_black.
Lemma cover_all_show : all_show cover_trees cover_white cover_black.
Proof. exact (all_show_rn _ _ _ Honest.cover_all_show). Qed.
Lemma rest_all_show : all_show rest_trees rest_white rest_black.
Proof. exact (all_show_rn _ _ _ Honest.rest_all_show). Qed.
