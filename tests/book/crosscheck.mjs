// The page's side of crosscheck.py: reads what Python found from stdin, and writes what differs to stdout.
import { readFileSync } from "node:fs";
import { grammarGuide, regexGuide, schemaGuide, vocabularyOf } from "../../course/play/engine/guides/guides.js";
import { Refused } from "../../course/play/engine/refusals.js";

const { tokens, eosId, specialIds, cases } = JSON.parse(readFileSync(0, "utf8"));
const bytesOf = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (byte) => parseInt(byte, 16));
const vocabulary = vocabularyOf({ tokens: tokens.map(bytesOf), eosId, specialIds });
const made = { regex: regexGuide, json_schema: schemaGuide, grammar: grammarGuide };

// Milliseconds of this process, so that a busy machine makes nothing slower.
const now = () => process.cpuUsage().user / 1000;
const timed = (times, action) => {
  const start = now(), found = action();
  times.push(now() - start);
  return found;
};
const hexOf = (mask) => {
  const packed = new Uint8Array(Math.ceil(mask.length / 8));
  mask.forEach((bit, id) => (packed[id >> 3] |= bit << (id & 7)));
  return Buffer.from(packed).toString("hex");
};
const idsOf = (hex) => [...bytesOf(hex)].flatMap((byte, n) => [0, 1, 2, 3, 4, 5, 6, 7].flatMap((bit) => ((byte >> bit) & 1 ? [8 * n + bit] : [])));

// Walk as Python did, and note the first mask of each walk that differs.
function compared(guide, walks, times) {
  let equal = 0;
  const different = [];
  for (const { ids, remaining, masks } of walks) {
    let state = guide.initial;
    for (let n = 0; n < masks.length; n++) {
      const mine = timed(times, () => hexOf(guide.mask(state, remaining[n] ?? Infinity)));
      if (mine !== masks[n]) {
        const [page, python] = [new Set(idsOf(mine)), new Set(idsOf(masks[n]))];
        const more = [...page].filter((id) => !python.has(id)), less = [...python].filter((id) => !page.has(id));
        different.push({ ids: ids.slice(0, n), remaining: remaining[n], more, less });
        break;
      }
      equal++;
      if (n < ids.length && ids[n] !== eosId) state = guide.advance(state, ids[n]);
    }
  }
  return { equal, different };
}

function answer({ kind, source, walks }) {
  const times = [], start = now();
  try {
    const guide = made[kind](source, vocabulary);
    guide.mask(guide.initial);
    const first = now() - start;
    return { ...compared(guide, walks, times), first, slowest: Math.max(0, ...times), refused: null };
  } catch (error) {
    const refused = error instanceof Refused ? `${error.message}, at ${error.place}` : `CRASH ${error.stack}`;
    return { equal: 0, different: [], refused, crashed: !(error instanceof Refused), first: now() - start };
  }
}
process.stdout.write(JSON.stringify(cases.map(answer)));
