"""The chessboard, the SAN strings and the cases into which they are cut. Trusted."""
