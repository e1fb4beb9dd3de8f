"""The engine behind HTTP, in OpenAI's dialect. Needs requirements/serve.txt.

Read ``protocol`` (what clients send), ``answers`` (what they get), ``errors``, then ``worker`` (the engine's thread),
and ``app``, which joins them; ``tool_calls`` (answers with calls), ``journal`` (the log) and ``metrics`` are the rest.
"""
