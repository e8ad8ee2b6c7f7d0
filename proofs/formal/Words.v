(** * Lists and sets of strings *)
From Coq Require Import List Bool String Ascii Init.Byte PArith FMapPositive.
From Sanproof Require Import Chess Statements Facts.
Import ListNotations.

(** ** A file as a literal: its bytes *)

Inductive bytes := End | Next (b : byte) (rest : bytes).
Fixpoint to_list (f : bytes) : list byte := match f with End => [] | Next b f => b :: to_list f end.
Fixpoint of_list (l : list byte) : bytes := match l with [] => End | b :: l => Next b (of_list l) end.
Declare Scope bytes_scope.
Delimit Scope bytes_scope with bytes.
String Notation bytes of_list to_list : bytes_scope.

(** Its lines. *)
Fixpoint lines_of (f : bytes) : list string :=
  match f with
  | End => []
  | Next x0a f => EmptyString :: lines_of f
  | Next b f => match lines_of f with
                | [] => [String (ascii_of_byte b) EmptyString]
                | s :: l => String (ascii_of_byte b) s :: l
                end
  end.

(** ** Sets, for speed: a string's bits are the way to it in a tree *)

Fixpoint key (s : string) : positive :=
  match s with
  | EmptyString => xH
  | String (Ascii a b c d e f g h) s =>
      let bit (x : bool) p := if x then xI p else xO p in
      bit a (bit b (bit c (bit d (bit e (bit f (bit g (bit h (key s))))))))
  end.
Definition strings := PositiveMap.t string.
Definition insert (m : strings) (s : string) : strings := PositiveMap.add (key s) s m.
Definition collect (l : list string) : strings := fold_left insert l (PositiveMap.empty _).
Definition has (m : strings) (s : string) : bool :=
  match PositiveMap.find (key s) m with Some u => String.eqb s u | None => false end.
Fixpoint distinct (m : strings) (l : list string) : bool :=
  match l with
  | [] => true
  | s :: l => not (PositiveMap.mem (key s) m) and distinct (insert m s) l
  end.

Lemma find_insert m s k u : PositiveMap.find k (insert m s) = Some u ->
  u = s \/ PositiveMap.find k m = Some u.
Proof.
  unfold insert. rewrite PositiveMapAdditionalFacts.gsspec.
  destruct (PositiveMap.E.eq_dec k (key s)); [intros [= <-]; auto|auto].
Qed.
Lemma find_collect l : forall m k u, PositiveMap.find k (fold_left insert l m) = Some u ->
  In u l \/ PositiveMap.find k m = Some u.
Proof.
  induction l as [|s l IH]; intros m k u H; [auto|]. simpl in H.
  apply IH in H. destruct H as [H|H]; [left; right; assumption|].
  apply find_insert in H. destruct H as [->|H]; [left; left; reflexivity|auto].
Qed.
Lemma has_in l s : has (collect l) s = true -> In s l.
Proof.
  unfold has, collect. destruct (PositiveMap.find _ _) as [u|] eqn:E; [|discriminate].
  intros H. apply String.eqb_eq in H. subst u. apply find_collect in E.
  destruct E as [E|E]; [assumption|]. rewrite PositiveMap.gempty in E. discriminate.
Qed.
Lemma distinct_from l : forall m, distinct m l = true ->
  NoDup l /\ forall s, In s l -> PositiveMap.find (key s) m = None.
Proof.
  induction l as [|s l IH]; intros m H; [split; [constructor|intros s []]|].
  simpl in H. rewrite and_true, not_true in H. destruct H as [H1 H2].
  destruct (IH _ H2) as [N F]. split.
  - constructor; [|assumption]. intros I. apply F in I. unfold insert in I.
    rewrite PositiveMap.gss in I. discriminate.
  - intros u [<-|I].
    + rewrite PositiveMap.mem_find in H1. destruct (PositiveMap.find (key s) m); [discriminate|reflexivity].
    + apply F in I. unfold insert in I. rewrite PositiveMapAdditionalFacts.gsspec in I.
      destruct (PositiveMap.E.eq_dec (key u) (key s)); [discriminate|assumption].
Qed.
Lemma distinct_nodup l : distinct (PositiveMap.empty _) l = true -> NoDup l.
Proof. intros H. exact (proj1 (distinct_from l _ H)). Qed.

(** All strings of one list are in another; kept abstract, so that nothing is computed twice. *)
Lemma all_in (l k : list string) : each_of (has (collect k)) l = true -> forall s, In s l -> In s k.
Proof. rewrite each_spec. intros H s I. apply has_in. exact (H s I). Qed.

(** ** Equal lists *)

Fixpoint equal (a b : list string) : bool :=
  match a, b with
  | [], [] => true
  | s :: a, t :: b => String.eqb s t and equal a b
  | _, _ => false
  end.
Lemma equal_eq a : forall b, equal a b = true -> a = b.
Proof.
  induction a as [|s a IH]; intros [|t b] H; try discriminate; [reflexivity|].
  simpl in H. rewrite and_true, String.eqb_eq in H. destruct H as [-> H]. f_equal. auto.
Qed.

(** ** Suffixes, as the strings show them *)

Lemma contains_append a s t : contains a (s ++ t) = (contains a s or contains a t).
Proof. induction s as [|b s IH]; simpl; [reflexivity|]. rewrite IH. destruct (Ascii.eqb a b); reflexivity. Qed.

Definition suffix_in (t : san) : suffix := match t with Castled _ x => x | Moved _ _ _ _ _ _ x => x end.
Lemma says_mate_print t : says_mate (print t) = true -> suffix_in t = Mate.
Proof.
  unfold says_mate. destruct t as [e x|k f r takes d b x].
  - destruct e, x; simpl; congruence.
  - destruct d as [g q]. unfold print. rewrite !contains_append.
    assert (contains "#" (letter k) = false) as -> by (destruct k; reflexivity).
    assert (contains "#" (maybe file_letter f) = false) as -> by (destruct f as [[]|]; reflexivity).
    assert (contains "#" (maybe rank_digit r) = false) as -> by (destruct r as [[]|]; reflexivity).
    assert (contains "#" (if takes then "x" else "") = false) as -> by (destruct takes; reflexivity).
    assert (contains "#" (file_letter (file (g, q))) = false) as -> by (destruct g; reflexivity).
    assert (contains "#" (rank_digit (rank (g, q))) = false) as -> by (destruct q; reflexivity).
    assert (contains "#" (maybe (fun k => String.append "=" (letter k)) b) = false) as ->
      by (destruct b as [[]|]; reflexivity).
    destruct x; simpl; congruence.
Qed.
