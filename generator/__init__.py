"""What should exist: every SAN string that geometry allows, from the standard library alone."""
