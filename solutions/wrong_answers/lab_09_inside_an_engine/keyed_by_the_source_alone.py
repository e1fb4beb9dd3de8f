"""The kind of a format is not in the key, so a pattern and the same text as a schema are one."""

TODO = 12
HINT = 2


def admit(manager, request):
    wanted = read_response_format(request.response_format)
    if wanted is None:
        request.response_format = None
        return
    key = (manager.fingerprint, str(wanted.value).strip("[]'"))
    future = manager.cache.get(key, lambda: manager.compile_format(wanted))
    manager.tickets[request.request_id] = (key, future)
