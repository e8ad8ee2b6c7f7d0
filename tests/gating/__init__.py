"""Gating the gate: mutants of two generators, each of which it must fail if its list differs."""
