"""For instructors: grading a class, handing out, and attacks on the grader."""
