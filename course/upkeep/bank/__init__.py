"""The bank of wrong answers: its rules, its kill tables, and mutants of the references."""
