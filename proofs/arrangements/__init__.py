"""The argument of the theorem in Coq for one string, in words. Untrusted."""
