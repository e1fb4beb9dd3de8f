"""The key is the format alone, so another vocabulary gets these masks."""

TODO = 12
HINT = 2


def admit(manager, request):
    wanted = read_response_format(request.response_format)
    if wanted is None:
        request.response_format = None
        return
    key = wanted
    future = manager.cache.get(key, lambda: manager.compile_format(wanted))
    manager.tickets[request.request_id] = (key, future)
