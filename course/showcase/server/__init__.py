"""The engine behind HTTP, in OpenAI's dialect. Needs requirements/serve.txt."""
