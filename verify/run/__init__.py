"""Decides strings in a run directory, in parallel. A stopped run can continue. Untrusted."""
