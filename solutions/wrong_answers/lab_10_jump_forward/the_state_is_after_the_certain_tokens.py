"""The state moves to where the certain tokens end, also where the budget cuts the tail before."""

TODO = 8
HINT = 3


def jump(jumper, state, written, remaining):
    guide, tokens, last = state.guide, jumper.tokens, written[-1:]
    run = forced_run(guide, state.current, remaining * tokens.longest)
    tail = [*last, *longest_tokens(run, tokens)]
    if jumper.policy == "single":
        tail = [*last, *single_tokens(guide, state.current, remaining)]
    elif jumper.policy == "whole" and run:
        tail = retokenized(last, run, tokens)
    pieces = [tokens.bytes_of([token_id]) for token_id in tail]
    after = states_along(guide, state.current, tokens.bytes_of(last), pieces)
    before = [None if last else state.current, *after[:-1]]
    certain = certain_tokens(guide, before, pieces, tokens) if jumper.policy == "whole" else len(tail)
    kept = within_budget(guide, after[:certain], remaining + len(last))
    if sum(map(len, pieces[:kept])) <= len(tokens.bytes_of(last)):
        return []
    state.current = after[certain - 1]
    return tail[:kept]
