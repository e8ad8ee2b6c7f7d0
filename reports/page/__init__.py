"""A page that answers for every string: static files that work from disk and any web host."""
