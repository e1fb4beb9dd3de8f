"""The key holds the request's own dict as text, so the two shapes of one schema are compiled twice."""

TODO = 12
HINT = 2


def admit(manager, request):
    wanted = read_response_format(request.response_format)
    if wanted is None:
        request.response_format = None
        return
    key = (manager.fingerprint, str(request.response_format))
    future = manager.cache.get(key, lambda: manager.compile_format(wanted))
    manager.tickets[request.request_id] = (key, future)
