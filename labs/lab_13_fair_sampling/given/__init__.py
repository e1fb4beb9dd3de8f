"""Given code of lab 13."""
