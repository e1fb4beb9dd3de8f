// The likeliest tokens of one step as bars: what the model wants, and what the mask leaves.
const FAVOURITES = 6, LEFT = 3;

// {probabilities, allowed or null, id}: which tokens are shown: the model's favourites, what the mask left of the rest,
// and the token that was chosen. Likeliest first.
export function shownTokens({ probabilities, allowed, id }) {
  const byWish = (ids) => ids.sort((a, b) => probabilities[b] - probabilities[a]);
  const all = byWish([...probabilities.keys()]), left = allowed ? all.filter((each) => allowed[each]) : [];
  return byWish([...new Set([...all.slice(0, FAVOURITES), ...left.slice(0, LEFT), id])]);
}

// {count, share}: how many tokens the mask allows, and how much of the model's probability they have.
export function leftByMask({ probabilities, allowed }) {
  let count = 0, share = 0;
  allowed.forEach((isAllowed, id) => { if (isAllowed) { count++; share += probabilities[id]; } });
  return { count, share };
}

export const shareOf = (part) => part > 0 && part < 0.0005 ? "<0.1%" : percent(part);

// What is told of each token: {id, name, wanted, left, isStruck}; left is null where there's no mask.
export function barsOf(step, tokenName) {
  const { probabilities, allowed } = step, share = allowed ? leftByMask(step).share || 1 : 1;
  return shownTokens(step).map((id) => {
    const isStruck = Boolean(allowed) && !allowed[id], wanted = probabilities[id];
    return { id, name: tokenName(id), wanted, isStruck, left: allowed && !isStruck ? wanted / share : null };
  });
}

// tap(id) is called for a token that the reader wants in place of the chosen one.
export function candidates(step, tokenName, tap) {
  const bars = barsOf(step, tokenName), most = Math.max(...bars.flatMap(({ wanted, left }) => [wanted, left ?? 0]));
  const bar = (name, part) => make(name, { style: `width:${(100 * part / most).toFixed(1)}%` });
  const rows = bars.map(({ id, name, wanted, left, isStruck }) => {
    const fate = isStruck ? (step.would ? "would be struck" : "struck") : left === null ? "" : shareOf(left);
    return make(`button.candidate${isStruck ? ".struck-out" : ""}${id === step.id ? ".chosen" : ""}`, {
      type: "button", "data-id": id, onclick: () => tap(id), "aria-pressed": String(id === step.id),
      "aria-label": [`${name}: the model wants ${shareOf(wanted)}`, isStruck ? fate : fate && `the mask leaves ${fate}`].filter(Boolean).join(", "),
    }, make("code", {}, name), make("span.track", {}, left === null ? [] : bar("span.left", left), bar("span.wish", wanted)),
      make("span.number", {}, shareOf(wanted)), make("span.fate", {}, fate));
  });
  return make("div.candidates", { role: "group", "aria-label": "the likeliest tokens" },
    make("div.candidate.head", { "aria-hidden": "true" }, ["token", "the model wants", "", step.allowed ? step.would ? "a mask" : "the mask leaves" : ""].map((head) => make("span", {}, head))), rows);
}
