// What the reader types is compiled by a script with its tokens, which is loaded once the section is near the screen.
kinds.typed = (data, section) => {
  const intro = data.intro.split("`").map((part, n) => n % 2 ? make("code", {}, part) : part);
  section.append(make("h3", {}, data.title), make("p", {}, intro));
  new IntersectionObserver((seen, observer) => {
    if (!seen.some((each) => each.isIntersecting)) return;
    observer.disconnect();
    document.head.append(make("script", {
      src: `${document.documentElement.dataset.content_root || ""}typed.js`,
      onload: () => mtlTyped(data, section, { make, choice }),
      onerror: () => section.append(make("p.wrong", {}, "The file typed.js isn't there.")),
    }));
  }, { rootMargin: "600px" }).observe(section);
};
