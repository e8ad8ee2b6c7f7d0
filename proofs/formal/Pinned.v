(** * Every statement, pinned

    This file is compiled last. It imports nothing, gives every name in full, and uses no notation, so
    no generated file can change what it says: each statement is that of [Statements], which is compiled
    before any generated file exists, and each proof is one that Coq's kernel has accepted. The published
    list enters as a value, [Sanproof.Published.language], which the build compares with the data. *)
Require Sanproof.Statements Sanproof.Published Sanproof.Theorem Sanproof.Unique Sanproof.Turned
  Sanproof.Short Sanproof.Sample Sanproof.FormsTheorem.

Definition exactly : Sanproof.Statements.exactly Sanproof.Published.language
  := Sanproof.Theorem.exactly.
Definition anywhere : Sanproof.Statements.anywhere Sanproof.Published.language
  := Sanproof.Theorem.anywhere.
Definition how_many : Sanproof.Statements.how_many Sanproof.Published.language
  := Sanproof.Theorem.how_many.

Definition by_suffix : Sanproof.Statements.by_suffix Sanproof.Published.language
  := Sanproof.Theorem.by_suffix.
Definition by_piece : Sanproof.Statements.by_piece Sanproof.Published.language
  := Sanproof.Theorem.by_piece.
Definition never_check : Sanproof.Statements.never_check := Sanproof.Theorem.never_check.
Definition no_check_on_b2 : Sanproof.Statements.no_check_on_b2 := Sanproof.Theorem.no_check_on_b2.
Definition not_29274 : Sanproof.Statements.not_29274 := Sanproof.Theorem.not_29274.

Definition exactly_by : Sanproof.Statements.exactly_by Sanproof.Published.language
  := Sanproof.Theorem.exactly_by.
Definition anywhere_by : Sanproof.Statements.anywhere_by Sanproof.Published.language
  := Sanproof.Theorem.anywhere_by.
Definition how_many_by : Sanproof.Statements.how_many_by Sanproof.Published.language
  := Sanproof.Theorem.how_many_by.
Definition exactly_by_both : Sanproof.Statements.exactly_by_both Sanproof.Published.language
  := Sanproof.Theorem.exactly_by_both.
Definition how_many_both : Sanproof.Statements.how_many_both Sanproof.Published.language
  := Sanproof.Theorem.how_many_both.

Definition cover_at_least : Sanproof.Statements.cover_at_least := Sanproof.Theorem.cover_at_least.
Definition cover_exists : Sanproof.Statements.cover_exists := Sanproof.Theorem.cover_exists.

Definition names_the_move : Sanproof.Statements.names_the_move := Sanproof.Unique.names_the_move.
Definition string_names_the_move : Sanproof.Statements.string_names_the_move
  := Sanproof.Unique.string_names_the_move.

Definition any_end : Sanproof.Statements.any_end Sanproof.Published.language
  := Sanproof.Theorem.any_end.
Definition no_end : Sanproof.Statements.no_end Sanproof.Published.language := Sanproof.Theorem.no_end.

Definition first_plies : Sanproof.Statements.first_plies := Sanproof.Short.first_plies.
Definition fools_mate : Sanproof.Statements.fools_mate := Sanproof.Short.fools_mate.
Definition shown_at_plies : Sanproof.Statements.shown_at_plies Sanproof.Sample.plies
  := Sanproof.Sample.shown.

Definition colours_exchanged : Sanproof.Statements.colours_exchanged
  := Sanproof.Turned.colours_exchanged.
Definition no_move_to_a_king : Sanproof.Statements.no_move_to_a_king
  := Sanproof.Turned.no_move_to_a_king.

Definition uci_exactly : Sanproof.Statements.uci_exactly := Sanproof.FormsTheorem.uci_exactly.
Definition uci_exactly_by : Sanproof.Statements.uci_exactly_by
  := Sanproof.FormsTheorem.uci_exactly_by.
Definition uci_exactly_by_both : Sanproof.Statements.uci_exactly_by_both
  := Sanproof.FormsTheorem.uci_exactly_by_both.
Definition uci_how_many : Sanproof.Statements.uci_how_many := Sanproof.FormsTheorem.uci_how_many.
Definition uci_how_many_by : Sanproof.Statements.uci_how_many_by
  := Sanproof.FormsTheorem.uci_how_many_by.

Definition lan_exactly_by : Sanproof.Statements.lan_exactly_by
  := Sanproof.FormsTheorem.lan_exactly_by.
Definition lan_anywhere : Sanproof.Statements.lan_anywhere := Sanproof.FormsTheorem.lan_anywhere.
Definition lan_how_many_by : Sanproof.Statements.lan_how_many_by
  := Sanproof.FormsTheorem.lan_how_many_by.
Definition lan_never_check : Sanproof.Statements.lan_never_check
  := Sanproof.FormsTheorem.lan_never_check.
Definition lan_how_many_never_check : Sanproof.Statements.lan_how_many_never_check
  := Sanproof.FormsTheorem.lan_how_many_never_check.

(** All of them rest on no axiom: Coq's answer is what the build compares. *)
Definition everything : Sanproof.Statements.held :=
  Sanproof.Statements.And _ exactly (
  Sanproof.Statements.And _ anywhere (
  Sanproof.Statements.And _ how_many (
  Sanproof.Statements.And _ by_suffix (
  Sanproof.Statements.And _ by_piece (
  Sanproof.Statements.And _ never_check (
  Sanproof.Statements.And _ no_check_on_b2 (
  Sanproof.Statements.And _ not_29274 (
  Sanproof.Statements.And _ exactly_by (
  Sanproof.Statements.And _ anywhere_by (
  Sanproof.Statements.And _ how_many_by (
  Sanproof.Statements.And _ exactly_by_both (
  Sanproof.Statements.And _ how_many_both (
  Sanproof.Statements.And _ cover_at_least (
  Sanproof.Statements.And _ cover_exists (
  Sanproof.Statements.And _ names_the_move (
  Sanproof.Statements.And _ string_names_the_move (
  Sanproof.Statements.And _ any_end (
  Sanproof.Statements.And _ no_end (
  Sanproof.Statements.And _ first_plies (
  Sanproof.Statements.And _ fools_mate (
  Sanproof.Statements.And _ shown_at_plies (
  Sanproof.Statements.And _ colours_exchanged (
  Sanproof.Statements.And _ no_move_to_a_king (
  Sanproof.Statements.And _ uci_exactly (
  Sanproof.Statements.And _ uci_exactly_by (
  Sanproof.Statements.And _ uci_exactly_by_both (
  Sanproof.Statements.And _ uci_how_many (
  Sanproof.Statements.And _ uci_how_many_by (
  Sanproof.Statements.And _ lan_exactly_by (
  Sanproof.Statements.And _ lan_anywhere (
  Sanproof.Statements.And _ lan_how_many_by (
  Sanproof.Statements.And _ lan_never_check (
  Sanproof.Statements.And _ lan_how_many_never_check (
  Sanproof.Statements.Nothing_more)))))))))))))))))))))))))))))))))).
Print Assumptions everything.
