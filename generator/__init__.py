"""Every SAN string that geometry allows, made with the standard library alone."""
