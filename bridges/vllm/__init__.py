"""The course's masks inside vLLM: `README.md` here says how."""
