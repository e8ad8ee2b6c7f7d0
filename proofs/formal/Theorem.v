(** * The theorem

    [language] is the published list ([Published], made from data/), [cover_trees] and [rest_trees] are
    the published games ([Games]). That they are is not needed for what is proved here. *)
From Coq Require Import List Bool String Ascii PArith FMapPositive ZArith Lia.
From Sanproof Require Import Chess Facts Bound Words Replay Published Games.
Import ListNotations.

(** Proofs do not look into what was generated; the virtual machine does. *)
Opaque language cover_white cover_black rest_white rest_black cover_trees rest_trees.

Lemma in_filter (f : string -> bool) l s : In s (filter f l) -> In s l /\ f s = true.
Proof. apply filter_In. Qed.
Lemma in_both (l k : list string) s : In s (l ++ k) -> In s l \/ In s k.
Proof. apply in_app_iff. Qed.

(** ** Each player's strings

    White alone writes a pawn's move to the seventh or eighth rank, Black alone to the second or first.
    Everything else both write. *)
Definition is_pawn_text (s : string) : bool :=
  match s with
  | String a _ => some f of lines, match file_letter f with String b _ => Ascii.eqb a b | _ => false end
  | EmptyString => false
  end.
Definition reserved (c : color) (s : string) : bool :=
  is_pawn_text s and match c with
  | White => contains "7" s or contains "8" s
  | Black => contains "2" s or contains "1" s
  end.
Definition language_of (c : color) : list string := filter (fun s => not (reserved (other c) s)) language.
Definition language_of_both : list string :=
  filter (fun s => not (reserved White s) and not (reserved Black s)) language.

(** ** What is computed

    Sets are constants, so that the virtual machine builds each once. *)
Definition shown (c : color) : list string :=
  match c with White => cover_white ++ rest_white | Black => cover_black ++ rest_black end.
Definition white_set : strings := collect (language_of White).
Definition black_set : strings := collect (language_of Black).
Definition shown_by_white : strings := collect (shown White).
Definition shown_by_black : strings := collect (shown Black).
Definition shown_in_cover : strings := collect (cover_white ++ cover_black).
Strategy expand [white_set black_set shown_by_white shown_by_black shown_in_cover].

Lemma white_complete : each_of (has white_set) (map print (texts White)) = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Lemma black_complete : each_of (has black_set) (map print (texts Black)) = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Lemma white_shown : each_of (has shown_by_white) (language_of White) = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Lemma black_shown : each_of (has shown_by_black) (language_of Black) = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Lemma cover_shown : each_of (has shown_in_cover) language = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Lemma nobody_shut_out : (each s of language, not (reserved White s and reserved Black s)) = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Lemma language_distinct : distinct (PositiveMap.empty _) language = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

Lemma texts_in c t : In t (texts c) -> In (print t) (language_of c).
Proof.
  intros I. apply (in_map print) in I. destruct c.
  - exact (all_in _ (language_of White) white_complete _ I).
  - exact (all_in _ (language_of Black) black_complete _ I).
Qed.
Lemma language_shown c s : In s (language_of c) -> In s (shown c).
Proof.
  intros I. destruct c.
  - exact (all_in _ (shown White) white_shown _ I).
  - exact (all_in _ (shown Black) black_shown _ I).
Qed.

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

Lemma shown_written c s : In s (shown c) -> written_by c s.
Proof.
  destruct cover_all_show as (CF & CW & CB), rest_all_show as (RF & RW & RB).
  rewrite Forall_forall in CF, RF. intros I.
  destruct c;
    [destruct (in_both cover_white rest_white s I) as [I'|I']
    |destruct (in_both cover_black rest_black s I) as [I'|I']]; clear I; rename I' into I;
    [destruct (CW s I) as (l & L & K)|destruct (RW s I) as (l & L & K)
    |destruct (CB s I) as (l & L & K)|destruct (RB s I) as (l & L & K)]; exists l; auto.
Qed.

Theorem exactly_by c s : written_by c s <-> In s (language_of c).
Proof.
  split.
  - intros (l & (p & past & G) & I). exact (sheet_bound l p past G c s I).
  - intros I. apply shown_written, language_shown, I.
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
  rewrite !exactly_by. unfold language_of, language_of_both. rewrite !filter_In. simpl.
  rewrite and_true. tauto.
Qed.

(** ** How many *)

Theorem how_many : NoDup language /\ List.length language = 28938%nat.
Proof.
  split; [exact (distinct_nodup language language_distinct)|]. vm_cast_no_check (eq_refl 28938%nat).
Qed.
Theorem by_suffix :
  List.length (filter (fun s => not (says_check s or says_mate s)) language) = 9758%nat
  /\ List.length (filter says_check language) = 9590%nat
  /\ List.length (filter says_mate language) = 9590%nat.
Proof.
  split; [vm_cast_no_check (eq_refl 9758%nat)|].
  split; [vm_cast_no_check (eq_refl 9590%nat)|vm_cast_no_check (eq_refl 9590%nat)].
Qed.
Theorem how_many_by c : NoDup (language_of c) /\ List.length (language_of c) = 28608%nat.
Proof.
  split; [apply NoDup_filter, how_many|].
  destruct c; vm_cast_no_check (eq_refl 28608%nat).
Qed.
Theorem how_many_both : NoDup language_of_both /\ List.length language_of_both = 28278%nat.
Proof. split; [apply NoDup_filter, how_many|]. vm_cast_no_check (eq_refl 28278%nat). Qed.

(** The count that was published, three times 9,758, is wrong. *)
Theorem not_29274 : ~ exists l, NoDup l /\ (forall s, written s <-> In s l) /\ List.length l = 29274%nat.
Proof.
  intros (l & N & E & L). destruct how_many as [N' L'].
  assert (A : (List.length l <= List.length language)%nat).
  { apply NoDup_incl_length; [exact N|]. intros s I. apply exactly, E, I. }
  rewrite L, L' in A. apply Nat.leb_le in A. vm_compute in A. discriminate.
Qed.

(** The example that the documentation walks through. *)
Definition listed (s : string) : bool := some t of language, String.eqb s t.
Lemma listed_eq s : listed s = true <-> written s.
Proof.
  rewrite exactly. unfold listed. rewrite some_spec. split.
  - intros (t & I & E). apply String.eqb_eq in E. subst t. exact I.
  - intros I. exists s. split; [exact I|apply String.eqb_refl].
Qed.
Lemma not_listed s : listed s = false -> ~ written s.
Proof. intros F W. apply listed_eq in W. congruence. Qed.
Theorem no_check_on_b2 : written "Ba1b2" /\ ~ written "Ba1b2+" /\ ~ written "Ba1b2#".
Proof.
  split; [apply listed_eq; vm_cast_no_check (eq_refl true)|].
  split; apply not_listed; vm_cast_no_check (eq_refl false).
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
  intros [F S]. rewrite Forall_forall in F. destruct by_suffix as (_ & _ & <-).
  refine (Nat.le_trans _ _ _ _ (last_strings_length games)).
  apply NoDup_incl_length; [apply NoDup_filter, how_many|].
  intros s J. destruct (in_filter says_mate language s J) as [I M]. apply (proj2 (exactly s)) in I.
  destruct (S s I) as (l & c & L & K). apply in_flat_map. exists l.
  split; [exact L|]. exact (mate_shown_last l c s (F l L) K M).
Qed.

(** The published games are a cover, and have as many. *)
Definition published_cover : list sheet := flat_map games cover_trees.
Theorem cover_published : cover published_cover /\ List.length published_cover = 9590%nat.
Proof.
  destruct cover_all_show as (F & W & B). split; [split; [exact F|]|].
  - intros s W'. pose proof (proj1 (exactly s) W') as H.
    pose proof (all_in _ (cover_white ++ cover_black) cover_shown s H) as I.
    destruct (in_both cover_white cover_black s I) as [J|J].
    + destruct (W s J) as (l & L & K). exists l, White. auto.
    + destruct (B s J) as (l & L & K). exists l, Black. auto.
  - apply Nnat.Nat2N.inj. unfold published_cover. rewrite games_count.
    vm_cast_no_check (eq_refl (N.of_nat 9590)).
Qed.
