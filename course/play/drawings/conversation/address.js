// What the reader asks, and the page's address, which holds all of it: a find can be sent to a friend.

// {prompt, kind: "schema" or "pattern", source, seed, temperature, checkpoint, forced: {free, masked}, side, at}
// forced says which tokens the reader has put in place of the drawn ones: {number of the step: token id}.
export const SIDES = ["free", "masked"];

const asText = (forced) => Object.entries(forced).map(([step, id]) => `${step}.${id}`).join(",");
const asForced = (text) => Object.fromEntries(
  [...(text || "").matchAll(/(\d+)\.(\d+)/g)].map(([, step, id]) => [Number(step), Number(id)]));
const between = (text, least, most, otherwise) => {
  const number = Number(text);
  return text && Number.isFinite(number) ? Math.min(most, Math.max(least, number)) : otherwise;
};

export function addressOf(asked) {
  const fields = new URLSearchParams({ prompt: asked.prompt, [asked.kind]: asked.source });
  if (asked.seed) fields.set("seed", asked.seed);
  if (asked.temperature !== 1) fields.set("temperature", asked.temperature);
  if (asked.checkpoint !== "final") fields.set("model", asked.checkpoint);
  for (const side of SIDES) if (asText(asked.forced[side])) fields.set(side, asText(asked.forced[side]));
  if (asked.at !== null) fields.set("at", `${asked.side}.${asked.at}`);
  return `#${fields}`;
}

// Null for an address that asks nothing, such as a chapter's anchor.
export function askedIn(hash) {
  const fields = new URLSearchParams(hash.slice(1));
  const kind = ["schema", "pattern"].find((each) => fields.has(each));
  if (!kind || !fields.has("prompt")) return null;
  const [side, at] = (fields.get("at") || "").split(".");
  return {
    prompt: fields.get("prompt"), kind, source: fields.get(kind),
    seed: Math.floor(between(fields.get("seed"), 0, 2 ** 32, 0)),
    temperature: between(fields.get("temperature"), 0, 3, 1),
    checkpoint: fields.get("model") === "early" ? "early" : "final",
    forced: Object.fromEntries(SIDES.map((each) => [each, asForced(fields.get(each))])),
    side: SIDES.includes(side) ? side : "masked", at: /^\d+$/.test(at) ? Number(at) : null,
  };
}
