/**
 * Elements of the page. Names, titles and talk become text nodes, never markup.
 * @module
 */

/** @typedef {Node | string | number | false | null | undefined} Child Nothing is shown for the last three. */
/** @typedef {Record<string, string | number | boolean | undefined>} Attributes */

const SVG = "http://www.w3.org/2000/svg";
/** The elements that belong to SVG. */
const DRAWN = new Set(["svg", "path", "rect", "circle", "g", "text", "polyline", "line"]);

/**
 * An element: `el("button", { class: "card", "data-do": "choose" }, "7")`. An attribute that is
 * false or undefined is left out; true is an empty one.
 * @param {string} name
 * @param {Attributes} attributes
 * @param {...Child} children
 * @returns {HTMLElement}
 */
export function el(name, attributes = {}, ...children) {
  const made = /** @type {HTMLElement} */ (
    DRAWN.has(name) ? document.createElementNS(SVG, name) : document.createElement(name)
  );
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) made.setAttribute(key, value === true ? "" : `${value}`);
  }
  for (const child of children) {
    if (child !== false && child !== null && child !== undefined) made.append(child instanceof Node ? child : `${child}`);
  }
  return made;
}

/**
 * A button that does something: `app.js` finds the action by its name, and gives it `data`.
 * @param {string} action
 * @param {string} label
 * @param {Attributes} [more]
 * @param {...Child} children in place of the label, which then is read aloud
 */
export function button(action, label, more = {}, ...children) {
  const named = children.length ? { "aria-label": label } : {};
  const shown = children.length ? children : [label];
  return el("button", { type: "button", "data-do": action, ...named, ...more }, ...shown);
}

/**
 * Makes an element like a newly made one, and leaves alone what is the same: so the focus, half
 * typed texts and running animations stay. Children with the same `data-key` are the same child.
 * @param {Element} old
 * @param {Element} fresh
 */
export function patch(old, fresh) {
  for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of [...fresh.attributes]) {
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  const known = new Map(
    [...old.children].flatMap((child) => (keyOf(child) ? [[keyOf(child), child]] : [])),
  );
  let at = old.firstChild;
  for (const wanted of [...fresh.childNodes]) {
    const key = keyOf(wanted);
    const same = key ? known.get(key) : at && !keyOf(at) && at.nodeName === wanted.nodeName ? at : null;
    if (same && same.nodeName === wanted.nodeName) {
      if (same === at) at = at.nextSibling;
      else old.insertBefore(same, at);
      if (same instanceof Element) patch(same, /** @type {Element} */ (wanted));
      else if (same.nodeValue !== wanted.nodeValue) same.nodeValue = wanted.nodeValue;
    } else {
      old.insertBefore(wanted, at);
    }
  }
  while (at) {
    const next = at.nextSibling;
    at.remove();
    at = next;
  }
}

/** @param {Node} node */
const keyOf = (node) => (node instanceof Element ? node.getAttribute("data-key") : null);
