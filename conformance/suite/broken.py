"""Cases about broken input: positions that no game reaches, and texts that are no position.

They are apart from all others: their ids begin with ``broken.``, and no game leads to them. What a
library does with them is up to it: nobody has to check what no game can make.

They stand in ``broken.txt``: the name after ``broken.``, the FEN, what is read, the move that is
expected if the library accepts (``-`` if none is), and why.
"""

from sanproof.reports.tables.rows import table
from sanproof.verify.conformance.suite import Case, Demand, Operation


def broken_cases() -> list[Case]:
    """The cases about broken input."""
    return [
        Case(
            id=f"broken.{name}",
            operation=Operation.READ,
            demand=Demand.MAY,
            mechanism=f"broken.{name}",
            colour="white",
            why=why,
            fen=fen,
            asked=san,
            expected=None if uci == "-" else uci,
        )
        for name, fen, san, uci, why in table(__package__, "broken.txt", 5)
    ]
