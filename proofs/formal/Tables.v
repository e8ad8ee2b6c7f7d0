(** * Two tables for the search

    It asks millions of times which squares are in between, and from where a piece reaches a square.
    The tables are filled by the definitions themselves. *)
From Coq Require Import List Bool.
From Sanproof Require Import Chess Facts.
Import ListNotations.

Definition ways_table : eight (eight (eight (eight (list square)))) :=
  Eval vm_compute in table (fun f => table (fun r => table (fun g => table (fun q => between (f, r) (g, q))))).
Definition way (s d : square) : list square :=
  get (get (get (get ways_table (file s)) (rank s)) (file d)) (rank d).

Fixpoint same_list (a b : list square) : bool :=
  match a, b with [], [] => true | s :: a, t :: b => same s t and same_list a b | _, _ => false end.
Lemma same_list_eq a : forall b, same_list a b = true -> a = b.
Proof.
  induction a as [|s a IH]; intros [|t b] H; try discriminate; [reflexivity|].
  simpl in H. rewrite and_true, same_eq in H. destruct H as [-> H]. f_equal. auto.
Qed.

Lemma way_eq s d : way s d = between s d.
Proof.
  apply same_list_eq. apply (for_squares (fun s d => same_list (way s d) (between s d))).
  now vm_compute.
Qed.

(** From where the piece reaches the square on an empty board. *)
Definition reaching (k : kind) : eight (eight (list square)) :=
  table (fun f => table (fun r => filter (fun s => reaches (White, k) s (f, r)) squares)).
Definition knights := Eval vm_compute in reaching Knight.
Definition bishops := Eval vm_compute in reaching Bishop.
Definition rooks := Eval vm_compute in reaching Rook.
Definition queens := Eval vm_compute in reaching Queen.
Definition origins (k : kind) (d : square) : list square :=
  let t := match k with
    | Knight => knights | Bishop => bishops | Rook => rooks | Queen => queens | _ => reaching k end in
  get (get t (file d)) (rank d).

Lemma origins_eq k d : origins k d = filter (fun s => reaches (White, k) s d) squares.
Proof.
  assert (H : (each d of squares,
    same_list (origins k d) (filter (fun s => reaches (White, k) s d) squares)) = true)
    by (destruct k; now vm_compute).
  rewrite each_spec in H. exact (same_list_eq _ _ (H d (in_squares d))).
Qed.
