import random
from collections import Counter
from pathlib import Path

from tests.campaigns.damaged_games import damaged, read_damaged
from tests.examples import examples


def test_damaged_files_are_read_without_an_error(tmp_path: Path) -> None:
    seen: Counter[str] = Counter()
    for number in range(examples(300)):
        read_damaged(tmp_path / "games.pgn", damaged(random.Random(number)), seen)
    for name in ("games_read", "games_stopped", "games_variant", "refused", "deviating_moves"):
        assert seen[name]
