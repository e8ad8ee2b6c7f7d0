"""Finds witnesses and refutations, with solvers. Untrusted: what it finds is checked.

What ends a search is here, so that who catches it need not load a solver.
"""


class Disagreement(Exception):
    """CaDiCaL leaves a cube open that Z3 closed; the message names a string that stays open."""


class SolverGaveUp(RuntimeError):
    """A solver ended without an answer; nothing follows from that."""
