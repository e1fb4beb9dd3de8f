"""The course's masks inside vLLM: see README.md here."""
