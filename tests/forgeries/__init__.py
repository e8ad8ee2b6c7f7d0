"""Forged and damaged runs, each of which the audit has to refuse: ``python -m tests.forgeries``.

One module for each kind of file that is forged; :mod:`tests.forgeries.model` has what they share.
A forgery is *raw* if it changes a file as it stands, so that its hash gives it away. All others
have a manifest that is right about them, so that only the content can give them away; and the
whole forged runs tell one lie alike in all their files.
"""
