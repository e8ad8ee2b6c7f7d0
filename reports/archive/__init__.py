"""The door from the proof to the tools: what a finished run says of strings. Untrusted."""
