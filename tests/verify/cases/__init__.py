"""Tests of verify.cases."""
