// Lab 13: a model that is a list of texts with weights, what a mask leaves of it, and what would be fair.

// A line is a weight, then the tokens of a text. A token such as [0-9] stands for ten texts, with a tenth of the weight
// each. Returns [{tokens, weight}]; a line that can't be read is a problem, {problem, line}.
export function textsOf(source) {
  const texts = [];
  for (const [line, written] of source.split("\n").entries()) {
    const [weight, ...tokens] = written.trim().split(/\s+/);
    if (!weight) continue;
    if (!(Number(weight) >= 0) || !Number.isFinite(Number(weight)))
      return { problem: `${weight} is no weight`, line: line + 1 };
    if (!tokens.length) return { problem: "this line has a weight and no text", line: line + 1 };
    const all = tokens
      .map(meant)
      .reduce((done, next) => done.flatMap((text) => next.map((each) => [...text, each])), [[]]);
    texts.push(...all.map((each) => ({ tokens: each, weight: Number(weight) / all.length })));
  }
  if (!texts.some(({ weight }) => weight > 0)) return { problem: "no text has a weight above 0", line: 1 };
  return texts;
}
function meant(token) {
  const range = /^\[(.)-(.)\]$/u.exec(token);
  if (!range) return [token];
  const [first, last] = range.slice(1).map((char) => char.codePointAt(0));
  return Array.from({ length: Math.max(last - first + 1, 0) }, (_, n) => String.fromCodePoint(first + n));
}

// The same texts, with the illegal ones weighing `share` of all.
export function withForbidden(texts, isLegal, share) {
  const mass = (which) =>
    texts.reduce((sum, text) => sum + (isLegal(text.tokens.join("")) === which ? text.weight : 0), 0);
  const [legal, illegal] = [mass(true), mass(false)];
  if (!legal || !illegal) return texts;
  return texts.map(({ tokens, weight }) => ({
    tokens,
    weight: isLegal(tokens.join("")) ? (weight / legal) * (1 - share) : (weight / illegal) * share,
  }));
}

// A node for each prefix: {text, chance of the token that leads there, end: the chance of EOS, below: [node]}. Each knows
// whether the mask lets it be written and whether it lets EOS come, and its weight: how likely the model, left alone from
// there, ends its text legally.
export function prefixTree(texts, isViable, isLegal) {
  const grown = (text, own) => {
    const mass = own.reduce((sum, each) => sum + each.weight, 0),
      groups = new Map();
    let end = 0;
    for (const {
      tokens: [first, ...rest],
      weight,
    } of own) {
      if (first === undefined) end += weight;
      else groups.set(first, [...(groups.get(first) || []), { tokens: rest, weight }]);
    }
    const below = [...groups].map(([token, rest]) => {
      const share = rest.reduce((sum, each) => sum + each.weight, 0);
      return { ...grown(text + token, rest), chance: mass ? share / mass : 0 };
    });
    const node = {
      text,
      below,
      end: mass ? end / mass : 0,
      ends: own.some(({ tokens }) => !tokens.length),
      viable: isViable(text),
      legal: isLegal(text),
    };
    node.weight =
      (node.legal ? node.end : 0) + below.reduce((sum, each) => sum + (each.viable ? each.chance * each.weight : 0), 0);
    return node;
  };
  return { ...grown("", texts), chance: 1 };
}

// How often each text is written, and each prefix at which nothing legal has any probability is got stuck at:
// [{text, legal, chance, stuck}], in the tree's order. Each step goes by probability times weight to the power of `lean`:
// 0 is masked, 1 is fair.
export function written(tree, lean) {
  const found = [];
  (function visit(node, chance) {
    const odds = node.below.map((each) => (each.viable ? each.chance * each.weight ** lean : 0)),
      last = node.legal ? node.end : 0;
    const sum = odds.reduce((all, each) => all + each, last),
      stuck = chance > 0 && !sum;
    if (node.ends || stuck)
      found.push({
        text: node.text,
        legal: node.legal,
        chance: stuck ? chance : sum ? (chance * last) / sum : 0,
        stuck,
      });
    node.below.forEach((each, n) => visit(each, sum ? (chance * odds[n]) / sum : 0));
  })(tree, 1);
  return found;
}
