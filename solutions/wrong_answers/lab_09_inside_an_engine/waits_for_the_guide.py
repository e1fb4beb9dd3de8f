"""The request compiles its grammar itself before it is queued."""

TODO = 12
HINT = 1


def admit(manager, request):
    wanted = read_response_format(request.response_format)
    if wanted is None:
        request.response_format = None
        return
    key = (manager.fingerprint, wanted)
    guide = manager.compile_format(wanted)
    future = manager.cache.get(key, lambda: guide)
    manager.tickets[request.request_id] = (key, future)
