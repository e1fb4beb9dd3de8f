// What is seen of an explorer, as shapes of SVG: [{tag, attributes, style, text}], from top to bottom up to a height.
(section, most) => {
  const shapes = [],
    origin = section.getBoundingClientRect(),
    round = (x) => +x.toFixed(1);
  const visible = (colour) => !/^(transparent|rgba\(\d+, \d+, \d+, 0\))$/.test(colour);
  const open = (tag, attributes, style, text, end) =>
    shapes.push({ tag, attributes, style, text, end: Math.max(end, whole) });
  const close = (tag, end) => open("/", { of: tag }, {}, "", end);
  const add = (tag, attributes, style, text, end) => {
    open(tag, attributes, style, text, end);
    close(tag, end);
  };
  let whole = 0; // the end of what is shown as a whole or not at all, while we are in it

  function font(style) {
    const family = /mono|Menlo/i.test(style.fontFamily.split(",")[0]) ? "mono" : "sans";
    return { "font-family": family, "font-size": style.fontSize, "font-weight": style.fontWeight };
  }
  const struck = (element) =>
    element !== section &&
    (/line-through/.test(getComputedStyle(element).textDecorationLine) || struck(element.parentElement));

  function words(
    text,
    box,
    element,
    y = box.bottom - (box.height - parseFloat(getComputedStyle(element).fontSize)) / 2 - 2,
  ) {
    if (!text.trim()) return;
    const style = getComputedStyle(element),
      line = struck(element) ? { "text-decoration": "line-through" } : {};
    const at = { x: round(box.left - origin.left), y: round(y - origin.top), textLength: round(box.width) };
    add("text", at, { fill: style.color, ...font(style), ...line }, text, box.bottom - origin.top);
  }

  // The lines in which a text stands, each with its box.
  function lines(node) {
    const range = document.createRange(),
      chars = [...node.data],
      found = [];
    let at = 0;
    for (const char of chars) {
      range.setStart(node, at);
      range.setEnd(node, (at += char.length));
      const [box] = range.getClientRects(),
        last = found.at(-1);
      if (!box || !box.width || (!char.trim() && !(last && Math.abs(last.top - box.top) < 3))) continue;
      if (last && Math.abs(last.top - box.top) < 3) [last.text, last.right] = [last.text + char, box.right];
      else found.push({ text: char, left: box.left, right: box.right, top: box.top, bottom: box.bottom });
    }
    return found.map((each) => {
      const text = each.text.trimEnd(),
        share = text.length / each.text.length;
      return {
        text,
        box: {
          left: each.left,
          width: (each.right - each.left) * share,
          bottom: each.bottom,
          height: each.bottom - each.top,
        },
      };
    });
  }

  function typed(element, box, style) {
    const value = element.tagName === "SELECT" ? `${element.selectedOptions[0].textContent}  \u25be` : element.value;
    const size = parseFloat(style.fontSize),
      high = parseFloat(style.lineHeight) || 1.4 * size,
      pen = document.createElement("canvas").getContext("2d");
    pen.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    const top =
      element.tagName === "TEXTAREA" ? box.top + parseFloat(style.paddingTop) + 1 : box.top + (box.height - high) / 2;
    value.split("\n").forEach((text, n) => {
      const bottom = top + high * (n + 1),
        left = box.left + parseFloat(style.paddingLeft) + 1;
      if (bottom <= box.bottom)
        words(text, { left, width: pen.measureText(text).width, bottom, height: high }, element);
    });
  }

  function slid(element, box, style) {
    const share = (element.value - element.min) / (element.max - element.min || 1),
      y = box.top + box.height / 2 - origin.top,
      left = box.left - origin.left + 8;
    const bar = (width, fill) =>
      add("rect", { x: round(left), y: round(y - 3), width: round(width), height: 6, rx: 3 }, { fill }, "", y + 8);
    bar(box.width - 16, getComputedStyle(section).borderTopColor);
    bar(share * (box.width - 16), style.accentColor);
    add(
      "circle",
      { cx: round(left + share * (box.width - 16)), cy: round(y), r: 8 },
      { fill: style.accentColor },
      "",
      y + 8,
    );
  }

  function boxOf(box, style, end) {
    const edge = (side) => (style[`border${side}Style`] === "none" ? 0 : parseFloat(style[`border${side}Width`]));
    const [x, y] = [box.left - origin.left, box.top - origin.top],
      all = ["Top", "Right", "Bottom", "Left"].every((side) => edge(side) > 0);
    const fill = visible(style.backgroundColor) ? style.backgroundColor : "none";
    const stroke = all ? { stroke: style.borderTopColor, "stroke-width": edge("Top") } : {};
    if (all || fill !== "none")
      add(
        "rect",
        {
          x: round(x + 0.5),
          y: round(y + 0.5),
          width: round(box.width - 1),
          height: round(box.height - 1),
          rx: round(parseFloat(style.borderTopLeftRadius) || 0),
        },
        { fill, ...stroke },
        "",
        end,
      );
    if (!all && edge("Bottom") > 0)
      add(
        "rect",
        {
          x: round(x),
          y: round(y + box.height - edge("Bottom")),
          width: round(box.width),
          height: round(edge("Bottom")),
        },
        { fill: style.borderBottomColor },
        "",
        end,
      );
  }

  const GEOMETRY = [
    "d",
    "x",
    "y",
    "cx",
    "cy",
    "r",
    "rx",
    "ry",
    "width",
    "height",
    "points",
    "transform",
    "text-anchor",
  ];
  const DRAWN = ["fill", "stroke", "stroke-width", "stroke-dasharray", "fill-opacity", "opacity"];
  function drawn(svg, box) {
    const view = svg.viewBox.baseVal,
      scale = box.width / view.width,
      end = box.bottom - origin.top;
    const moved = `translate(${round(box.left - origin.left - view.x * scale)} ${round(box.top - origin.top - view.y * scale)})`;
    open("g", { transform: Math.abs(scale - 1) < 0.01 ? moved : `${moved} scale(${scale.toFixed(3)})` }, {}, "", end);
    const edge = svg.parentElement.getBoundingClientRect().right;
    (function visit(parent) {
      for (const element of parent.children) {
        // what has to be scrolled to isn't seen
        if (["title", "style", "defs"].includes(element.tagName) || element.getBoundingClientRect().left > edge)
          continue;
        const style = getComputedStyle(element),
          attributes = {},
          look = {};
        for (const name of GEOMETRY) if (element.hasAttribute(name)) attributes[name] = element.getAttribute(name);
        const halo =
          style.stroke === "none"
            ? {}
            : { stroke: style.stroke, "stroke-width": style.strokeWidth, "paint-order": style.paintOrder };
        if (element.tagName === "text")
          Object.assign(
            look,
            { fill: style.fill, ...font(style), ...halo },
            struck(element) ? { "text-decoration": "line-through" } : {},
          );
        else if (element.tagName !== "g")
          for (const name of DRAWN)
            look[name] =
              style[name === "fill" || name === "stroke" ? name : name.replace(/-./, (part) => part[1].toUpperCase())];
        // a hatched bar keeps its ground
        if (/^url/.test(look.fill)) look.fill = getComputedStyle(svg.querySelector("pattern rect")).fill;
        open(element.tagName, attributes, look, element.tagName === "text" ? element.textContent : "", end);
        if (element.tagName !== "text") visit(element);
        close(element.tagName, end);
      }
    })(svg);
    close("g", end);
  }

  (function visit(element) {
    for (const node of element.childNodes) {
      if (node.nodeType === 3) for (const { text, box } of lines(node)) words(text, box, element);
      if (node.nodeType !== 1 || ["SCRIPT", "STYLE", "OPTION"].includes(node.tagName)) continue;
      if (getComputedStyle(node).display === "contents") visit(node);
      if (!node.checkVisibility()) continue;
      const outer = whole;
      if (node.matches("table, dl, .tokens, .bits"))
        whole = Math.max(whole, node.getBoundingClientRect().bottom - origin.top);
      const style = getComputedStyle(node),
        box = node.getBoundingClientRect(),
        end = box.bottom - origin.top;
      if (node.tagName === "svg") drawn(node, box);
      else if (node.type === "range") slid(node, box, style);
      else {
        boxOf(box, style, end);
        if (/^(INPUT|TEXTAREA|SELECT)$/.test(node.tagName)) typed(node, box, style);
        else visit(node);
      }
      whole = outer;
    }
  })(section);
  const kept = shapes.filter(({ end }) => end <= most),
    height = Math.max(...kept.map(({ end }) => end)) + 14;
  return { width: Math.round(origin.width), height: Math.round(height), shapes: kept };
}
