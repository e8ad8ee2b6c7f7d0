"""Tests of proofs, and what checks the encoding against python-chess."""
