"""Mutants of the forms: strings, clauses, cubes, certificates, verdicts, witnesses, and search."""

from typing import Final

from tests.mutation.model import Mutant, decided, forged, mutants, tests, told

GRAMMAR: Final = tests("proofs/test_grammar.py")
CNF: Final = tests("proofs/test_cnf.py")
CUBES: Final = tests("proofs/test_cubes.py")
QUICK_CUBES: Final = tests(
    "proofs/test_cubes.py::test_cubes_have_distinct_names",
    "proofs/test_cubes.py::test_solved_cubes_and_their_reflections_are_all_cubes",
    "proofs/test_cubes.py::test_reflections_move_every_square_that_is_written",
)
DECIDE: Final = tests("proofs/test_decide.py")
WITNESS: Final = tests("proofs/test_witness.py")
CERTIFICATES: Final = tests("proofs/test_certificates.py")
VERDICTS: Final = tests("proofs/test_verdicts.py")
SMALL: Final = decided("N[bc]a1*")
PAWNS: Final = decided("b?=*")

FORMS: Final[list[Mutant]] = [
    *mutants(
        "proofs/rules/san.py",
        [
            (
                "the universe without rooks",
                'PIECES: Final = ("", "B", "K", "N", "Q", "R")',
                'PIECES: Final = ("", "B", "K", "N", "Q")',
            ),
            (
                "the universe without promotions to a king",
                'PROMOTIONS: Final = ("", "B", "K", "N", "Q", "R")',
                'PROMOTIONS: Final = ("", "B", "N", "Q", "R")',
            ),
            (
                "the universe without castling mates",
                "in product(CASTLINGS, SUFFIXES):",
                "in product(CASTLINGS, SUFFIXES[:2]):",
            ),
            (
                "the universe without discriminators by the eighth rank",
                'RANK_DIGITS: Final = ("", *RANKS)',
                'RANK_DIGITS: Final = ("", *RANKS[:7])',
            ),
            (
                "the rank written before the file",
                "self.piece + self.file + self.rank",
                "self.piece + self.rank + self.file",
            ),
            (
                "promotion written without its sign",
                'self.promotion and "=" + self.promotion',
                "self.promotion",
            ),
            (
                "file and rank read in the wrong order",
                "(?P<file>[a-h])?(?P<rank>[1-8])?",
                "(?P<rank>[1-8])?(?P<file>[a-h])?",
            ),
            ("no destination on the eighth rank", "[a-h][1-8])(?:=", "[a-h][1-7])(?:="),
            ("lists sorted by characters only", "return len(text), text", "return 0, text"),
        ],
        tests("proofs/test_grammar.py::test_the_universe_is_the_language"),
        GRAMMAR,
    ),
    *mutants(
        "proofs/encoding/cnf.py",
        [
            (
                "`either` may be true of nothing",
                "            self.clauses.append((-defined, *key))\n",
                "",
            ),
            (
                "`either` may be false of something",
                "            self.clauses += [(defined, -x) for x in key]\n",
                "",
            ),
            ("`both` of the opposites", "*[-x for x in literals])", "*literals)"),
            (
                "`either` of one literal and its opposite",
                "if len(unknown) == 1:",
                "if len(set(map(abs, unknown))) == 1:",
            ),
            (
                "`either` forgets what is true",
                "            return TRUE\n",
                "            literals = tuple({*literals} - {TRUE})\n",
            ),
            (
                "what is forbidden is not asserted",
                "self.clauses.append(key := tuple(sorted(clause)))",
                "key = tuple(sorted(clause))",
            ),
            (
                "what is forbidden is taken to hold",
                "self._defined[key] = TRUE",
                "self._defined[key] = FALSE",
            ),
            (
                "one literal of what is forbidden is left out",
                "clause = {-x for x in literals}",
                "clause = {-x for x in literals[1:]}",
            ),
            (
                "whatever is defined counts as forbidden",
                "or self._defined.get(tuple(sorted(-x for x in literals))) == TRUE",
                "or tuple(sorted(-x for x in literals)) in self._defined",
            ),
            ("`onward` through what is closed", "                (-defined, here, open_),\n", ""),
            (
                "`onward` without anything further",
                "                (-defined, here, further),\n",
                "",
            ),
            (
                "`onward` stops at what is open",
                "                (defined, -further, -open_),\n",
                "",
            ),
            ("`onward` does not see what is here", "                (defined, -here),\n", ""),
            (
                "two lines of sight taken for one",
                "key = (0, here, further, open_)",
                "key = (0, here, further, further)",
                (CNF, told("Qd4 Rc3", "sparse")),
            ),
            (
                "`at_most` permits one more",
                "for _ in range(limit)] + [FALSE]",
                "for _ in range(limit + 1)] + [FALSE]",
            ),
            (
                "`at_most` counts no more than one",
                "else counts[i - 1]\n                self.add(-literal",
                "else FALSE\n                self.add(-literal",
            ),
            (
                "`at_least` permits one fewer",
                "        for count in counts:\n",
                "        for count in counts[:-1]:\n",
            ),
            (
                "`at_least` counts what does not hold",
                "                self.add(-count, counts[i], literal)\n",
                "",
            ),
            (
                "`at_least` is content with one",
                "                self.add(-count, counts[i], below)\n",
                "",
            ),
            (
                "`at_most_one` skips pairs",
                "for a, b in combinations(literals, 2):",
                "for a, b in list(combinations(literals, 2))[1:]:",
            ),
            ("`exactly_one` permits none", "        self.add(*chosen)\n", ""),
            (
                "`exactly_one` permits all",
                "        self.at_most_one(chosen)\n",
                "",
            ),
            (
                "a clause with a false literal left out",
                "        if FALSE in literals:\n            literals =",
                "        if FALSE in literals:\n            return\n            literals =",
            ),
            (
                "the last clause not written",
                "str(self.clauses)[2:-2]",
                "str(self.clauses[:-1])[2:-2]",
            ),
        ],
        CNF,
    ),
    *mutants(
        "proofs/rules/cubes.py",
        [
            (
                "the cubes of h8 left out",
                "product(PIECES, CAPTURES, DESTINATIONS)]",
                "product(PIECES, CAPTURES, DESTINATIONS[:-1])]",
            ),
            (
                "a cube of castling left out",
                "for castling in CASTLINGS]",
                "for castling in CASTLINGS[:1]]",
            ),
            (
                "a string in two cubes, and captures in none",
                "file, rank, self.capture, self.destination",
                'file, rank, "", self.destination',
            ),
            (
                "a cube without mates",
                "            for suffix in SUFFIXES:",
                "            for suffix in SUFFIXES[:2]:",
            ),
            (
                "captures belong to quiet cubes",
                "return Cube(san.piece, san.capture, san.destination)",
                'return Cube(san.piece, "", san.destination)',
            ),
            (
                "colours exchanged without the discriminator",
                "digit = RANKS[7 - RANKS.index(san.rank)] if",
                "digit = san.rank if",
            ),
            (
                "left and right changed without the discriminator",
                "letter = FILES[7 - FILES.index(san.file)] if",
                "letter = san.file if",
            ),
            (
                "left and right change in place of the colours",
                "_mirrored(cube.destination, by_rank=True)",
                "_mirrored(cube.destination, by_rank=False)",
            ),
            (
                "the d-file is not solved",
                'if cube.castling or cube.destination[0] in "abcd"]',
                'if cube.castling or cube.destination[0] in "abc"]',
            ),
        ],
        QUICK_CUBES,
        CUBES,
    ),
    *mutants(
        "proofs/kernel/certificates.py",
        [
            (
                "the hash of the beginning only",
                'cnf.dimacs().encode("ascii")',
                'cnf.dimacs()[:100].encode("ascii")',
            ),
            (
                "open strings are not excluded",
                "        encoding.cnf.add(*encoding.exclude(parse_san(san)))\n",
                "        encoding.exclude(parse_san(san))\n",
            ),
            (
                "the canonical form is not demanded",
                "if write_certificate(certificate) != paragraph:",
                "if False:",
            ),
            (
                "open strings of another cube",
                "if not known.issuperset(left_open) or ",
                "if ",
            ),
            (
                "open strings in any order",
                " or list(left_open) != sorted(set(left_open), key=list_order):",
                ":",
            ),
            (
                "the last clause is not read",
                "lines[len(KEYWORDS) : -2]",
                "lines[len(KEYWORDS) : -3]",
            ),
            (
                "the first clause is not read",
                "lines[len(KEYWORDS) : -2]",
                "lines[len(KEYWORDS) + 1 : -2]",
            ),
            (
                "a paragraph loses the line that ends it",
                "end = len(text) if end < 0 else end + 2",
                "end = len(text) if end < 0 else end + 1",
            ),
        ],
        CERTIFICATES,
        forged("forged certificate"),
        SMALL,
    ),
    *mutants(
        "proofs/verdicts/rulings.py",
        [
            (
                "colours are not exchanged",
                "black = self.left_open.get(exchanged_cube(cube))",
                "black = self.left_open.get(cube)",
            ),
            (
                "Black's strings are taken for White's",
                "*(str(exchanged_san(parse_san(san))) for san in black)",
                "*black",
            ),
            ("what Black plays is left out", "return {*white, *(", "return {*white} or {*("),
            (
                "what is open is called impossible",
                "elif possible is None or san in possible:",
                "elif possible is None:",
            ),
            (
                "without a proof all is called impossible",
                "elif possible is None or san in possible:",
                "elif possible and san in possible:",
            ),
            (
                "a proof for one colour is enough",
                "if white is None or black is None:",
                "white, black = white or (), black or ()\n        if not white and not black:",
            ),
            (
                "what is not refuted is called reachable",
                "yield Ruling(san, bare, suffix, Verdict.UNDECIDED, None)",
                "yield Ruling(san, bare, suffix, Verdict.REACHABLE, None)",
            ),
            (
                "a witness of the bare string serves every suffix",
                "            if san in self.witnesses:",
                "            if san in self.witnesses or text in self.witnesses:",
            ),
            (
                "Black's witness is published though White has one",
                '(" b " in known.fen and " w " in witness.fen)',
                '(" w " in known.fen and " b " in witness.fen)',
            ),
            (
                "the witness that is published depends on the order",
                'if known is None or (" b " in known.fen and " w " in witness.fen):',
                "if known is None:",
            ),
            (
                "what is open to White is open to Black",
                "        if colour == WHITE:",
                "        if colour:",
            ),
            (
                "what a proof of another cube leaves open is forgotten",
                "for left_open in self.left_open.values()",
                "for left_open in list(self.left_open.values())[:1]",
            ),
        ],
        VERDICTS,
        PAWNS,
    ),
    *mutants(
        "proofs/search/models.py",
        [
            (
                "colours exchanged without the men's",
                'reversed(ranks.split("/"))).swapcase()',
                'reversed(ranks.split("/")))',
            ),
            (
                "a reflected move loses its promotion",
                "Witness(san, fen, _map_squares(self.uci, mirror_file))",
                "Witness(san, fen, _map_squares(self.uci, mirror_file)[:4])",
            ),
            (
                "colours exchanged without the right to castle",
                "sorted(rights.swapcase())",
                "sorted(rights)",
            ),
            (
                "colours exchanged without the square passed",
                "passed = _map_squares(passed, mirror_rank)",
                "passed = _map_squares(passed, lambda square: square)",
            ),
            (
                "the square passed is not written",
                'passed = san.destination if next(bits) else "-"',
                'passed = "-" if next(bits) else "-"',
            ),
            (
                "ranks written from the first",
                "for rank in range(LAST_RANK, -1, -1):",
                "for rank in range(LAST_RANK + 1):",
            ),
        ],
        WITNESS,
    ),
    *mutants(
        "proofs/search/decide.py",
        [
            (
                "what is not found is forgotten",
                "                result.unexplained.append(san)\n",
                "                pass\n",
            ),
            (
                "the relaxation is asked one string only",
                "    while (named := closing.find_string()) is not None:",
                "    for named in filter(None, [closing.find_string()]):",
            ),
            (
                "what can be played is called refuted",
                "return not _Relaxation(",
                "return _Relaxation(",
            ),
        ],
        DECIDE,
    ),
    *mutants(
        "proofs/search/refute.py",
        [
            (
                "the larger scope is not tried",
                "for scope in SCOPES.values():",
                "for scope in list(SCOPES.values())[:1]:",
            ),
            (
                "the solvers' disagreement is kept quiet",
                '    raise Disagreement(\n        f"Z3',
                '    return Certificate(cube, scope, "", (), ((),)) or str(\n        f"Z3',
            ),
            (
                "a solver that contradicts itself is asked for a model",
                "    if session.solve() is Answer.UNSATISFIABLE:",
                "    if session.solve() is None:",
            ),
            (
                "what is open anyway is called the difference",
                "        session.add(encoding.exclude(parse_san(san)))\n",
                "        encoding.exclude(parse_san(san))\n",
            ),
        ],
        CERTIFICATES,
    ),
]
