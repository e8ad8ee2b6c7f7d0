"""All kinds of forgeries, by name."""

from typing import Final

from tests.forgeries import (
    certificates,
    covers,
    damage,
    games,
    manifests,
    summaries,
    tables,
    whole_runs,
)
from tests.forgeries.model import Kind

KINDS: Final[dict[str, Kind]] = {
    **damage.KINDS,
    **manifests.KINDS,
    **summaries.KINDS,
    **tables.KINDS,
    **certificates.KINDS,
    **games.KINDS,
    **covers.KINDS,
    **whole_runs.KINDS,
}
