"""What lab 13 says of weighted texts under a pattern: the oracle of ``fairness.test.mjs``."""

import math
from random import Random

import numpy as np
import regex

from labs.lab_13_fair_sampling.given.markov import END
from labs.lab_13_fair_sampling.solution import backward_weights, fair_distribution

PATTERNS = ("no|yes", "1[0-9]|2[0-3]", "(ab|a)*c?", "a+b", "[ab]{2,3}")
EOS = 99
SOURCES = [
    ["4 no\n\n 1 yes \n3 yes terday", "no|yes"],
    ["50 1 [0-9]\n20 2 [0-3]\n30 2 [4-9]", "1[0-9]|2[0-3]"],
    ["0.5 a\n1e2 b", "a"],
]


def oracle(folder):
    rng, cases = Random(13), [case_of(lines(source), pattern) | {"source": source} for source, pattern in SOURCES]
    for number in range(200):
        pattern = PATTERNS[number % len(PATTERNS)]
        tokens = rng.sample(["a", "b", "ab", "c", "no", "yes", "1", "2", "0", "5", "terday"], 5)
        texts = {tuple(rng.choices(tokens, k=rng.randint(1, 3))): rng.randint(0, 9) for _ in range(rng.randint(1, 9))}
        if len({"".join(text) for text in texts}) == len(texts) and any(texts.values()):
            cases.append(case_of(texts, pattern))
    return cases


def lines(source):
    """The texts of a source in which each line has one, or a digit for which ``[0-9]`` stands."""
    texts = {}
    for line in filter(str.strip, source.splitlines()):
        weight, *tokens = line.split()
        ends = range(int(tokens[-1][1]), int(tokens[-1][3]) + 1) if tokens[-1].startswith("[") else [tokens[-1]]
        texts |= {(*tokens[:-1], str(end)): float(weight) / len(ends) for end in ends}
    return texts


def case_of(texts, pattern):
    """The chain of a trie: a node for each prefix, and what each text's chances are, masked and fair."""
    viable = {p for t in texts for n in range(len(t) + 1) if fits(pattern, p := "".join(t[:n]))}
    prefixes = sorted({t[:n] for t in texts for n in range(len(t) + 1)}, key=len)
    mass = {p: sum(weight for t, weight in texts.items() if t[: len(p)] == p) for p in prefixes}
    names = sorted({token for t in texts for token in t})
    chain = []
    for p in prefixes:
        below = [each for each in prefixes if each[:-1] == p and len(each) == len(p) + 1]
        row = {
            names.index(q[-1]): (prefixes.index(q), mass[q] / mass[p])
            for q in below
            if mass[p] and "".join(q) in viable
        }
        if mass[p] and p in texts and regex.fullmatch(pattern, "".join(p)):
            row[EOS] = (END, texts[p] / mass[p])
        chain.append({token: (to, math.log(share)) for token, (to, share) in row.items() if share})
    weights = backward_weights(chain)
    return {
        "pattern": pattern,
        "texts": [[list(t), weight] for t, weight in texts.items()],
        "viable": sorted(viable),
        "legal": [text for text in map("".join, texts) if regex.fullmatch(pattern, text)],
        "weights": {"".join(p): float(np.exp(weights[n])) for n, p in enumerate(prefixes)},
        "masked": chances(chain, np.zeros(len(chain) + 1), prefixes),
        "fair": chances(chain, weights, prefixes) if weights[0] > -np.inf else None,
    }


def fits(pattern, text):
    return bool(regex.fullmatch(pattern, text, partial=True))


def chances(chain, weights, prefixes):
    """How often each text is written, and each prefix without a legal token is got stuck at."""
    found, waiting = {}, [(0, 1.0)]
    for node, chance in waiting:
        row = fair_distribution(chain[node], weights)
        if not row:
            found["".join(prefixes[node]) + " stuck"] = chance
        for token, share in row.items():
            if token == EOS:
                found["".join(prefixes[node])] = chance * share
            else:
                waiting.append((chain[node][token][0], chance * share))
    return found
