// The scripts with a compiler and tokens, typed.js, and with Graphviz are loaded once a section that the reader types
// into is near the screen.
// A page that can be sent around holds them itself.
const loading = {};
const loaded = (name) =>
  (loading[name] ??= document.querySelector(`script[data-file="${name}"]`)
    ? Promise.resolve()
    : new Promise((done, missing) =>
        document.head.append(
          make("script", {
            src: `${document.documentElement.dataset.content_root || ""}${name}`,
            onload: done,
            onerror: () => missing(name),
          }),
        ),
      ));
function compiler(data, section, draw, { graphs = true } = {}) {
  const intro = data.intro.split("`").map((part, n) => (n % 2 ? make("code", {}, part) : part));
  section.append(make("h3", {}, data.title), make("p", {}, intro));
  const needed = graphs ? ["typed.js", "vendor/viz.js"] : ["typed.js"];
  new IntersectionObserver(
    (seen, observer) => {
      if (!seen.some((each) => each.isIntersecting)) return;
      observer.disconnect();
      Promise.all(needed.map(loaded))
        .then(() => (graphs ? Viz.instance() : null))
        .then(
          (viz) => {
            if (viz) mtlTyped.graphviz.instance = viz;
            draw();
          },
          (name) => section.append(make("p.wrong", {}, `The file ${name} isn't there.`)),
        );
    },
    { rootMargin: "600px" },
  ).observe(section);
}
kinds.typed = (data, section) =>
  compiler(data, section, () => mtlTyped(data, section, { make, choice, oneTabStop, plural }));
