"""The scoreboard of chess libraries: page, Markdown, badges, reports for maintainers. Untrusted."""
