"""Tests of proofs.shortest."""
