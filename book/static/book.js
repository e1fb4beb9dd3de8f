// Sphinx's own script turns pages (left, right) and focuses the search (/). Here are help, s, Esc, phones and paper.
"use strict";
// An excerpt of a page that was found is fetched, which a browser forbids to a page from the file system.
DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = location.protocol !== "file:";
// What scrolls or moves by itself keeps its arrow keys.
for (const name of ["PRE", "DIV", "DIALOG", "svg", "g"]) BLACKLISTED_KEY_CONTROL_ELEMENTS.add(name);

const KEYS = {
  "← →": "the page before, the page after",
  "/ or s": "search",
  "?": "this help",
  "Esc": "close, leave the search, take its marks away",
};

function help() {
  const dialog = document.querySelector("dialog.keys") ?? document.body.appendChild(document.createElement("dialog"));
  if (dialog.open) return dialog.close();
  dialog.className = "keys";
  dialog.setAttribute("aria-label", "Keys");
  const rows = Object.entries(KEYS).map(([key, what]) => `<tr><td><kbd>${key}</kbd></td><td>${what}</td></tr>`);
  dialog.innerHTML = `<table>${rows.join("")}</table><form method="dialog"><button>Close</button></form>`;
  dialog.showModal();
}

function search() {
  const field = [...document.querySelectorAll("input[name=q]")].find((each) => each.checkVisibility());
  const seen = field && field.getBoundingClientRect().left >= 0; // on a phone the field lies in the closed menu
  if (seen) field.focus();
  else location.href = document.documentElement.dataset.content_root + "search.html";
}

document.addEventListener("keydown", (event) => {
  const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName) || event.target.isContentEditable;
  if (event.key === "Escape") document.activeElement.blur();
  if (typing || event.altKey || event.ctrlKey || event.metaKey) return;
  const action = { "?": help, "/": search, s: search }[event.key];
  if (!action) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  action();
}, true);

addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((each) => (each.open = true)));
