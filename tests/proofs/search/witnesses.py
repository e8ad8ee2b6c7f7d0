"""Positions with moves of special kinds."""

from sanproof.proofs.board.witness import checked_witness

PAWN = checked_witness("exd8=N+", "3r4/4Pk2/8/8/8/8/8/4K3 w - - 0 1", "e7d8n")
PASSING = checked_witness("bxa6", "4k3/8/8/pP6/8/8/8/4K3 w - a6 0 1", "b5a6")
CASTLING = checked_witness("O-O+", "5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1")
LONG_CASTLING = checked_witness("O-O-O", "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1")
