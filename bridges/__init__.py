"""Bridges from the course to the libraries that engineers use at work."""
