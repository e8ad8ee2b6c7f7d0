(** * The published list, and what is computed of it

    The virtual machine goes through the list once for each lemma here; what follows from them is proved
    in [Theorem], which computes nothing. *)
From Coq Require Import List Bool String Ascii PArith FMapPositive.
From Sanproof Require Import Chess Facts Bound Words Published.
Import ListNotations.

(** Proofs do not look into the list; the virtual machine does. *)
Opaque language.

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
Lemma length_quiet : List.length (filter (fun s => not (says_check s or says_mate s)) language) = 9758%nat.
Proof. vm_cast_no_check (eq_refl 9758%nat). Qed.
Lemma length_check : List.length (filter says_check language) = 9590%nat.
Proof. vm_cast_no_check (eq_refl 9590%nat). Qed.
Lemma length_mate : List.length (filter says_mate language) = 9590%nat.
Proof. vm_cast_no_check (eq_refl 9590%nat). Qed.
Lemma length_language_of c : List.length (language_of c) = 28608%nat.
Proof. destruct c; vm_cast_no_check (eq_refl 28608%nat). Qed.
Lemma length_language_of_both : List.length language_of_both = 28278%nat.
Proof. vm_cast_no_check (eq_refl 28278%nat). Qed.

Definition listed (s : string) : bool := some t of language, String.eqb s t.
Lemma listed_examples :
  listed "Ba1b2" = true /\ listed "Ba1b2+" = false /\ listed "Ba1b2#" = false.
Proof.
  split; [vm_cast_no_check (eq_refl true)|].
  split; vm_cast_no_check (eq_refl false).
Qed.
