"""Finds the evidence: encoding, solvers, witnesses, games (untrusted, but for the encoder)."""
