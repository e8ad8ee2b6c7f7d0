(** * The end of a game does not matter for the list

    Every position of a run is valid, so what is written there is in the list; and every game of the Laws
    is a run, if the rule ends no game earlier. *)
From Coq Require Import List Bool String.
From Sanproof Require Import Chess Statements Bound Published.
Require Import Sanproof.Theorem.
Import ListNotations.

Opaque language.

Section Ends.
  Variable ends : position -> list position -> Prop.
  Lemma run_valid p past : run ends p past -> valid p.
  Proof. induction 1; [apply valid_initial|apply valid_play; assumption]. Qed.

  Hypothesis not_earlier : forall p past, ends p past -> over p past.
  Lemma run_of_game l p past : game l p past -> run ends p past.
  Proof. induction 1; [apply run_begins|apply run_goes_on; auto]. Qed.

  Theorem any_end s : occurs ends s <-> In s language.
  Proof.
    split.
    - intros (p & past & m & R & _ & L & <-). exact (anywhere p m (run_valid _ _ R) L).
    - intros I. apply exactly in I. destruct I as (c & l & (p & past & G) & I).
      induction G as [|l p past m G IH O L]; [destruct I|].
      destruct I as [E|I]; [|exact (IH I)]. injection E as _ <-.
      exists p, past, m. split; [exact (run_of_game _ _ _ G)|]. auto.
  Qed.
End Ends.

Theorem no_end s : occurs (fun _ _ => False) s <-> In s language.
Proof. apply any_end. intros p past []. Qed.
