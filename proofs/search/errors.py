"""What ends a search, apart from the solvers, so that who catches it need not load them."""


class Disagreement(Exception):
    """CaDiCaL leaves a cube open that Z3 closed; the message names a string that stays open."""


class SolverGaveUp(RuntimeError):
    """A solver ended without an answer; nothing follows from that."""
