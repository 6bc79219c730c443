// Elements are made of names and texts, never of markup: whatever a tenant wrote is shown as it was written.

const svgSpace = 'http://www.w3.org/2000/svg';

/** An HTML element. `vars` are custom properties of its style; everything else becomes an attribute. */
export function el(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

export function svg(tag, attributes, ...children) {
  return fill(document.createElementNS(svgSpace, tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === false || value === null) continue;
    if (name === 'vars') for (const [key, given] of Object.entries(value)) element.style.setProperty(`--${key}`, given);
    else if (name === 'sketches') element.sketches = value;
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  element.append(...children.flat(3).filter((child) => child !== undefined && child !== null && child !== false));
  return element;
}

/**
 * A child that is drawn only where it is not there yet or its signature is another one; an element takes a list of them
 * as `sketches`. One that is hidden stays where it is. With a thousand rows this is what keeps a change within a frame.
 */
export function sketch(key, signature, build, isHidden) {
  return { dataset: { key }, signature, build, isHidden };
}

/**
 * Makes `from` look like `to` and keeps what is the same, so that focus, scroll positions and animations go on. Children
 * with a `data-key` find their like wherever it stands.
 */
export function morph(from, to) {
  if (from.nodeType !== to.nodeType || from.nodeName !== to.nodeName) {
    from.replaceWith(to);
    return;
  }
  if (from.nodeType !== Node.ELEMENT_NODE) {
    if (from.data !== to.data) from.data = to.data;
    return;
  }
  morphAttributes(from, to);
  morphChildren(from, to.sketches ?? [...to.childNodes]);
}

/** What the reader has opened, or where the arrows stand, is the reader's. */
const ofTheReader = new Set(['open', 'tabindex', 'style']);

function morphAttributes(from, to) {
  for (const { name } of [...from.attributes])
    if (!to.hasAttribute(name) && !ofTheReader.has(name)) from.removeAttribute(name);
  for (const { name, value } of [...to.attributes])
    if (!ofTheReader.has(name) && from.getAttribute(name) !== value) from.setAttribute(name, value);
  if (to.style !== undefined && from.style.cssText !== to.style.cssText) from.style.cssText = to.style.cssText;
}

export function morphChildren(parent, wanted) {
  const keyed = new Map();
  for (const child of parent.children) if (child.dataset.key !== undefined) keyed.set(child.dataset.key, child);
  let at = parent.firstChild;
  for (const next of wanted) {
    const key = next.dataset?.key;
    const like = key === undefined ? (at?.dataset?.key === undefined ? at : null) : keyed.get(key);
    if (like === null || like === undefined || (next.nodeName !== undefined && like.nodeName !== next.nodeName)) {
      parent.insertBefore(realise(next), at);
      continue;
    }
    // Nobody who comes after it gets the same one, whatever its key is.
    keyed.delete(key);
    if (like === at) at = at.nextSibling;
    else parent.insertBefore(like, at);
    if (next.signature === undefined) morph(like, next);
    else if (next.signature !== like.signature) {
      morph(like, next.build());
      like.signature = next.signature;
    }
    if (next.isHidden !== undefined && like.hidden !== next.isHidden) like.hidden = next.isHidden;
  }
  while (at !== null) {
    const gone = at;
    at = at.nextSibling;
    gone.remove();
  }
}

/** What is new is drawn with everything in it. */
function realise(next) {
  const element = next.build?.() ?? next;
  if (next.signature !== undefined) {
    element.signature = next.signature;
    element.hidden = next.isHidden;
  }
  if (element.sketches !== undefined) morphChildren(element, element.sketches);
  else for (const child of element.children ?? []) realise(child);
  return element;
}
