/** Over the board by arrows, or as in vi; true where a key meant something here. */
export function moveOverBoard(event, main) {
  const filter = main.querySelector('#filter');
  if (event.target === filter) {
    if (event.key === 'ArrowDown') return focusOn(firstStop(main));
    if (event.key !== 'Escape') return false;
    filter.value = '';
    filter.dispatchEvent(new Event('input'));
    filter.blur();
    return true;
  }
  if (event.key === '/' && filter !== null) return focusOn(filter);
  const move = moves[event.key];
  if (move === undefined || event.target.closest('select, textarea, input') !== null) return false;
  const from = event.target.closest('.stop');
  return focusOn(from === null ? firstStop(main) : move(from));
}

/** Where the tabulator enters the grid. */
export function firstStop(root) {
  return root.querySelector('.namespace-part:not([hidden]) .row:not([hidden]) .stop');
}

const moves = {
  ArrowRight: (from) => beside(from, 1),
  l: (from) => beside(from, 1),
  ArrowLeft: (from) => beside(from, -1),
  h: (from) => beside(from, -1),
  ArrowDown: (from) => below(from, 1),
  j: (from) => below(from, 1),
  ArrowUp: (from) => below(from, -1),
  k: (from) => below(from, -1),
  Home: (from) => stopsOf(from.closest('.row'))[0],
  End: (from) => stopsOf(from.closest('.row')).at(-1),
};

function stopsOf(row) {
  return [...row.querySelectorAll('.stop')];
}

function beside(from, by) {
  const stops = stopsOf(from.closest('.row'));
  return stops[stops.indexOf(from) + by];
}

function below(from, by) {
  const rows = [...document.querySelectorAll('.namespace-part:not([hidden]) .row:not([hidden])')];
  const row = rows[rows.indexOf(from.closest('.row')) + by];
  const place = stopsOf(from.closest('.row')).indexOf(from);
  return row === undefined ? undefined : (stopsOf(row)[place] ?? stopsOf(row).at(-1));
}

/** One of them is on the way of the tabulator; the arrows go on from there. */
export function setStop(root, stop) {
  if (stop === null) return;
  for (const other of root.querySelectorAll('.stop[tabindex="0"]')) other.tabIndex = -1;
  stop.tabIndex = 0;
}

function focusOn(element) {
  element?.focus();
  element?.scrollIntoView({ block: 'nearest' });
  return true;
}
