"""Formulas as DIMACS text, which solvers and other people's checkers read. Untrusted."""

from sanproof.proofs.encoding.cnf import Cnf


def dimacs(cnf: Cnf) -> str:
    """The canonical DIMACS text: header, then each clause in order of assertion, LF ended."""
    # From "[(1,), (2, -3), ()]", which Python writes quicker than clause by clause.
    clauses = str(cnf.clauses)[2:-2].replace(",)", ")").replace("), (", " 0\n")
    clauses = clauses.replace(",", "")
    return f"p cnf {cnf.variables} {len(cnf.clauses)}\n{clauses} 0\n"
