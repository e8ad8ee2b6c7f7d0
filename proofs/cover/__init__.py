"""Finds the games of the covering suite. Untrusted: the audit replays each of them."""
