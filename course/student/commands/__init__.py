"""The commands of a student, except `test` and `show`."""
