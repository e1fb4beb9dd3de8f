"""For maintainers: checks, generated files, the bank of wrong answers, training."""
