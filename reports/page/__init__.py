"""Makes static web pages of a run or a scan, which work from disk and from any web host."""
