"""The conformance suite: its cases, their origin, and how an answer is judged. Untrusted."""
