// The small model's tokenizer, as labkit/small_model/tokenizer.py has it: byte-level BPE of 1,024 tokens.

// Words with the space before them, pairs of digits, runs of punctuation and space. Non-ASCII characters are letters.
const LETTER = "[^\\x00-\\x40\\x5B-\\x60\\x7B-\\x7F]";
const OTHER = "[\\x00-\\x2F\\x3A-\\x40\\x5B-\\x60\\x7B-\\x7F]";
const PIECES = new RegExp(` ?${LETTER}+|[0-9]{1,2}|${OTHER}+(?= ${LETTER})|${OTHER}+`, "gu");

// Bytes as a string with one character for each of them, since only strings can be a map's keys.
const asKey = (bytes) => String.fromCharCode(...bytes);
const asBytes = (key) => Uint8Array.from(key, (char) => char.charCodeAt(0));

export class Tokenizer {
  // merged: the tokens after the 256 bytes, in the order of their training, each as a string of characters U+0000 to
  // U+00FF. special: the names of the special tokens, which have the last ids; the first of them is EOS.
  constructor({ merged, special }) {
    const keys = [...Array.from({ length: 256 }, (_, byte) => String.fromCharCode(byte)), ...merged];
    this.ranks = new Map(keys.map((key, rank) => [key, rank]));
    this.tokenBytes = [...keys.map(asBytes), ...special.map((name) => new TextEncoder().encode(name))];
    this.eosId = keys.length;
    this.special = new Map(special.map((name, place) => [name, keys.length + place]));
    this.specialIds = new Set(this.special.values());
  }

  // The ids of a text, in which the names of special tokens are ordinary text.
  encode(text) {
    const half = /\p{Surrogate}/u.exec(text);
    if (half) {
      const code = half[0].charCodeAt(0).toString(16).toUpperCase(), place = [...text.slice(0, half.index)].length;
      throw new RangeError(`the text has half a surrogate pair, U+${code}, at position ${place}`);
    }
    const pieces = text.match(PIECES) ?? [];
    return pieces.flatMap((piece) => this.encodePiece(asKey(new TextEncoder().encode(piece))));
  }

  // Join the two neighbours that make the token of the lowest rank, until no two make a token.
  encodePiece(key) {
    if (this.ranks.has(key)) return [this.ranks.get(key)];
    const parts = [...key];
    for (;;) {
      let best = Infinity, place = -1;
      for (let n = 0; n + 1 < parts.length; n++) {
        const rank = this.ranks.get(parts[n] + parts[n + 1]) ?? Infinity;
        if (rank < best) [best, place] = [rank, n];
      }
      if (place < 0) return parts.map((part) => this.ranks.get(part));
      parts.splice(place, 2, parts[place] + parts[place + 1]);
    }
  }

  // The text of ids; what isn't UTF-8 becomes U+FFFD. With special, special tokens show their names.
  decode(ids, { special = false } = {}) {
    const shown = special ? ids : ids.filter((id) => !this.specialIds.has(id));
    const bytes = shown.flatMap((id) => [...this.tokenBytes[id]]);
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(Uint8Array.from(bytes));
  }

  // The ids that the model reads before its answer.
  prompt(text) {
    return [this.special.get("<|user|>"), ...this.encode(text), this.special.get("<|assistant|>")];
  }
}
