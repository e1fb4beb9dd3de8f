"""``python3 -m course explain``: where a text leaves a pattern, schema or grammar, and what may come instead."""
