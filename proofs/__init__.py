"""The evidence. Its packages rules, encoding and kernel are trusted; the others are not."""
