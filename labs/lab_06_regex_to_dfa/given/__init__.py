"""Given: the long tail of the pattern language. It reads a pattern into items; what they mean is built in the lab."""
