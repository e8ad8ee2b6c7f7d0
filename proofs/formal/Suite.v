(** * The conformance suite: what each answer says, in the words of Chess.v

    To be read and believed, after [Chess.v] and the first lines of [Forms.v]: [answered] says what
    is proved of the cases in [data/conformance/core.json], and [printed] shows them. *)
From Coq Require Import String Ascii List Bool ZArith DecimalString.
From Sanproof Require Import Chess Forms.
Import ListNotations.
Open Scope string_scope.

(** ** FEN (PGN standard 16.1) *)

Definition piece_letter (p : piece) : string :=
  match p with
  | (White, Pawn) => "P" | (Black, Pawn) => "p" | (Black, King) => "k"
  | (White, k) => letter k | (Black, k) => small_letter k
  end.
Definition decimal (n : N) : string := NilZero.string_of_uint (N.to_uint n).
Fixpoint row (b : board) (r : line) (fs : list line) (gap : N) : string :=   (* [gap]: empty squares *)
  let g := if (gap =? 0)%N then "" else decimal gap in
  match fs with
  | [] => g
  | f :: fs => match on b (f, r) with
               | None => row b r fs (N.succ gap)
               | Some p => g ++ piece_letter p ++ row b r fs 0
               end
  end.
Definition or_dash (s : string) : string := match s with "" => "-" | _ => s end.
Definition fen (p : position) (number : N) : string := String.concat " " [
  String.concat "/" (map (fun r => row (men p) r lines 0) (rev lines));
  match turn p with White => "w" | Black => "b" end;
  or_dash (String.concat "" (map (fun x => if fst x : bool then snd x else "")
    [(white_short (castling p), "K"); (white_long (castling p), "Q");
     (black_short (castling p), "k"); (black_long (castling p), "q")]));
  or_dash (maybe square_name (passed p)); decimal (clock p); decimal number].

(** Many programs name the passed square only if a pawn could capture there, by [rule]. *)
Definition named (rule : position -> move -> bool) (p : position) : position :=
  match passed p with
  | None => p
  | Some e => if some s of squares, rule p (Move s e None) and in_passing p (Move s e None) then p
              else Position (men p) (turn p) (castling p) None (clock p)
  end.

(** ** What a text denotes: docs/notation.md, without [exd], [Kg1] for castling,
    small letters, zeros, comments and the like *)

Definition spellings (p : position) (m : move) : list string :=
  let signs := [""; "+"; "#"; "++"] in
  if is_castling p m Short then map (append "O-O") signs
  else if is_castling p m Long then map (append "O-O-O") signs
  else
    let k := match on (men p) (origin m) with Some (_, k) => letter k | None => "" end in
    let f := file_letter (file (origin m)) in
    let r := rank_digit (rank (origin m)) in
    let becomes := match promotion m with None => [""] | Some x => [""; letter x; "=" ++ letter x] end in
    flat_map (fun o => flat_map (fun x => flat_map (fun y => map (fun z =>
      o ++ x ++ square_name (destination m) ++ y ++ z) signs) becomes) [""; "x"; "-"])
      [k; k ++ f; k ++ r; k ++ f ++ r; f ++ r].
Definition denotes (p : position) (t : string) (m : move) : Prop :=
  legal p m = true /\ In t (spellings p m).

(** ** Questions and their right answers *)

Inductive question :=
| Reads (t u : string)                        (* the text [t] is the move [u], in UCI *)
| Means (t u : string)                        (* ... though it is not what is written *)
| Refuses (t : string)                        (* the text [t] is no move, or not one alone *)
| Writes (u t : string)
| Lists (ts : list string)
| Plays (t always pseudo_legal legal : string).
Definition writes (p : position) (m : move) (t : string) : Prop :=
  legal p m = true /\ print (write p m) = t.
Definition right (p : position) (number : N) (q : question) : Prop :=
  match q with
  | Reads t u => exists m, writes p m t /\ uci m = u /\ forall n, denotes p t n <-> n = m
  | Means t u => exists m, uci m = u /\ forall n, denotes p t n <-> n = m
  | Refuses t => (forall m, ~ writes p m t) /\ ~ exists m, forall n, denotes p t n <-> n = m
  | Writes u t => exists m, writes p m t /\ uci m = u
  | Lists ts => NoDup ts /\ forall t, In t ts <-> exists m, writes p m t
  | Plays t always pseudo lawful => exists m, writes p m t /\
      let number := match turn p with White => number | Black => N.succ number end in
      fen (play p m) number = always
      /\ fen (named pseudolegal (play p m)) number = pseudo
      /\ fen (named legal (play p m)) number = lawful
  end.

(** These moves, in UCI, lead from [p] to [q]. *)
Inductive played : position -> list string -> position -> Prop :=
| at_last p : played p [] p
| at_first p m us q : legal p m = true -> played (play p m) us q -> played p (uci m :: us) q.

(** Questions about one position: its FEN, and a game that leads to it. *)
Record place := Place { at_fen : string; game : list string; cases : list (string * question) }.
Definition move_number (x : place) : N := N.of_nat (1 + length (game x) / 2).
Definition answered (x : place) : Prop := exists q p,
  played initial (game x) q /\ (p = q \/ p = named legal q) /\ fen p (move_number x) = at_fen x
  /\ valid p /\ forall c, In c (cases x) -> right p (move_number x) (snd c).

(** ** The cases as lines: a place's FEN and game, then its cases, with tabs between words *)

Definition tab : string := String "009"%char "".
Definition words (q : question) : list string :=
  match q with
  | Reads t u => ["Reads"; t; u]
  | Means t u => ["Means"; t; u]
  | Refuses t => ["Refuses"; t]
  | Writes u t => ["Writes"; u; t]
  | Lists ts => "Lists" :: ts
  | Plays t always pseudo_legal legal => ["Plays"; t; always; pseudo_legal; legal]
  end.
Definition printed (xs : list place) : list string := flat_map (fun x =>
  String.concat tab (at_fen x :: game x)
  :: map (fun c => String.concat tab (fst c :: words (snd c))) (cases x)) xs.
