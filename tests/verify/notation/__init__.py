"""Tests of verify.notation."""
