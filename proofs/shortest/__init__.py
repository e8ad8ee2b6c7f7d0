"""The shortest game known for each string, and what none can beat: an untrusted search."""
