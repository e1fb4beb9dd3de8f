"""Running the course: its command line, and a room for each of its users."""
