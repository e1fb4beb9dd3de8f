"""A budget that no match fits into is found out only when the mask is empty."""

TODO = 13
HINT = 2


def is_ready(manager, request):
    if request.structured_output_state is not None:
        return True
    key, future = manager.tickets[request.request_id]
    if not future.done():
        return False
    guide = future.result()
    del manager.tickets[request.request_id]
    manager.cache.give_back(key)
    request.structured_output_state = StructuredOutputState(guide)
    return True
