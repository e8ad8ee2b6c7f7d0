"""Makes the conformance suite, and runs it on the libraries of the survey."""
