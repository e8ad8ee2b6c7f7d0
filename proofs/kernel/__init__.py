"""Establishes the theorem from the list, the games and the certificates alone. Trusted."""
