from sanproof.proofs.verdicts.drawing import drawn


def test_the_board_is_drawn_from_whites_side() -> None:
    lines = drawn("4k3/8/8/8/8/8/8/R3K3 b Q - 0 1").splitlines()
    assert lines[0] == "  8  . . . . k . . ."
    assert lines[7] == "  1  R . . . K . . ."
    assert lines[-1] == "     a b c d e f g h   Black to move"
