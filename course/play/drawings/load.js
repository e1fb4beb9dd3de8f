// The scripts with a compiler and tokens, typed.js, and with Graphviz are loaded once a section that the reader types
// into is near the screen.
const loaded = (name) => new Promise((done, missing) => document.head.append(make("script", {
  src: `${document.documentElement.dataset.content_root || ""}${name}`, onload: done, onerror: () => missing(name),
})));
function compiler(data, section, draw) {
  const intro = data.intro.split("`").map((part, n) => n % 2 ? make("code", {}, part) : part);
  section.append(make("h3", {}, data.title), make("p", {}, intro));
  new IntersectionObserver((seen, observer) => {
    if (!seen.some((each) => each.isIntersecting)) return;
    observer.disconnect();
    Promise.all(["typed.js", "vendor/viz.js"].map(loaded)).then(() => Viz.instance()).then((viz) => {
      mtlTyped.viz = viz;
      draw();
    }, (name) => section.append(make("p.wrong", {}, `The file ${name} isn't there.`)));
  }, { rootMargin: "600px" }).observe(section);
}
kinds.typed = (data, section) => compiler(data, section, () => mtlTyped(data, section, { make, choice }));
