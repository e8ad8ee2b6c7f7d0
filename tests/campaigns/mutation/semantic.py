"""Wrong changes that no operator makes, each with what is wrong about it.

Given by the function and the node in it, so that reformatting does not make them stale.
"""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from tests.campaigns.mutation.operators import Mutant, places, replaced


class Semantic(NamedTuple):
    """One of them.

    Attributes:
        module: The module's name.
        where: The function.
        what: What is wrong.
        old: The node, in any format; it must be in the function exactly once.
        new: What stands in its place.
    """

    module: str
    where: str
    what: str
    old: str
    new: str


SEMANTIC: Final = [
    Semantic(
        "proofs.encoding.relaxation", "encode_relaxation", "no twin is pinned",
        "cnf.both(x, -cnf.new())", "x"),
    Semantic(
        "proofs.encoding.written", "encode_discriminator", "the mover is its own twin",
        "cnf.both(x, -origins[s])", "x"),
    Semantic(
        "proofs.encoding.written", "encode_discriminator", "the rank is written if it is shared",
        "write_rank = shares_file", "write_rank = shares_rank"),
    Semantic(
        "proofs.encoding.written", "encode_discriminator", "the square where the rank suffices",
        "cnf.both(shares_file, -shares_rank)", "FALSE"),
    Semantic(
        "proofs.encoding.relaxation", "_encode_pieces", "two on one line are able",
        "cnf.add(-able[s], -able[t])", "None"),
    Semantic(
        "proofs.encoding.relaxation", "_encode_pieces", "none on a line is able",
        "cnf.add(-able[s], -able[t])", "cnf.add(-able[s])"),
    Semantic(
        "proofs.encoding.relaxation", "_encode_check", "the king may stand where a piece does",
        "cnf.add(-encoding.able[s], -king[s])", "None"),
    Semantic(
        "proofs.encoding.relaxation", "_encode_check", "a way may be blocked",
        "cnf.add(-encoding.able[s], empty[t])", "None"),
    Semantic(
        "proofs.encoding.relaxation", "_encode_check", "Black may be in check before",
        "cnf.add(-encoding.able[s], -king[k], *[-empty[t] for t in line])", "None"),
    Semantic(
        "proofs.encoding.relaxation", "_encode_check", "attacks pass through pieces",
        "cnf.add(-encoding.able[s], -king[k], *[-empty[t] for t in line])",
        "cnf.add(-encoding.able[s], -king[k])"),
    Semantic(
        "proofs.encoding.relaxation", "_encode_check", "a quiet move may take",
        "cnf.add(empty[destination])", "None"),
    Semantic(
        "proofs.encoding.relaxation", "_encode_check", "a capture goes to an empty square",
        "not cube.capture", "True"),
    Semantic(
        "proofs.encoding.relaxation", "_encode_check", "a suffix without check",
        'cnf.add(encoding.fields["suffix"][""], *checks)', "None"),
    Semantic(
        "proofs.encoding.relaxation", "_direct_checks", "check through pieces",
        "cnf.add(-check, encoding.empty[t], encoding.origins[t])", "None"),
    Semantic(
        "proofs.encoding.relaxation", "_discovered_checks", "nobody needs to give the check",
        "step(s, (-file_step, -rank_step)) is None", "False"),
    Semantic(
        "proofs.encoding.relaxation", "_discovered_checks", "the giver stands before the king",
        "step(s, (-file_step, -rank_step)) is None", "step(s, (file_step, rank_step)) is not None"),
    Semantic(
        "proofs.encoding.relaxation", "_discovered_checks", "check through pieces",
        "cnf.add(-check, encoding.empty[t])", "None"),
    Semantic(
        "proofs.rules.moves", "reach_backwards", "sliders jump",
        "squares[:i]", "()"),
    Semantic(
        "proofs.rules.cubes", "exchanged_san", "the discriminator is not exchanged",
        "exchanged_ranks(san.rank)", "san.rank"),
    Semantic(
        "proofs.kernel.certificates", "closing_formula", "open strings are not excluded",
        "encoding.cnf.add(*encoding.exclude(parse_san(san)))", "encoding.exclude(parse_san(san))"),
    Semantic(
        "proofs.kernel.refutation", "check_refutation", "a clause counts whether it follows or not",
        "_follows(clauses, lemma, hints)", "True"),
    Semantic(
        "proofs.kernel.refutation", "_follows", "a hint with two literals is taken for a unit",
        "len(left) > 1", "len(left) > 2"),
    Semantic(
        "proofs.kernel.theorem", "conclude", "Black is not asked",
        '(("White", white, can_white), ("Black", black, can_black))',
        '(("White", white, can_white),)'),
    Semantic(
        "proofs.kernel.theorem", "conclude", "Black's strings are White's",
        "exchanged_ranks(s)", "s"),
    Semantic(
        "proofs.kernel.games", "Replay.play", "any move that looks like one is legal",
        "self.board.was_into_check()", "False"),
    Semantic(
        "proofs.kernel.games", "Replay.check", "a check is as good as mate",
        "self.board.is_checkmate()", "self.board.is_check()"),
    Semantic(
        "proofs.kernel.games", "Replay.check", "any end is as good as mate",
        "self.board.is_checkmate()", "self.board.is_game_over()"),
    Semantic(
        "proofs.kernel.games", "Replay._next", "four occurrences are a draw",
        "board.is_fivefold_repetition()", "board.is_repetition(4)"),
    Semantic(
        "proofs.kernel.games", "Replay._next", "fifty moves are a draw",
        "board.is_seventyfive_moves()", "board.is_fifty_moves()"),
    Semantic(
        "proofs.kernel.games", "_meet", "what was played before is not forgotten",
        "clocks == (0, 0)", "True"),
    Semantic(
        "proofs.kernel.games", "_meet", "only the men are compared",
        "replay.board.mirror().epd() == other.board.epd()",
        "replay.board.mirror().board_fen() == other.board.board_fen()"),
]  # fmt: skip


def _parsed(text: str) -> ast.AST:
    """A node, of the kind that stands where it is to be put."""
    statement = ast.parse(text).body[0]
    return statement.value if isinstance(statement, ast.Expr) else statement


def _normal(node: ast.AST) -> str:
    return ast.unparse(node).strip()


def make(semantic: Semantic, root: Path) -> Mutant:
    """The mutant.

    Raises:
        ValueError: Its node is not in the function exactly once: it is stale.
    """
    module, where, what, old, new = semantic
    tree = ast.parse(Path(root, *module.split(".")).with_suffix(".py").read_text(encoding="utf-8"))
    wanted, kind = _normal(_parsed(old)), type(_parsed(old))
    ways = [
        path
        for node, path, place in places(tree)
        if place == where and isinstance(node, kind) and _normal(node) == wanted
    ]
    if len(ways) != 1:
        raise ValueError(f"{module}:{where}: {what}: its node is found {len(ways)} times")
    source = replaced(tree, ways[0], _parsed(new))
    return Mutant(module, where, what, wanted, _normal(_parsed(new)), 1, source)


def semantic_mutants(root: Path) -> Iterator[Mutant]:
    """All of them.

    Raises:
        ValueError: One is stale.
    """
    for semantic in SEMANTIC:
        yield make(semantic, root)
