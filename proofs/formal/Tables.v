(** * The squares in between, looked up

    The search asks for them millions of times. The table is filled by [between] itself. *)
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
