// Draws the panel from templates: one line an element, what stands deeper stands inside it.
//
//   tag.class @name attribute="value" ?shown-if | text
//
// `{path}` in a text or an attribute stands for a value, `{path:filter}` for one that is said in another way. Drawing
// again writes into the texts and attributes that are there and touches no control, so that nothing typed is lost.
const LINE = /^( *)([a-z]\w*)((?:\.[\w-]+)*)(?: @(\w+))?((?: [\w-]+="[^"]*")*)(?: \?(-?)([\w.]+))?(?: \| (.*))?$/;
const at = (data, path) => path.split(".").reduce((of, key) => of?.[key], data);
const filters = {
  exact: (time) => (time ? new Date(time).toLocaleString() : ""),
  ago(time) {
    if (!time) return "not yet";
    const distance = (Date.parse(time) - Date.now()) / 1000;
    const seconds = Math.abs(distance);
    if (!(seconds >= 45)) return distance > 0 ? "in a moment" : "just now";
    const [unit, name] = seconds < 5400 ? [60, "min"] : seconds < 129600 ? [3600, "h"] : [86400, "days"];
    const said = `${Math.round(seconds / unit)} ${name}`;
    return distance > 0 ? "in " + said : said + " ago";
  },
  also: (value) => (value ? " \u00b7 " + value : ""),
  yes: (value) => (value ? "yes" : "no"),
  none: (value) => value || "none",
};
const write = (text, data) =>
  text.replace(/\{([\w.]+)(?::(\w+))?\}/g, (whole, path, filter) => {
    const value = at(data, path);
    if (filter) return filters[filter](value);
    return Array.isArray(value) ? value.join(", ") : (value ?? "");
  });

// Gives a view: its named elements, `root`, and what is drawn into it.
const build = (parent, template) => {
  const view = { bound: [] };
  const bind = (text, put) => (text.includes("{") ? view.bound.push((data) => put(write(text, data))) : put(text));
  const stack = [parent];
  for (const line of template.trim().split("\n")) {
    const [, deep, tag, classes, name, attributes, not, shown, text] = LINE.exec(line);
    const depth = deep.length / 2;
    const element = document.createElement(tag);
    view.root ??= element;
    if (classes) element.className = classes.slice(1).replaceAll(".", " ");
    if (name) view[name] = element;
    for (const [, key, value] of attributes.matchAll(/ ([\w-]+)="([^"]*)"/g))
      bind(value, (said) => {
        if (said === "" && value) element.removeAttribute(key);
        else if (element.getAttribute(key) !== said) element.setAttribute(key, said);
      });
    if (shown) view.bound.push((data) => (element.hidden = !at(data, shown) !== (not === "-")));
    if (text) {
      const node = element.appendChild(document.createTextNode(""));
      bind(text, (said) => node.data === said || (node.data = said));
    }
    stack[depth].append(element);
    stack[depth + 1] = element;
  }
  return view;
};
const views = new Set();
const draw = (view, data) => {
  views.add(view);
  view.data = data ?? view.data;
  for (const put of view.bound) put(view.data);
};
// Times go on: what is on the page is drawn again with what it was drawn with.
const drawAgain = () => views.forEach((view) => (view.root.isConnected ? draw(view) : views.delete(view)));
// Draws a list; an item is known by its key and keeps its place in the document.
const drawList = (place, template, items, key) => {
  const before = place.views ?? new Map();
  place.views = new Map();
  for (const item of items) {
    const view = before.get(item[key]) ?? build(document.createElement("div"), template);
    before.delete(item[key]);
    place.views.set(item[key], view);
    draw(view, item);
  }
  for (const view of before.values()) view.root.remove();
  let next = place.firstChild;
  for (const { root } of place.views.values())
    if (root === next) next = next.nextSibling;
    else place.insertBefore(root, next);
};
