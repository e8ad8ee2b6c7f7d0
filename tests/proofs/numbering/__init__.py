"""Tests of proofs.numbering."""
