"""The lists, tables and PGN files of a run. Untrusted: the audit compares each byte."""
