"""Tests of verify.conformance.cases."""
