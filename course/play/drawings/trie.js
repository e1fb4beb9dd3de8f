// {pattern, automaton, nodes: [[node, prefix, tokens]], walks: [{state, looked: [[node, alive]], naive}]}
kinds.trie = (data, section) => {
  const view = make("div.trie", { role: "group", "aria-label": "nodes of the trie" }), said = make("p", { "aria-live": "polite" });
  const drawing = automaton(data.automaton);
  let walk;
  const boxes = new Map(data.nodes.map(([node, prefix, tokens]) => [node, make(tokens ? "span.token.whole" : "span.token", { title: `${tokens} tokens end here` }, prefix)]));
  view.append(...boxes.values());
  const bar = slider(section, "look-ups", (at) => {
    for (const box of boxes.values()) box.classList.remove("alive", "struck");
    for (const [node, alive] of walk.looked.slice(0, at)) boxes.get(node).classList.add(alive ? "alive" : "struck");
    said.textContent = `${at} look-ups over the trie of ${walk.looked.length}; token by token it would be ${walk.naive}`;
    return `${at} of ${walk.looked.length} look-ups`;
  });
  const start = (number) => { walk = data.walks[number]; bar.set(walk.looked.length + 1); drawing.light(walk.state); };
  section.append(make("h3", {}, data.title), make("p", {}, "pattern ", make("code", {}, data.pattern), "; a bold prefix is a token, green is alive, struck ends its branch"),
    choice("from state", data.walks.map((each) => each.state), start), drawing.figure, bar.bar, said, view);
  start(0);
};
