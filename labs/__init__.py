"""The syllabus: one folder a lab."""
