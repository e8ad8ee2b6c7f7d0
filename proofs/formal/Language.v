(** * The published list, and what is computed of it

    The virtual machine goes through the list once for each lemma here; what follows from them is proved
    in [Theorem], which computes nothing. *)
From Coq Require Import List Bool String PArith FMapPositive.
From Sanproof Require Import Chess Statements Facts Bound Words Published.
Import ListNotations.

(** Proofs do not look into the list; the virtual machine does. *)
Opaque language.

Notation language_of c := (strings_of c language).
Notation language_of_both := (strings_of_both language).

(** ** All that can be written is in it

    Sets are constants, so that the virtual machine builds each once. *)
Definition both_set : strings := collect language_of_both.
Definition white_set : strings := collect (language_of White).
Definition black_set : strings := collect (language_of Black).
Strategy expand [both_set white_set black_set].

Lemma officers_complete : each_of (has both_set) (map print officer_texts) = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Lemma white_complete : each_of (has white_set) (map print (king_texts ++ pawn_texts White)) = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Lemma black_complete : each_of (has black_set) (map print (king_texts ++ pawn_texts Black)) = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

Lemma in_filter (f : string -> bool) l s : In s (filter f l) -> In s l /\ f s = true.
Proof. apply filter_In. Qed.
Lemma both_players c s : In s language_of_both -> In s (language_of c).
Proof.
  intros I. destruct (in_filter _ _ _ I) as [J E]. rewrite and_true in E.
  apply filter_In. split; [exact J|]. destruct c; apply E.
Qed.
Theorem texts_in c t : In t (texts c) -> In (print t) (language_of c).
Proof.
  intros I. apply in_app_or in I. destruct I as [I|I]; apply (in_map print) in I.
  - apply both_players. exact (all_in _ language_of_both officers_complete _ I).
  - destruct c.
    + exact (all_in _ (language_of White) white_complete _ I).
    + exact (all_in _ (language_of Black) black_complete _ I).
Qed.

(** ** What else is counted *)

Lemma nobody_shut_out : (each s of language, not (reserved White s and reserved Black s)) = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Lemma language_distinct : distinct (PositiveMap.empty _) language = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Lemma length_language : List.length language = 28938%nat.
Proof. vm_cast_no_check (eq_refl 28938%nat). Qed.
Lemma length_mate : List.length (filter says_mate language) = 9590%nat.
Proof. vm_cast_no_check (eq_refl 9590%nat). Qed.
Lemma language_by_suffix : counts language = [28938; 9758; 9590; 9590]%nat.
Proof. vm_cast_no_check (eq_refl [28938; 9758; 9590; 9590]%nat). Qed.
Lemma language_by_piece :
  map (fun letters => counts (filter (begins_with letters) language))
    ["Q"; "R"; "B"; "N"; "abcdefgh"; "K"; "O"]%string
  = [[13448; 4528; 4460; 4460]; [5296; 1824; 1736; 1736]; [5136; 1720; 1708; 1708];
     [3744; 1248; 1248; 1248]; [924; 308; 308; 308]; [384; 128; 128; 128]; [6; 2; 2; 2]]%nat.
Proof.
  vm_cast_no_check (eq_refl
    [[13448; 4528; 4460; 4460]; [5296; 1824; 1736; 1736]; [5136; 1720; 1708; 1708];
     [3744; 1248; 1248; 1248]; [924; 308; 308; 308]; [384; 128; 128; 128]; [6; 2; 2; 2]]%nat).
Qed.
Lemma length_language_of c : List.length (language_of c) = 28608%nat.
Proof. destruct c; vm_cast_no_check (eq_refl 28608%nat). Qed.
Lemma length_language_of_both : List.length language_of_both = 28278%nat.
Proof. vm_cast_no_check (eq_refl 28278%nat). Qed.


(** ** Strings that never give check

    Suffixes are looked up in a set, which is a constant as well. *)
Definition language_set : strings := collect language.
Strategy expand [language_set].

Lemma language_in_set : each_of (has language_set) language = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Definition has_suffix (x s : string) : bool := has language_set (s ++ x).
Definition silent (s : string) : bool :=
  is_bare s and not (has_suffix "+" s or has_suffix "#" s).
Definition silent_language : list string := filter silent language.
Lemma in_silent s : In s silent_language <-> In s language /\ silent s = true.
Proof. apply filter_In. Qed.
Lemma silent_distinct : NoDup silent_language.
Proof. exact (NoDup_filter silent (distinct_nodup language language_distinct)). Qed.
Lemma silent_or_both :
  (each s of language, if is_bare s then silent s or (has_suffix "+" s and has_suffix "#" s) else true)
  = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Lemma length_silent : List.length silent_language = 168%nat.
Proof. vm_cast_no_check (eq_refl 168%nat). Qed.
Lemma silent_by_piece :
  map (fun letter => List.length (filter (begins_with letter) silent_language)) ["R"; "Q"; "B"]%string
  = [88; 68; 12]%nat.
Proof. vm_cast_no_check (eq_refl [88; 68; 12]%nat). Qed.

Lemma has_language s : has language_set s = true <-> In s language.
Proof.
  split; [exact (has_in language s)|].
  intros I. exact (proj1 (each_spec _ _) language_in_set s I).
Qed.
Lemma examples :
  has language_set "Ba1b2" = true /\ has language_set "Ba1b2+" = false
  /\ has language_set "Ba1b2#" = false.
Proof.
  split; [vm_cast_no_check (eq_refl true)|].
  split; vm_cast_no_check (eq_refl false).
Qed.
