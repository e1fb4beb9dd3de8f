// The tokens of an answer as text.
import { hexOf, repr } from "../shown_text.js";

// What each token adds to the text. A token within a character adds nothing until its last byte is there.
export function piecesOf(ids, tokenBytes) {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  return ids.map((id) => decoder.decode(tokenBytes[id], { stream: true }));
}
export const textOf = (answer, tokenizer) => tokenizer.decode(answer.ids, { special: true });

// A token as it's named beside its bar: as Python writes it, or its bytes where they are no text.
export function tokenName(id, tokenizer) {
  if (id === tokenizer.eosId) return "(end)";
  const bytes = tokenizer.tokenBytes[id];
  try { return repr(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)); }
  catch { return hexOf(bytes); }
}
