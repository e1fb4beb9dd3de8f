"""For instructors: grading a class, and handing out a copy."""
