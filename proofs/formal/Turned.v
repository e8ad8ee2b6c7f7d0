(** * Two lemmas of TRUST.md: the exchange of colours, and that no move goes to a king *)
From Coq Require Import List Bool ZArith Lia.
From Sanproof Require Import Chess Forms Statements Facts Quick Tables Answers Lan.
Import ListNotations.

(** ** Squares and pieces *)

Lemma turned_turned l : turned (turned l) = l.
Proof. destruct l; reflexivity. Qed.
Lemma turn_turn_square s : turn_square (turn_square s) = s.
Proof. destruct s. unfold turn_square, file, rank. simpl. rewrite turned_turned. reflexivity. Qed.
Lemma turned_beq a b : line_beq (turned a) (turned b) = line_beq a b.
Proof. destruct a, b; reflexivity. Qed.
Lemma turned_number l : number (turned l) = (9 - number l)%Z.
Proof. destruct l; reflexivity. Qed.
Lemma same_turned s t : same (turn_square s) (turn_square t) = same s t.
Proof. unfold same, turn_square, file, rank. simpl. rewrite turned_beq. reflexivity. Qed.
Lemma file_turned s : file (turn_square s) = file s.
Proof. reflexivity. Qed.
Lemma rank_turned s : rank (turn_square s) = turned (rank s).
Proof. reflexivity. Qed.
Lemma apart_turned s d : ranks_apart (turn_square s) (turn_square d) = (- ranks_apart s d)%Z.
Proof. unfold ranks_apart. rewrite !rank_turned, !turned_number. lia. Qed.
Lemma forward_other c : forward (other c) = (- forward c)%Z.
Proof. destruct c; reflexivity. Qed.
Lemma home_other c : home (other c) = turned (home c).
Proof. destruct c; reflexivity. Qed.
Lemma pawn_home_other c : pawn_home (other c) = turned (pawn_home c).
Proof. destruct c; reflexivity. Qed.
Lemma king_from_other c : king_from (other c) = turn_square (king_from c).
Proof. destruct c; reflexivity. Qed.
Lemma king_to_other c e : king_to (other c) e = turn_square (king_to c e).
Proof. destruct c, e; reflexivity. Qed.
Lemma rook_from_other c e : rook_from (other c) e = turn_square (rook_from c e).
Proof. destruct c, e; reflexivity. Qed.
Lemma rook_to_other c e : rook_to (other c) e = turn_square (rook_to c e).
Proof. destruct c, e; reflexivity. Qed.
Lemma color_other a b : color_beq (other a) (other b) = color_beq a b.
Proof. destruct a, b; reflexivity. Qed.
Lemma same_piece_turned p q : same_piece (turn_piece p) (turn_piece q) = same_piece p q.
Proof. unfold same_piece, turn_piece. simpl. rewrite color_other. reflexivity. Qed.
Lemma reaches_turned q s d : reaches (turn_piece q) (turn_square s) (turn_square d) = reaches q s d.
Proof.
  apply eqb_prop. revert q s d. apply for_pieces. now vm_compute.
Qed.
Lemma reaches_other c k s d : reaches (other c, k) (turn_square s) (turn_square d) = reaches (c, k) s d.
Proof. exact (reaches_turned (c, k) s d). Qed.
Lemma between_turned s d : between (turn_square s) (turn_square d) = map turn_square (between s d).
Proof. apply same_list_eq. revert s d. apply for_squares. now vm_compute. Qed.

(** ** Lists *)

Lemma each_map {A B} (g : A -> B) f l : each_of f (map g l) = each_of (fun x => f (g x)) l.
Proof. induction l as [|a l IH]; simpl; [reflexivity|]. rewrite IH. reflexivity. Qed.
Lemma each_same {A} (f g : A -> bool) l : (forall x, f x = g x) -> each_of f l = each_of g l.
Proof. intros E. induction l as [|a l IH]; simpl; [reflexivity|]. rewrite IH, E. reflexivity. Qed.
Lemma some_turned f g : (forall s, f (turn_square s) = g s) -> some_of f squares = some_of g squares.
Proof.
  intros E. apply eq_true_iff_eq. rewrite !some_spec. split; intros (s & _ & H).
  - exists (turn_square s). rewrite <- E, turn_turn_square. split; [apply in_squares|exact H].
  - exists (turn_square s). rewrite E. split; [apply in_squares|exact H].
Qed.

(** ** Boards *)

Lemma get_table {A} (f : line -> A) l : get (table f) l = f l.
Proof. destruct l; reflexivity. Qed.
Lemma on_turned b s : on (turn_board b) (turn_square s) = option_map turn_piece (on b s).
Proof.
  unfold on at 1, turn_board. rewrite !get_table. destruct s as [f r].
  unfold turn_square, file, rank. simpl. rewrite turned_turned. reflexivity.
Qed.
Lemma eight_eq {A} (t u : eight A) : (forall l, get t l = get u l) -> t = u.
Proof.
  intros E. destruct t, u.
  pose proof (E L1); pose proof (E L2); pose proof (E L3); pose proof (E L4);
    pose proof (E L5); pose proof (E L6); pose proof (E L7); pose proof (E L8).
  simpl in *. congruence.
Qed.
Lemma board_eq (a b : board) : (forall s, on a s = on b s) -> a = b.
Proof. intros E. apply eight_eq. intros f. apply eight_eq. intros r. exact (E (f, r)). Qed.
Lemma put_turned b s x :
  put (turn_board b) (turn_square s) (option_map turn_piece x) = turn_board (put b s x).
Proof.
  apply board_eq. intros t. rewrite <- (turn_turn_square t). rewrite on_put, !on_turned, on_put, same_turned.
  destruct (same s _); reflexivity.
Qed.
Lemma put_none_turned b s : put (turn_board b) (turn_square s) None = turn_board (put b s None).
Proof. exact (put_turned b s None). Qed.
Lemma put_piece_turned b s c k :
  put (turn_board b) (turn_square s) (Some (other c, k)) = turn_board (put b s (Some (c, k))).
Proof. exact (put_turned b s (Some (c, k))). Qed.
Lemma empty_turned b s : empty (turn_board b) (turn_square s) = empty b s.
Proof. unfold empty. rewrite on_turned. destruct (on b s); reflexivity. Qed.
Lemma holds_turned b s c k : holds (turn_board b) (turn_square s) (other c, k) = holds b s (c, k).
Proof.
  unfold holds. rewrite on_turned. destruct (on b s) as [q|]; [|reflexivity].
  exact (same_piece_turned (c, k) q).
Qed.
Lemma has_color_turned b s c : has_color (turn_board b) (turn_square s) (other c) = has_color b s c.
Proof.
  unfold has_color. rewrite on_turned. destruct (on b s) as [q|]; [|reflexivity]. apply color_other.
Qed.
Lemma clear_turned b s d : clear (turn_board b) (turn_square s) (turn_square d) = clear b s d.
Proof.
  unfold clear. rewrite between_turned, each_map. apply each_same. intros x. apply empty_turned.
Qed.
Lemma attacks_turned b c s d :
  attacks (turn_board b) (other c) (turn_square s) (turn_square d) = attacks b c s d.
Proof.
  unfold attacks. rewrite on_turned. destruct (on b s) as [q|]; [|reflexivity]. simpl option_map. cbv iota beta.
  rewrite reaches_turned, clear_turned. unfold turn_piece. simpl fst. rewrite color_other. reflexivity.
Qed.
Lemma attacked_turned b c d : attacked (turn_board b) (other c) (turn_square d) = attacked b c d.
Proof. apply some_turned. intros s. apply attacks_turned. Qed.
Lemma in_check_turned b c : in_check (turn_board b) (other c) = in_check b c.
Proof.
  apply some_turned. intros s. rewrite holds_turned, attacked_turned. reflexivity.
Qed.

(** ** Moves *)

Section Turned.
  Variables (p : position) (m : move).
  Notation q := (turn_position p).
  Notation n := (turn_move m).
  Ltac open :=
    change (turn (turn_position p)) with (other (turn p)) in *;
    change (men (turn_position p)) with (turn_board (men p)) in *;
    change (origin (turn_move m)) with (turn_square (origin m)) in *;
    change (destination (turn_move m)) with (turn_square (destination m)) in *;
    change (promotion (turn_move m)) with (promotion m) in *.

  Lemma is_passed_turned d : is_passed q (turn_square d) = is_passed p d.
  Proof. unfold is_passed. simpl. destruct (passed p); simpl; [apply same_turned|reflexivity]. Qed.
  Lemma may_turned c e : may (castling q) (other c) e = may (castling p) c e.
  Proof. destruct c, e; reflexivity. Qed.

  Lemma pawn_moves_turned s d : pawn_moves q (turn_square s) (turn_square d) = pawn_moves p s d.
  Proof.
    unfold pawn_moves. open.
    rewrite reaches_other, !has_color_turned, is_passed_turned, !file_turned, rank_turned, apart_turned,
      empty_turned, clear_turned, forward_other, pawn_home_other, turned_beq.
    replace (- ranks_apart s d =? - forward (turn p))%Z with (ranks_apart s d =? forward (turn p))%Z
      by (apply eq_true_iff_eq; rewrite !Z.eqb_eq; lia).
    replace (- ranks_apart s d =? 2 * - forward (turn p))%Z
      with (ranks_apart s d =? 2 * forward (turn p))%Z by (apply eq_true_iff_eq; rewrite !Z.eqb_eq; lia).
    reflexivity.
  Qed.

  Lemma promotes_turned c d x : promotes (other c) (turn_square d) x = promotes c d x.
  Proof. unfold promotes. rewrite rank_turned, home_other, turned_beq. reflexivity. Qed.

  Lemma castles_turned s d e : castles q (turn_square s) (turn_square d) e = castles p s d e.
  Proof.
    unfold castles. open.
    rewrite king_from_other, king_to_other, !rook_from_other, rook_to_other, !same_turned, may_turned,
      holds_turned, clear_turned.
    change [turn_square s; turn_square (rook_to (turn p) e); turn_square d]
      with (map turn_square [s; rook_to (turn p) e; d]).
    rewrite each_map. rewrite (each_same _ (fun x => not (attacked (men p) (other (turn p)) x))).
    - reflexivity.
    - intros x. rewrite attacked_turned. reflexivity.
  Qed.

  Lemma pseudolegal_turned : pseudolegal q n = pseudolegal p m.
  Proof.
    unfold pseudolegal. open.
    rewrite on_turned. destruct (on (men p) (origin m)) as [[c k]|]; [|reflexivity].
    simpl option_map. unfold turn_piece. simpl fst. simpl snd. cbv iota beta.
    rewrite color_other, has_color_turned.
    destruct k; rewrite ?reaches_other, ?clear_turned, ?pawn_moves_turned, ?promotes_turned,
      ?castles_turned; reflexivity.
  Qed.

  Lemma in_passing_turned : in_passing q n = in_passing p m.
  Proof.
    unfold in_passing. open. rewrite holds_turned, is_passed_turned, !file_turned. reflexivity.
  Qed.
  Lemma is_castling_turned e : is_castling q n e = is_castling p m e.
  Proof.
    unfold is_castling. open. rewrite holds_turned, king_from_other, king_to_other, !same_turned.
    reflexivity.
  Qed.
  Lemma arrives_turned : arrives q n = option_map turn_piece (arrives p m).
  Proof. unfold arrives. open. destruct (promotion m); [reflexivity|]. apply on_turned. Qed.

  Lemma after_turned : after q n = turn_board (after p m).
  Proof.
    unfold after. rewrite in_passing_turned, !is_castling_turned, arrives_turned. open.
    rewrite put_none_turned, put_turned, !rook_from_other, !rook_to_other, !put_none_turned,
      !put_piece_turned.
    change (file (turn_square (destination m)), rank (turn_square (origin m)))
      with (turn_square (file (destination m), rank (origin m))).
    rewrite put_none_turned.
    destruct (in_passing p m); [reflexivity|]. destruct (is_castling p m Short); [reflexivity|].
    destruct (is_castling p m Long); reflexivity.
  Qed.

  Theorem legal_turned : legal q n = legal p m.
  Proof. unfold legal. rewrite pseudolegal_turned, after_turned. open. rewrite in_check_turned. reflexivity. Qed.

  Lemma captures_turned : captures q n = captures p m.
  Proof. unfold captures. rewrite in_passing_turned. open. rewrite empty_turned. reflexivity. Qed.
  Lemma moves_pawn_turned : moves_pawn q n = moves_pawn p m.
  Proof. unfold moves_pawn. open. apply holds_turned. Qed.
  Lemma passes_turned : passes q n = option_map turn_square (passes p m).
  Proof.
    unfold passes. rewrite moves_pawn_turned. open. rewrite apart_turned, between_turned, Z.abs_opp.
    destruct (moves_pawn p m); [|reflexivity]. destruct (_ =? 2)%Z; [|reflexivity].
    destruct (between _ _); reflexivity.
  Qed.

  (** A right to castle that is left after a move, as [play] computes it. *)
  Definition kept (p : position) (m : move) (c : color) (e : side) : bool :=
    let touched s := same s (origin m) or same s (destination m) in
    may (castling p) c e and not (touched (king_from c) or touched (rook_from c e)).
  Lemma kept_turned c e : kept q n (other c) e = kept p m c e.
  Proof.
    unfold kept. open. rewrite may_turned, king_from_other, rook_from_other, !same_turned. reflexivity.
  Qed.
  Theorem play_turned : play q n = turn_position (play p m).
  Proof.
    transitivity (Position (after q n) (other (turn q))
      (Rights (kept q n White Short) (kept q n White Long) (kept q n Black Short) (kept q n Black Long))
      (passes q n) (if captures q n or moves_pawn q n then 0%N else N.succ (clock q))); [reflexivity|].
    rewrite after_turned, passes_turned, captures_turned, moves_pawn_turned.
    change White with (other Black) at 1 2. change Black with (other White) at 3 4.
    rewrite !kept_turned. reflexivity.
  Qed.
End Turned.

Lemma turn_turn_position p : turn_position (turn_position p) = p.
Proof.
  destruct p as [b c r x k]. unfold turn_position. simpl. f_equal.
  - apply board_eq. intros s. rewrite <- (turn_turn_square s) at 1. rewrite on_turned.
    rewrite <- (turn_turn_square s) at 1.
    rewrite on_turned, turn_turn_square. destruct (on b s) as [[[] k']|]; reflexivity.
  - destruct c; reflexivity.
  - destruct r; reflexivity.
  - destruct x as [s|]; simpl; [rewrite turn_turn_square|]; reflexivity.
Qed.
Lemma turn_turn_move m : turn_move (turn_move m) = m.
Proof. destruct m. unfold turn_move. simpl. rewrite !turn_turn_square. reflexivity. Qed.

Lemma can_move_turned p : can_move (turn_position p) = can_move p.
Proof.
  apply eq_true_iff_eq. rewrite !can_move_spec. split; intros (m & L).
  - exists (turn_move m). rewrite <- legal_turned, turn_turn_move. exact L.
  - exists (turn_move m). rewrite legal_turned. exact L.
Qed.

(** ** What is written *)

Section Written.
  Variables (p : position) (m : move).
  Notation q := (turn_position p).
  Notation n := (turn_move m).
  Ltac open :=
    change (turn (turn_position p)) with (other (turn p)) in *;
    change (men (turn_position p)) with (turn_board (men p)) in *;
    change (origin (turn_move m)) with (turn_square (origin m)) in *;
    change (destination (turn_move m)) with (turn_square (destination m)) in *;
    change (promotion (turn_move m)) with (promotion m) in *.

  Lemma suffix_turned : suffix_of q n = suffix_of p m.
  Proof.
    unfold suffix_of. rewrite play_turned.
    change (in_check (men (turn_position (play p m))) (turn (turn_position (play p m))))
      with (in_check (turn_board (men (play p m))) (other (turn (play p m)))).
    rewrite in_check_turned. rewrite can_move_turned. reflexivity.
  Qed.

  Lemma in_twins_turned s : In (turn_square s) (twins q n) <-> In s (twins p m).
  Proof.
    unfold twins. open. rewrite on_turned. destruct (on (men p) (origin m)) as [[c k]|]; [|tauto].
    simpl option_map. cbv iota. rewrite !filter_In. unfold turn_piece. simpl fst. simpl snd.
    rewrite same_turned, holds_turned.
    change (Move (turn_square s) (turn_square (destination m)) (promotion m))
      with (turn_move (Move s (destination m) (promotion m))).
    rewrite legal_turned. intuition auto using in_squares.
  Qed.
  Lemma twins_turned f g : (forall s, f (turn_square s) = g s) ->
    some_of f (twins q n) = some_of g (twins p m).
  Proof.
    intros E. apply eq_true_iff_eq. rewrite !some_spec. split; intros (s & I & H).
    - exists (turn_square s). rewrite <- E, turn_turn_square, <- in_twins_turned, turn_turn_square. auto.
    - exists (turn_square s). rewrite E, in_twins_turned. auto.
  Qed.
  Lemma no_twins_turned : (twins q n = []) <-> (twins p m = []).
  Proof.
    split; intros E.
    - destruct (twins p m) as [|s l] eqn:T; [reflexivity|].
      assert (I : In s (twins p m)) by (rewrite T; left; reflexivity).
      apply in_twins_turned in I. rewrite E in I. destruct I.
    - destruct (twins q n) as [|s l] eqn:T; [reflexivity|].
      assert (I : In s (twins q n)) by (rewrite T; left; reflexivity).
      rewrite <- (turn_turn_square s) in I. apply in_twins_turned in I. rewrite E in I. destruct I.
  Qed.

  Lemma discriminator_turned k : discriminator q n k =
    let (f, r) := discriminator p m k in (f, option_map turned r).
  Proof.
    unfold discriminator. rewrite captures_turned. open.
    rewrite !file_turned, rank_turned.
    pose proof (twins_turned (fun t => line_beq (file t) (file (origin m)))
      (fun t => line_beq (file t) (file (origin m))) (fun s => eq_refl)) as F.
    pose proof (twins_turned (fun t => line_beq (rank t) (turned (rank (origin m))))
      (fun t => line_beq (rank t) (rank (origin m))) (fun s => turned_beq _ _)) as R.
    pose proof no_twins_turned as [A B].
    destruct k; try reflexivity;
      (destruct (twins q n), (twins p m);
       [reflexivity|discriminate (A eq_refl)|discriminate (B eq_refl)|];
       rewrite F, R; do 2 (match goal with |- context [negb ?x] => destruct (negb x) end; try reflexivity)).
  Qed.

  Theorem write_turned : write q n = turn_san (write p m).
  Proof.
    unfold write. rewrite suffix_turned. unfold text. rewrite !is_castling_turned, captures_turned.
    destruct (is_castling p m Short); [reflexivity|]. destruct (is_castling p m Long); [reflexivity|].
    open. rewrite on_turned.
    destruct (on (men p) (origin m)) as [[c k]|]; cbn [option_map turn_piece fst snd];
      rewrite discriminator_turned; destruct (discriminator _ _ _); reflexivity.
  Qed.
End Written.

Theorem colours_exchanged : Statements.colours_exchanged.
Proof.
  intros p m. split; [apply legal_turned|]. split; [apply write_turned|apply play_turned].
Qed.

(** ** No legal move goes to a king: it would have been in check, and not to move *)

Theorem no_move_to_a_king p m c : valid p -> legal p m = true ->
  on (men p) (destination m) <> Some (c, King).
Proof.
  intros V L K. destruct (legal_pseudolegal _ _ L) as [H _].
  destruct (pseudolegal_facts _ _ H) as (k & Ho & Hd & F).
  assert (c = other (turn p)) as ->.
  { destruct (color_beq c (turn p)) eqn:E.
    - apply color_eq in E. subst c. assert (has_color (men p) (destination m) (turn p) = true)
        by (apply has_color_eq; eauto). congruence.
    - destruct c, (turn p); try discriminate; reflexivity. }
  assert (R : reaches (turn p, k) (origin m) (destination m) = true ->
              clear (men p) (origin m) (destination m) = true -> False).
  { intros R C. pose proof (not_in_check p V) as N.
    assert (in_check (men p) (other (turn p)) = true); [|congruence].
    apply in_check_spec. exists (destination m), (origin m), (turn p, k).
    rewrite other_other. auto. }
  destruct k; try (destruct F as (A & B & _); exact (R A B)).
  - destruct F as [F _]. unfold pawn_moves in F.
    destruct (reaches (turn p, Pawn) _ _) eqn:P.
    + apply R; [reflexivity|].
      assert (X : forall q s d, (if kind_beq (snd q) Pawn and reaches q s d
          then match between s d with [] => true | _ => false end else true) = true)
        by (apply for_pieces; now vm_compute).
      specialize (X (turn p, Pawn) (origin m) (destination m)). cbn [snd kind_beq] in X. rewrite P in X.
      apply clear_spec. destruct (between _ _); [intros x []|discriminate].
    + rewrite !and_true, empty_eq in F. destruct F as (_ & F & _). congruence.
  - unfold pseudolegal in H. rewrite Ho in H. rewrite !and_true, !or_true in H.
    assert (X : forall e, castles p (origin m) (destination m) e = true -> False).
    { intros e. unfold castles. rewrite !and_true, clear_spec, !same_eq. intros (S & D & _ & _ & C & _).
      specialize (C (destination m)). rewrite D in K. rewrite S, D in C. rewrite C in K; [discriminate|].
      apply mem_spec. destruct (turn p), e; now vm_compute. }
    destruct H as (_ & _ & [A|[A|A]] & _); try (now apply X in A).
    apply R; [exact A|]. apply clear_spec. rewrite (nothing_between_king _ _ _ A). intros x [].
Qed.
