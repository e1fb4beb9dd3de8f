"""Reading one schema object: checks, keywords and references. Imports no other folder of ``given``."""
