"""What a scan counts: the names, the sums, and what is said of them."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from sanproof.reports.escaping import plain, printable
from sanproof.reports.tables.words import number_of
from sanproof.verify.errors import Failure
from sanproof.verify.scan.chunks import AFTER_RESULT, LEFT_OUT, READ, Kinds, Occurrence
from sanproof.verify.scan.movetext import Oddity


class Count(NamedTuple):
    """A sum of a scan."""

    sentence: str
    apart: str = ""  # what is said of games that are counted apart, after their number


COUNTED: Final = {
    "games": Count("Games."),
    "games_read": Count("Games that were read to their end."),
    "games_stopped": Count(
        "Games that stopped at an illegal or ambiguous move: read up to it.",
        "stopped at an illegal or ambiguous move",
    ),
    "games_unclosed": Count(
        "Games with an unclosed comment or variation: read up to it.",
        "with an unclosed comment or variation",
    ),
    "games_after-result": Count(
        "Games with moves after their result, which are not read.",
        "with moves after the result, not read",
    ),
    "games_variant": Count("Games of another variant: not read.", "of another variant, not read"),
    "games_bad-position": Count(
        "Games that begin from an illegal position: not read.",
        "from an illegal position, not read",
    ),
    "games_too-long": Count(
        "Games over 16 MiB, or 20,000 moves and irregularities: not read.", "too long, not read"
    ),
    "games_left-out": Count("Games that --where left out: not read.", "left out by --where"),
    "games_without_result": Count("Games that break off: no result ends them.", "without a result"),
    "games_from_position": Count("Games that begin from a FEN."),
    "games_without_moves": Count("Games without a move."),
    "moves": Count("Moves that were played, each a legal move of its position."),
    "null_moves": Count("Null moves, which do nothing and are no chess."),
    "moves_after_null_moves": Count("Moves after a null move: checked, and not counted as played."),
    "deviating_moves": Count("Moves that are not canonical SAN."),
    "move_texts_not_read": Count(
        "Move texts that were not read, because the game was not, or stopped."
    ),
    "lines": Count("Line ends."),
}
"""The sums, by their names in ``summary.json``. A game's outcome is one of those that begin with
``games_``, from ``read`` to ``left-out``; each game has exactly one."""
IN_VARIATIONS: Final = {
    "variations": Count("Variations."),
    "variation_moves": Count("Moves of variations, each legal in its position; none was played."),
    "variation_moves_apart": Count("Moves of variations after a null move, or of Chess960."),
    "deviating_variation_moves": Count("Moves of variations that are not canonical SAN."),
    "variation_texts_not_read": Count("Move texts of variations that were not read."),
}
"""The sums of variations, if they are read."""
BESIDE_MOVES: Final = {
    AFTER_RESULT,
    *(kind.value for kind in set(Oddity) - {Oddity.FOREIGN_LETTER, Oddity.NULL_MOVE}),
}
"""Kinds of deviations that are not about a move's text."""
Strings = dict[str, list[int]]
"""Of each string how often it was played, in how many games, and where first: the number of the
source, from 0; the number of the game in it, from 1; the ply, from 1."""


class Sums:
    """The sums of the chunks that were taken in: of each source, and of strings over all."""

    def __init__(self, sources: int) -> None:
        self.counts: list[Counter[str]] = [Counter() for _ in range(sources)]
        self.kinds: list[Kinds] = [Counter() for _ in range(sources)]
        self.played: Strings = {}
        self.in_variations: Strings = {}

    def take(
        self,
        source: int,
        counts: Mapping[str, int],
        kinds: Kinds,
        played: Mapping[str, Occurrence] | None = None,
        in_variations: Mapping[str, Occurrence] | None = None,
    ) -> None:
        """Take in the next chunk, of a source."""
        before = self.counts[source]["games"]
        for rows, seen in ((self.played, played), (self.in_variations, in_variations)):
            for san, (times, games, game, ply) in (seen or {}).items():
                row = rows.setdefault(san, [0, 0, source, before + game, ply])
                row[0] += times
                row[1] += games
        self.counts[source].update(counts)
        self.kinds[source].update(kinds)

    def total(self) -> Counter[str]:
        """Return the sums over all sources."""
        total: Counter[str] = Counter()
        for counts in self.counts:
            total.update(counts)
        return total

    def kinds_in(self, *, variations: bool) -> dict[str, int]:
        """Return how often each kind deviates in variations or in the games, most first."""
        total: Counter[str] = Counter()
        for kinds in self.kinds:
            total.update({kind: n for (kind, apart), n in kinds.items() if apart is variations})
        return most_first(total)


def most_first(kinds: Mapping[str, int]) -> dict[str, int]:
    """Return the number of each kind, the most frequent first."""
    return dict(sorted(kinds.items(), key=lambda item: (-item[1], item[0])))


def variants_of(total: Counter[str]) -> dict[str, dict[str, int]]:
    """Return the sums of each variant of chess, of all sums."""
    found: dict[str, dict[str, int]] = {}
    for name in sorted(total):
        if name.startswith("variant "):
            _, variant, what = name.split()
            row = found.setdefault(variant, {"moves": 0, "moves_not_proven": 0})
            row[what] = total[name]
    return found


def unread(counts: Mapping[str, int]) -> int:
    """Return how many games that were wanted were not read, or not to their end."""
    return counts["games"] - counts[f"games_{READ}"] - counts[f"games_{LEFT_OUT}"]


def is_whole(counts: Mapping[str, int]) -> bool:
    """Check whether all games, and all variations that were wanted, were read to their ends."""
    return not (unread(counts) or counts.get("variation_texts_not_read"))


def check_moves(name: str, counts: Mapping[str, int]) -> None:
    """Raise a Failure if nothing in a source stands where moves belong; games may be left out."""
    is_empty = counts["games"] <= counts["games_without_moves"]
    if is_empty and not (counts["move_texts_not_read"] or counts[f"games_{LEFT_OUT}"]):
        raise Failure(f"{printable(name)} holds no move: see that it is the file that was meant.")


def in_words(
    counts: Mapping[str, int],
    kinds: Mapping[str, int],
    kinds_in_variations: Mapping[str, int],
    variants: Mapping[str, Mapping[str, int]],
) -> list[str]:
    """Return sentences about the sums over all sources and the numbers of deviations."""
    first = f"{number_of(counts['games'], 'game')}, {number_of(counts['moves'], 'move')}"
    in_moves = sum(times for kind, times in kinds.items() if kind not in BESIDE_MOVES)
    if deviating := counts["deviating_moves"]:
        first += f": {number_of(deviating, 'move is', 'moves are')} not canonical SAN"
    elif counts["moves"]:
        first += f": all moves{' that were read' * bool(in_moves)} are canonical SAN"
    lines = [f"{first}."]
    if beside := sum(kinds.values()) - in_moves:
        lines.append(f"{number_of(beside, 'deviation')} beside the moves.")
    apart = [(counts[name], c.apart) for name, c in COUNTED.items() if c.apart and counts[name]]
    apart += [(row["games"], f"of {name}, counted apart") for name, row in variants.items()]
    lines += [f"{number_of(games, 'game')} {said}." for games, said in apart]
    return lines + _about_variations(counts, kinds_in_variations)


def _about_variations(counts: Mapping[str, int], kinds: Mapping[str, int]) -> list[str]:
    if not counts.get("variations"):
        return []
    moves = counts.get("variation_moves", 0) + counts.get("variation_moves_apart", 0)
    deviating = sum(times for kind, times in kinds.items() if kind not in BESIDE_MOVES)
    are = f"{number_of(deviating, 'is', 'are')} not" if deviating else "all are"
    said = f"In {number_of(counts['variations'], 'variation')}, {number_of(moves, 'move')}: {are} "
    said += "canonical SAN"
    if left := counts.get("variation_texts_not_read"):
        said += f"; {number_of(left, 'move text was not read', 'move texts were not read')}"
    return [f"{said}."]


DAMAGES: Final = {
    "nothing": "cannot be read: {}.",
    "before": "is damaged ({}): what stands before that was read.",
}
"""The sentence about a source, by how much of it was read."""


def damaged_in_words(damaged: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return a sentence for each source that cannot be read, or not to its end."""
    return [
        plain(f"{item['source']} {DAMAGES[item['read']].format(item['why'])}") for item in damaged
    ]
