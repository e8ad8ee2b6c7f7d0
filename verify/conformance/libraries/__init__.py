"""The runner of the conformance suite: asks chess libraries through adapters. Untrusted."""
