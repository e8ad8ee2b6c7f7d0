"""Runs the conformance suite on chess libraries, and judges their answers. Untrusted."""
