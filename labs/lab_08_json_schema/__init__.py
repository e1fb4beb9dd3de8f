"""Lab 08: JSON Schema to regular expressions."""
