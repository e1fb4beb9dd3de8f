"""The key is the request's id, so no two requests ever share a compile."""

TODO = 12
HINT = 3


def admit(manager, request):
    wanted = read_response_format(request.response_format)
    if wanted is None:
        request.response_format = None
        return
    key = (manager.fingerprint, wanted, request.request_id)
    future = manager.cache.get(key, lambda: manager.compile_format(wanted))
    manager.tickets[request.request_id] = (key, future)
