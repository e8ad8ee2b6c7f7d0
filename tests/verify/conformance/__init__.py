"""Tests of verify.conformance."""
