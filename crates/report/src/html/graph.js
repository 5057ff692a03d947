// The control-flow graph, drawn in layers from the entry down; ways back run along the right side.
function layers(blocks, root) {
  const depth = new Array(blocks.length).fill(-1), state = new Array(blocks.length).fill(0), back = new Set(), order = [];
  const stack = [[root, 0]];
  if (blocks.length) state[root] = 1;
  while (stack.length) {
    const top = stack[stack.length - 1], edges = blocks[top[0]].edges || [];
    if (top[1] < edges.length) {
      const at = top[1], to = edges[at].to;
      top[1] += 1;
      if (!blocks[to]) continue;
      if (state[to] === 1) back.add(`${top[0]},${at}`);
      else if (state[to] === 0) { state[to] = 1; stack.push([to, 0]); }
    } else { state[top[0]] = 2; order.push(top[0]); stack.pop(); }
  }
  order.reverse();
  if (order.length) depth[order[0]] = 0;
  for (const block of order) (blocks[block].edges || []).forEach((edge, at) => { if (!back.has(`${block},${at}`) && blocks[edge.to]) depth[edge.to] = Math.max(depth[edge.to], depth[block] + 1); });
  const rows = [];
  order.forEach((block) => { (rows[depth[block]] = rows[depth[block]] || []).push(block); });
  const position = new Map();
  rows.forEach((row) => row.forEach((block, at) => position.set(block, at)));
  const above = new Map();
  order.forEach((block) => (blocks[block].edges || []).forEach((edge, at) => { if (!back.has(`${block},${at}`)) { const list = above.get(edge.to) || []; list.push([block, at]); above.set(edge.to, list); } }));
  for (let sweep = 0; sweep < 3; sweep += 1) {
    rows.forEach((row) => {
      const weight = (block) => { const list = above.get(block) || []; return list.length ? list.reduce((sum, [from, at]) => sum + position.get(from) + at * 0.3, 0) / list.length : position.get(block); };
      row.map((block) => [weight(block), position.get(block), block]).sort((a, b) => a[0] - b[0] || a[1] - b[1]).forEach((entry, at) => { row[at] = entry[2]; });
      row.forEach((block, at) => position.set(block, at));
    });
  }
  // Ways back leave to the right: nothing should stand there.
  const goesBack = (block) => (blocks[block].edges || []).some((edge, at) => back.has(`${block},${at}`));
  rows.forEach((row, depth) => { rows[depth] = [...row.filter((block) => !goesBack(block)), ...row.filter(goesBack)]; });
  return { rows, back };
}

// The blocks of the source: those that the tool or the machine put in between (branches without a condition, jumps
// without a line, whether something is thrown where no goal asks) are passed over. Each edge knows the edges that it stands for.
function shownBlocks(fun, hitEdges) {
  const all = blocksOf(fun), asksThrows = (fun.goals || []).some((goal) => goal.kind === 'exception');
  const isHidden = ({ kind, text, lines }) => (kind === 'branch' && !text) || (kind === 'jump' && !lines.length) || (kind === 'throws' && !asksThrows);
  const ends = (to, keys, seen) => {
    if (!all[to] || seen.includes(to)) return [];
    if (!isHidden(all[to])) return [{ to, keys }];
    return (all[to].edges || []).flatMap((edge, at) => (all[to].kind === 'throws' && edge.label === 'true' && !hitEdges.has(`${to},${at}`) ? [] : ends(edge.to, [...keys, `${to},${at}`], [...seen, to])));
  };
  // Of several ways that differ in nothing the source says, those that tests took are shown, or the first.
  const usual = (found) => { const taken = found.filter((end) => end.keys.every((key) => hitEdges.has(key))); return taken.length ? taken : found.slice(0, 1); };
  const blocks = all.map((block, at) => {
    if (isHidden(block)) return { ...block, edges: [] };
    return { ...block, edges: (block.edges || []).flatMap((edge, position) => {
      const found = new Map();
      for (const end of usual(ends(edge.to, [`${at},${position}`], []))) { const known = found.get(end.to) || { to: end.to, label: edge.label, ways: [] }; known.ways.push(end.keys); found.set(end.to, known); }
      return [...found.values()];
    }) };
  });
  const first = all.length ? usual(ends(0, [], []))[0] : null;
  return { blocks, root: first ? first.to : 0 };
}

// The line that a block is named by: the first with more than braces that is not the declaration of the function.
const ownLine = (fun, block) => block.lines.find((line) => line !== fun.line && !/^[{}; ]*$/.test(lineSource(fun, line))) || block.lines[0];

function controlFlow(fun, goal, tests) {
  const hitBlocks = new Set(), hitEdges = new Set(), taken = new Set(), never = new Set(), wanted = new Set();
  for (const test of fun.tests || []) { (test.blocks || []).forEach((block) => hitBlocks.add(block)); (test.edges || []).forEach((edge) => hitEdges.add(edge.join())); }
  const { blocks, root } = shownBlocks(fun, hitEdges);
  if (!blocks.length) return null;
  const { rows, back } = layers(blocks, root);
  // A single block is no picture.
  if (rows.flat().length < 2) return null;
  const width = 176, height = 40, gapX = 46, gapY = 40, pad = 40;
  const widest = Math.max(...rows.map((row) => row.length));
  const full = widest * (width + gapX) - gapX;
  const place = new Map();
  rows.forEach((row, depth) => { const used = row.length * (width + gapX) - gapX; row.forEach((block, at) => place.set(block, { x: pad + (full - used) / 2 + at * (width + gapX), y: pad + depth * (height + gapY) })); });
  const total = { w: full + 2 * pad + (back.size ? 24 + back.size * 8 : 0), h: rows.length * (height + gapY) - gapY + 2 * pad };
  for (const test of tests) (test.edges || []).forEach((edge) => taken.add(edge.join()));
  // Counter-examples have the conditions that they evaluated.
  for (const test of tests) if (!(test.blocks || []).length) stepsOf(fun, test, goal).forEach((step) => { if (step.block >= 0) hitBlocks.add(step.block); });
  for (const other of fun.goals || []) if (other.verdict === 'infeasible' && other.at && (other.at.edges || []).length === 1) never.add(other.at.edges[0].join());
  if (goal && goal.at) (goal.at.edges || []).forEach((edge) => wanted.add(edge.join()));
  let lane = 0;
  const lines = [], labels = [];
  rows.flat().forEach((block) => (blocks[block].edges || []).forEach((edge, at) => {
    const from = place.get(block), to = place.get(edge.to), key = `${block},${at}`, isIn = (set) => edge.ways.some((keys) => keys.every((own) => set.has(own)));
    if (!from || !to) return;
    const spread = ((blocks[block].edges.length > 1 ? at / (blocks[block].edges.length - 1) : 0.5) - 0.5) * width * 0.6;
    const x1 = from.x + width / 2 + spread, y1 = from.y + height, x2 = to.x + width / 2, y2 = to.y;
    let d;
    if (back.has(key)) {
      lane += 1;
      const side = full + pad + 10 + lane * 8;
      d = `M${from.x + width},${from.y + height / 2}C${side},${from.y + height / 2} ${side},${from.y + height / 2} ${side},${(from.y + to.y + height) / 2}S${side},${to.y + height / 2} ${to.x + width + 4},${to.y + height / 2}`;
    } else if (y2 - y1 > gapY + 1) {
      // An edge over several layers goes around the blocks between.
      const between = rows.flat().map((other) => place.get(other)).filter((other) => other.y > from.y && other.y < to.y);
      const rightmost = Math.max(...between.map((other) => other.x + width)), leftmost = Math.min(...between.map((other) => other.x));
      const middle = (x1 + x2) / 2, isFree = between.every((other) => middle < other.x - 8 || middle > other.x + width + 8);
      const bow = isFree ? middle : spread >= 0 ? rightmost + 16 + 6 * (block % 5) : Math.max(4, leftmost - 16);
      d = `M${x1},${y1}C${x1},${y1 + gapY * 0.7} ${bow},${y1 + gapY * 0.3} ${bow},${y1 + gapY}L${bow},${y2 - gapY}C${bow},${y2 - gapY * 0.3} ${x2},${y2 - gapY * 0.7} ${x2},${y2 - 4}`;
    } else d = `M${x1},${y1}C${x1},${y1 + gapY * 0.6} ${x2},${y2 - gapY * 0.6} ${x2},${y2 - 4}`;
    const kind = ['edge', isIn(hitEdges) ? 'hit' : '', edge.ways.every((keys) => keys.some((own) => never.has(own))) ? 'never' : '', isIn(taken) ? 'taken' : '', edge.ways.some((keys) => keys.some((own) => wanted.has(own))) ? 'goal' : ''].join(' ');
    lines.push(draw('path', { class: kind, d, 'marker-end': 'url(#tip)' }));
    // Of a switch with many cases each has its label where it arrives: where they leave there is no room.
    const isCrowded = blocks[block].edges.length > 3 && !back.has(key);
    if (edge.label) labels.push(isCrowded ? draw('text', { class: 'soft label', x: x2 + 6, y: y2 - 7, 'font-size': 10 }, cut(edge.label, 22))
      : draw('text', { class: 'soft label', x: back.has(key) ? from.x + width + 4 : x1 + (spread < 0 ? -4 : 4), y: back.has(key) ? from.y + height / 2 - 4 : y1 + 12, 'text-anchor': spread < 0 && !back.has(key) ? 'end' : 'start', 'font-size': 10 }, cut(edge.label, 12)));
  }));
  const here = new Set();
  if (goal && goal.at) { if (typeof goal.at.block === 'number') here.add(goal.at.block); (goal.at.edges || []).forEach(([block]) => here.add(block)); }
  const nodes = rows.flat().map((block) => {
    const data = blocks[block], at = place.get(block), lineText = data.lines.length ? (data.lines.length > 1 ? `${data.lines[0]}–${data.lines[data.lines.length - 1]}` : data.lines[0]) : '';
    return [draw('rect', { 'data-block': block, class: `node ${hitBlocks.has(block) ? 'hit' : isCheck ? '' : 'miss'} ${here.has(block) ? 'here' : ''}`, x: at.x, y: at.y, width, height, rx: data.kind === 'return' ? 18 : 5 }),
      draw('text', { class: 'soft', x: at.x + 8, y: at.y + 15, 'font-size': 10 }, lineText ? `line ${lineText}` : 'end'),
      draw('text', { x: at.x + 8, y: at.y + 31, 'font-size': 11.5 }, cut(data.text || lineSource(fun, ownLine(fun, data)).replace(/^[{}; ]+$/, '') || (data.kind === 'return' && !data.lines.length ? 'an exception leaves' : data.kind), 23))];
  });
  const label = `Control-flow graph of ${fun.name}: ${plural(rows.flat().length, 'block')}, ${rows.flat().filter((block) => hitBlocks.has(block)).length} executed by tests${tests.length ? `; the way of ${tests.map((test) => test.id).join(' and ')} is marked` : ''}.`;
  const svg = draw('svg', { width: total.w, height: total.h, viewBox: `0 0 ${total.w} ${total.h}`, role: 'img', 'aria-label': label },
    draw('defs', {}, draw('marker', { id: 'tip', viewBox: '0 0 8 8', refX: 6, refY: 4, markerWidth: 7, markerHeight: 7, markerUnits: 'userSpaceOnUse', orient: 'auto' }, draw('path', { d: 'M0,0L8,4L0,8z', style: 'fill: var(--soft)' }))), lines, nodes, labels);
  const focus = place.get([...here].find((block) => place.has(block))) || place.get(rows[0][0]);
  return zoomable(svg, { width: total.w, height: total.h, x: focus.x + width / 2, y: focus.y + height / 2 }, 'Control-flow graph');
}

// A picture that is as wide as its place at first, and that buttons make larger and smaller.
// Where that would be too small to read, it starts larger, with its point of interest in the middle.
const READABLE = 0.8, SMALL = 0.9;
function zoomable(svg, { width, height, x, y }, name) {
  const box = el('div', { class: 'picture', tabindex: 0, role: 'group', 'aria-label': name }, svg);
  let scale = null;
  const size = (next) => {
    scale = next;
    svg.setAttribute('width', scale === null ? '100%' : width * scale);
    if (scale === null) svg.removeAttribute('height'); else svg.setAttribute('height', height * scale);
    // Never larger than drawn.
    svg.style.maxWidth = scale === null ? `${width}px` : 'none';
  };
  const now = () => (scale === null ? Math.min(1, svg.clientWidth / width || 1) : scale);
  const button = (text, words, act) => el('button', { class: 'plain', type: 'button', title: words, 'aria-label': `${name}: ${words}`, onclick: act }, text);
  size(null);
  requestAnimationFrame(() => {
    if (!box.clientWidth) return;
    if (box.clientWidth / width < READABLE) size(SMALL);
    box.scrollTo(x * now() - box.clientWidth / 2, y * now() - box.clientHeight / 2);
  });
  return el('div', { class: 'zoomable' }, box, el('div', { class: 'zoom' },
    button('+', 'larger', () => size(Math.min(4, now() * 1.4))), button('−', 'smaller', () => size(Math.max(0.1, now() / 1.4))), button('Fit', 'as wide as the page', () => size(null))));
}
