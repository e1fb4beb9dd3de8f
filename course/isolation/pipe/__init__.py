"""The pipe: a student's file runs in a worker process, and the unchanged tests judge it by the data that comes back.

``proxy.PipedLab`` is the test's end and ``worker`` the student's. Both keep a ``table`` of what the
other end knows by number, and speak in ``wire`` frames whose ``values`` are data: no pickle, no eval.
What the worker sends is never trusted. All that it may ask is a call of what the test handed to it.
"""
