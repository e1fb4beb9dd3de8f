// Formats as patterns of lab 06. What validators disagree on is left out, so nothing invalid is matched.
const BY_FOUR = "0[48]|[2468][048]|[13579][26]",
  YEAR = "(000[1-9]|00[1-9][0-9]|0[1-9][0-9]{2}|[1-9][0-9]{3})";
const LEAP_YEAR = `([0-9]{2}(${BY_FOUR})|(${BY_FOUR})00)`;
const DAY_OF_YEAR =
  "((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))";
const DATE = `(${YEAR}-${DAY_OF_YEAR}|${LEAP_YEAR}-02-29)`,
  CLOCK = "([01][0-9]|2[0-3]):[0-5][0-9]";
const TIME = `${CLOCK}:[0-5][0-9](\\.[0-9]+)?([zZ]|[+-]${CLOCK})`;
const MINUTES = "[0-9]+M([0-9]+S)?",
  CLOCK_PART = `T([0-9]+H(${MINUTES})?|${MINUTES}|[0-9]+S)`,
  MONTHS = "[0-9]+M([0-9]+D)?";
const DURATION = `P(([0-9]+Y(${MONTHS})?|${MONTHS}|[0-9]+D)(${CLOCK_PART})?|${CLOCK_PART}|[0-9]+W)`;

const OCTET = "(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])",
  IPV4 = `${OCTET}(\\.${OCTET}){3}`,
  GROUP_OF_4 = "[0-9a-fA-F]{1,4}";
const LAST_GROUPS = `(${GROUP_OF_4}:${GROUP_OF_4}|${IPV4})`;
const TAILS = [...[5, 4, 3, 2, 1, 0].map((number) => `(${GROUP_OF_4}:){${number}}${LAST_GROUPS}`), GROUP_OF_4, ""];
const SHORT_FORMS = [1, 2, 3, 4, 5, 6, 7].map((n) => `(${GROUP_OF_4}(:${GROUP_OF_4}){0,${n - 1}})?::${TAILS[n]}`);
const IPV6 = [`(${GROUP_OF_4}:){6}${LAST_GROUPS}`, `::${TAILS[0]}`, ...SHORT_FORMS].join("|");

const ESCAPED_BYTE = "%[0-9A-Fa-f]{2}",
  UNRESERVED = "A-Za-z0-9._~\\-",
  DELIMITERS = "!$&'()*+,;=";
const FUTURE = `[vV][0-9A-Fa-f]+\\.[:${UNRESERVED}${DELIMITERS}]+`;
const planes = Array.from({ length: 14 }, (_, n) => (n + 1) << 16);
const BEYOND_ASCII =
  "\xa0-\u200d\u2010-\u2029\u202f-\ud7ff\uf900-\ufdcf\ufdf0-\uffef" +
  planes
    .map(
      (plane) =>
        `${String.fromCodePoint(plane + (plane === 14 << 16 ? 0x1000 : 0))}-${String.fromCodePoint(plane + 0xfffd)}`,
    )
    .join("");
const PRIVATE = "\ue000-\uf8ff\u{f0000}-\u{ffffd}\u{100000}-\u{10fffd}";

// Patterns of identifiers with a scheme, and of those and relative references: RFC 3986, sections 3 and 4.
function identifiers(letters, onlyInQueries) {
  const unreserved = letters + DELIMITERS,
    segmentChar = `([:@${unreserved}]|${ESCAPED_BYTE})`,
    segments = `(/${segmentChar}*)*`;
  const rootless = `${segmentChar}+${segments}`,
    host = `(\\[(${IPV6}|${FUTURE})\\]|([${unreserved}]|${ESCAPED_BYTE})*)`;
  const authority = `//(([:${unreserved}]|${ESCAPED_BYTE})*@)?${host}(:[0-9]*)?${segments}`,
    fromRoot = `/(${rootless})?`;
  const withoutColon = `([@${unreserved}]|${ESCAPED_BYTE})+${segments}`;
  const query = `(\\?([/?:@${onlyInQueries}${unreserved}]|${ESCAPED_BYTE})*)?`;
  const fragment = `(#([/?:@${unreserved}]|${ESCAPED_BYTE})*)?`;
  const absolute = `[A-Za-z][A-Za-z0-9+.-]*:(${authority}|${fromRoot}|${rootless}|)${query}${fragment}`;
  return [absolute, `${absolute}|(${authority}|${fromRoot}|${withoutColon}|)${query}${fragment}`];
}

const [URI, URI_REFERENCE] = identifiers(UNRESERVED, ""),
  [IRI, IRI_REFERENCE] = identifiers(BEYOND_ASCII + UNRESERVED, PRIVATE);
const LITERAL = `([!#$&-;=?-\\[\\]_a-z~${BEYOND_ASCII}${PRIVATE}]|${ESCAPED_BYTE})`,
  NAME_CHAR = `([A-Za-z0-9_]|${ESCAPED_BYTE})`;
const VARIABLE = `${NAME_CHAR}(\\.?${NAME_CHAR})*(:[1-9][0-9]{0,3}|\\*)?`;
const URI_TEMPLATE = `(${LITERAL}|\\{[+#./;?&]?${VARIABLE}(,${VARIABLE})*\\})*`;
const HEX = "[0-9a-fA-F]",
  JSON_POINTER = "(/([^~/]|~[01])*)*";

// Names of up to so many labels, without hyphens in both third and fourth place, as Punycode has.
function labels(least, most, length) {
  const alnum = "[A-Za-z0-9]",
    inner = "[A-Za-z0-9-]";
  const long = `${inner}(${alnum}${inner}|-${alnum})${inner}{0,${length - 5}}${alnum}`;
  const label = `${alnum}(${inner}{0,2}${alnum}|${long})?`;
  return most > 1 ? `${label}(\\.${label}){${least - 1},${most - 1}}` : label;
}
const ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]";

// Each as {pattern}; of those that aren't all of a pattern, {but}: a pattern of what doesn't count.
export const FORMATS = {
  date: DATE,
  "date-time": `${DATE}[tT]${TIME}`,
  time: TIME,
  duration: DURATION,
  ipv4: IPV4,
  "ip-address": IPV4,
  ipv6: IPV6,
  uuid: `${HEX}{8}-(${HEX}{4}-){3}${HEX}{12}`,
  uri: URI,
  "uri-reference": URI_REFERENCE,
  iri: IRI,
  "iri-reference": IRI_REFERENCE,
  "uri-template": URI_TEMPLATE,
  "json-pointer": JSON_POINTER,
  "relative-json-pointer": `(0|[1-9][0-9]*)(#|${JSON_POINTER})`,
};
const HOST_NAME = `(${labels(1, 1, 63)}\\.){0,3}${labels(1, 1, 61)}|${labels(1, 3, 63)}|${labels(1, 8, 30)}`;
// A host name that looks like an address is none.
export const HOST_FORMATS = {
  hostname: { host: HOST_NAME },
  "host-name": { host: HOST_NAME },
  email: { local: `${ATOM}+(\\.${ATOM}+)*`, host: `${labels(2, 3, 62)}|${labels(2, 6, 30)}` },
};
export const NO_HOST = "[0-9]{1,3}(\\.[0-9]{1,3}){3}";
export const UNCOVERED_FORMATS = ["idn-email", "idn-hostname", "regex", "color", "style", "phone", "utc-millisec"];
