"""Tests of the repository itself, in the same folders."""
