(** * The published games, and what is computed of what they show *)
From Coq Require Import List Bool String ZArith.
From Sanproof Require Import Chess Facts Words Replay Published Games Language.
Import ListNotations.

(** Proofs do not look into what was generated; the virtual machine does. *)
Opaque language cover_white cover_black rest_white rest_black cover_trees rest_trees.

(** Sets are constants, so that the virtual machine builds each once. *)
Definition by_white : list string := cover_white ++ rest_white.
Definition by_black : list string := cover_black ++ rest_black.
Definition in_cover : list string := cover_white ++ cover_black.
Definition white_shown : strings := collect by_white.
Definition black_shown : strings := collect by_black.
Definition cover_shown : strings := collect in_cover.
Strategy expand [white_shown black_shown cover_shown].

Lemma white_shows_all : each_of (has white_shown) (language_of White) = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Lemma black_shows_all : each_of (has black_shown) (language_of Black) = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Lemma cover_shows_all : each_of (has cover_shown) language = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

(** What trees show is written. Lists are variables here, so that nothing can be computed. *)
Lemma either_shows ts us (w w' b b' : list string) c s : all_show ts w b -> all_show us w' b' ->
  In s match c with White => w ++ w' | Black => b ++ b' end -> written_by c s.
Proof.
  intros (F & W & B) (F' & W' & B') I. rewrite Forall_forall in F, F'.
  destruct c; apply in_app_or in I; destruct I as [I|I];
    [destruct (W s I) as (l & L & K)|destruct (W' s I) as (l & L & K)
    |destruct (B s I) as (l & L & K)|destruct (B' s I) as (l & L & K)]; exists l; auto.
Qed.
Lemma cover_of_trees ts (w b : list string) s : all_show ts w b -> In s (w ++ b) ->
  exists l c, In l (flat_map games ts) /\ In (c, s) l.
Proof.
  intros (_ & W & B) I. apply in_app_or in I.
  destruct I as [I|I]; [destruct (W s I) as (l & L & K)|destruct (B s I) as (l & L & K)]; eauto.
Qed.

Theorem language_written c s : In s (language_of c) -> written_by c s.
Proof.
  intros I. refine (either_shows _ _ _ _ _ _ c s cover_all_show rest_all_show _). destruct c.
  - exact (all_in _ by_white white_shows_all _ I).
  - exact (all_in _ by_black black_shows_all _ I).
Qed.

(** The published games as score sheets, and how many they are. *)
Definition published_cover : list sheet := flat_map games cover_trees.
Theorem published_shows s : In s language -> exists l c, In l published_cover /\ In (c, s) l.
Proof. intros I. exact (cover_of_trees _ _ _ s cover_all_show (all_in _ in_cover cover_shows_all s I)). Qed.
Theorem published_legal : Forall legal_sheet published_cover.
Proof. exact (proj1 cover_all_show). Qed.
Theorem length_published : List.length published_cover = 9590%nat.
Proof.
  apply Nnat.Nat2N.inj. unfold published_cover. rewrite games_count.
  vm_cast_no_check (eq_refl (N.of_nat 9590)).
Qed.
