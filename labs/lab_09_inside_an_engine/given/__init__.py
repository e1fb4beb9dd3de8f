"""Given code of lab 09: what a guide is, a worker that is driven by hand, JSON values of a limited depth."""
