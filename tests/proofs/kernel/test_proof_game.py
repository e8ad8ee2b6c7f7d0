from proofs.kernel.proof_game import BLACK, COLOURS, WHITE, ProofGame, read_game, write_game

GAME = ProofGame("Qh4#", BLACK, 3, ("f2f3", "e7e5", "g2g4", "d8h4"))
LINE = "Qh4# black 3 f2f3 e7e5 g2g4 d8h4"


def test_a_game_is_one_line() -> None:
    assert write_game(GAME) == LINE
    assert read_game(LINE) == GAME


def test_there_are_two_players() -> None:
    assert COLOURS == (WHITE, BLACK) == ("white", "black")
