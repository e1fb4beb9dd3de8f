"""Running the course: its commands, what they grade, and what they say about it."""
