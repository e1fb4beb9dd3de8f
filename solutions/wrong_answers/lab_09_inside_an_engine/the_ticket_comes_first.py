"""The ticket is written before the compile is accepted, and stays when it is refused."""

TODO = 12
HINT = 1


def admit(manager, request):
    wanted = read_response_format(request.response_format)
    if wanted is None:
        request.response_format = None
        return
    key = (manager.fingerprint, wanted)
    manager.tickets[request.request_id] = (key, None)
    future = manager.cache.get(key, lambda: manager.compile_format(wanted))
    manager.tickets[request.request_id] = (key, future)
