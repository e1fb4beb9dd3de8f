"""A request that is asked again has no ticket any more, and that is an error."""

TODO = 13
HINT = 2


def is_ready(manager, request):
    key, future = manager.tickets[request.request_id]
    if not future.done():
        return False
    guide = future.result()
    needed = guide.tokens_to_accept(guide.initial) + 1
    if manager.budget and needed > request.remaining:
        raise BudgetTooSmall(request.remaining, needed)
    del manager.tickets[request.request_id]
    manager.cache.give_back(key)
    request.structured_output_state = StructuredOutputState(guide)
    return True
