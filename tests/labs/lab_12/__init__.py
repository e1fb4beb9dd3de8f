"""Tests of lab 12's given code and of what it adds to the engine."""
