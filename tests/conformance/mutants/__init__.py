"""Mutants of a plain implementation of chess, and what of the conformance suite finds them."""
