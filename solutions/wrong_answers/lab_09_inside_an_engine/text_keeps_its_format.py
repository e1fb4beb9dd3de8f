"""A request for text stays one with a format, without a ticket."""

TODO = 12
HINT = 2


def admit(manager, request):
    wanted = read_response_format(request.response_format)
    if wanted is None:
        return
    key = (manager.fingerprint, wanted)
    future = manager.cache.get(key, lambda: manager.compile_format(wanted))
    manager.tickets[request.request_id] = (key, future)
