"""Lab 11: tool calls."""
