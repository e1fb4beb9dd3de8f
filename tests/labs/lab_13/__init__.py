"""Tests of lab 13 that draw at random, with any number of seeds, and of what it measures."""
