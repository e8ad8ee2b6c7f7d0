"""Tests of proofs.positions."""
