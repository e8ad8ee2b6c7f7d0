"""Mutants of the rules: the board, how pieces move, what a move is, mate, and how it is written."""

from typing import Final

from tests.mutation.model import Mutant, decided, mutants, tests, told

GEOMETRY: Final = tests("proofs/test_geometry.py")
ADEQUACY: Final = tests("proofs/test_adequacy.py")

KNOWN_MATES: Final = tests("proofs/test_adequacy.py::test_known_mates")

TWINS: Final = told("Nc3 Qd4 Rxd5 Bb4", "twins, crowded")
PINS: Final = told("Qd4 Rd4 Qc5 Bd4", "twins, crowded")
KINGS: Final = told("Kc3 Kxd4 Ka1", "sparse, in check")
SAFETY: Final = told("Nc3 Qd4 Kc2 c4", "in check, discovered")
CHECKS: Final = told("Nc6 Qd5 Kc3 c6 xd5", "sparse, discovered")
PAWNS: Final = told("a4 c3 d4 xb6 xd5 xd6", "sparse, en passant")
PASSING: Final = told("xd6 xb6 xc6", "en passant")
PROMOTION: Final = told("b8 xc8", "promotion")
CASTLING: Final = told("O-O O-O-O", "castling, castling mate")
MATE: Final = told("Qd8 Qxc7 Rd8 Nc7", "mate, nearly mate, pin mate")
ANSWERS: Final = told("Qa5 Qb5 Ra5 Bc3", "push answer, nearly mate")
PUSH_ANSWERS: Final = told("d4 b4 c4", "push check")
DOUBLE_MATE: Final = told("Nd6 Nc7 Nb5 Nxc6", "double mate")

RULES: Final[list[Mutant]] = [
    *mutants(
        "proofs/rules/squares.py",
        [
            ("an orthogonal direction left out", "(0, -1), (-1, 0))", "(0, -1))"),
            ("a diagonal direction twice", "(-1, -1), (-1, 1))", "(-1, -1), (1, 1))"),
            ("a knight's step wrong", "(-2, 1), (-1, 2))", "(-2, 1), (-1, 3))"),
            ("a knight's step left out", "((1, 2), (2, 1), (2, -1)", "((1, 2), (2, -1)"),
            (
                "the king steps as a rook does",
                "KING: Final = tuple(steps(square, DIRECTIONS)",
                "KING: Final = tuple(steps(square, ORTHOGONAL)",
            ),
            (
                "the a-file is off the board",
                "return 8 * rank + file if 0 <= file < 8 and 0 <= rank < 8 else None",
                "return 8 * rank + file if 0 < file < 8 and 0 <= rank < 8 else None",
            ),
            (
                "a ray begins on its own square",
                "    current = step(square, direction)\n    while",
                "    current: int | None = square\n    while",
            ),
            (
                "the way back keeps the rank's direction",
                "return (-direction[0], -direction[1])",
                "return (-direction[0], direction[1])",
            ),
            ("the other player's view is turned, not reflected", "square ^ 56", "square ^ 63"),
            ("left and right change within halves", "square ^ 7", "square ^ 3"),
        ],
        GEOMETRY,
    ),
    *mutants(
        "proofs/encoding/board.py",
        [
            ("two kings permitted", "        cnf.at_most_one(lines)\n", "", (KINGS,)),
            (
                "two kings on a file permitted",
                "for line_of in (file_of, rank_of):",
                "for line_of in (rank_of,):",
                (KINGS,),
            ),
            ("no king permitted", "    cnf.add(*king)\n", "", (KINGS,)),
            ("pawns on the eighth rank", "rank_of(s) in (0, 7)", "rank_of(s) == 0", (TWINS,)),
            (
                "a knight that is also a king",
                '(entry["pawn"], entry["knight"], entry["king"])',
                '(entry["pawn"], entry["knight"])',
                (KINGS,),
            ),
            (
                "a piece of both colours",
                "    cnf.add(-entry[WHITE], -entry[BLACK])\n",
                "",
                (TWINS,),
            ),
            (
                "a rook that is also a knight",
                'for role in ("pawn", "knight", "king"):',
                'for role in ("pawn", "king"):',
                (TWINS,),
            ),
            (
                "a man of no kind",
                "        cnf.add(-entry[colour], *roles)\n",
                "        pass\n",
                (TWINS,),
            ),
            (
                "black men do not stand in the way",
                "return cnf.both(-entry[WHITE], -entry[BLACK])",
                "return -entry[WHITE]",
                (TWINS,),
            ),
            (
                "lines and diagonals confused",
                "if direction in ORTHOGONAL else self.diagonal",
                "if direction not in ORTHOGONAL else self.diagonal",
                (CHECKS,),
            ),
            (
                "black pawns go up the board",
                "{WHITE: 1, BLACK: -1}",
                "{WHITE: 1, BLACK: 1}",
                (KINGS,),
            ),
            (
                "a square is not taken over in a changed board",
                "squares[square] = literal",
                "squares[square] = squares[square]",
                (CHECKS,),
            ),
        ],
        ADEQUACY,
    ),
    *mutants(
        "proofs/encoding/attacks.py",
        [
            (
                "attacks pass through men",
                "cnf.onward(here, sight(direction, n), open_[n])",
                "cnf.either(here, sight(direction, n))",
                (CHECKS,),
            ),
            (
                "lines of one square only",
                "return TRUE if here == TRUE else cnf.onward(here, sight(direction, n), open_[n])",
                "return here",
                (CHECKS,),
            ),
            (
                "men of either colour attack along lines",
                "yield s, (own[s], board.slider(d)[s], sees_king(d, s))",
                "yield s, (board.slider(d)[s], sees_king(d, s))",
                (CHECKS,),
            ),
            (
                "knights do not attack",
                "        (board.knight, near(cnf, king, KNIGHT)),\n",
                "",
                (told("Nc6 Kc3", "sparse, in check"),),
            ),
            (
                "kings may touch",
                "        (board.king, near(cnf, king, KING)),\n",
                "",
                (KINGS,),
            ),
            (
                "pawns attack straight ahead",
                "((-1, up), (1, up))",
                "((0, up),)",
                (told("c6 d4 Kc3", "sparse, in check"),),
            ),
            (
                "pawns attack to one side",
                "((-1, up), (1, up))",
                "((1, up),)",
                (told("c6 d4 Kc3", "sparse, in check"),),
            ),
            (
                "all pawns attack as White's do",
                "near(cnf, king, pawn_captures(colour))",
                'near(cnf, king, pawn_captures("white"))',
                (KINGS,),
            ),
            (
                "a line to the king forbidden to any man of the other side",
                "cnf.forbid(*way)",
                "cnf.forbid(way[0], *way[2:])",
                (SAFETY,),
            ),
            (
                "a man attacks only if it does so in every way",
                "return [cnf.either(*literals) for literals in by_square]",
                "return [cnf.both(*literals) for literals in by_square]",
                (CHECKS,),
            ),
        ],
        ADEQUACY,
    ),
    *mutants(
        "proofs/encoding/moves.py",
        [
            (
                "double push from the third rank",
                "DOUBLE_PUSH_RANK: Final = 3",
                "DOUBLE_PUSH_RANK: Final = 4",
                (told("d4 d5 a4", "sparse"),),
            ),
            (
                "double push from any rank",
                "    if rank_of(destination) == DOUBLE_PUSH_RANK:\n        origins",
                "    if rank_of(destination) >= DOUBLE_PUSH_RANK:\n        origins",
                (told("d5 a6", "sparse"),),
            ),
            ("double push over a man", "= (destination - 8,)", "= ()", (told("d4 a4", "sparse"),)),
            (
                "passing on the wrong rank",
                "EN_PASSANT_RANK: Final = 5",
                "EN_PASSANT_RANK: Final = 4",
                (PASSING,),
            ),
            (
                "pawns capture backwards",
                "((-1, -1), (1, -1))",
                "((-1, 1), (1, 1))",
                (told("xd5 xb3", "sparse"),),
            ),
            (
                "pawns capture to one side only",
                "((-1, -1), (1, -1))",
                "((-1, -1),)",
                (told("xd5 xb3", "sparse"),),
            ),
            (
                "pawns capture straight ahead",
                "((-1, -1), (1, -1))",
                "((-1, -1), (1, -1), (0, -1))",
                (told("xd5 xb3", "sparse"),),
            ),
            ("sliders jump", "{s: squares[:i] for", "{s: () for", (TWINS,)),
            (
                "sliders jump the square before the last",
                "{s: squares[:i] for",
                "{s: squares[1:i] for",
                (TWINS,),
            ),
            (
                "a square left out from which a knight comes",
                "return dict.fromkeys(KNIGHT[destination], ())",
                "return dict.fromkeys(KNIGHT[destination][1:], ())",
                (told("Nc3 Nxd5", "twins"),),
            ),
            (
                "a queen counted as a rook",
                "sliding - ROLES_OF[piece] if ROLES_OF[piece] & sliding else set()",
                "set[str]()",
                (told("Rd4 Bb3", "twins, crowded"),),
            ),
            (
                "a black piece is moved",
                "cnf.both(board.white[s], *_roles_at(board, piece, s), *path)",
                "cnf.both(*_roles_at(board, piece, s), *path)",
                (TWINS,),
            ),
            (
                "two pieces move",
                "cnf.exactly_one(origins.values())",
                "cnf.add(*origins.values())",
                (TWINS,),
            ),
            (
                "the one that moves need not be able to",
                "        cnf.add(-origin, able[s])\n",
                "        pass\n",
                (TWINS,),
            ),
            (
                "own men are captured",
                "cnf.add(board.black[destination], en_passant)",
                "cnf.add(-board.empty[destination], en_passant)",
                (told("Nxc3 Qxd4 xd5", "sparse"),),
            ),
            (
                "a capture of nothing",
                "        cnf.add(board.black[destination], en_passant)\n",
                "",
                (told("Nxc3 Qxd4 xd5", "sparse"),),
            ),
            (
                "a quiet move onto a man",
                "        cnf.add(board.empty[destination])\n",
                "        pass\n",
                (told("Nc3 Qd4 d5", "sparse"),),
            ),
            (
                "the mover stays where it was as well",
                "cnf.both(board.white[s], -gone)",
                "board.white[s]",
                (CHECKS,),
            ),
            (
                "the square left is not open",
                "cnf.either(board.empty[s], gone)",
                "board.empty[s]",
                (CHECKS,),
            ),
            (
                "the man captured goes on attacking",
                '    changes["black"] = {destination: FALSE}\n',
                "",
                (told("Nxc3 Qxd4 Kxd5", "in check"),),
            ),
            (
                "the square reached is open",
                '    changes["empty"][destination] = FALSE\n',
                "",
                (SAFETY,),
            ),
            (
                "promotion to a king",
                'cnf.add(*[promotions[piece] for piece in "NBRQ"])',
                'cnf.add(*[promotions[piece] for piece in "NBRQK"])',
                (PROMOTION,),
            ),
            (
                "promotion is optional",
                '    cnf.add(*[promotions[piece] for piece in "NBRQ"])\n',
                "",
                (PROMOTION,),
            ),
            (
                "no promotion to a bishop",
                'cnf.add(*[promotions[piece] for piece in "NBRQ"])',
                'cnf.add(*[promotions[piece] for piece in "NRQ"])',
                (PROMOTION,),
            ),
            (
                "promotion on any rank",
                '        cnf.add(promotions[""])\n        return',
                "        return",
                (told("b7 c6", "sparse"),),
            ),
            (
                "a promoted queen attacks as a rook",
                'role: cnf.either(*[promotions[piece] for piece in "NBRQ" if',
                'role: cnf.either(*[promotions[piece] for piece in "NBRQ"[: 3 + (role > "o")] if',
                (PROMOTION,),
            ),
            (
                "a piece other than a pawn promotes",
                '    cnf.add(promotions[""])\n    if cube.castling:',
                "    if cube.castling:",
                (told("Nc8 Qd8", "sparse"),),
            ),
            (
                "the pawn taken in passing goes on attacking",
                '                "black": {taken: cnf.both(board.black[taken], -en_passant)},\n',
                "",
                (PASSING,),
            ),
            (
                "the pawn taken in passing stays in the way",
                '                "empty": {taken: cnf.either(board.empty[taken], en_passant)},\n',
                "",
                (PASSING,),
            ),
            (
                "any man is taken in passing",
                ", board.black[taken], board.pawn[taken])",
                ", board.black[taken])",
                (PASSING,),
            ),
            (
                "taken in passing without a double push",
                "(board.empty[destination], board.empty[start], ",
                "(board.empty[destination], ",
                (PASSING,),
            ),
            (
                "a double push is never taken in passing",
                "double_push = origins[destination - 16]",
                "double_push = FALSE",
                (PUSH_ANSWERS,),
            ),
            (
                "any push to the fourth rank is taken in passing",
                "double_push = origins[destination - 16]",
                "double_push = TRUE",
                (PUSH_ANSWERS,),
            ),
            (
                "castling through check",
                "for s in (king_from, rook_to):",
                "for s in (king_from,):",
                (CASTLING,),
            ),
            (
                "castling out of check",
                "for s in (king_from, rook_to):",
                "for s in (rook_to,):",
                (CASTLING,),
            ),
            ("castling over b1", '"d1", "d1", "c1", "b1")', '"d1", "d1", "c1")', (CASTLING,)),
            (
                "the rook stays when castling",
                '            "orthogonal": {rook_from: FALSE, rook_to: TRUE},\n',
                "",
                (CASTLING,),
            ),
            (
                "castling with a queen",
                '(board.white[rook_from], *_roles_at(board, "R", rook_from))',
                "(board.white[rook_from], board.orthogonal[rook_from])",
                (CASTLING,),
            ),
        ],
        ADEQUACY,
    ),
    *mutants(
        "proofs/search/mate.py",
        [
            (
                "mate without interposition",
                "cnf.both(lined_up[s], after.empty[s], blocks[s]) for s in SQUARES]",
                "FALSE]",
                (ANSWERS,),
            ),
            (
                "mate though the checker can be taken",
                "answers = [cnf.both(checkers[s], captures[s]) for s in SQUARES]",
                "answers = []",
                (MATE,),
            ),
            (
                "the king shields the squares behind it",
                "open_ = [cnf.either(after.empty[s], black_king[s]) for s in SQUARES]",
                "open_ = after.empty",
                (MATE,),
            ),
            (
                "pinned men answer a check",
                "free = [cnf.both(after.black[s], -lined_up[s]) for s in SQUARES]",
                "free = after.black",
                (MATE,),
            ),
            (
                "a double check is answered like a single one",
                "cnf.both(cnf.either(*answers), -_at_least_two(cnf, checkers))",
                "cnf.either(*answers)",
                (DOUBLE_MATE,),
            ),
            (
                "one checker counts as two",
                (
                    "        pairs.append(cnf.both(earlier, literal))\n"
                    "        earlier = cnf.either(earlier, literal)\n"
                ),
                (
                    "        earlier = cnf.either(earlier, literal)\n"
                    "        pairs.append(cnf.both(earlier, literal))\n"
                ),
                (MATE,),
            ),
            (
                "mate without check",
                "return cnf.both(cnf.either(*checkers), -cnf.either(*flights), -answered)",
                "return cnf.both(-cnf.either(*flights), -answered)",
                (MATE,),
            ),
            (
                "mate though the king can flee",
                "return cnf.both(cnf.either(*checkers), -cnf.either(*flights), -answered)",
                "return cnf.both(cnf.either(*checkers), -answered)",
                (MATE,),
            ),
            (
                "the king flees onto its own men",
                "cnf.both(beside, -after.black[s], *[-x for x in attacked])",
                "cnf.both(beside, *[-x for x in attacked])",
                (MATE,),
            ),
            (
                "the king takes no man",
                "cnf.both(beside, -after.black[s], *[-x for x in attacked])",
                "cnf.both(beside, after.empty[s], *[-x for x in attacked])",
                (MATE,),
            ),
            (
                "the king flees beside the other king",
                "        near(cnf, white_king, KING),\n",
                "",
                (MATE,),
            ),
            (
                "the king flees into a knight's attack",
                "        near(cnf, white_knight, KNIGHT),\n",
                "",
                (MATE,),
            ),
            (
                "the king flees as if pawns attacked backwards",
                "near(cnf, white_pawn, pawn_captures(BLACK))",
                "near(cnf, white_pawn, pawn_captures(WHITE))",
                (MATE, told("Qd8 Rxd7 c7 Nb6", "mate, nearly mate, sparse")),
            ),
            (
                "black pawns take backwards",
                "near(cnf, pawns, pawn_captures(WHITE))",
                "near(cnf, pawns, pawn_captures(BLACK))",
                (MATE,),
            ),
            (
                "black pawns push by one only",
                "PAWN_START_RANK = 6",
                "PAWN_START_RANK = 8",
                (ANSWERS,),
            ),
            (
                "black pawns push by two from the sixth rank",
                "PAWN_START_RANK = 6",
                "PAWN_START_RANK = 5",
                (ANSWERS,),
            ),
            (
                "a black double push over a man",
                "cnf.both(pawns[start], after.empty[above])",
                "pawns[start]",
                (KNOWN_MATES,),
            ),
            (
                "black pawns step between as if they took",
                "blocks = [cnf.either(pieces[s], *",
                "blocks = [cnf.either(captures[s], *",
                (KNOWN_MATES,),
            ),
            (
                "black sliders answer through men",
                "lambda d: sliders[_moves(d)], after.empty)",
                "lambda d: sliders[_moves(d)], [-FALSE] * 64)",
                (ANSWERS,),
            ),
            (
                "a slider lines up from behind the king",
                "white_hits(opposite(d), s)) for d in DIRECTIONS])",
                "white_hits(d, s)) for d in DIRECTIONS])",
                (MATE,),
            ),
            (
                "any man takes in passing",
                "free[taker], move.after.pawn[taker])",
                "free[taker])",
                (KNOWN_MATES,),
            ),
            (
                "passing answers whatever gives check",
                "move.double_push, checkers[pawn_at], free[taker]",
                "move.double_push, free[taker]",
                (KNOWN_MATES,),
            ),
        ],
        ADEQUACY,
    ),
    *mutants(
        "proofs/encoding/relaxation.py",
        [
            (
                "Black may stand in check while White moves",
                "        _encode_not_in_check(cnf, board, WHITE, black_king)\n",
                "",
                (told("Qc4 Nd5", "sparse"),),
            ),
            (
                "White may leave its king in check",
                "        _encode_not_in_check(cnf, move.after, BLACK, king_after)\n",
                "",
                (SAFETY,),
            ),
            (
                "White may not be in check before its move",
                "_encode_not_in_check(cnf, move.after, BLACK, king_after)",
                "_encode_not_in_check(cnf, board, BLACK, white_king)",
                (SAFETY,),
            ),
            (
                "a king that moves is safe where it was",
                "only_at(move.destination) if cube.moves_king else white_king",
                "white_king",
                (told("Kc2 Kxd4 O-O", "in check, castling"),),
            ),
            (
                "pinned twins count",
                "        able = _encode_pins(cnf, cube, board, white_king, able)\n",
                "",
                (TWINS,),
            ),
            (
                "a pin along the line counts",
                "            if not _on_line(s, destination, d)\n",
                "",
                (PINS,),
            ),
            (
                "pins by White's own sliders",
                "d: [cnf.both(board.black[s], board.slider(d)[s]) for s in SQUARES]",
                "d: [cnf.both(board.white[s], board.slider(d)[s]) for s in SQUARES]",
                (PINS,),
            ),
            (
                "pins through men",
                "sees_slider = line_of_sight(cnf, lambda d: sliders[d], board.empty)",
                "sees_slider = line_of_sight(cnf, lambda d: sliders[d], board.black)",
                (PINS,),
            ),
            (
                "file and rank exchanged in what is written",
                (
                    "    from_file = _by_line(cnf, move.origins, file_of)\n"
                    "    from_rank = _by_line(cnf, move.origins, rank_of)\n"
                ),
                (
                    "    from_file = _by_line(cnf, move.origins, rank_of)\n"
                    "    from_rank = _by_line(cnf, move.origins, file_of)\n"
                ),
                (TWINS,),
            ),
            (
                "the rank is preferred to the file",
                (
                    "        rank_suffices = cnf.both(shares_file, -shares_rank)\n"
                    "        write_file = cnf.both(cnf.either(*twins.values()), -rank_suffices)\n"
                    "        write_rank = shares_file\n"
                ),
                (
                    "        file_suffices = cnf.both(shares_rank, -shares_file)\n"
                    "        write_rank = cnf.both(cnf.either(*twins.values()), -file_suffices)\n"
                    "        write_file = shares_rank\n"
                ),
                (TWINS,),
            ),
            (
                "the rank is written when a twin shares it",
                "write_rank = shares_file",
                "write_rank = shares_rank",
                (TWINS,),
            ),
            (
                "the file is written whenever a twin shares the rank",
                "write_file = cnf.both(cnf.either(*twins.values()), -rank_suffices)",
                "write_file = cnf.either(shares_rank, -shares_file)",
                (TWINS,),
            ),
            (
                "the square is written where the rank suffices",
                "rank_suffices = cnf.both(shares_file, -shares_rank)",
                "rank_suffices = FALSE",
                (TWINS,),
            ),
            (
                "the mover is its own twin",
                "twins = {s: cnf.both(x, -move.origins[s]) for s, x in able.items()}",
                "twins = able",
                (TWINS,),
            ),
            (
                "a pawn's capture without its file",
                "write_file = TRUE",
                "write_file = FALSE",
                (told("xd5 xb3", "sparse"),),
            ),
            (
                "a discriminator that is not needed",
                "        cnf.add(-literal, written)\n",
                "",
                (TWINS,),
            ),
            (
                "a discriminator left out",
                "        cnf.add(literal, -written)\n",
                "",
                (TWINS,),
            ),
            (
                "check where there is none, and none where there is",
                'cnf.add(suffix[""], check)\n    cnf.add(-suffix[""], -check)',
                'cnf.add(suffix[""], -check)\n    cnf.add(-suffix[""], check)',
                (CHECKS,),
            ),
            ("a suffix without check", '    cnf.add(suffix[""], check)\n', "", (CHECKS,)),
            ("a check without suffix", '    cnf.add(-suffix[""], -check)\n', "", (CHECKS,)),
            ("a mate written as a check", '        cnf.add(suffix["#"], -mate)\n', "", (MATE,)),
            ("a check written as a mate", '        cnf.add(-suffix["#"], mate)\n', "", (MATE,)),
            (
                "pinned twins count in relaxations",
                "able = {s: cnf.both(literal, -cnf.new()) for s, literal in able.items()}",
                "able = dict(able)",
                (TWINS,),
            ),
            (
                "a relaxation excludes mate",
                "    if scope >= Scope.EXACT:\n        mate =",
                (
                    '    if scope == Scope.CHECK:\n        cnf.add(-suffix["#"])\n'
                    "    if scope >= Scope.EXACT:\n        mate ="
                ),
                (MATE,),
            ),
            (
                "a relaxation without check",
                "    if scope >= Scope.CHECK:\n",
                "    if scope > Scope.CHECK:\n",
                (TWINS, decided("R[bc]a1*")),
            ),
            (
                "any rank may be written",
                '    _write(cnf, fields["rank"], write_rank, from_rank)\n',
                "",
                (TWINS,),
            ),
            (
                "a string excluded with all its suffixes",
                "return [-literal for literal in self.literals(san)]",
                "return [-literal for literal in self.literals(san)[:-1]]",
                (decided("N[bc]a1*"),),
            ),
            (
                "two values of a field at once",
                "        cnf.exactly_one(values.values())\n",
                "        cnf.add(*values.values())\n",
                (TWINS,),
            ),
        ],
        ADEQUACY,
    ),
]
