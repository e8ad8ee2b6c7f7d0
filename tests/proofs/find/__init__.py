"""Tests of proofs.find."""
