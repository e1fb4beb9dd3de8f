"""ECMA-262 patterns, as JSON Schema's ``pattern`` has them, parsed into lab 06's syntax."""
