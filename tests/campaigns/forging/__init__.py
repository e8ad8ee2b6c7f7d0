"""Forged and damaged evidence, each piece of which the kernel and the audit have to refuse.

A forgery is a function from the files of a good run to bad ones. One that changes only what the
kernel reads is shown to the kernel as well; all are shown to the audit, under a manifest that is
right about them, unless the forgery is *raw*: then its hash gives it away.
"""
