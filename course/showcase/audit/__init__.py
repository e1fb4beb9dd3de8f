"""``python3 -m course audit``: what engines get wrong, by an oracle that shares no code with any of them.

``oracle.py`` says what is valid, and where nobody can say. ``policies.py`` keeps an engine's choices apart from its
errors. ``probes.py`` makes the texts, ``engines.py`` the engines ready. ``asking.py`` asks one engine about one schema,
``shrinking.py`` makes small what it finds, ``command.py`` does so for all, and prints the tables.
"""
