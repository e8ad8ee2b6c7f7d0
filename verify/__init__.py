"""Checks the evidence and runs the harness: checkers, cover check, audit, gate, command line."""
