"""Finds the games of the cover. Untrusted: the audit replays each of them."""
