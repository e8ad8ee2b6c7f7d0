"""What a run says of itself and an audit checks: its strings, its cross-check, its manifest."""
