/**
 * Where the environments stand and how the lines between them run. Each has one parent at most, so this is a forest: what
 * follows is one column further right, and a parent stands in the middle of its children. What no promotion ever reaches
 * stands below, in the order of its names.
 */
export function layOut(environments, { width, height, across, down }) {
  const reached = environments.filter(({ depth }) => depth !== undefined);
  const lost = environments.filter(({ depth }) => depth === undefined);
  const children = Map.groupBy(reached, ({ parent, depth }) => (depth === 0 ? '' : parent));
  const rows = new Map();
  let next = 0;
  // Deepest first: whoever has children stands between them. No recursion, a chain may be as long as it likes.
  const order = inLine(children);
  for (const { name } of order) if (!children.has(name)) rows.set(name, next++);
  for (const { name } of order.toReversed()) {
    const below = children.get(name);
    if (below !== undefined) rows.set(name, (rows.get(below[0].name) + rows.get(below.at(-1).name)) / 2);
  }
  const margin = 12;
  const place = (one, column, row) => ({
    ...one,
    x: margin + column * (width + across),
    y: margin + row * (height + down),
  });
  const places = [
    ...reached.map((one) => place(one, one.depth, rows.get(one.name))),
    ...lost.map((one, at) => place(one, at, next + 0.4)),
  ];
  const found = new Map(places.map((one) => [one.name, one]));
  const edges = reached.flatMap((one) => {
    const from = one.depth === 0 ? undefined : found.get(one.parent);
    return from === undefined ? [] : [lineBetween(from, found.get(one.name), width, height)];
  });
  return {
    places,
    edges,
    width: Math.max(...places.map(({ x }) => x + width), width) + margin,
    height: Math.max(...places.map(({ y }) => y + height), height) + margin,
  };
}

/** Every parent before its children, and the children of one beside each other. */
function inLine(children) {
  const order = [];
  const open = [...(children.get('') ?? [])].reverse();
  while (open.length > 0) {
    const one = open.pop();
    order.push(one);
    open.push(...[...(children.get(one.name) ?? [])].reverse());
  }
  return order;
}

function lineBetween(from, to, width, height) {
  const [x1, y1, x2, y2] = [from.x + width, from.y + height / 2, to.x, to.y + height / 2];
  const bend = (x2 - x1) / 2;
  return {
    from: from.name,
    to: to.name,
    isAutomated: to.isAutomated,
    path: `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`,
    gate: { x: x2 - 16, y: y2 },
  };
}
