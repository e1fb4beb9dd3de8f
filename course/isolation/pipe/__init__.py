"""The pipe: a student's file runs in a worker process, and the unchanged tests judge it by the data that comes back.

``proxy.PipedLab`` is the test's end and ``worker`` the student's. They exchange ``wire`` frames: data crosses by value,
as JSON and bytes that nothing executes. Other objects stay where they are and cross as numbers (``objects``). Nothing
that the worker sends is trusted. It may ask for one thing only: a call of a function that the test passed to it.
It takes the signals, the polling and the process groups of Linux or macOS.
"""
