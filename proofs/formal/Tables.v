(** * Tables for the search

    It asks millions of times which squares are in between ([way]), from where a piece reaches a
    square, and for which squares another is in between. The definitions fill the tables. *)
From Coq Require Import List Bool.
From Sanproof Require Import Chess Facts Quick.
Import ListNotations.

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

(** From where one looks at [q] through [o]. *)
Definition through_table : eight (eight (eight (eight (list square)))) :=
  table (fun f => table (fun r => table (fun g => table (fun q =>
    filter (fun s => mem (f, r) (way s (g, q))) squares)))).
Definition through (o q : square) : list square :=
  get (get (get (get through_table (file o)) (rank o)) (file q)) (rank q).

Lemma get_table {A} (f : line -> A) l : get (table f) l = f l.
Proof. destruct l; reflexivity. Qed.
Lemma in_through s o q : In s (through o q) <-> In o (between s q).
Proof.
  unfold through, through_table. rewrite !get_table, filter_In, mem_spec, way_eq.
  destruct o, q. pose proof (in_squares s). tauto.
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
