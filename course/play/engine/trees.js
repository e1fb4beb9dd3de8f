// Lab 06's trees of regular expressions. Equal nodes are one object, so that equal states get one number.
export class Trees {
  constructor() {
    this.known = new Map();
    this.empty = this.row([]);
    this.nothing = this.choice([]);
  }

  // empty: whether a node matches nothing but the empty text, as far as its shape shows.
  node(kind, key, rest) {
    const name = `${kind} ${key}`;
    if (!this.known.has(name)) this.known.set(name, { kind, id: this.known.size, empty: false, ...rest });
    return this.known.get(name);
  }

  chars(ranges) {
    return this.node("chars", ranges.join(), { ranges });
  }

  // Any text of a rule: rules are {names, bodies, trees}, with a name and a tree for each; rule 0 is the whole.
  call(rule) {
    return this.node("call", rule, { rule });
  }

  // One part after the other.
  row(parts) {
    return this.node("concat", ids(parts), { parts, empty: parts.every((part) => part.empty) });
  }

  choice(options) {
    return this.node("either", ids(options), { options, empty: options.length > 0 && options.every((each) => each.empty) });
  }

  // most: null for any number.
  times(body, least, most) {
    return this.node("repeat", [body.id, least, most], { body, least, most, empty: most === 0 });
  }
}

const ids = (nodes) => nodes.map((node) => node.id).join();
