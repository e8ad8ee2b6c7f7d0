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
AUDIT: Final = tests("verify/test_audit.py")
SMALL: Final = decided("N[bc]a1*")

CHECKERS: Final[list[Mutant]] = [
    *mutants(
        "verify/drup.py",
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
        "verify/witness.py",
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
        "verify/manifest.py",
        [
            ("a changed manifest will do", "    if not genuine:", "    if False:"),
            (
                "hashes of the beginning of each file",
                "{name: _sha256(files[name]) for",
                "{name: _sha256(files[name][:100]) for",
                (SMALL,),
            ),
            (
                "the number of undecided strings left out",
                '"reachable", "impossible", "undecided")',
                '"reachable", "impossible")',
            ),
            (
                "whatever is no manifest crashes",
                "except (ValueError, KeyError, TypeError, RecursionError) as error:",
                "except LookupError as error:",
            ),
        ],
        MANIFEST,
        forged(),
    ),
    *mutants(
        "verify/audit.py",
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
                    '        raise AuditError(f"{where}: {error}") from error\n'
                ),
                "    except RefutationError:\n        pass\n",
                (forged("forged refutation"),),
            ),
            (
                "the second opinion is not asked",
                "if second_opinion and not _dratify_agrees(",
                "if second_opinion and _dratify_agrees is None and not _dratify_agrees(",
            ),
            (
                "dratify agrees whatever it says",
                "return bool(dratify.check_proof(dratify.parse_dimacs(dimacs), proof).ok)",
                "return dratify.check_proof(dratify.parse_dimacs(dimacs), proof) is not None",
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
                    '        raise AuditError(f"{where}: after {fields[0]} the position is '
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
            ),
            ("undecided strings will do", "    if found.undecided:", "    if False:"),
            (
                "a string both witnessed and refuted will do",
                "if str(from_white) not in findings.left_open[cube_of(from_white)]:",
                "if cube_of(from_white) not in findings.left_open:",
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
                "counts are not compared",
                "wrong = [key for key in counts if",
                "wrong = [key for key in () if",
                (forged("forged summary: count"),),
            ),
            (
                "the summary's form is free",
                "    if wrong or canonical != files[outputs.SUMMARY]:",
                "    if wrong:",
            ),
            (
                "the page is not compared",
                "    if markdown != files[outputs.SUMMARY_TEXT]:",
                "    if False:",
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
                "    if names != sorted(FILES):",
                "    if False:",
                (forged("forged manifest: file unlisted"),),
            ),
            (
                "the manifest's hashes are not compared",
                '!= manifest["files"][name]:',
                '!= manifest["files"][name] and not name:',
                (forged("forged manifest: hash"),),
            ),
            (
                "the manifest's counts are not compared",
                '        if manifest["counts"].get(name) != counts[name]:',
                "        if False:",
            ),
            ("a file of any size is read", "file.read(MOST_BYTES + 1)", "file.read()"),
            (
                "a bomb is unpacked",
                "unpacker.decompress(content, MOST_BYTES + 1)",
                "unpacker.decompress(content)",
                (BOMBS,),
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
                "a byte that is not ASCII is a crash",
                "    except UnicodeDecodeError as error:",
                "    except UnicodeEncodeError as error:",
                (forged("not ASCII"),),
            ),
            (
                "a file that is missing is a crash",
                "    except OSError as error:",
                "    except PermissionError as error:",
                (forged("raw: removed"),),
            ),
        ],
        forged(),
        AUDIT,
    ),
    *mutants(
        "verify/audit_command.py",
        [
            (
                "a failed audit is not told",
                '        raise NegativeAnswer(f"The audit fails: {error}.") from error\n',
                "        return\n",
            ),
        ],
        AUDIT,
    ),
    *mutants(
        "verify/errors.py",
        [("the answer no is exit code 0", "ANSWER_NO: Final = 1", "ANSWER_NO: Final = 0")],
        forged(),
        AUDIT,
    ),
    *mutants(
        "verify/selection.py",
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
        "verify/crosscheck.py",
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
