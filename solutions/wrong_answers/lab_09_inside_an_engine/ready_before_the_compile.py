"""The engine waits until the guide is there, and so does everybody in the batch."""

TODO = 13
HINT = 1


def is_ready(manager, request):
    if request.structured_output_state is not None:
        return True
    key, future = manager.tickets[request.request_id]
    if not future.done():
        raise ValueError("its grammar is not compiled yet")
    guide = future.result()
    needed = guide.tokens_to_accept(guide.initial) + 1
    if manager.budget and needed > request.remaining:
        raise BudgetTooSmall(request.remaining, needed)
    del manager.tickets[request.request_id]
    manager.cache.give_back(key)
    request.structured_output_state = StructuredOutputState(guide)
    return True
