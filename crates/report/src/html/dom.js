// Elements from data. Text is always text: nothing of the suite is ever read as markup.
const SVG = 'http://www.w3.org/2000/svg';

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? '' : String(value));
  }
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    node.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
  return node;
}
const el = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
const draw = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);
const replace = (node, ...children) => { node.replaceChildren(); return fill(node, {}, children); };
const cut = (text, length) => (text.length > length ? text.slice(0, length - 1) + '…' : text);
// Words between backticks are code.
const rich = (text) => text.split('`').map((part, at) => (at % 2 ? el('code', {}, part) : part));
// Words of a command, which no line should break inside of `--max-paths`.
const unbroken = (text) => text.split(/( +|\n)/).map((word, at) => (at % 2 || !word ? word : el('span', { class: 'word' }, word)));
// A part that cannot be drawn says so in its place; the rest of the page stays.
function attempt(what, make) {
  try { return make(); } catch (error) {
    console.error(`${what}: ${error}`);
    return el('p', { class: 'failed', role: 'alert' }, `${what} cannot be shown: ${error}. This is a defect of the report. The data is in suite.json, and glassbox explain prints it.`);
  }
}
const plural = (count, word) => `${count} ${word}${count === 1 ? '' : 's'}`;

// A table whose columns sort. columns: {title, value(row), show(row), numeric}; rows appear a page at a time.
const PAGE = 150;
const classOf = (column) => [column.numeric ? 'n' : '', column.wide ? 'wide' : ''].join(' ').trim() || null;
function sortableTable(caption, columns, rows, message) {
  let order = rows, by = -1, ascending = true, shown = 0;
  const body = el('tbody');
  const status = el('p', { class: 'note', role: 'status' });
  const more = el('button', { class: 'more', type: 'button', onclick: () => append(true) });
  const buttons = columns.map((column, index) =>
    el('button', { type: 'button', onclick: () => sort(index) }, column.title));
  const heads = columns.map((column, index) =>
    el('th', { scope: 'col', class: classOf(column), 'aria-sort': 'none' }, buttons[index]));
  function append(focus) {
    const start = shown;
    const part = document.createDocumentFragment();
    for (; shown < Math.min(order.length, start + PAGE); shown += 1) {
      const row = order[shown];
      part.append(el('tr', {}, columns.map((column) =>
        el('td', { class: classOf(column) }, column.show ? column.show(row) : column.value(row)))));
    }
    body.append(part);
    more.hidden = shown >= order.length;
    more.textContent = `Show ${Math.min(PAGE, order.length - shown)} more of ${order.length - shown}`;
    status.textContent = message(order.length, shown);
    if (focus && body.rows[start]) { const first = body.rows[start].querySelector('a, button'); if (first) first.focus(); }
  }
  function restart() { body.replaceChildren(); shown = 0; append(false); }
  function arrange() {
    if (by < 0) return;
    const value = columns[by].value;
    order = order.map((row, at) => [value(row), at, row]).sort((a, b) =>
      (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0) * (ascending ? 1 : -1) || a[1] - b[1]).map((entry) => entry[2]);
  }
  function sort(index) {
    ascending = by === index ? !ascending : true;
    by = index;
    heads.forEach((head, at) => head.setAttribute('aria-sort', at !== by ? 'none' : ascending ? 'ascending' : 'descending'));
    buttons.forEach((button, at) => { button.textContent = columns[at].title + (at !== by ? '' : ascending ? ' ▲' : ' ▼'); });
    arrange();
    restart();
  }
  // Paper has no button for more.
  window.addEventListener('beforeprint', () => { while (shown < order.length) append(false); });
  restart();
  const node = el('div', {}, status,
    el('div', { class: 'scroll' }, el('table', {}, el('caption', { class: 'hidden' }, caption), el('thead', {}, el('tr', {}, heads)), body)), more);
  if ('IntersectionObserver' in window) {
    new IntersectionObserver((seen) => { if (seen.some((entry) => entry.isIntersecting) && !more.hidden) append(false); }, { rootMargin: '300px' }).observe(more);
  }
  return { node, show(next) { order = next; arrange(); restart(); } };
}
