"""What a scan of very many games would take: hours, machine-hours, and what holds it up.

    python -m tests.scan_plan rates.json [--machines 1 64] [--cores 32]

`rates.json` holds rates that were measured: those of the scan's benchmark and of
`python -m tests.cluster_rates` (see :class:`Rates`). The table is made of them, of the size of what
is scanned, and of nothing else. Without a rate there is no table.

The model: chunks of text are scanned on cores; whoever unpacks a file cuts it into chunks, hands
each to a worker through a scheduler, and has a network of some speed. The slowest of the four sets
the pace. Files are apart from each other, so several can be read at once, each by a reader with a
scheduler and a network interface of its own.
"""

import argparse
import json
import math
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

SECONDS_AN_HOUR: Final = 3600


class Rates(NamedTuple):
    """What was measured.

    Attributes:
        text_bytes_per_second: Of text that one core scans, in a worker.
        reader_bytes_per_second: Of text that a scan's own process reads for its workers: unpacks,
            cuts, sends to them, and takes in what they found.
        sending_bytes_per_second: Of text that one core hands to a cluster.
        tasks_per_second: That a scheduler hands out, each with a chunk.
        chunk_bytes: Of text in a task.
    """

    text_bytes_per_second: float
    reader_bytes_per_second: float
    sending_bytes_per_second: float
    tasks_per_second: float
    chunk_bytes: float


class Games(NamedTuple):
    """What is to be scanned.

    Attributes:
        games: How many games.
        text_bytes_per_game: Of a game, unpacked.
        packed_bytes: Of all of them.
        files: How many files they are in; a file has one reader.
        largest_share: The share of the largest file.
    """

    games: float
    text_bytes_per_game: float
    packed_bytes: float
    files: int
    largest_share: float

    @property
    def text_bytes(self) -> float:
        """Of all games, unpacked."""
        return self.games * self.text_bytes_per_game


class Machines(NamedTuple):
    """Who scans.

    Attributes:
        machines: How many.
        cores: Of each.
        network_bytes_per_second: Of each, in one direction.
        readers: How many scans run at once in all, each with one reader.
        is_cluster: Whether a reader's chunks go to workers on all machines, or stay where they are.
    """

    machines: int
    cores: int
    network_bytes_per_second: float
    readers: int
    is_cluster: bool = False


class Plan(NamedTuple):
    """What it takes.

    Attributes:
        limits: For each part how many seconds it would take if all others took none.
        hours: Of the whole scan.
        machine_hours: Of all machines together.
    """

    limits: dict[str, float]
    hours: float
    machine_hours: float

    @property
    def holds_up(self) -> str:
        """The part that sets the pace."""
        return max(self.limits, key=lambda name: self.limits[name])


def plan(rates: Rates, games: Games, who: Machines) -> Plan:
    """What a scan takes.

    A reader keeps one core busy; all other cores scan.
    """
    on_one_machine = math.ceil(who.readers / who.machines)
    cores = who.machines * who.cores - who.readers
    network = who.network_bytes_per_second / on_one_machine
    # The largest file has one reader, and the others share the rest.
    share = max(games.largest_share, 1 / who.readers)
    limits = {
        "scanning": games.text_bytes / rates.text_bytes_per_second / cores,
        "reading": games.text_bytes * share / rates.reader_bytes_per_second,
        "fetching files": games.packed_bytes * share / network,
    }
    if who.is_cluster:
        # Sending to processes of the same machine is counted too: a little more than it takes.
        limits["reading"] += games.text_bytes * share / rates.sending_bytes_per_second
        limits["network"] = games.text_bytes * share / network
        chunks = games.text_bytes * share / rates.chunk_bytes
        limits["scheduler"] = chunks / rates.tasks_per_second
    else:
        # Nobody helps the scan of the largest file.
        alone = cores / who.readers * rates.text_bytes_per_second
        limits["the largest file"] = games.text_bytes * share / alone
    hours = max(limits.values()) / SECONDS_AN_HOUR
    return Plan(limits, hours, hours * who.machines)


def saturating_cores(rates: Rates, network_bytes_per_second: float) -> dict[str, float]:
    """For each thing that one reader needs, how many scanning cores keep it busy."""
    reading, sending = rates.reader_bytes_per_second, rates.sending_bytes_per_second
    supplies = {
        "reader": reading,
        "reader of a cluster": 1 / (1 / reading + 1 / sending),
        "network": network_bytes_per_second,
        "scheduler": rates.tasks_per_second * rates.chunk_bytes,
    }
    return {name: supply / rates.text_bytes_per_second for name, supply in supplies.items()}


def table(
    rates: Rates, games: Games, cores: int, network: float, machines: Sequence[int]
) -> Iterator[str]:
    """The lines of the table, in Markdown."""
    yield "| machines | how | hours | machine-hours | held up by |"
    yield "| --: | --- | --: | --: | --- |"
    fed = saturating_cores(rates, network)
    alone, clustered = fed["reader"], min(fed.values())
    for count in machines:
        each = _readers(alone, cores)
        ways = [("scans at once, each of a file on one machine: {}", each * count, False)]
        if count > 1:
            ways += [("one cluster, a file at a time", 1, True)]
            ways += [
                (
                    "clusters side by side, each with a file: {}",
                    _readers(clustered, cores * count),
                    True,
                )
            ]
        for how, wanted, is_cluster in ways:
            readers = min(wanted, games.files)
            made = plan(rates, games, Machines(count, cores, network, readers, is_cluster))
            hours = f"{made.hours:,.1f} | {made.machine_hours:,.0f}"
            yield f"| {count} | {how.format(readers)} | {hours} | {made.holds_up} |"


def _readers(fed: float, cores: int) -> int:
    """With how many readers, each on a core and with so many others fed, none holds up the rest."""
    return max(1, min(cores // 2, math.ceil(cores / (fed + 1))))


def read_rates(values: Mapping[str, object]) -> Rates:
    """The rates in a JSON object, which may hold more.

    Raises:
        ValueError: One is missing, or is no positive number.
    """
    rates = {}
    for name in Rates._fields:
        value = values.get(name)
        if isinstance(value, bool) or not isinstance(value, int | float) or not value > 0:
            raise ValueError(f"{name}: a measured rate is needed, not {value!r}")
        rates[name] = float(value)
    return Rates(**rates)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rates", type=Path, nargs="+", help="JSON files with measured rates")
    parser.add_argument("--games", type=float, default=6e9)
    parser.add_argument("--packed-bytes", type=float, default=2e12)
    # The first GiB of September 2022 has 467,393 games: https://backscattering.de/chess/compression
    parser.add_argument("--text-bytes-per-game", type=float, default=2**30 / 467_393)
    parser.add_argument("--files", type=int, default=123)
    parser.add_argument("--largest-share", type=float, default=0.0175)
    parser.add_argument("--cores", type=int, default=32)
    parser.add_argument("--network-bits", type=float, default=10e9)
    parser.add_argument("--machines", type=int, nargs="+", default=[1, 64])
    options = parser.parse_args()
    values: dict[str, object] = {}
    for path in options.rates:
        values |= json.loads(path.read_bytes())
    try:
        rates = read_rates(values)
    except ValueError as error:
        parser.error(str(error))
    games = Games(
        options.games,
        options.text_bytes_per_game,
        options.packed_bytes,
        options.files,
        options.largest_share,
    )
    network = options.network_bits / 8
    lines = [*table(rates, games, options.cores, network, options.machines), ""]
    for name, cores in saturating_cores(rates, network).items():
        lines.append(f"One {name} keeps {cores:,.0f} cores busy.")
    sys.stdout.write("\n".join([*lines, ""]))


if __name__ == "__main__":
    main()
