"""The workers and the store that a scan still uses, as a run did before."""
