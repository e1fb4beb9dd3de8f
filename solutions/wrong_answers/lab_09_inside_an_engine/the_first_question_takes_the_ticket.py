"""The ticket is taken out at the first question, so the next one, while the grammar compiles, finds none."""

TODO = 13
HINT = 3


def is_ready(manager, request):
    if request.structured_output_state is not None:
        return True
    key, future = manager.tickets.pop(request.request_id)
    if not future.done():
        return False
    manager.cache.give_back(key)
    state = StructuredOutputState(future.result())
    needed = state.guide.tokens_to_accept(state.current) + 1
    if manager.budget and needed > request.remaining:
        raise BudgetTooSmall(request.remaining, needed)
    request.structured_output_state = state
    return True
