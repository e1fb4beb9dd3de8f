"""Lab 14: drafts."""
