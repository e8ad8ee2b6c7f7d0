"""Finds a proof game for each witness. Untrusted: the kernel replays each game."""
