"""What a graded class looks like: a table, pages, Gradescope's and JUnit's forms."""
