"""The ticket stays, and is given back a second time when the request ends."""

TODO = 13
HINT = 3


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
    manager.cache.give_back(key)
    request.structured_output_state = StructuredOutputState(guide)
    return True
