"""What a scan counts: the names, the sums, and what is said of them."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, Final

from sanproof.reports.escaping import plain, printable
from sanproof.reports.tables.words import number_of
from sanproof.verify.errors import REFUTED, Failure
from sanproof.verify.scan.movetext import Oddity
from sanproof.verify.scan.results import Chunk, ChunkResult, Kinds, Occurrence, Outcome

COUNTED: Final = (
    "games",
    *(f"games_{outcome}" for outcome in Outcome),
    *("games_without_result", "games_from_position", "games_without_moves"),
    *("moves", "null_moves", "moves_after_null_moves", "deviating_moves"),
    *("move_texts_not_read", "lines"),
)
"""The sums, by their names in ``summary.json``."""
IN_VARIATIONS: Final = (
    *("variations", "variation_moves", "variation_moves_apart"),
    *("deviating_variation_moves", "variation_texts_not_read"),
)
"""The sums of variations, if they are read; apart are moves after a null move, or of Chess960."""
BESIDE_MOVES: Final = {
    Outcome.AFTER_RESULT.value,
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
        for rows, seen in ((self.played, played), (self.in_variations, in_variations)):
            for san, (times, games, game, ply) in (seen or {}).items():
                row = rows.setdefault(san, [0, 0, source, game, ply])
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
    return counts["games"] - counts[f"games_{Outcome.READ}"] - counts[f"games_{Outcome.LEFT_OUT}"]


def is_whole(counts: Mapping[str, int]) -> bool:
    """Check whether all games, and all variations that were wanted, were read to their ends."""
    return not (unread(counts) or counts.get("variation_texts_not_read"))


def check_moves(name: str, counts: Mapping[str, int]) -> None:
    """Raise a Failure if nothing in a source stands where moves belong; games may be left out."""
    is_empty = counts["games"] <= counts["games_without_moves"]
    if is_empty and not (counts["move_texts_not_read"] or counts[f"games_{Outcome.LEFT_OUT}"]):
        raise Failure(f"{printable(name)} holds no move: see that it is the file that was meant.")


class Refuted(Failure):
    """A legal move's string is not among the proven ones."""

    exit_code = REFUTED


def check_proven(chunk: Chunk, result: ChunkResult) -> None:
    """Raise Refuted if a chunk refutes the theorem."""
    for found in result.refuting:
        raise Refuted(
            "THE THEOREM IS REFUTED, or the list of proven strings is wrong: "
            f"{found.canonical} is legal in {found.fen}, in game {found.game} of {chunk.source}, "
            "and not among them. "
            "Please report it."
        )


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
    apart = [(counts[f"games_{outcome}"], outcome.sentence) for outcome in Outcome]
    apart = [*apart[1:], (counts["games_without_result"], "without a result")]
    apart += [(row["games"], f"of {name}, counted apart") for name, row in variants.items()]
    lines += [f"{number_of(games, 'game')} {said}." for games, said in apart if games]
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


def problems(counts: Mapping[str, int], damaged: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return a sentence for each source that could not be read, and if no game was wanted."""
    lines = []
    for one in damaged:
        to_its_end = "" if one["read"] == "nothing" else " to its end"
        lines.append(plain(f"{one['source']} cannot be read{to_its_end}: {one['why']}."))
    if counts["games"] and counts["games"] == counts[f"games_{Outcome.LEFT_OUT}"]:
        lines.append("--where matches no game.")
    return lines
