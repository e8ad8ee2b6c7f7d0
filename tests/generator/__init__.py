"""Tests of the generator, and its slow opponents: `explorer` and `mates`."""
