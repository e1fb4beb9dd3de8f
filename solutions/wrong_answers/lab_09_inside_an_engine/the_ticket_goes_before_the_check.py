"""Ticket and count are given back before the guide and the budget are looked at, which may raise."""

TODO = 13
HINT = 3


def is_ready(manager, request):
    if request.structured_output_state is not None:
        return True
    key, future = manager.tickets[request.request_id]
    if not future.done():
        return False
    del manager.tickets[request.request_id]
    manager.cache.give_back(key)
    state = StructuredOutputState(future.result())
    needed = state.guide.tokens_to_accept(state.current) + 1
    if manager.budget and needed > request.remaining:
        raise BudgetTooSmall(request.remaining, needed)
    request.structured_output_state = state
    return True
