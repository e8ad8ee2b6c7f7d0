"""Mutants of the checkers: refutations, witnesses, the manifest, the audit, and their surroundings.

A checker that accepts too much is noticed where something wrong is shown to it; one that accepts
too little, where something right is.
"""

from typing import Final

from tests.mutation.model import FORGERIES, Detector, Mutant, decided, forged, mutants, tests

DRUP: Final = tests("verify/test_drup.py")
WITNESS: Final = tests("verify/test_witness.py")
BOMBS: Final = Detector("bombs", ("-m", FORGERIES, "--bombs"))
CROSSCHECK: Final = tests("verify/test_crosscheck.py")
SELECTION: Final = tests("verify/test_selection.py")
MANIFEST: Final = tests("verify/test_manifest.py")
BOUNDED: Final = tests("verify/test_bounded.py")
PGN: Final = tests("reports/test_pgn.py")
GAMES: Final = tests("verify/test_games.py")
AUDIT_GAMES: Final = tests(
    "verify/test_audit_games.py::test_games_are_replayed_in_batches",
    "verify/test_audit_games.py::test_games_that_do_not_hold_are_refused",
    "verify/test_audit_games.py::test_each_player_has_a_game_for_each_string_that_is_open",
)
SUITE: Final = tests(
    "verify/test_suite.py::test_a_suite_that_shows_every_string_passes",
    "verify/test_suite.py::test_a_suite_that_is_not_one_fails",
)
JSON: Final = forged("forged JSON")
COUNTED: Final = forged("forged manifest: count off by one")
SUMMARIES: Final = forged("forged summary: times", "forged summary: shape")
COMMAND: Final = tests("verify/test_audit.py::test_a_missing_file_fails")
UNDECIDED: Final = forged("row missing", "open string added")
OPINION: Final = tests("verify/test_audit.py::test_a_second_opinion_is_asked")
BOTH: Final = tests("verify/test_audit.py::test_a_refuted_string_with_a_witness_is_named")
SMALL: Final = decided("N[bc]a1*")

CHECKERS: Final[list[Mutant]] = [
    *mutants(
        "proofs/kernel/refutation.py",
        [
            ("the last step is not demanded", "if not lemmas or lemmas[-1]:", "if not lemmas:"),
            (
                "an empty refutation will do",
                "if not lemmas or lemmas[-1]:",
                "if lemmas and lemmas[-1]:",
            ),
            (
                "only the last clause is checked",
                "if not clauses.imply(lemma):",
                "if not lemma and not clauses.imply(lemma):",
            ),
            (
                "the last clause is not checked",
                "if not clauses.imply(lemma):",
                "if lemma and not clauses.imply(lemma):",
            ),
            ("refuted from the beginning", "self._refuted = False", "self._refuted = True"),
            (
                "refuted once and for all after a clause that follows",
                "        implied = not self._assume(",
                "        implied = self._refuted = not self._assume(",
            ),
            (
                "literals of no variable, which stand for others",
                "if any(not 0 < abs(literal) <= variables for",
                "if any(not 0 < abs(literal) <= 2 * variables for",
            ),
            (
                "what was assumed is kept",
                "            self._true[literal] = False\n",
                "            pass\n",
            ),
            (
                "the clause itself is assumed",
                "self._assume([-literal for literal in clause])",
                "self._assume(clause)",
            ),
            (
                "any clause without a true literal is a contradiction",
                "                    if true[-first]:",
                "                    if not true[first]:",
            ),
            (
                "no clause is a contradiction",
                "                        return False\n                    true[first] = True",
                "                        continue\n                    true[first] = True",
            ),
            (
                "the third literal is not looked at",
                "for i in range(2, len(clause)):",
                "for i in range(3, len(clause)):",
            ),
            (
                "a literal that is not true cannot be watched",
                "if not true[-other]:",
                "if true[other]:",
            ),
            (
                "a clause of two literals counts as its first",
                "if len(open_) >= 2:",
                "if len(open_) >= 3:",
            ),
            (
                "what follows from the formula alone is not propagated",
                "elif self._refuted or not open_ or not self._assume(open_):",
                "elif self._refuted or not open_:",
            ),
            (
                "a clause with a false literal counts as empty",
                "elif self._refuted or not open_ or",
                "elif self._refuted or len(open_) < len(clause) or",
            ),
            (
                "a clause that is watched elsewhere is lost",
                "                        watching[other].append(clause)\n",
                "",
            ),
            (
                "a contradiction loses the clauses after it",
                "                        kept.extend(watchers[position + 1 :])\n",
                "",
            ),
            (
                "a clause that is a contradiction is lost",
                "                    kept.append(clause)\n                    if true[-first]:",
                "                    if true[-first]:",
            ),
            (
                "one literal of each clause is watched",
                "for literal in open_[:2]:",
                "for literal in open_[:1]:",
            ),
            (
                "the first literal assumed has no consequences",
                "return self._propagate(start)",
                "return self._propagate(min(start + 1, len(self._trail)))",
            ),
            (
                "clauses that follow are not used",
                '{list(lemma)}, does not follow")\n        clauses.add(lemma)',
                '{list(lemma)}, does not follow")',
            ),
        ],
        DRUP,
        forged("forged refutation"),
    ),
    *mutants(
        "proofs/verdicts/witness.py",
        [
            ("an illegal move will do", "if not board.is_legal(move):", "if False:"),
            (
                "a move that only a pin forbids will do",
                "if not board.is_legal(move):",
                "if not board.is_pseudo_legal(move):",
            ),
            ("any string will do", "if san != witness.san:", "if False:"),
            (
                "any suffix will do",
                "if san != witness.san:",
                'if san.rstrip("+#") != witness.san.rstrip("+#"):',
            ),
            (
                "any discriminator of a capture will do",
                "if san != witness.san:",
                "if san[0] + san[-3:] != witness.san[:1] + witness.san[-3:]:",
                (tests("verify/test_witness.py::test_only_one_string_is_right"),),
            ),
            ("any position will do", "if board.status() != chess.STATUS_VALID:", "if False:"),
            (
                "a position without kings will do",
                "if board.status() != chess.STATUS_VALID:",
                "if board.status() & ~chess.STATUS_NO_WHITE_KING:",
            ),
            (
                "the position before is given as the one after",
                "return CheckedWitness(*witness, board.fen())",
                "return CheckedWitness(*witness, witness.fen)",
            ),
        ],
        WITNESS,
    ),
    *mutants(
        "verify/audit/manifest.py",
        [
            ("a changed manifest will do", "    if not genuine:", "    if False:"),
            (
                "hashes of the beginning of each file",
                "{name: _sha256(files[name]) for",
                "{name: _sha256(files[name][:100]) for",
            ),
            (
                "the number of undecided strings left out",
                '"reachable", "impossible", "undecided")',
                '"reachable", "impossible")',
            ),
            (
                "whatever is no manifest crashes",
                "except (ValueError, LookupError, TypeError, RecursionError) as error:",
                "except LookupError as error:",
            ),
            ("a manifest of any size", "    if len(content) > MOST_BYTES:", "    if False:"),
            ("a genuine manifest may say anything", "if not _is_well_formed(", "if not bool("),
            (
                "counts of any names",
                "        and tuple(counts) == COUNTS\n",
                "",
            ),
            (
                "true counts for a number",
                "type(value) is kind for",
                "isinstance(value, kind) for",
            ),
            (
                "a pattern of control characters",
                "if not (only is None or _is_text(only)):",
                "if not (only is None or isinstance(only, str)):",
            ),
            ("control characters in texts", "        and all(map(_is_text, texts))\n", ""),
            ("lists for tables", "isinstance(part, dict)", "isinstance(part, dict | list)"),
        ],
        MANIFEST,
        forged("manifest"),
    ),
    *mutants(
        "proofs/kernel/files.py",
        [
            ("a file of any size is read", "    if found.st_size > MOST_BYTES:", "    if False:"),
            (
                "files are read that may be none",
                "if not stat.S_ISREG(found.st_mode):",
                "if False:",
            ),
            (
                "a file that is missing is a crash",
                "    except OSError as error:",
                "    except PermissionError as error:",
            ),
            (
                "what is published packed takes another's place",
                "if packed.exists() and not (directory / name).exists():",
                "if packed.exists():",
            ),
            (
                "a bomb is unpacked",
                "unpacker.decompress(content, MOST_BYTES + 1)",
                "unpacker.decompress(content)",
                (BOMBS,),
            ),
            (
                "unpacking may take any memory",
                ", memlimit=4 * MOST_BYTES)",
                ")",
            ),
            (
                "a file unpacks to any size",
                "    if len(text) > MOST_BYTES:",
                "    if False:",
            ),
            (
                "a file unpacks to one byte more",
                "    if len(text) > MOST_BYTES:",
                "    if len(text) > MOST_BYTES + 1:",
            ),
            (
                "what is cut short will do",
                "    if not unpacker.eof or unpacker.unused_data:",
                "    if unpacker.unused_data:",
            ),
            (
                "something may follow a packed file",
                "    if not unpacker.eof or unpacker.unused_data:",
                "    if not unpacker.eof:",
            ),
            (
                "what is not packed is a crash",
                "    except (lzma.LZMAError, zlib.error) as error:",
                "    except ZeroDivisionError as error:",
            ),
            (
                "a byte that is not ASCII is a crash",
                "    except UnicodeDecodeError as error:",
                "    except UnicodeEncodeError as error:",
            ),
            (
                "control characters will do",
                'if not text.replace("\\n", "").isprintable():',
                "if False:",
            ),
            ("any number of lines", 'text.count("\\n") > MOST_LINES or ', ""),
            ("lines of any length", ' or len(max(text.split("\\n"), key=len)) > LONGEST_LINE', ""),
        ],
        BOUNDED,
    ),
    *mutants(
        "proofs/kernel/proof_game.py",
        [
            (
                "one colour's games are forgotten",
                "COLOURS: Final = (WHITE, BLACK)",
                "COLOURS: Final = (WHITE,)",
            ),
            ("the ply is written from 1", "str(game.ply)", "str(game.ply + 1)"),
            ("the last move is not read", "tuple(moves))", "tuple(moves[:-1]))"),
        ],
        tests("proofs/test_proof_game.py"),
    ),
    *mutants(
        "reports/tables/pgn.py",
        [
            ("lines of 80 characters", "LONGEST_LINE: Final = 79", "LONGEST_LINE: Final = 80"),
            (
                "lines are broken a word too early",
                "start, start + LONGEST_LINE + 1)",
                "start, start + LONGEST_LINE)",
            ),
            ("the players are exchanged", '"black" if self.ply % 2', '"white" if self.ply % 2'),
            ("the loser wins", 'if len(game.sans) % 2 else "0-1"', 'if game.sans[1:] else "0-1"'),
            ("every game is White's", 'else "0-1"', 'else "1-0"'),
            ("the string's ply is counted from 0", "shown_at=game.ply + 1", "shown_at=game.ply"),
            (
                "the string is shown a ply later",
                'int(match["shown_at"]) - 1',
                'int(match["shown_at"])',
            ),
            ("moves are numbered from 0", 'f"{i // 2 + 1}. {san}"', 'f"{i // 2}. {san}"'),
            (
                "Black's game stands before White's",
                "game[1] % 2))",
                "-(game[1] % 2)))",
            ),
            (
                "games in the order of their plies",
                "(list_order(game[0]), game[1] % 2)",
                "(list_order(game[0]), game[1])",
            ),
            ("games in no order", "sorted(games, key=lambda game:", "list(games) or (lambda game:"),
            (
                "a string's last game for its first",
                "numbers.setdefault(game.san, game.number)",
                "numbers[game.san] = game.number",
            ),
            (
                "tags may say anything",
                "    if canonical != text:",
                "    if canonical[-20:] != text[-20:]:",
            ),
            (
                "movetext in any form",
                "    if canonical != text:",
                "    if canonical[:80] != text[:80]:",
            ),
            ("any tags will do", "    if match is None:", "    if not text:"),
            (
                "tags that are no numbers are a crash",
                "    except ValueError as error:",
                "    except LookupError as error:",
            ),
            (
                "a game loses the line that ends it",
                "end = len(text) if end < 0 else end + 2",
                "end = len(text) if end < 0 else end + 1",
            ),
        ],
        PGN,
    ),
    *mutants(
        "proofs/kernel/games.py",
        [
            ("fivefold counted as sixfold", "REPETITIONS: Final = 5", "REPETITIONS: Final = 6"),
            ("fivefold counted as fourfold", "REPETITIONS: Final = 5", "REPETITIONS: Final = 4"),
            (
                "repetitions are permitted",
                "if self._keys.count(self._keys[-1]) >= REPETITIONS:",
                "if False:",
            ),
            (
                "only repetitions of the first position count",
                "if self._keys.count(self._keys[-1]) >= REPETITIONS:",
                "if self._keys.count(self._keys[0]) >= REPETITIONS:",
            ),
            (
                "75 moves left out",
                "if board.halfmove_clock >= PLIES_WITHOUT_PROGRESS:",
                "if False:",
            ),
            (
                "a move more than 75",
                "PLIES_WITHOUT_PROGRESS: Final = 150",
                "PLIES_WITHOUT_PROGRESS: Final = 151",
            ),
            (
                "a ply less than 75 moves",
                "PLIES_WITHOUT_PROGRESS: Final = 150",
                "PLIES_WITHOUT_PROGRESS: Final = 149",
            ),
            (
                "mate at the end is not asked",
                "if not self._board.is_checkmate():",
                "if False:",
            ),
            (
                "any end of the game will do",
                "if not self._board.is_checkmate():",
                "if not self._board.is_game_over():",
            ),
            (
                "a check at the end will do",
                "if not self._board.is_checkmate():",
                "if not self._board.is_check():",
            ),
            ("an illegal move will do", "if not board.is_legal(move):", "if False:"),
            (
                "a move into check will do",
                "if not board.is_legal(move):",
                "if not board.is_pseudo_legal(move):",
            ),
            (
                "any spelling of a move will do",
                "if self._in_san and text != san:",
                "if False:",
            ),
            (
                "any suffix of a move will do",
                "if self._in_san and text != san:",
                'if self._in_san and text.rstrip("+#") != san.rstrip("+#"):',
            ),
            (
                "any string will do",
                "        if san != game.san:",
                "        if False:",
            ),
            (
                "any suffix of the string will do",
                "        if san != game.san:",
                '        if san.rstrip("+#") != game.san.rstrip("+#"):',
            ),
            (
                "the string of the ply before",
                "san = self._sans[game.ply]",
                "san = self._sans[max(game.ply - 1, 0)]",
            ),
            (
                "either player will do",
                "if game.colour != chess.COLOR_NAMES[board.turn]:",
                "if False:",
            ),
            (
                "a ply counted from the end",
                "if not 0 <= game.ply < len(game.moves):",
                "if not game.ply < len(game.moves):",
            ),
            (
                "a ply after the end is a crash",
                "if not 0 <= game.ply < len(game.moves):",
                "if not 0 <= game.ply <= len(game.moves):",
            ),
            (
                "the position before is that of the end",
                "        before_fen = board.fen()\n",
                "        before_fen = self._board.fen()\n",
            ),
            (
                "the position after is given as the one before",
                "before_fen, move.uci(), board.fen())",
                "board.fen(), move.uci(), board.fen())",
            ),
            (
                "moves taken back are remembered as written",
                "            self._sans.pop()\n",
                "",
            ),
            (
                "positions taken back are counted",
                "            self._keys.pop()\n",
                "",
            ),
            ("moves are not taken back", "            self._board.pop()\n", ""),
            (
                "what differs is taken for shared",
                "        if x != y:\n            break\n",
                "        if x != y and length:\n            break\n",
            ),
            ("the player to move is not looked at", "        board.turn,\n", ""),
            ("men's colours are not looked at", "        board.occupied_co[chess.BLACK],\n", ""),
            ("pawns are taken for knights", "        board.knights,\n", ""),
            (
                "rights to castle are not looked at",
                "        board.clean_castling_rights(),\n",
                "",
            ),
            (
                "a pawn that may be taken in passing is not looked at",
                "        board.ep_square if board.has_legal_en_passant() else None,\n",
                "",
            ),
            (
                "a pawn that nobody can take in passing is looked at",
                "board.ep_square if board.has_legal_en_passant() else None,",
                "board.ep_square,",
            ),
        ],
        GAMES,
    ),
    *mutants(
        "verify/audit/games.py",
        [
            (
                "a game of the suite may end with another move",
                'if g.san.endswith("#") and g.ply != len(g.sans) - 1]',
                "if False]",
            ),
            (
                "a mate may have two games in the suite",
                "    if len(ends) != len(set(ends)):",
                "    if False:",
            ),
            (
                "the suite may lack a mate",
                "    if strange := set(ends).symmetric_difference(",
                "    if strange := set(ends).difference(",
            ),
            (
                "the suite may lack a string",
                "    if missing := strings.difference(*(game.sans for game in suite)):",
                "    if missing := set():",
            ),
        ],
        SUITE,
    ),
    *mutants(
        "verify/audit/games.py",
        [
            (
                "games in any order",
                "        if right != found:",
                "        if False:",
            ),
            (
                "any numbers will do",
                "    if game.number != number:",
                "    if False:",
            ),
            (
                "games are not replayed",
                "replayed.append(AuditedGame(game, witness))",
                "replayed.append(AuditedGame(game, witness))\n        break",
            ),
            (
                "only the first games are replayed",
                "range(0, len(alike), BATCH)]",
                "range(0, BATCH, BATCH)]",
            ),
            (
                "a game that does not hold is left out",
                "        except GameError as error:\n            raise",
                "        except GameError as error:\n            continue\n            raise",
            ),
            (
                "a game that cannot be read is a crash",
                "    except PgnError as error:",
                "    except LookupError as error:",
            ),
            (
                "games in the order of their moves",
                "return sorted(replayed, key=lambda audited: audited.game.number)",
                "return replayed",
            ),
            (
                "a witness's positions exchanged",
                "checked.before_fen, checked.uci, checked.after_fen",
                "checked.after_fen, checked.uci, checked.before_fen",
            ),
            (
                "one colour's games are not looked at",
                "    for colour in COLOURS:",
                "    for colour in COLOURS[:1]:",
            ),
            (
                "the other colour's games are not looked at",
                "    for colour in COLOURS:",
                "    for colour in COLOURS[1:]:",
            ),
            (
                "two games for a string will do",
                "if len(mine) != len(set(mine)):",
                "if False:",
            ),
            (
                "a player's game may be missing",
                "set(mine).symmetric_difference(playable[colour])",
                "set(mine).difference(playable[colour])",
            ),
            (
                "a player may have a game for what is refuted",
                "set(mine).symmetric_difference(playable[colour])",
                "set(playable[colour]).difference(mine)",
            ),
            (
                "games count for either player",
                "for san, player in shown if player == colour]",
                "for san, player in shown]",
            ),
        ],
        AUDIT_GAMES,
    ),
    *mutants(
        "verify/audit/audit.py",
        [
            (
                "a formula of its own in each certificate",
                "    if formula_hash(cnf) != formula:",
                "    if False:",
                (forged("forged certificate: formula"),),
            ),
            (
                "refutations are not checked",
                "        check_refutation(cnf.variables, cnf.clauses, lemmas)\n",
                "        pass\n",
                (forged("forged refutation"),),
            ),
            (
                "a refutation that does not hold will do",
                (
                    "    except RefutationError as error:\n"
                    '        raise EvidenceError(f"{where}: {error}") from error\n'
                ),
                "    except RefutationError:\n        pass\n",
                (forged("forged refutation"),),
            ),
            (
                "the second opinion is not asked",
                "if second_opinion and not _dratify_agrees(",
                "if second_opinion and _dratify_agrees is None and not _dratify_agrees(",
                (OPINION,),
            ),
            (
                "dratify agrees whatever it says",
                "return bool(dratify.check_proof(dratify.parse_dimacs(dimacs), proof).ok)",
                "return dratify.check_proof(dratify.parse_dimacs(dimacs), proof) is not None",
                (OPINION,),
            ),
            (
                "any number of fields in a witness's line",
                "    if len(fields) != len(CheckedWitness._fields):",
                "    if not fields:",
                (forged("field missing"),),
            ),
            (
                "the position after the move is taken from the file",
                (
                    "    if checked.after_fen != fields[3]:\n"
                    '        raise EvidenceError(f"{where}: after {fields[0]} the position is '
                    '{checked.after_fen}")\n'
                    "    return checked\n"
                ),
                "    return checked._replace(after_fen=fields[3])\n",
                (forged("another move's end"),),
            ),
            (
                "witnesses are not checked",
                "checked = check_witness(Witness(*fields[:3]))",
                "checked = CheckedWitness(*fields)",
                (forged("forged witness"),),
            ),
            (
                "lines of witnesses are only read",
                "return [_check_row(number, line) for number, line in rows]",
                'return [CheckedWitness(*line.split(",")) for _, line in rows]',
                (forged("forged witness"),),
            ),
            (
                "certificates may be missing, or stand in any order",
                "    if [c.cube for c in closed] != needed:",
                "    if False:",
                (forged("forged certificates"),),
            ),
            (
                "certificates may stand in any order",
                "    if [c.cube for c in closed] != needed:",
                "    if {c.cube for c in closed} != set(needed):",
                (forged("forged certificates"),),
            ),
            (
                "the cover is not checked",
                "    _check_cover(found, findings)\n",
                "",
                (UNDECIDED,),
            ),
            (
                "undecided strings will do",
                "    if found.undecided:",
                "    if False:",
                (UNDECIDED,),
            ),
            (
                "a string both witnessed and refuted will do",
                "if str(from_white) not in findings.left_open[cube_of(from_white)]:",
                "if cube_of(from_white) not in findings.left_open:",
                (BOTH,),
            ),
            (
                "the lists are not compared",
                "        if ours != theirs:",
                "        if False:",
                (forged("forged list"),),
            ),
            (
                "the lists are compared by length",
                "        if ours != theirs:",
                "        if len(ours) != len(theirs):",
                (forged("forged text: a bit"),),
            ),
            (
                "the summary is not compared",
                "        (outputs.SUMMARY, honest),\n",
                "",
                (forged("forged summary: count"),),
            ),
            (
                "counts are taken from the summary",
                "honest = outputs.to_json(counts | rest)",
                "honest = outputs.to_json(claimed | rest)",
                (forged("forged summary: count"),),
            ),
            (
                "versions are taken from the summary",
                '"versions": manifest.versions',
                '"versions": claimed["versions"]',
                (forged("forged summary: version"),),
            ),
            (
                "the summary's form is free",
                "        if ours != files[name]:",
                "        if ours.split() != files[name].split():",
                (JSON,),
            ),
            (
                "the summary's times may be anything",
                "    if not all(type(n) in {int, float} for n in numbers):",
                "    if False:",
                (SUMMARIES,),
            ),
            (
                "a summary of another shape is a crash",
                "    except (LookupError, TypeError, AttributeError) as error:",
                "    except ZeroDivisionError as error:",
                (SUMMARIES,),
            ),
            (
                "a summary that is no JSON is a crash",
                "    except (ValueError, RecursionError) as error:",
                "    except ZeroDivisionError as error:",
                (forged("forged summary: no JSON"),),
            ),
            (
                "the page is not compared",
                "        (outputs.SUMMARY_TEXT, outputs.to_markdown(json.loads(honest))),\n",
                "",
                (forged("forged text"),),
            ),
            (
                "the run of another version will do",
                '    if made_by != version("sanproof"):',
                "    if False:",
                (forged("forged manifest: version"),),
            ),
            (
                "a file may be missing in the manifest",
                "    if sorted(manifest.files) not in map(sorted, forms):",
                "    if False:",
                (forged("forged manifest: file unlisted", "forged manifest: entry missing"),),
            ),
            (
                "the manifest's hashes are not compared",
                "        if hashlib.sha256(content).hexdigest() != manifest.files[name]:",
                "        if False:",
                (forged("forged manifest: hash"),),
            ),
            (
                "the manifest's counts are not compared",
                "        if manifest.counts[name] != counts[name]:",
                "        if False:",
                (COUNTED,),
            ),
            (
                "a pattern that selects nothing is a crash",
                "    except Failure as error:",
                "    except EvidenceError as error:",
                (forged("forged manifest: pattern of nothing"),),
            ),
            (
                "games are not held against the refutations",
                "    check_players(replayed, {c:",
                "    tuple({c:",
                (forged("forged games: one"),),
            ),
            (
                "a witness may be of any game",
                "numbers = None if played is None else first_games(played.games)",
                "numbers = None if played is None else dict.fromkeys(first_games(played.games), 1)",
                (forged("a witness's number"),),
            ),
        ],
        forged(),
    ),
    *mutants(
        "verify/audit/session.py",
        [
            (
                "a failed audit is not told",
                '        raise NegativeAnswer(f"The audit fails: {error}.") from error\n',
                "        return\n",
            ),
        ],
        COMMAND,
    ),
    *mutants(
        "verify/errors.py",
        [("the answer no is exit code 0", "ANSWER_NO: Final = 1", "ANSWER_NO: Final = 0")],
        COMMAND,
    ),
    *mutants(
        "verify/run/selection.py",
        [
            (
                "only White's closing proofs are asked for",
                "        wanted |= {exchanged_cube(cube) for cube in wanted}\n",
                "",
            ),
            (
                "a pattern that matches nothing will do",
                "    if not cubes:",
                "    if cubes is None:",
            ),
        ],
        SELECTION,
        SMALL,
    ),
    *mutants(
        "verify/audit/crosscheck.py",
        [
            (
                "what the generator lacks is not told",
                "missing = [san for san in reachable if san not in claimed]",
                "missing = [san for san in reachable if san not in proven]",
            ),
            (
                "what the generator has too many is not told",
                "[san for san in generated if san not in proven]",
                "[san for san in generated if san not in claimed]",
            ),
            (
                "one difference is agreement",
                "return not self.missing and not self.too_many",
                "return not self.missing or not self.too_many",
            ),
        ],
        CROSSCHECK,
    ),
]
