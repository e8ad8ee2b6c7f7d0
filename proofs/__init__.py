"""The evidence. Its rooms rules, encoding and kernel are trusted, and nothing else here is."""
