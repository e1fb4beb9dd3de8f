"""The state is set before the budget is checked, so a refused request has one and is ready when asked again."""

TODO = 13
HINT = 3


def is_ready(manager, request):
    if request.structured_output_state is not None:
        return True
    key, future = manager.tickets[request.request_id]
    if not future.done():
        return False
    request.structured_output_state = StructuredOutputState(future.result())
    needed = future.result().tokens_to_accept(future.result().initial) + 1
    if manager.budget and needed > request.remaining:
        raise BudgetTooSmall(request.remaining, needed)
    manager.tickets.pop(request.request_id)
    manager.cache.give_back(key)
    return True
