(** * The first plies: when a string can be written at the earliest

    All positions that up to two plies reach are listed, and all that is written of the third. Of the
    fourth ply there is a game for each string; that no other string occurs first there would take all
    197,281 games of four plies, and is not proved here. *)
From Coq Require Import List Bool String Ascii Arith PArith FMapPositive Lia.
From Sanproof Require Import Chess Forms Statements Quick Facts Answers Words Replay.
Import ListNotations.

(** ** Words of a text *)

Fixpoint words_from (s : string) (word : string) : list string :=
  let finished := if String.eqb word "" then [] else [word] in
  match s with
  | EmptyString => finished
  | String a s =>
      if Ascii.eqb a " " or Ascii.eqb a "010" then finished ++ words_from s ""
      else words_from s (word ++ String a "")
  end.
Definition words_of (s : string) : list string := words_from s "".

(** The strings that occur first at plies 1, 2 and 3, and games of four plies, in UCI. *)
Definition ply1 : list string := words_of
  "a3 a4 b3 b4 c3 c4 d3 d4 e3 e4 f3 f4 g3 g4 h3 h4 Na3 Nc3 Nf3 Nh3".

Definition ply2 : list string := words_of
  "a5 a6 b5 b6 c5 c6 d5 d6 e5 e6 f5 f6 g5 g6 h5 h6 Na6 Nc6 Nf6 Nh6".

Definition ply3 : list string := words_of
  "Ba3 Ba6 Bb2 Bb5 Bc4 Bd2 Bd3 Be2 Be3 Bf4 Bg2 Bg5 Bh3 Bh6 Kd2 Ke2 Kf2 Na4 Nb1 Nb5 Nc4 Nd2 Nd4
   Nd5 Ne2 Ne4 Ne5 Nf4 Ng1 Ng5 Nh4 Qa4 Qb3 Qc2 Qd2 Qd3 Qe2 Qf3 Qg4 Qh5 Ra2 Ra3 Rb1 Rg1 Rh2 Rh3
   Bb5+ Bxa6 Bxb5 Bxg5 Bxh6 Nxb5 Nxd5 Nxe5 Nxg5 Qa4+ Qh5+ Qxh5 axb5 bxa5 bxc5 cxb5 cxd5 dxc5
   dxe5 exd5 exf5 fxe5 fxg5 gxf5 gxh5 hxg5".

Definition games4 : list string := words_of
  "g1h3e7e6h3g5f8b4 g1h3b7b6h3g5c8b7 g1h3e7e6h3g5f8c5 g1h3e7e6h3g5f8d6 g1h3d7d6h3g5c8d7
   g1h3d7d6h3g5c8e6 g1h3e7e6h3g5f8e7 g1h3d7d6h3g5c8f5 g1h3d7d6h3g5c8g4 g1h3g7g6h3g5f8g7
   g1h3d7d6h3g5e8d7 g1h3e7e6h3g5e8e7 g1h3f7f6h3f4e8f7 g1h3b8c6h3g5c6a5 g1h3b8c6h3g5c6b4
   g1h3b8c6h3g5c6b8 g1h3b8a6h3g5a6c5 g1h3d7d6h3g5b8d7 g1h3e7e6h3g5g8e7 g1h3g8h6h3g5h6f5
   g1h3g8h6h3g5h6g4 g1h3g8h6h3g5h6g8 g1h3g8f6h3g5f6h5 g1h3c7c6h3g5d8a5 g1h3c7c6h3g5d8b6
   g1h3c7c6h3g5d8c7 g1h3d7d5h3g5d8d6 g1h3d7d6h3g5d8d7 g1h3e7e6h3g5d8e7 g1h3e7e6h3g5d8f6
   g1h3e7e6h3f4d8g5 g1h3e7e6h3f4d8h4 g1h3a7a5h3g5a8a6 g1h3a7a6h3g5a8a7 g1h3b8c6h3g5a8b8
   g1h3g8h6h3g5h8g8 g1h3h7h5h3g5h8h6 g1h3h7h6h3g5h8h7 e2e3b7b6e1e2c8a6 g1h3e7e6d2d3f8b4
   f2f3e7e6e1f2f8c5 e2e3d7d6e1e2c8g4 d2d3g7g6e1d2f8h6 g1h3e7e6b1a3f8a3 g1h3e7e6b2b4f8b4
   c2c4e7e6c4c5f8c5 f2f4d7d6f4f5c8f5 g1h3d7d6g2g4c8g4 g1h3d7d6h1g1c8h3 e2e3b8c6e1e2c6d4
   f2f3g8f6e1f2f6e4 f2f3g8h6e1f2h6g4 a2a4b8c6a4a5c6a5 e2e3g8h6f1a6b8a6 g1h3b8c6b2b4c6b4
   c2c4b8a6c4c5a6c5 g1h3b8c6d2d4c6d4 g1h3g8f6e2e4f6e4 f2f4g8h6f4f5h6f5 g1h3g8h6g2g4h6g4
   e2e3g8f6d1h5f6h5 d2d3b8c6c1h6g8h6 g1h3c7c6d2d3d8a5 f2f3c7c6e1f2d8b6 d2d3e7e6e1d2d8g5
   f2f3e7e5g2g4d8h4 g1h3e7e6f2f3d8h4 a2a4c7c6a4a5d8a5 b1c3d7d5c3d5d8d5 g1h3e7e6h3g5d8g5
   g1f3e7e6f3h4d8h4 b2b4a7a5b4a5a8a5 e2e3a7a6f1a6a8a6 e2e3h7h5d1h5h8h5 d2d3h7h6c1h6h8h6
   g1h3a7a5b2b4a5b4 g1h3b7b5a2a4b5a4 e2e3g8h6f1a6b7a6 g1h3b7b5c2c4b5c4 g1h3c7c5b2b4c5b4
   g1h3c7c5d2d4c5d4 g1h3d7d5c2c4d5c4 g1h3d7d5e2e4d5e4 g1h3e7e5d2d4e5d4 g1h3e7e5h3f4e5f4
   g1h3f7f5e2e4f5e4 g1h3f7f5g2g4f5g4 g1h3g7g5h3f4g5f4 g1f3g7g5f3h4g5h4 d2d3g8h6c1h6g7h6
   g1h3h7h5g2g4h5g4 d2d3e7e6b2b4f8b4 f2f3e7e6h2h4d8h4".

(** ** Positions by the plies that lead to them *)

Definition none (p : position) (past : list position) : Prop := False.
Definition after_plies (k : nat) (p : position) : Prop :=
  exists past, run none p past /\ List.length past = k.

Definition nexts (ps : list position) : list position :=
  flat_map (fun p => map (play p) (quick_moves p)) ps.
Definition texts_at (ps : list position) : list string :=
  flat_map (fun p => map (fun m => print (text p m (quick_suffix p m))) (quick_moves p)) ps.

Lemma in_nexts k ps : (forall p, In p ps <-> after_plies k p) ->
  forall q, In q (nexts ps) <-> after_plies (S k) q.
Proof.
  intros E q. unfold nexts. rewrite in_flat_map. split.
  - intros (p & I & J). apply E in I. destruct I as (past & R & L). apply in_map_iff in J.
    destruct J as (m & <- & J). apply quick_moves_spec in J.
    exists (p :: past). split; [|simpl; congruence]. apply run_goes_on; auto.
  - intros (past & R & L). destruct R as [|p past m R N M]; [discriminate|]. injection L as L.
    exists p. split; [apply E; exists past; auto|]. apply in_map. apply quick_moves_spec. exact M.
Qed.
Lemma in_texts_at k ps : (forall p, In p ps <-> after_plies k p) ->
  forall s, In s (texts_at ps) <-> occurs_at none (S k) s.
Proof.
  intros E s. unfold texts_at. rewrite in_flat_map. split.
  - intros (p & I & J). apply E in I. destruct I as (past & R & L). apply in_map_iff in J.
    destruct J as (m & W & J). apply quick_moves_spec in J. rewrite quick_suffix_eq in W.
    exists p, past, m. split; [exact R|]. split; [intros []|]. split; [exact J|].
    split; [exact W|congruence].
  - intros (p & past & m & R & _ & L & W & K). injection K as K. exists p.
    split; [apply E; exists past; auto|]. apply in_map_iff. exists m. rewrite quick_suffix_eq.
    split; [exact W|]. apply quick_moves_spec. exact L.
Qed.
Lemma at_first p : In p [initial] <-> after_plies 0 p.
Proof.
  split.
  - intros [<-|[]]. exists []. split; [apply run_begins|reflexivity].
  - intros (past & R & L). destruct past; [|discriminate]. inversion R. left. reflexivity.
Qed.

(** ** The lists agree with all games of so many plies *)

Fixpoint agree (ps : list position) (before : list string) (ls : list (list string)) : bool :=
  match ls with
  | [] => true
  | l :: ls =>
      let t := texts_at ps in
      let now := before ++ l in
      each_of (has (collect now)) t and each_of (has (collect t)) l
      and match ls with [] => true | _ => agree (nexts ps) now ls end
  end.
Lemma agree_true : agree [initial] [] [ply1; ply2; ply3] = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

Lemma agree_cons ps before l ls : agree ps before (l :: ls) = true ->
  (forall s, In s (texts_at ps) -> In s (before ++ l)) /\ (forall s, In s l -> In s (texts_at ps))
  /\ (ls <> [] -> agree (nexts ps) (before ++ l) ls = true).
Proof.
  intros H. simpl in H. rewrite !and_true in H. destruct H as (A & B & C).
  split; [exact (all_in _ _ A)|]. split; [exact (all_in _ _ B)|]. destruct ls; [congruence|auto].
Qed.

(** Proofs do not look into lists. *)
Opaque texts_at nexts ply1 ply2 ply3.

Lemma plies :
  (forall s, occurs_at none 1 s <-> In s ply1)
  /\ (forall s, occurs_at none 2 s -> In s (ply1 ++ ply2)) /\ (forall s, In s ply2 -> occurs_at none 2 s)
  /\ (forall s, occurs_at none 3 s -> In s ((ply1 ++ ply2) ++ ply3))
  /\ (forall s, In s ply3 -> occurs_at none 3 s).
Proof.
  pose proof at_first as E0. pose proof (in_nexts _ _ E0) as E1. pose proof (in_nexts _ _ E1) as E2.
  pose proof (in_texts_at _ _ E0) as T0. pose proof (in_texts_at _ _ E1) as T1.
  pose proof (in_texts_at _ _ E2) as T2.
  destruct (agree_cons _ _ _ _ agree_true) as (A0 & B0 & C0). specialize (C0 ltac:(discriminate)).
  cbn [app] in A0, C0.
  destruct (agree_cons _ _ _ _ C0) as (A1 & B1 & C1). specialize (C1 ltac:(discriminate)).
  destruct (agree_cons _ _ _ _ C1) as (A2 & B2 & _).
  split; [|split; [|split; [|split]]]; intros s.
  - exact (conj (fun O => A0 s (proj2 (T0 s) O)) (fun I => proj1 (T0 s) (B0 s I))).
  - exact (fun O => A1 s (proj2 (T1 s) O)).
  - exact (fun I => proj1 (T1 s) (B1 s I)).
  - exact (fun O => A2 s (proj2 (T2 s) O)).
  - exact (fun I => proj1 (T2 s) (B2 s I)).
Qed.

(** ** Games of four plies *)

Definition line_named (name : line -> string) (a : ascii) : option line :=
  find (fun l => String.eqb (name l) (String a "")) lines.
Fixpoint moves_of (s : string) : list move :=
  match s with
  | String a (String b (String c (String d s))) =>
      match line_named file_letter a, line_named rank_digit b,
            line_named file_letter c, line_named rank_digit d with
      | Some f, Some r, Some g, Some q => Move (f, r) (g, q) None :: moves_of s
      | _, _, _, _ => []
      end
  | _ => []
  end.
(** The string of the last of these moves, if all are legal. *)
Fixpoint last_text (p : position) (ms : list move) : option string :=
  match ms with
  | [] => None
  | m :: rest =>
      if legal p m then match rest with
        | [] => Some (print (text p m (quick_suffix p m)))
        | _ => last_text (play p m) rest
        end
      else None
  end.
Lemma last_text_occurs ms : forall p past s, run none p past -> last_text p ms = Some s ->
  occurs_at none (List.length ms + List.length past) s.
Proof.
  induction ms as [|m rest IH]; intros p past s R H; [discriminate|]. cbn [last_text] in H.
  destruct (legal p m) eqn:L; [|discriminate]. assert (N : ~ none p past) by (intros []).
  destruct rest as [|n rest].
  - injection H as <-. exists p, past, m. rewrite quick_suffix_eq. auto 6.
  - pose proof (IH (play p m) (p :: past) s (run_goes_on none p past m R N L) H) as O.
    change (List.length (p :: past)) with (S (List.length past)) in O. rewrite <- plus_n_Sm in O. exact O.
Qed.

Definition texts4 : list string := flat_map (fun g =>
  match moves_of g, last_text initial (moves_of g) with
  | [_; _; _; _], Some s => [s]
  | _, _ => []
  end) games4.
Definition ply4 : list string := Eval vm_compute in texts4.
Lemma texts4_eq : texts4 = ply4.
Proof. vm_cast_no_check (eq_refl ply4). Qed.
Lemma ply4_occurs s : In s ply4 -> occurs_at none 4 s.
Proof.
  rewrite <- texts4_eq. unfold texts4. rewrite in_flat_map. intros (g & _ & I).
  destruct (last_text initial (moves_of g)) as [t|] eqn:E.
  - apply (last_text_occurs _ initial [] _ (run_begins none)) in E.
    destruct (moves_of g) as [|? [|? [|? [|? [|]]]]]; try destruct I as [->|[]]; try destruct I. exact E.
  - destruct (moves_of g) as [|? [|? [|? [|? [|]]]]]; destruct I.
Qed.

(** ** The earliest ply *)

Lemma all_distinct : distinct (PositiveMap.empty _) (((ply1 ++ ply2) ++ ply3) ++ ply4) = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Lemma nodup_split {A} (l k : list A) : NoDup (l ++ k) ->
  NoDup l /\ NoDup k /\ forall a, In a k -> ~ In a l.
Proof.
  induction l as [|x l IH]; intros N; [split; [constructor|auto]|].
  inversion_clear N as [|? ? X N']. apply IH in N'. destruct N' as (L & K & D).
  rewrite in_app_iff in X. split; [constructor; tauto|]. split; [exact K|].
  intros a I [<-|J]; [tauto|exact (D a I J)].
Qed.
Lemma lengths : map (@List.length string) [ply1; ply2; ply3; ply4] = [20; 20; 72; 93].
Proof. vm_cast_no_check (eq_refl [20; 20; 72; 93]). Qed.
Lemma listed4 : has (collect ply4) "Qh4#" = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

Opaque ply4.

Lemma none_at_zero s : ~ occurs_at none 0 s.
Proof. intros (p & past & m & _ & _ & _ & _ & K). discriminate. Qed.

Theorem earliest_plies :
  (forall s, In s ply1 <-> earliest none s 1) /\ (forall s, In s ply2 <-> earliest none s 2)
  /\ (forall s, In s ply3 <-> earliest none s 3) /\ (forall s, In s ply4 -> earliest none s 4).
Proof.
  destruct plies as (P1 & P2 & Q2 & P3 & Q3).
  destruct (nodup_split _ _ (distinct_nodup _ all_distinct)) as (N123 & _ & D4).
  destruct (nodup_split _ _ N123) as (N12 & _ & D3). destruct (nodup_split _ _ N12) as (_ & _ & D2).
  assert (I1 : forall s, In s ply1 -> In s (ply1 ++ ply2)) by (intros s I; apply in_or_app; left; exact I).
  assert (I2 : forall s, In s (ply1 ++ ply2) -> In s ((ply1 ++ ply2) ++ ply3))
    by (intros s I; apply in_or_app; left; exact I).
  pose proof (fun s => proj1 (P1 s)) as P1'. pose proof (fun s => proj2 (P1 s)) as Q1. clear P1.
  repeat split.
  - exact (Q1 s H).
  - intros [|k] K O; [exact (none_at_zero s O)|lia].
  - intros (O & _). exact (P1' s O).
  - exact (Q2 s H).
  - intros [|[|k]] K O; [exact (none_at_zero s O)|exact (D2 s H (P1' s O))|lia].
  - intros (O & F). apply P2, in_app_or in O. destruct O as [O|O]; [|exact O].
    exfalso. exact (F 1 ltac:(lia) (Q1 s O)).
  - exact (Q3 s H).
  - intros [|[|[|k]]] K O; [exact (none_at_zero s O)| | |lia]; apply (D3 s H).
    + exact (I1 s (P1' s O)).
    + exact (P2 s O).
  - intros (O & F). apply P3, in_app_or in O. destruct O as [O|O]; [|exact O].
    exfalso. apply in_app_or in O. destruct O as [O|O].
    + exact (F 1 ltac:(lia) (Q1 s O)).
    + exact (F 2 ltac:(lia) (Q2 s O)).
  - exact (ply4_occurs s H).
  - intros [|[|[|[|k]]]] K O; [exact (none_at_zero s O)| | | |lia]; apply (D4 s H).
    + exact (I2 s (I1 s (P1' s O))).
    + exact (I2 s (P2 s O)).
    + exact (P3 s O).
Qed.
Theorem first_plies : Statements.first_plies.
Proof.
  destruct (nodup_split _ _ (distinct_nodup _ all_distinct)) as (N123 & N4 & _).
  destruct (nodup_split _ _ N123) as (N12 & N3 & _). destruct (nodup_split _ _ N12) as (N1 & N2 & _).
  exact (ex_intro _ ply1 (ex_intro _ ply2 (ex_intro _ ply3 (ex_intro _ ply4
    (conj lengths (conj (conj N1 (conj N2 (conj N3 N4))) earliest_plies)))))).
Qed.

(** Fool's mate, by the Laws: a run that they end is one that nothing ends, cut short. *)
Lemma run_of_any ends p past : run ends p past -> run none p past.
Proof. induction 1; [apply run_begins|apply run_goes_on; auto]. Qed.
Lemma occurs_of_any ends n s : occurs_at ends n s -> occurs_at none n s.
Proof.
  intros (p & past & m & R & _ & L & W & K). exists p, past, m. apply run_of_any in R.
  repeat split; auto.
Qed.
Definition fools : list move :=
  [Move (L6, L2) (L6, L3) None; Move (L5, L7) (L5, L5) None; Move (L7, L2) (L7, L4) None;
   Move (L4, L8) (L8, L4) None].
Fixpoint game_tree (ms : list move) : tree :=
  match ms with [] => Stop | m :: ms => Ply m true (game_tree ms) end.
Definition is_fools (l : sheet) : bool :=
  match l with (_, s) :: before => String.eqb s "Qh4#" and (List.length before =? 3) | [] => false end.
Lemma fools_sheets : each_of is_fools (games (game_tree fools)) = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Lemma fools_replay :
  replays (game_tree fools) ["g4"; "f3"]%string ["Qh4#"; "e5"]%string = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Lemma fools_game : exists l p past, game l p past /\ is_fools l = true.
Proof.
  destruct (replays_shows _ _ _ fools_replay) as (F & _). rewrite Forall_forall in F.
  destruct (sheets_some (game_tree fools) [] initial) as (l & I). destruct (F l I) as (p & past & G).
  exists l, p, past. split; [exact G|]. exact (proj1 (each_spec _ _) fools_sheets l I).
Qed.
Lemma game_run l p past : game l p past -> run over p past /\ List.length past = List.length l.
Proof.
  induction 1 as [|l p past m G (R & E) O L]; [split; [apply run_begins|reflexivity]|].
  split; [apply run_goes_on; assumption|simpl; congruence].
Qed.
Theorem fools_mate : Statements.fools_mate.
Proof.
  destruct fools_game as (l & q & later & G & W). split.
  - inversion G as [|h p past m G' O L]; subst; [discriminate|].
    unfold is_fools in W. rewrite and_true, String.eqb_eq, Nat.eqb_eq in W. destruct W as (W & K).
    apply game_run in G'. destruct G' as (R & E). exists p, past, m. split; [exact R|].
    split; [exact O|]. split; [exact L|]. split; [exact W|congruence].
  - intros k K O. apply occurs_of_any in O.
    exact (proj2 (proj2 (proj2 (proj2 earliest_plies)) _ (has_in _ _ listed4)) k K O).
Qed.
