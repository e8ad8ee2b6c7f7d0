"""The door from the proof to the tools: what a finished run says of strings. Untrusted."""


class ArchiveError(Exception):
    """A directory that is not a finished run, or is damaged; the message is a sentence."""
