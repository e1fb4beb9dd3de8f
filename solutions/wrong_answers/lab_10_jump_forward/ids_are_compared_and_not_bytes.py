"""Only the very same id counts as no jump, and another one for the same bytes as a jump."""

TODO = 8
HINT = 2


def jump(jumper, state, written, remaining):
    guide, tokens, last = state.guide, jumper.tokens, written[-1:]
    if jumper.policy == "single":
        tail = [*last, *single_tokens(guide, state.current, remaining)]
    else:
        run = forced_run(guide, state.current, remaining * tokens.longest)
        if not run:
            return []
        tail = retokenized(last, run, tokens) if jumper.policy == "whole" else [*last, *longest_tokens(run, tokens)]
    pieces = [tokens.bytes_of([token_id]) for token_id in tail]
    after = states_along(guide, state.current, tokens.bytes_of(last), pieces)
    if jumper.policy == "whole":
        before = [None if last else state.current, *after[:-1]]
        after = after[: certain_tokens(guide, before, pieces, tokens)]
    kept = within_budget(guide, after, remaining + len(last))
    if kept == 0 or [*tail[:kept]] == [*last]:
        return []
    state.current = after[kept - 1]
    return tail[:kept]
