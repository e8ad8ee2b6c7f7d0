"""Public reports of errors in SAN, and the cases that would have caught them."""

from typing import Final, NamedTuple

_GITHUB: Final = "https://github.com"


class Report(NamedTuple):
    """A public report.

    Attributes:
        url: Where it is.
        symptom: What went wrong, in a few words.
        cases: The ids of the cases that would have caught it.
    """

    url: str
    symptom: str
    cases: tuple[str, ...]


def _pinned(operation: str) -> tuple[str, ...]:
    return tuple(
        f"disambiguation.pinned-twin.{colour}.{number}.{operation}"
        for colour in ("white", "black")
        for number in (1, 2)
    )


_EXCESS: Final = tuple(
    f"text.excess-for-pinned-twin.{colour}.3.read" for colour in ("white", "black")
)

PUBLIC: Final = (
    Report(
        f"{_GITHUB}/jhlywa/chess.js/issues/75",
        "Ne2 was expected to be written Nge2, with the other knight pinned.",
        _pinned("write"),
    ),
    Report(
        f"{_GITHUB}/jhlywa/chess.js/issues/87",
        "A game with Nge7 for Ne7, the other knight pinned, could not be loaded.",
        _EXCESS,
    ),
    Report(
        f"{_GITHUB}/jhlywa/chess.js/issues/99",
        "More of the origin than needed was refused, with the other rook pinned.",
        _EXCESS,
    ),
    Report(
        f"{_GITHUB}/jhlywa/chess.js/issues/231",
        "Nge2 was refused for Ne2, with the other knight pinned.",
        ("text.excess-for-pinned-twin.white.3.read",),
    ),
    Report(
        f"{_GITHUB}/oakmac/chessboardjs/issues/91",
        "The same question as chess.js 75.",
        _pinned("write"),
    ),
    Report(
        f"{_GITHUB}/bhlangonijr/chesslib/issues/38",
        "Nge2 was written for Ne2, with the other knight pinned.",
        _pinned("write"),
    ),
    Report(
        f"{_GITHUB}/rudzen/ChessLib/issues/65",
        "A rook that pins was taken for one that is pinned, so no file was written.",
        tuple(
            f"disambiguation.pinner-twin.{colour}.1.{operation}"
            for colour in ("white", "black")
            for operation in ("read", "write")
        ),
    ),
    Report(
        f"{_GITHUB}/rudzen/ChessLib/issues/56",
        "Moves that answer a check were written as mate, and captures with check without +.",
        (
            "check.evasion.white.1.write",
            "check.evasion.black.1.write",
            "moves.in-check.white.1",
            "moves.in-check.black.1",
        ),
    ),
    Report(
        f"{_GITHUB}/Disservin/chess-library/issues/145",
        "The ambiguous Nec3 was read, and the wrong knight moved.",
        (
            "wrong.file-where-square-is-due.white.1.read",
            "wrong.file-where-square-is-due.black.1.read",
            "game.ambiguous-move.1",
        ),
    ),
    Report(
        f"{_GITHUB}/jordanbray/chess/issues/54",
        "A capture in passing was refused when given in SAN.",
        ("en-passant.plain.white.2.read",),
    ),
    Report(
        f"{_GITHUB}/brozeph/node-chess/issues/53",
        "A capture in passing was written as a push.",
        ("en-passant.plain.white.3.read", "en-passant.plain.white.3.write"),
    ),
    Report(
        f"{_GITHUB}/jhlywa/chess.js/issues/121",
        "A game with many promoted rooks, of which some were pinned, could not be loaded.",
        tuple(
            f"disambiguation.pinned-promoted-twin.{colour}.1.{operation}"
            for colour in ("white", "black")
            for operation in ("read", "write")
        ),
    ),
    Report(
        f"{_GITHUB}/jhlywa/chess.js/issues/321",
        "The pawn's capture bxc5 was refused by the tolerant reader.",
        tuple(f"disambiguation.b-pawn-not-bishop.{colour}.1.read" for colour in ("white", "black")),
    ),
    Report(
        f"{_GITHUB}/niklasf/python-chess/issues/931",
        "Rf4 was read for Rxf4, and there was no way to be strict.",
        ("text.missing-x.white.1.read", "text.missing-x.black.1.read"),
    ),
    Report(
        f"{_GITHUB}/marianogappa/cheesse/issues/28",
        "No disambiguation, ++ for mate, and the captured pawn's square in passing.",
        (
            "disambiguation.file.white.1.write",
            "disambiguation.rank.black.1.write",
            "mate.by-queen.white.1.write",
            "en-passant.plain.white.1.write",
        ),
    ),
)
"""The reports."""

REPORTS: Final[dict[str, tuple[str, ...]]] = {report.url: report.cases for report in PUBLIC}
"""For each report the ids of the cases."""
