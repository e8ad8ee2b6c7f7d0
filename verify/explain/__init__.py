"""Says of one string whether it can occur, and why. Untrusted."""
