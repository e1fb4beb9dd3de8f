"""Answers with tool calls: lab 11's automaton, with the trees of schemas of all keywords in it."""
