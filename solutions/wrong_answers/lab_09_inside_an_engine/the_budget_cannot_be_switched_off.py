"""The budget is checked even where the manager has none."""

TODO = 13
HINT = 2


def is_ready(manager, request):
    if request.structured_output_state is not None:
        return True
    key, future = manager.tickets[request.request_id]
    if not future.done():
        return False
    state = StructuredOutputState(future.result())
    needed = state.guide.tokens_to_accept(state.current) + 1
    if needed > request.remaining:
        raise BudgetTooSmall(request.remaining, needed)
    del manager.tickets[request.request_id]
    manager.cache.give_back(key)
    request.structured_output_state = state
    return True
