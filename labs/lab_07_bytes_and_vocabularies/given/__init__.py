"""Given code of lab 07: what the lifting keeps in mind, states in blocks, and budgets."""
