"""Tests of sanproof.proofs.formal."""
