// Texts and bytes as a page shows them.
// Inside of markup that is put together as text.
export const escaped = (text) => text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);

// As Python writes a text.
export function repr(text) {
  const inner = JSON.stringify(text).slice(1, -1).replace(/\\"/g, '"');
  return inner.includes("'") && !inner.includes('"') ? `"${inner}"` : `'${inner.replace(/'/g, "\\'")}'`;
}

export const hexOf = (bytes) => [...bytes].map((byte) => byte.toString(16).toUpperCase().padStart(2, "0")).join(" ");
