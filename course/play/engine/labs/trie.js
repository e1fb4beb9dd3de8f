// Lab 03: words in a trie, and a walk down the trie and through an automaton at the same time, with its look-ups counted.
// `step(state, char)` is the automaton: the state after a character, or -1.

// A node for each distinct prefix: {prefix, children: char to node, ids of the words that end there}. Node 0 is the root.
export function trieOf(words) {
  const nodes = [{ prefix: "", children: new Map(), ids: [] }];
  words.forEach((word, id) => {
    let node = 0;
    for (const char of word) {
      const { prefix, children } = nodes[node];
      if (!children.has(char)) {
        children.set(char, nodes.length);
        nodes.push({ prefix: prefix + char, children: new Map(), ids: [] });
      }
      node = children.get(char);
    }
    nodes[node].ids.push(id);
  });
  return nodes;
}

// The walk from a state: its look-ups in their order, {node, to}, and the row, word to state. A dead node's children are
// never looked at, so they are in no look-up.
export function trieWalk(nodes, state, step) {
  const looked = [],
    row = new Map(),
    waiting = [[0, state]];
  while (waiting.length) {
    const [node, here] = waiting.pop();
    for (const id of nodes[node].ids) row.set(id, here);
    for (const [char, below] of nodes[node].children) {
      const to = step(here, char);
      looked.push({ node: below, to });
      if (to >= 0) waiting.push([below, to]);
    }
  }
  return { looked, row };
}

// Without a trie each word pays for its characters up to the one that dies.
export function lookUpsWordByWord(words, state, step) {
  let count = 0;
  for (const word of words) {
    let here = state;
    for (const char of word) {
      count++;
      here = step(here, char);
      if (here < 0) break;
    }
  }
  return count;
}
