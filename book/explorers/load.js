// A script with a compiler and tokens, typed.js, is loaded once a section that the reader types into is near the screen.
function compiler(data, section, draw) {
  const intro = data.intro.split("`").map((part, n) => n % 2 ? make("code", {}, part) : part);
  section.append(make("h3", {}, data.title), make("p", {}, intro));
  new IntersectionObserver((seen, observer) => {
    if (!seen.some((each) => each.isIntersecting)) return;
    observer.disconnect();
    document.head.append(make("script", {
      src: `${document.documentElement.dataset.content_root || ""}typed.js`,
      onload: draw,
      onerror: () => section.append(make("p.wrong", {}, "The file typed.js isn't there.")),
    }));
  }, { rootMargin: "600px" }).observe(section);
}
kinds.typed = (data, section) => compiler(data, section, () => mtlTyped(data, section, { make, choice }));
