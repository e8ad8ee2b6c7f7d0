"""SAN in a position: what a text denotes there, how a move is written there, and why. Untrusted."""
