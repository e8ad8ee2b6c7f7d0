"""Claims that a run makes and an audit checks: its strings, its cross-check, its manifest."""
