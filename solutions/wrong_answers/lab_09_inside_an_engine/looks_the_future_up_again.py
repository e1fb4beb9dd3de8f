"""The future is looked up in the cache, from which it may have been evicted."""

TODO = 13
HINT = 3


def is_ready(manager, request):
    if request.structured_output_state is not None:
        return True
    key, _ = manager.tickets[request.request_id]
    future = manager.cache.entries[key]
    if not future.done():
        return False
    state = StructuredOutputState(future.result())
    needed = state.guide.tokens_to_accept(state.current) + 1
    if manager.budget and needed > request.remaining:
        raise BudgetTooSmall(request.remaining, needed)
    del manager.tickets[request.request_id]
    manager.cache.give_back(key)
    request.structured_output_state = state
    return True
