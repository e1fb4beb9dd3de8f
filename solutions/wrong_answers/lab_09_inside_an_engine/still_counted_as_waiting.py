"""A request that has started still counts as one that waits for its compile."""

TODO = 13
HINT = 3


def is_ready(manager, request):
    if request.structured_output_state is not None:
        return True
    _, future = manager.tickets[request.request_id]
    if not future.done():
        return False
    guide = future.result()
    needed = guide.tokens_to_accept(guide.initial) + 1
    if manager.budget and needed > request.remaining:
        raise BudgetTooSmall(request.remaining, needed)
    del manager.tickets[request.request_id]
    request.structured_output_state = StructuredOutputState(guide)
    return True
