"""A few failures of a library, and what they are about."""

from conformance.news import Failure

TWO_FILES = Failure(
    "a", "string.knight", "4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1", "Nbd2"
)  # its mechanism: disambiguation.file
TWO_FILES_MATE = Failure("m", "string.knight", "6rk/6pp/8/4N1N1/8/8/8/4K3 w - - 0 1", "Nef7#")
DISCOVERED = Failure("b", "string.knight", "4k3/8/8/8/4N3/8/8/4RK2 w - - 0 1", "Nc3+")
ALL_MOVES = Failure("e", "moves.check", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", None)
TOO_LITTLE = Failure("d", "wrong.less-than-needed", "4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1", "Nd2")
