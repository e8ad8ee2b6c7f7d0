"""Witnesses that are mirror images: one is asked about, and all get what python-chess says."""

from itertools import islice
from unittest import mock

import pytest

import sanproof
from sanproof.proofs.search import symmetry
from sanproof.proofs.search.symmetry import AlikeWitnesses, mirrored_files, mirrored_ranks
from sanproof.proofs.verdicts.witness import Witness, WitnessError, check_witness
from tests.examples import examples
from tests.proofs.verdicts.test_witness import GOOD


def images(witness: Witness) -> list[Witness]:
    """Its mirror images: a reflection to the side if nobody may castle, and any without pawns."""
    placement, _, rights, passed, *_ = witness.fen.split(" ")
    found = [witness]
    if (rights, passed) == ("-", "-"):
        found.append(mirrored_files(witness))
        if "p" not in placement.lower():
            found += map(mirrored_ranks, list(found))
    return found


def test_images_are_checked_as_if_each_were_alone() -> None:
    """Python-chess is asked about the first, and says the same of each of the others."""
    published = islice(sanproof.witnesses(), 0, None, 4100 // examples(100))
    sizes = set()
    for row in published:
        witness = Witness(row.san, row.before_fen, row.uci)
        for first in images(witness):
            checks = AlikeWitnesses()
            with mock.patch.object(symmetry, "check_witness", side_effect=check_witness) as asked:
                found = [checks.check(image) for image in (first, *images(witness))]
            assert found[1:] == [check_witness(image) for image in images(witness)]
            assert asked.call_count == 1
        sizes.add(len(images(witness)))
    assert sizes == {1, 2, 4}


@pytest.mark.parametrize("good", [witness for witness, _ in GOOD], ids=lambda w: w.san)
def test_what_has_no_images_is_checked_alone(good: Witness) -> None:
    checks = AlikeWitnesses()
    assert checks.check(good) == check_witness(good)
    pawns = mirrored_ranks(good) if "p" in good.fen.split(" ")[0].lower() else None
    rights = mirrored_files(good) if good.fen.split(" ")[2] != "-" else None
    for image in filter(None, (pawns, rights)):
        with pytest.raises(WitnessError):
            checks.check(image)


@pytest.mark.parametrize(
    "change",
    [
        lambda w: w._replace(san=f"{w.san}+"),
        lambda w: w._replace(uci=w.uci[:2] + w.uci[:2]),
        lambda w: w._replace(fen=w.fen.replace(" w ", " b ")),
        lambda w: w._replace(fen=w.fen.replace(" w - -", " w KQ -")),
        lambda w: w._replace(fen=w.fen.replace(" 0 1", " 00 1")),
        lambda w: w._replace(fen=w.fen.replace("8/", "44/")),
        lambda w: w._replace(fen=w.fen.replace("k", "q")),
    ],
)
def test_a_wrong_image_of_a_right_witness_is_refused(change: object) -> None:
    assert callable(change)
    right = Witness("Rd1", "4k3/8/8/8/8/8/4K3/R7 w - - 0 1", "a1d1")
    checks = AlikeWitnesses()
    for image in images(right):
        checks.check(image)
        wrong = change(image)
        assert wrong != image
        with pytest.raises(WitnessError):
            checks.check(wrong)
