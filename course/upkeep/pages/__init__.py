"""Generated pages: walkthrough notebooks and the tables in READMEs."""
