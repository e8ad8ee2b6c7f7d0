"""Tests of the conformance suite's runner."""
