"""Tests of the page: its files, and what a browser makes of them."""
