"""Finds witnesses and refutations, with solvers. Untrusted: its results are checked.

The errors that end a search are defined here, so that no solver is loaded to catch them.
"""


class Disagreement(Exception):
    """CaDiCaL contradicts Z3 or the theory. The message names the cube."""


class SolverGaveUp(RuntimeError):
    """A solver ended without an answer, so nothing follows."""
