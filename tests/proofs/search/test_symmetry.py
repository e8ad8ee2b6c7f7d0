"""Mirror images: of squares, strings, cubes and witnesses, of which one is asked about for all."""

from collections.abc import Iterator
from itertools import islice
from random import Random
from unittest import mock

import chess
import pytest

import sanproof
from sanproof.proofs.rules.cubes import all_cubes, cube_of, exchanged_cube, exchanged_san
from sanproof.proofs.rules.san import parse_san
from sanproof.proofs.rules.squares import SQUARES
from sanproof.proofs.search import symmetry
from sanproof.proofs.search.symmetry import (
    FRONT_TO_BACK,
    LEFT_TO_RIGHT,
    AlikeWitnesses,
    exchanged_colours,
    has_no_pawn,
    is_transposable,
    mirror_file,
    mirror_rank,
    mirrored_san,
    solved_cubes,
    transpose,
    transposed,
    transposed_cube,
    work_units,
)
from sanproof.proofs.verdicts.witness import Witness, WitnessError, check_witness
from tests.examples import examples
from tests.proofs.encoding.positions import FAMILIES, first_boards
from tests.proofs.search.test_exact import CASTLING, LONG_CASTLING, PASSING, PAWN
from tests.proofs.verdicts.test_witness import GOOD
from tests.strings import strings_of

mirrored_files, mirrored_ranks = LEFT_TO_RIGHT.witness, FRONT_TO_BACK.witness


def is_confirmed(witness: Witness) -> bool:
    return check_witness(witness)[:3] == witness


def drawn_witnesses(family: str, *, pawns: bool) -> Iterator[Witness]:
    """Yield White's moves in positions of a family; or in those without their pawns and rights."""
    rng = Random(family)
    for drawn in first_boards(family)[: 15 if pawns else None]:
        board = drawn
        if not pawns:
            pieces = {s: m for s, m in drawn.piece_map().items() if m.piece_type != chess.PAWN}
            board = chess.Board(None)
            board.set_piece_map(pieces)
        moves = list(board.legal_moves)
        if board.is_valid() and board.turn == chess.WHITE and moves:
            move = rng.choice(moves)
            yield Witness(board.san(move), board.fen(), move.uci())


@pytest.mark.usually(4)
@pytest.mark.parametrize("family", FAMILIES)
def test_transposed_witnesses_are_witnesses_of_the_transposed_cube(family: str) -> None:
    """Without pawns and castling; what is written of the origin may change (PGN 8.2.3.4)."""
    drawn = list(drawn_witnesses(family, pawns=False))
    assert drawn
    for witness in drawn:
        assert has_no_pawn(witness)
        image = transposed(witness)
        assert is_confirmed(image)
        assert cube_of(parse_san(image.san)) == transposed_cube(cube_of(parse_san(witness.san)))
        assert transposed(image) == witness


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.usually(4)
def test_reflected_witnesses_are_witnesses(family: str) -> None:
    """Colours exchanged; left to right, but for castling; front to back, if without pawns."""
    others = (CASTLING, LONG_CASTLING, PASSING, PAWN)
    for witness in (*drawn_witnesses(family, pawns=True), *others):
        assert is_confirmed(witness)
        placement, _, rights, *_ = witness.fen.split(" ")
        san = parse_san(witness.san)
        exchanged = exchanged_colours(witness)
        assert exchanged.san == str(exchanged_san(san))
        assert is_confirmed(exchanged)
        assert exchanged.fen == chess.Board(witness.fen).mirror().fen(en_passant="fen")
        if rights == "-":
            assert mirrored_files(witness).san == str(mirrored_san(san))
            assert is_confirmed(mirrored_files(witness))
            assert mirrored_files(mirrored_files(witness)) == witness
        if rights == "-" and "p" not in placement.lower():
            assert mirrored_ranks(witness).san == str(exchanged_san(san))
            assert is_confirmed(mirrored_ranks(witness))
            assert mirrored_ranks(mirrored_ranks(witness)) == witness


def test_mirrors_are_those_of_python_chess() -> None:
    for square in SQUARES:
        assert mirror_rank(square) == chess.square_mirror(square)
        assert transpose(square) == 8 * chess.square_file(square) + chess.square_rank(square)
        mirrored = (7 - chess.square_file(square), chess.square_rank(square))
        assert mirror_file(square) == chess.square(*mirrored)


def test_solved_cubes_and_their_reflections_are_all_cubes() -> None:
    """Each cube is either solved, or the reflection of exactly one that is."""
    solved = solved_cubes()
    assert len(solved) == 2 + 6 * 2 * 32
    reflected = [cube_of(mirrored_san(next(strings_of(cube)))) for cube in solved]
    others = [cube for cube in reflected if cube not in solved]
    assert sorted(solved + others) == sorted(all_cubes())
    assert all(cube.castling for cube in reflected if cube in solved)


def test_work_units_are_moves_and_captures_and_if_pieces_move_their_reflections() -> None:
    assert sorted(cube for unit in work_units() for cube in unit) == sorted(solved_cubes())
    for first, *others in work_units():
        assert first.capture == ""
        quiet = [first]
        if first.piece and not first.castling:
            quiet.append(exchanged_cube(first))
            if is_transposable(first):
                image = transposed_cube(first)
                quiet += [image, exchanged_cube(image)]
        captures = [] if first.castling else [cube._replace(capture="x") for cube in quiet]
        assert [first, *others] == [*quiet, *captures]


def images(witness: Witness) -> list[Witness]:
    """Return its images: a side reflection if no side may castle, and any without pawns."""
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
