"""Tests of proofs.arrangements."""
