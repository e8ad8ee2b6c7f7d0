(** * What is proved: the statements, and the words that they need besides Chess.v

    This file is compiled before any generated file exists, so that nothing generated can change what a
    word means here. [published] stands for a list of strings. [Pinned] says of the published list, after
    all else, that each statement holds. [A /\ B] is "A and B", [~ A] "not A", [A <-> B] "A exactly
    if B", [In s l] "s is in the list l"; [NoDup l] says that nothing stands in l twice. *)
From Coq Require Import List Bool String Ascii ZArith.
From Sanproof Require Import Chess Forms.
Import ListNotations.
Open Scope nat_scope.

(** ** The theorem *)

(** Some legal game contains a move that is written [s], exactly if [s] is in the list. This speaks of
    all strings, not only of those that the grammar derives. *)
Definition exactly (published : list string) : Prop := forall s, written s <-> In s published.

(** No valid position, of a game or not, has a legal move that is written otherwise. *)
Definition anywhere (published : list string) : Prop :=
  forall p m, valid p -> legal p m = true -> In (print (write p m)) published.

Definition how_many (published : list string) : Prop :=
  NoDup published /\ List.length published = 28938.

(** ** By suffix and by piece *)

Fixpoint contains (a : ascii) (s : string) : bool :=
  match s with EmptyString => false | String b s => Ascii.eqb a b or contains a s end.
Definition says_mate (s : string) : bool := contains "#" s.
Definition says_check (s : string) : bool := contains "+" s.
Definition is_bare (s : string) : bool := not (says_check s or says_mate s).
Definition begins_with (letters s : string) : bool :=
  match s with EmptyString => false | String a _ => contains a letters end.

(** All, without suffix, with [+], with [#]. *)
Definition counts (l : list string) : list nat :=
  map (@List.length string) [l; filter is_bare l; filter says_check l; filter says_mate l].
Definition by_suffix (published : list string) : Prop :=
  counts published = [28938; 9758; 9590; 9590].

(** Queen, rook, bishop, knight, pawn, king, castling: the table of docs/question.md. *)
Definition by_piece (published : list string) : Prop :=
  map (fun letters => counts (filter (begins_with letters) published))
    ["Q"; "R"; "B"; "N"; "abcdefgh"; "K"; "O"]%string
  = [[13448; 4528; 4460; 4460]; [5296; 1824; 1736; 1736]; [5136; 1720; 1708; 1708];
     [3744; 1248; 1248; 1248]; [924; 308; 308; 308]; [384; 128; 128; 128]; [6; 2; 2; 2]].

(** ** Strings that never give check *)

(** 168 bare strings are written, but never with a suffix; every other bare string that is written is written with both. Of the 168,
    88 are a rook's, 68 a queen's and 12 a bishop's. *)
Definition never_check : Prop :=
  exists l, NoDup l /\ List.length l = 168
  /\ (forall s, In s l <->
        written s /\ is_bare s = true /\ ~ written (s ++ "+") /\ ~ written (s ++ "#"))
  /\ (forall s, written s -> is_bare s = true -> ~ In s l ->
        written (s ++ "+") /\ written (s ++ "#"))
  /\ map (fun letter => List.length (filter (begins_with letter) l)) ["R"; "Q"; "B"]%string
     = [88; 68; 12].
Definition no_check_on_b2 : Prop := written "Ba1b2" /\ ~ written "Ba1b2+" /\ ~ written "Ba1b2#".

(** The count that was published, three times 9,758, is wrong. *)
Definition not_29274 : Prop :=
  ~ exists l, NoDup l /\ (forall s, written s <-> In s l) /\ List.length l = 29274.

(** ** By player

    White alone writes a pawn's move to the seventh or eighth rank, Black alone to the second or first.
    Everything else both write. *)
Definition reserved (c : color) (s : string) : bool :=
  begins_with "abcdefgh" s and match c with
  | White => contains "7" s or contains "8" s
  | Black => contains "2" s or contains "1" s
  end.
Definition strings_of (c : color) (published : list string) : list string :=
  filter (fun s => not (reserved (other c) s)) published.
Definition strings_of_both (published : list string) : list string :=
  filter (fun s => not (reserved White s) and not (reserved Black s)) published.

Definition exactly_by (published : list string) : Prop :=
  forall c s, written_by c s <-> In s (strings_of c published).
Definition anywhere_by (published : list string) : Prop :=
  forall p m, valid p -> legal p m = true -> In (print (write p m)) (strings_of (turn p) published).
Definition how_many_by (published : list string) : Prop :=
  forall c, NoDup (strings_of c published) /\ List.length (strings_of c published) = 28608.
Definition exactly_by_both (published : list string) : Prop :=
  forall s, (written_by White s /\ written_by Black s) <-> In s (strings_of_both published).
Definition how_many_both (published : list string) : Prop :=
  NoDup (strings_of_both published) /\ List.length (strings_of_both published) = 28278.

(** ** The cover: legal games that together show every string *)

Definition cover_at_least : Prop := forall games, cover games -> 9590 <= List.length games.
Definition cover_exists : Prop := exists games, cover games /\ List.length games = 9590.

(** ** SAN names the move *)

(** In every position, valid or not, two legal moves that are written alike, whatever suffix each is
    given, are one. *)
Definition names_the_move : Prop :=
  forall p m n x y, legal p m = true -> legal p n = true -> text p m x = text p n y -> m = n.
Definition string_names_the_move : Prop :=
  forall p m n, valid p -> legal p m = true -> legal p n = true ->
  print (write p m) = print (write p n) -> m = n.

(** ** The end of a game does not matter

    Play that stops where an arbitrary rule [ends] says so. A rule looks at the position and at those
    before it. *)
Section Ends.
  Variable ends : position -> list position -> Prop.
  Inductive run : position -> list position -> Prop :=
  | run_begins : run initial []
  | run_goes_on p past m : run p past -> ~ ends p past -> legal p m = true -> run (play p m) (p :: past).
  Definition occurs (s : string) : Prop :=
    exists p past m, run p past /\ ~ ends p past /\ legal p m = true /\ print (write p m) = s.
End Ends.

(** The list is right for every rule that ends no game earlier than the Laws do, and for none at all. *)
Definition any_end (published : list string) : Prop :=
  forall ends : position -> list position -> Prop, (forall p past, ends p past -> over p past) ->
  forall s, occurs ends s <-> In s published.
Definition no_end (published : list string) : Prop :=
  forall s, occurs (fun _ _ => False) s <-> In s published.

(** ** The earliest ply *)

(** [occurs_at]: some play reaches a move written [s] at ply [n]. [earliest]: and no play does so at an
    earlier ply. *)
Definition occurs_at (ends : position -> list position -> Prop) (n : nat) (s : string) : Prop :=
  exists p past m, run ends p past /\ ~ ends p past /\ legal p m = true
    /\ print (write p m) = s /\ S (List.length past) = n.
Definition earliest (ends : position -> list position -> Prop) (s : string) (n : nat) : Prop :=
  occurs_at ends n s /\ forall k, k < n -> ~ occurs_at ends k s.

(** If no rule ends a game, exactly 20, 20 and 72 strings occur first at plies 1, 2 and 3; and the
    earliest ply of at least 93 is 4. *)
Definition first_plies : Prop :=
  let none := fun _ _ => False in
  exists ply1 ply2 ply3 ply4,
  map (@List.length string) [ply1; ply2; ply3; ply4] = [20; 20; 72; 93]
  /\ (NoDup ply1 /\ NoDup ply2 /\ NoDup ply3 /\ NoDup ply4)
  /\ (forall s, In s ply1 <-> earliest none s 1) /\ (forall s, In s ply2 <-> earliest none s 2)
  /\ (forall s, In s ply3 <-> earliest none s 3) /\ (forall s, In s ply4 -> earliest none s 4).
(** Fool's mate is the earliest [Qh4#] of a legal game. *)
Definition fools_mate : Prop := earliest over "Qh4#" 4.
(** Each string is written at the ply beside it in some legal game. *)
Definition shown_at_plies (published : list (string * nat)) : Prop :=
  forall s n, In (s, n) published -> occurs_at over n s.

(** ** The exchange of colours, and kings *)

(** A position seen from the other side: colours are exchanged and ranks counted from the other end. *)
Definition turned (l : line) : line :=
  match l with L1 => L8 | L2 => L7 | L3 => L6 | L4 => L5 | L5 => L4 | L6 => L3 | L7 => L2 | L8 => L1 end.
Definition turn_square (s : square) : square := (file s, turned (rank s)).
Definition turn_piece (q : piece) : piece := (other (fst q), snd q).
Definition turn_board (b : board) : board :=
  table (fun f => table (fun r => option_map turn_piece (on b (turn_square (f, r))))).
Definition turn_position (p : position) : position :=
  let r := castling p in
  {| men := turn_board (men p); turn := other (turn p);
     castling := Rights (black_short r) (black_long r) (white_short r) (white_long r);
     passed := option_map turn_square (passed p); clock := clock p |}.
Definition turn_move (m : move) : move :=
  Move (turn_square (origin m)) (turn_square (destination m)) (promotion m).
Definition turn_san (t : san) : san :=
  match t with
  | Castled e x => Castled e x
  | Moved k f r takes d becomes x => Moved k f (option_map turned r) takes (turn_square d) becomes x
  end.

(** Black writes in a position what White writes in the turned one, with the ranks turned (Lemma 2). *)
Definition colours_exchanged : Prop :=
  forall p m, legal (turn_position p) (turn_move m) = legal p m
  /\ write (turn_position p) (turn_move m) = turn_san (write p m)
  /\ play (turn_position p) (turn_move m) = turn_position (play p m).

(** No legal move goes to the square of a king (1.4.1). *)
Definition no_move_to_a_king : Prop :=
  forall p m c, valid p -> legal p m = true -> on (men p) (destination m) <> Some (c, King).

(** ** UCI and the long form *)

Definition uci_exactly : Prop :=
  forall u, (exists c, played_by c u) <-> In u uci_language_of_either.
Definition uci_exactly_by : Prop := forall c u, played_by c u <-> In u (uci_language c).
Definition uci_exactly_by_both : Prop :=
  forall u, (played_by White u /\ played_by Black u) <-> In u uci_language_of_both.
Definition uci_how_many : Prop :=
  NoDup uci_language_of_either /\ List.length uci_language_of_either = 1968
  /\ List.length uci_language_of_both = 1792.
Definition uci_how_many_by : Prop :=
  forall c, NoDup (uci_language c) /\ List.length (uci_language c) = 1880.

Definition lan_exactly_by : Prop := forall c s, lan_written_by c s <-> In s (lan_language c).
Definition lan_anywhere : Prop :=
  forall p m, valid p -> legal p m = true -> In (print_lan (write_lan p m)) (lan_language (turn p)).
Definition lan_how_many_by : Prop :=
  forall c, NoDup (lan_language c) /\ counts (lan_language c) = [22376; 7544; 7416; 7416].
Definition lan_never_check : Prop := forall c s, In s (lan_refuted c) -> ~ lan_written_by c s.
Definition lan_how_many_never_check : Prop :=
  forall c, NoDup (lan_refuted c) /\ List.length (lan_refuted c) = 256.

(** ** All of them, kept together to ask for their assumptions at once *)

Inductive held : Type := Nothing_more | And (statement : Prop) (proof : statement) (others : held).
