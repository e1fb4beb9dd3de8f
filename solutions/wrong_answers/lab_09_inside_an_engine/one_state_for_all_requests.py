"""The state is kept with the guide, so that requests with one grammar share it."""

TODO = 13
HINT = 1


def is_ready(manager, request):
    if request.structured_output_state is not None:
        return True
    key, future = manager.tickets[request.request_id]
    if not future.done():
        return False
    guide = future.result()
    needed = guide.tokens_to_accept(guide.initial) + 1
    if manager.budget and needed > request.remaining:
        raise BudgetTooSmall(request.remaining, needed)
    del manager.tickets[request.request_id]
    manager.cache.give_back(key)
    vars(guide).setdefault("state", StructuredOutputState(guide))
    request.structured_output_state = guide.state
    return True
