"""For students: the tests of one lab, hints, progress, and watching a mask at work."""
