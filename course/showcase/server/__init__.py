"""The engine behind HTTP, in OpenAI's dialect. Needs requirements/serve.txt.

Read ``protocol`` (what clients send), ``answers`` (what they get), ``errors``, then ``worker`` (the engine's thread),
and ``app``, which joins them; ``tool_calls`` and ``whole_answer`` (answers that think or call) are the rest, with
``journal`` (the log) and ``metrics``.
"""
