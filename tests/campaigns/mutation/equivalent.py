"""Mutants that nothing can notice, each with the reason: the module does the same.

Keyed by what does not change when the module is formatted anew; a key that fits no mutant is an
error.
"""

from typing import Final, NamedTuple


class Equivalent(NamedTuple):
    """Mutants that do the same as the module.

    Attributes:
        module: The module's name.
        where: The function.
        operator: What was done; empty for any operator.
        old: The node, as :class:`tests.campaigns.mutation.operators.Mutant` has it.
        new: What stands in its place.
        why: Why that is the same.
        ordinals: Which of the mutants that are alike so far.
    """

    module: str
    where: str
    operator: str
    old: str
    new: str
    why: str
    ordinals: tuple[int, ...] = (1,)

    @property
    def keys(self) -> list[tuple[str, str, str, str, str, int]]:
        """The keys of the mutants."""
        return [(*self[:5], number) for number in self.ordinals]


REFUTATION: Final = "proofs.kernel.refutation"
GAMES: Final = "proofs.kernel.games"
CERTIFICATES: Final = "proofs.kernel.certificates"
FIVEFOLD: Final = "self._occupied.count(board.occupied) >= 4 and board.is_fivefold_repetition()"

EQUIVALENT: Final[list[Equivalent]] = [
    *(
        Equivalent(
            "proofs.kernel.theorem", "", operator, "1000", other,
            "How many games a process checks at a time changes nothing but how long it takes.")
        for operator, other in (("one more", "1001"), ("one less", "999"))
    ),
    *(
        Equivalent(
            "proofs.kernel.theorem", "submit_certificates", operator, old, new,
            "How many certificates a process is given at a time changes only the time it takes.")
        for operator, old, new in (
            ("one more", "5", "6"),
            ("one less", "5", "4"),
            ("argument dropped", "executor.map(check_certificate, paragraphs, chunksize=5)",
             "executor.map(check_certificate, paragraphs)"))
    ),
    Equivalent(
        "proofs.kernel.files", "unpacked", "one more", "1", "2",
        "Whatever unpacks to more than a file may have is refused, by however much."),
    Equivalent(
        "proofs.kernel.__main__", "main", "one less", "0", "-1",
        "There is exactly one argument: the first is the last.", (1, 2)),
    Equivalent(
        REFUTATION, "_follows", "nothing returned", "return False", "return",
        "Whoever asks, asks only whether it is true.", (1, 2)),
    Equivalent(
        REFUTATION, "_follows", "one less", "0", "-1",
        "The list has exactly one element there: its first is its last."),
    Equivalent(
        CERTIFICATES, "read_certificate", "slice without an end", ":len(KEYWORDS)", ":",
        "Of the lines, only as many are compared and read as there are keywords."),
    Equivalent(
        GAMES, "Replay.check", "arguments exchanged",
        "common_length(self._moves, moves[:ply - 1])",
        "common_length(moves[:ply - 1], self._moves)",
        "What two lists have in common does not depend on their order."),
    Equivalent(
        GAMES, "_meet", "nothing returned", "return False", "return",
        "Its answer is only asked for its truth."),
    Equivalent(
        GAMES, "replayed", "condition dropped",
        "replay.check_exchanged(*game) or replay.check(*game)", "replay.check(*game)",
        "Then every game is played whole, which shows the same and takes longer."),
    Equivalent(
        GAMES, "Replay.check", "always the second",
        "san.endswith('#') if ply == len(moves) else self.board.is_checkmate()",
        "self.board.is_checkmate()",
        "python-chess has just written the last move, with # exactly if it mates."),
    Equivalent(
        GAMES, "common_length", "arguments exchanged", "map(ne, a, b)", "map(ne, b, a)",
        "Whether two moves differ does not depend on their order."),
    Equivalent(
        GAMES, "Replay._next", "condition dropped", FIVEFOLD, "board.is_fivefold_repetition()",
        "A fifth occurrence is the fifth of its squares: the condition only saves time."),
    Equivalent(
        GAMES, "Replay._next", "one less", "4", "3",
        "A fifth occurrence is the fifth of its squares: the condition only saves time."),
    Equivalent(
        GAMES, "Replay._next", "one less", "16", "15",
        "A fifth occurrence has sixteen plies before it: the condition only saves time."),
    Equivalent(
        GAMES, "Replay.check_exchanged", "arguments exchanged",
        "common_length(reversed(last), reversed(moves))",
        "common_length(reversed(moves), reversed(last))",
        "What two lists have in common does not depend on their order."),
    Equivalent(
        "proofs.encoding.relaxation", "_direct_checks", "argument dropped",
        "cnf.add(-check, encoding.empty[t], encoding.origins[t])",
        "cnf.add(-check, encoding.empty[t])",
        "A piece that attacks the king over the square that it left attacked it from there."),
    Equivalent(
        "proofs.encoding.written", "_meet", "constant", "True", "False",
        "Both lists have eight entries, one for each line of the board."),
    Equivalent(
        "verify.run.harness", "Search._witnesses_of_white", "text without its end",
        "' w '", "' w'", "In a FEN a w after a space is a word of its own."),
    Equivalent(
        "proofs.games.paths", "_unmove", "one more", "1", "2",
        "No un-move goes two steps nearer: a test says so.", (3,)),
    Equivalent(
        "proofs.games.paths", "_place", "operation", "position * HASH", "position + HASH",
        "Where a position is kept changes nothing but how soon it is found."),
    Equivalent(
        "proofs.games.paths", "_unmove", "one more", "1", "2",
        "Un-moves that lead to one position with one player to move differ by an even number.",
        (6,)),
]  # fmt: skip
