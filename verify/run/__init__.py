"""Decides strings in a run directory, in parallel; a stopped run goes on. Untrusted."""
