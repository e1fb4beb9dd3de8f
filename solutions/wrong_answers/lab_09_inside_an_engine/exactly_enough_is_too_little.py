"""A budget that is just enough is refused."""

TODO = 13
HINT = 2


def is_ready(manager, request):
    if request.structured_output_state is not None:
        return True
    key, future = manager.tickets[request.request_id]
    if not future.done():
        return False
    guide = future.result()
    needed = guide.tokens_to_accept(guide.initial) + 1
    if manager.budget and needed >= request.remaining:
        raise BudgetTooSmall(request.remaining, needed)
    del manager.tickets[request.request_id]
    manager.cache.give_back(key)
    request.structured_output_state = StructuredOutputState(guide)
    return True
