(** * Games, replayed to mate

    A tree holds games that begin alike. [replay] plays all of them by the definitions, and stops
    unless each move is legal, no position was drawn before, and each game ends in mate. Then each is
    a legal game: mate followed, so no position on the way was mate, stalemate or dead. *)
From Coq Require Import List Bool ZArith String Lia.
From Sanproof Require Import Chess Quick Facts Answers Weight Words.
Import ListNotations.

Inductive tree :=
| Stop                                            (* here the game ends *)
| Ply (m : move) (show : bool) (next : tree)      (* [show]: the tree claims what is written here *)
| Fork (a b : tree).                              (* two games, or more, that differ from here on *)

(** ** The quick ways are right

    Positions are compared first on the square that was just moved to. *)

Definition looks (p q : position) (s : square) : bool :=
  match on (men q) s with Some x => holds (men p) s x | None => empty (men p) s end.
Definition like (h : square) (p q : position) : bool :=
  color_beq (turn p) (turn q) and looks p q h and each s of squares, looks p q s.
Definition lives (h : square) (p : position) (past : list position) : bool :=
  (clock p <? 2 * 75)%N and (1 + List.length (filter (like h p) past) <? 5)%nat.

Lemma repeats_like h p q : repeats p q = true -> like h p q = true.
Proof.
  unfold repeats, like. rewrite !and_true. intros (T & B & _).
  assert (L : forall s, looks p q s = true).
  { intros s. rewrite each_spec in B. exact (B s (in_squares s)). }
  split; [exact T|]. split; [apply L|]. rewrite each_spec. auto.
Qed.
Lemma count_repeats h p past :
  (List.length (filter (repeats p) past) <= List.length (filter (like h p) past))%nat.
Proof.
  induction past as [|q past IH]; simpl; [lia|].
  destruct (repeats p q) eqn:R.
  - rewrite (repeats_like h _ _ R). simpl. lia.
  - destruct (like h p q); simpl; lia.
Qed.

(** ** Replay *)

Definition entry (p : position) (m : move) : color * string := (turn p, print (write p m)).

Fixpoint replay (h : square) (p : position) (past : list position) (t : tree)
    (acc : list (color * san)) : option (list (color * san)) :=
  match t with
  | Stop => if quick_check (men p) (turn p) and not (quick_can_move p) then Some acc else None
  | Ply m show t =>
      if lives h p past and quick_legal p m then
        replay (destination m) (play p m) (p :: past) t
          (if show then (turn p, text p m (quick_suffix p m)) :: acc else acc)
      else None
  | Fork a b => match replay h p past a acc with
                | Some acc => replay h p past b acc
                | None => None
                end
  end.

(** ** The same, quicker

    A position is compared only with those since the last capture or pawn's move, and the board after a
    move is worked out once: [men (play p m)] is [after p m]. *)

Fixpoint quick_replay (h : square) (p : position) (recent : list position) (t : tree)
    (acc : list (color * san)) : option (list (color * san)) :=
  match t with
  | Stop => if quick_check (men p) (turn p) and not (quick_can_move p) then Some acc else None
  | Ply m show t =>
      let q := play p m in
      if lives h p recent and quick_pseudolegal p m and not (quick_check (men q) (turn p)) then
        quick_replay (destination m) q (if (clock q =? 0)%N then [] else p :: recent) t
          (if show then (turn p, text p m (quick_suffix p m)) :: acc else acc)
      else None
  | Fork a b => match quick_replay h p recent a acc with
                | Some acc => quick_replay h p recent b acc
                | None => None
                end
  end.

(** The recent positions suffice: in those of [past] that they lack, men counted for more than now. *)
Definition suffices (p : position) (recent past : list position) : Prop :=
  Forall (fun q => weight (men p) <= weight (men q))%Z past
  /\ exists older, past = recent ++ older /\ Forall (fun q => weight (men p) < weight (men q))%Z older.

Lemma like_weight h p q : like h p q = true -> weight (men p) = weight (men q).
Proof.
  unfold like. rewrite !and_true, each_spec. intros (_ & _ & L). apply sum_same. intros s I.
  specialize (L s I). unfold looks in L. destruct (on (men q) s) as [x|].
  - apply holds_eq in L. rewrite L. reflexivity.
  - apply empty_eq in L. rewrite L. reflexivity.
Qed.
Lemma lives_recent h p recent past : suffices p recent past -> lives h p recent = lives h p past.
Proof.
  intros (_ & older & -> & O). unfold lives. rewrite filter_app.
  replace (filter (like h p) older) with (@nil position); [rewrite app_nil_r; reflexivity|].
  induction O as [|q older W O IH]; simpl; [reflexivity|].
  destruct (like h p q) eqn:L; [apply like_weight in L; lia|exact IH].
Qed.
Lemma suffices_after p m recent past : suffices p recent past -> pseudolegal p m = true ->
  suffices (play p m) (if (clock (play p m) =? 0)%N then [] else p :: recent) (p :: past).
Proof.
  intros (P & older & -> & O) H. pose proof (weight_after p m H) as W.
  change (after p m) with (men (play p m)) in W. split.
  - constructor; [destruct (irreversible p m); lia|].
    apply (Forall_impl _ (P := fun q => weight (men p) <= weight (men q))%Z); [|exact P].
    intros q Q. destruct (irreversible p m); lia.
  - destruct (clock (play p m) =? 0)%N eqn:C.
    + exists (p :: recent ++ older). split; [reflexivity|].
      assert (I : irreversible p m = true).
      { unfold irreversible. cbn [play clock] in C. destruct (captures p m or moves_pawn p m); [reflexivity|].
        apply N.eqb_eq in C. destruct (N.neq_succ_0 _ C). }
      rewrite I in W. constructor; [lia|].
      apply (Forall_impl _ (P := fun q => weight (men p) <= weight (men q))%Z); [|exact P]. intros q Q. lia.
    + exists older. split; [reflexivity|].
      apply (Forall_impl _ (P := fun q => weight (men p) < weight (men q))%Z); [|exact O].
      intros q Q. destruct (irreversible p m); lia.
Qed.

Theorem quick_replay_eq t : forall h p recent past acc, suffices p recent past ->
  quick_replay h p recent t acc = replay h p past t acc.
Proof.
  induction t as [|m show t IH|a IHa b IHb]; intros h p recent past acc K.
  - reflexivity.
  - cbn [quick_replay replay]. cbv zeta. rewrite (lives_recent h _ _ _ K). unfold quick_legal.
    change (men (play p m)) with (after p m).
    destruct (lives h p past); [|reflexivity]. destruct (quick_pseudolegal p m) eqn:L; [|reflexivity].
    rewrite quick_pseudolegal_eq in L. rewrite (IH _ _ _ _ _ (suffices_after p m _ _ K L)). reflexivity.
  - cbn [quick_replay replay]. rewrite (IHa h p recent past acc K).
    destruct (replay h p past a acc) as [out|]; [exact (IHb h p recent past out K)|reflexivity].
Qed.

Lemma from_initial t : quick_replay (L1, L1) initial [] t [] = replay (L1, L1) initial [] t [].
Proof. apply quick_replay_eq. split; [constructor|exists []; split; constructor]. Qed.

(** The score sheets of the games of a tree, and how many they are. *)
Fixpoint sheets (l : sheet) (p : position) (t : tree) : list sheet :=
  match t with
  | Stop => [l]
  | Ply m _ t => sheets (entry p m :: l) (play p m) t
  | Fork a b => sheets l p a ++ sheets l p b
  end.
Fixpoint count (t : tree) : N :=
  match t with Stop => 1 | Ply _ _ t => count t | Fork a b => count a + count b end.

Lemma sheets_count t : forall l p, N.of_nat (List.length (sheets l p t)) = count t.
Proof.
  induction t as [|m show t IH|a IHa b IHb]; intros l p; simpl; [reflexivity|apply IH|].
  rewrite app_length, Nnat.Nat2N.inj_add, IHa, IHb. reflexivity.
Qed.
Lemma sheets_keep t : forall l p e k, In e l -> In k (sheets l p t) -> In e k.
Proof.
  induction t as [|m show t IH|a IHa b IHb]; intros l p e k I H; simpl in H.
  - destruct H as [<-|[]]. exact I.
  - apply (IH _ _ e k) in H; [exact H|right; exact I].
  - apply in_app_iff in H. destruct H; [eapply IHa|eapply IHb]; eassumption.
Qed.
Lemma sheets_some t : forall l p, exists k, In k (sheets l p t).
Proof.
  induction t as [|m show t IH|a IHa b IHb]; intros l p; simpl.
  - exists l. left. reflexivity.
  - apply IH.
  - destruct (IHa l p) as (k & I). exists k. apply in_app_iff. left. exact I.
Qed.

Lemma replay_mates t : forall h p past acc out, replay h p past t acc = Some out ->
  exists q, leads_to p q /\ checkmate q = true.
Proof.
  induction t as [|m show t IH|a IHa b IHb]; intros h p past acc out H; simpl in H.
  - exists p. split; [constructor|]. unfold checkmate.
    rewrite <- quick_check_eq, <- quick_can_move_eq.
    destruct (quick_check _ _ and _); [reflexivity|discriminate].
  - destruct (lives h p past and quick_legal p m) eqn:L; [|discriminate].
    rewrite and_true, quick_legal_eq in L. destruct L as [_ L].
    apply IH in H. destruct H as (q & Q & M). exists q. split; [|exact M].
    exact (by_move _ _ _ L Q).
  - destruct (replay h p past a acc) as [o|] eqn:R; [|discriminate]. exact (IHa _ _ _ _ _ R).
Qed.

Lemma not_over h p past m : lives h p past = true -> legal p m = true ->
  (exists q, leads_to p q /\ checkmate q = true) -> ~ over p past.
Proof.
  intros V L (q & Q & M).
  assert (C : can_move p = true) by (apply can_move_spec; eauto).
  unfold lives in V. rewrite and_true, N.ltb_lt, Nat.ltb_lt in V.
  pose proof (count_repeats h p past).
  intros [O|[O|[O|[O|O]]]].
  - unfold checkmate in O. rewrite C, and_true in O. destruct O. discriminate.
  - unfold stalemate in O. rewrite C in O. destruct (in_check _ _); discriminate.
  - rewrite (O q Q) in M. discriminate.
  - unfold fivefold in O. rewrite Nat.leb_le in O. lia.
  - unfold seventy_five in O. rewrite N.leb_le in O. lia.
Qed.

Definition named (x : color * san) : color * string := (fst x, print (snd x)).

Theorem replay_sound t : forall h l p past acc out,
  game l p past -> replay h p past t acc = Some out ->
  Forall legal_sheet (sheets l p t)
  /\ forall x, In x out -> In x acc \/ exists k, In k (sheets l p t) /\ In (named x) k.
Proof.
  induction t as [|m show t IH|a IHa b IHb]; intros h l p past acc out G H.
  - simpl in *. destruct (quick_check _ _ and _); [|discriminate]. injection H as <-.
    split; [|auto]. constructor; [exists p, past; exact G|constructor].
  - pose proof (replay_mates _ _ _ _ _ _ H) as M. simpl in H |- *.
    destruct (lives h p past and quick_legal p m) eqn:L; [|discriminate].
    rewrite and_true, quick_legal_eq in L. destruct L as [V L].
    assert (G' : game (entry p m :: l) (play p m) (p :: past)).
    { apply goes_on; [exact G| |exact L]. exact (not_over h p past m V L M). }
    destruct (IH _ _ _ _ _ _ G' H) as [F S]. split; [exact F|].
    intros x I. destruct (S x I) as [J|J]; [|right; exact J].
    destruct show; [|left; exact J]. destruct J as [<-|J]; [right|left; exact J].
    destruct (sheets_some t (entry p m :: l) (play p m)) as (k & K).
    exists k. split; [exact K|]. refine (sheets_keep t _ _ _ _ _ K). left.
    unfold named, entry, write. rewrite <- quick_suffix_eq. reflexivity.
  - simpl in *. destruct (replay h p past a acc) as [o|] eqn:R; [|discriminate].
    destruct (IHa _ _ _ _ _ _ G R) as [FA SA]. destruct (IHb _ _ _ _ _ _ G H) as [FB SB].
    split; [apply Forall_app; auto|]. intros x I.
    destruct (SB x I) as [J|(k & K & J)].
    + destruct (SA x J) as [J'|(k & K & J')]; [left; exact J'|].
      right. exists k. rewrite in_app_iff. auto.
    + right. exists k. rewrite in_app_iff. auto.
Qed.

(** ** What a tree of games shows *)

Definition games (t : tree) : list sheet := sheets [] initial t.
Definition by_player (c : color) (l : list (color * san)) : list string :=
  map (fun x => print (snd x)) (filter (fun x => color_beq (fst x) c) l).

(** All games of the tree are legal, and these strings are written in them. *)
Definition shows (t : tree) (white black : list string) : Prop :=
  Forall legal_sheet (games t)
  /\ (forall s, In s white -> exists l, In l (games t) /\ In (White, s) l)
  /\ (forall s, In s black -> exists l, In l (games t) /\ In (Black, s) l).

Definition replays (t : tree) (white black : list string) : bool :=
  match quick_replay (L1, L1) initial [] t [] with
  | Some out => equal (by_player White out) white and equal (by_player Black out) black
  | None => false
  end.

Theorem replays_shows t white black : replays t white black = true -> shows t white black.
Proof.
  unfold replays. rewrite from_initial. destruct (replay _ _ _ t _) as [out|] eqn:R; [|discriminate].
  rewrite and_true. intros [W B]. apply equal_eq in W, B. subst white black.
  destruct (replay_sound t _ _ _ _ _ _ begins R) as [F S].
  assert (P : forall c s, In s (by_player c out) -> exists l, In l (games t) /\ In (c, s) l).
  { intros c s I. unfold by_player in I. apply in_map_iff in I. destruct I as ([a x] & <- & I).
    apply filter_In in I. destruct I as [I E]. simpl in E. apply color_eq in E. subst a.
    destruct (S _ I) as [[]|K]. exact K. }
  repeat split; [exact F|exact (P White)|exact (P Black)].
Qed.

(** The same of many trees. *)
Definition all_show (ts : list tree) (white black : list string) : Prop :=
  Forall legal_sheet (flat_map games ts)
  /\ (forall s, In s white -> exists l, In l (flat_map games ts) /\ In (White, s) l)
  /\ (forall s, In s black -> exists l, In l (flat_map games ts) /\ In (Black, s) l).
Lemma none_shows : all_show [] [] [].
Proof. split; [constructor|split; intros s []]. Qed.
Lemma one_more t ts white black whites blacks : shows t white black -> all_show ts whites blacks ->
  all_show (t :: ts) (white ++ whites) (black ++ blacks).
Proof.
  intros (F & W & B) (Fs & Ws & Bs). unfold all_show. cbn [flat_map].
  split; [apply Forall_app; auto|].
  split; intros s I; apply in_app_iff in I; destruct I as [I|I];
    [destruct (W s I) as (l & L & K)|destruct (Ws s I) as (l & L & K)
    |destruct (B s I) as (l & L & K)|destruct (Bs s I) as (l & L & K)];
    exists l; rewrite in_app_iff; auto.
Qed.

Fixpoint count_all (ts : list tree) : N := match ts with [] => 0 | t :: ts => count t + count_all ts end.
Lemma games_count ts : N.of_nat (List.length (flat_map games ts)) = count_all ts.
Proof.
  induction ts as [|t ts IH]; [reflexivity|]. cbn [flat_map count_all].
  rewrite app_length, Nnat.Nat2N.inj_add, IH. unfold games. rewrite sheets_count. reflexivity.
Qed.
