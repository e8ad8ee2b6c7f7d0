"""Finds witnesses and refutations, with solvers. Untrusted: what it finds is checked.

What ends a search is here, so that who catches it need not load a solver.
"""


class Disagreement(Exception):
    """CaDiCaL contradicts Z3 or the theory; the message names the cube."""


class SolverGaveUp(RuntimeError):
    """A solver ended without an answer; nothing follows from that."""
