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
  "Esc": "close, leave the search, and take its marks away",
};

function help() {
  const dialog = document.querySelector("dialog.keys") ?? document.body.appendChild(document.createElement("dialog"));
  dialog.className = "keys";
  dialog.setAttribute("aria-label", "Keys");
  const rows = Object.entries(KEYS).map(([key, what]) => `<tr><td><kbd>${key}</kbd></td><td>${what}</td></tr>`);
  dialog.innerHTML = `<table>${rows.join("")}</table><form method="dialog"><button>Close</button></form>`;
  dialog.showModal();
}

const menu = (open) => (document.getElementById("__navigation").checked = open);

function search() {
  const field = document.querySelector("input[name=q]");
  if (field.getBoundingClientRect().left < 0) menu(true); // on a phone the field lies in the menu
  field.focus();
}

function close() {
  const dialog = document.querySelector("dialog[open]");
  if (dialog) return dialog.close();
  document.activeElement.blur();
  menu(false);
}

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") return close();
  const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName) || event.target.isContentEditable;
  const action = { "?": help, "/": search, s: search }[event.key];
  if (typing || !action || event.altKey || event.ctrlKey || event.metaKey || document.querySelector("dialog[open]")) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  action();
}, true);

addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((each) => (each.open = true)));
addEventListener("DOMContentLoaded", () => {
  // Sphinx gives the captions of the contents the role of a heading, and no level.
  document.querySelectorAll(".caption").forEach((each) => (each.ariaLevel = "2"));
  // A picture that can move does so when it is first seen, and again when it is tapped: if motion is welcome.
  let played = 0;
  const play = (image) => (image.src = `${image.src.split("?")[0]}?${++played}#play`);
  const seen = new IntersectionObserver((entries) => entries.filter((each) => each.isIntersecting).forEach(({ target }) => { seen.unobserve(target); play(target); }), { threshold: 0.6 });
  const wanted = !matchMedia("(prefers-reduced-motion: reduce)").matches;
  for (const image of wanted ? document.querySelectorAll("img.moves") : []) {
    seen.observe(image);
    image.title = "Tap to see it move again";
    image.addEventListener("click", () => play(image));
  }
  // Landmarks need names of their own, and a head without words is no head.
  document.querySelector(".sidebar-drawer")?.setAttribute("aria-label", "Contents of the book");
  document.querySelector(".toc-drawer")?.setAttribute("aria-label", "Contents of this page");
  const empty = [...document.querySelectorAll("th")].filter((each) => !each.textContent.trim());
  empty.forEach((each) => each.replaceWith(document.createElement("td")));
  // A command or a path in a table gets room for three lines: the table is scrolled rather than the command shredded.
  for (const code of document.querySelectorAll(".content td code"))
    if (code.textContent.length > 20) code.closest("td").style.minWidth = `max(9em, ${Math.ceil(code.textContent.length / 2.4)}ch)`;
  // What is too wide can be scrolled with the keys.
  const wide = [...document.querySelectorAll("pre, .table-wrapper")].filter((each) => each.scrollWidth > each.clientWidth);
  // On a phone a picture may be wider than its paragraph, and it's measured before it's there.
  if (matchMedia("(max-width: 30em)").matches)
    wide.push(...document.querySelectorAll("p:has(> img.only-light), .output.text_html"));
  wide.forEach((each) => (each.tabIndex = 0));
  // Sphinx's page of results has no heading of the first order.
  const article = document.querySelector("article[role=main], [role=main]");
  const up = document.querySelector(".back-to-top");
  if (article && up) article.prepend(up); // outside of every landmark nobody would find it
  if (article && !document.querySelector("h1")) article.prepend(Object.assign(document.createElement("h1"), { textContent: "Search" }));
});
