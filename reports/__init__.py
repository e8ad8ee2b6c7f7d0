"""Shows the evidence: tables, page, exports."""
