"""Each trusted module has detectors, and each mutant that is argued is one."""

from tests.campaigns.mutation.__main__ import by_hand, stale
from tests.campaigns.mutation.runner import TRUSTED, path_of
from tests.verify.command import ROOT


def test_every_trusted_module_has_detectors_and_no_name_is_stale() -> None:
    rooms = (ROOT / "proofs" / room for room in ("kernel", "rules", "encoding"))
    files = {path for room in rooms for path in room.glob("*.py") if path.stem != "__init__"}
    assert set(map(path_of, TRUSTED)) == files
    assert stale() == []
    assert list(by_hand())
