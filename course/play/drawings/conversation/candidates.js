// The likeliest tokens of one step as bars: what the model wants, and what the mask leaves.
const FAVOURITES = 6, LEFT = 4;

// {probabilities, allowed or null, id}: which tokens are shown: the model's favourites, what the mask left of the rest,
// and the token that was chosen. Likeliest first.
export function shownTokens({ probabilities, allowed, id }) {
  const byWish = (ids) => ids.sort((a, b) => probabilities[b] - probabilities[a]);
  const all = byWish([...probabilities.keys()]);
  const left = allowed ? all.filter((each) => allowed[each]) : all;
  return byWish([...new Set([...all.slice(0, FAVOURITES), ...left.slice(0, LEFT), id])]);
}

// {count, share}: how many tokens the mask allows, and how much of the model's probability they have.
export function leftByMask({ probabilities, allowed }) {
  let count = 0, share = 0;
  allowed.forEach((is, id) => { if (is) { count++; share += probabilities[id]; } });
  return { count, share };
}

const share = (part) => part > 0 && part < 0.0005 ? "<0.1%" : percent(part);

// tap(id) is called for the token that the reader puts in place of the chosen one.
export function candidates(step, nameOf, tap) {
  const { probabilities, allowed, id: chosen } = step, ids = shownTokens(step);
  const left = allowed ? leftByMask(step).share || 1 : 1, most = Math.max(...ids.map((id) => probabilities[id]));
  const rows = ids.map((id) => {
    const struck = allowed !== null && !allowed[id], wanted = probabilities[id];
    const fate = struck ? "struck" : share(wanted / left);
    return make(`button.candidate${struck ? ".struck-out" : ""}${id === chosen ? ".chosen" : ""}`, {
      type: "button", onclick: () => tap(id), "aria-pressed": String(id === chosen),
      "aria-label": `${nameOf(id)}: the model wants ${share(wanted)}, ${struck ? "struck" : `the mask leaves ${fate}`}`,
    }, make("code", {}, nameOf(id)),
      make("span.track", {}, make("span.wish", { style: `width:${(100 * wanted / most).toFixed(1)}%` })),
      make("span.number", {}, share(wanted)), make("span.number", {}, allowed ? fate : ""));
  });
  return make("div.candidates", { role: "group", "aria-label": "the likeliest tokens" },
    make("div.candidate.head", { "aria-hidden": "true" }, make("span", {}, "token"), make("span", {}, "the model wants"),
      make("span", {}, ""), make("span", {}, allowed ? "mask leaves" : "")), rows);
}
