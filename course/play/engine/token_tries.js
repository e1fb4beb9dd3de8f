// The tokens of a vocabulary as a trie of their bytes, which a guide walks once for each state.

// tokens: a Uint8Array for each id. specialIds: those that are never text; the end, eosId, is one of them.
export function vocabularyOf({ tokens, eosId, specialIds = [] }) {
  const special = new Set([...specialIds, eosId]), root = newNode();
  tokens.forEach((bytes, id) => !special.has(id) && bytes.length && add(root, bytes, id));
  const written = tokens.filter((_, id) => !special.has(id)), single = written.filter((bytes) => bytes.length === 1);
  const longest = written.reduce((most, { length }) => Math.max(most, length), 1);
  return { tokens, eosId, root, longest, hasAllBytes: new Set(single.map(([byte]) => byte)).size === 256 };
}

// {children: byte to node, ids: of the tokens that end here}
const newNode = () => ({ children: new Map(), ids: [] });

function add(root, bytes, id) {
  let node = root;
  for (const byte of bytes) {
    if (!node.children.has(byte)) node.children.set(byte, newNode());
    node = node.children.get(byte);
  }
  node.ids.push(id);
}
