"""The laboratory of the conformance suite: its makers, and the libraries that are asked."""
