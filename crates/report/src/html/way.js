// The way of a test, step by step: each choice with the line, what it asked, and the condition that it adds to the inputs.
const FRAME_MS = 1100;

// Steps of the first activation: choices of the source and how the run ends; blocks of the tool are passed over.
function stepsOf(fun, test, goal) {
  const blocks = blocksOf(fun);
  // Counter-examples have the conditions that were evaluated and no edges.
  if (!(test.trace || []).length) return stepsOfConditions(blocks, test, goal);
  const trace = test.trace || [], texts = test.constraints || [], lines = test.constraint_lines || [];
  let next = 0;
  const added = (line) => {
    const own = [];
    // Conditions come in the order of the path: those about inputs belong to the choice after them.
    for (let at = next; at < texts.length; at += 1) {
      if (lines[at] && lines[at] !== line) break;
      own.push({ text: texts[at], isInput: !lines[at] });
      next = at + 1;
      if (lines[at]) break;
    }
    return own.some((entry) => !entry.isInput) || own.length === 0 ? own : (next -= own.length, []);
  };
  const steps = [];
  trace.forEach(([block, edge], at) => {
    const data = blocks[block];
    if (!data || !data.lines.length) return;
    const line = data.lines[data.lines.length - 1], label = (data.edges[edge] || {}).label;
    const isChoice = (data.kind === 'branch' && data.text) || data.kind === 'switch';
    if (data.kind === 'throws') return;
    if (isChoice) steps.push({ block, edge, at, line, lines: data.lines, what: data.kind === 'switch' ? `switch: ${label}` : `${data.text} is ${label}`, added: added(line) });
    else if (!(data.kind === 'branch')) { const before = steps[steps.length - 1]; if (!before || before.line !== line) steps.push({ block, edge, at, line, lines: data.lines, what: null, added: [] }); }
  });
  const last = trace[trace.length - 1], to = last ? ((blocks[last[0]] || { edges: [] }).edges[last[1]] || {}).to : 0, end = blocks[to];
  if (end && !(end.edges || []).length) steps.push({ block: to, edge: null, at: trace.length, line: end.lines[end.lines.length - 1] || null, lines: end.lines, what: `ends: ${endingText(test, fun)}`, added: [], isEnd: true });
  return steps;
}

function stepsOfConditions(blocks, test, goal) {
  const steps = (test.path || []).flatMap((text, index) => {
    const match = /^(\d+): (.*) is (true|false)$/.exec(text);
    if (!match) return [];
    const block = blocks.findIndex((own) => own.text === match[2] && own.lines.includes(Number(match[1])));
    return [{ block, at: index, line: Number(match[1]), what: `${match[2]} is ${match[3]}`, added: [] }];
  });
  if (steps.length) steps.push({ block: goal && goal.at ? goal.at.block : -1, line: goal ? goal.line : null, what: `ends: ${endingText(test)}`, added: [], isEnd: true });
  return steps;
}

// A pointer by what it points to in the memory of a test; null for other values.
function pointeeText(test, value) {
  const object = isPointer(value) ? ((test.inputs || {}).objects || [])[value.object] : null;
  return object ? `→ ${object.name}${value.offset ? ` + ${plural(value.offset, 'byte')}` : ''}` : null;
}

// How a test ends, in words.
function endingText(test, fun) {
  const expected = test.expected || {}, ending = expected.ending || 'returned';
  if (typeof ending === 'string') return `${ending}${expected.result !== null && expected.result !== undefined && ending === 'returned' ? ` ${pointeeText(test, expected.result) || typedText(expected.result, fun && fun.result)}` : ''}`;
  const [kind, value] = Object.entries(ending)[0] || ['', ''];
  return { exited: `exit status ${value}`, failed: `fails: ${String(value).replace(/-/g, ' ')}`, thrown: `throws ${value}` }[kind] || `${kind} ${value}`;
}

// The source of a line, for steps that are no choice.
const lineSource = (fun, line) => { const text = sourceOf(fun.file); return text === null || !line ? '' : cut((text.split(/\r?\n/)[line - 1] || '').trim(), 70); };

// Only one way is played at a time.
let playing = null, onArrow = null;
function stopPlaying() { if (playing !== null) { clearInterval(playing.timer); playing.done(); playing = null; } }

// What variables and memory hold at each recorded moment: every record has what changed since the one before it.
function heldAt(test) {
  const held = new Map(), variables = new Map(), objects = new Map();
  for (const moment of test.moments || []) {
    (moment.gone || []).forEach((name) => variables.delete(name));
    const changed = new Set();
    (moment.variables || []).forEach((own) => { if (variables.has(own.name)) changed.add(own.name); variables.set(own.name, own); });
    (moment.objects || []).forEach((own) => { changed.add(own.name); objects.set(own.name, own); });
    held.set(moment.at === undefined ? 'end' : moment.at, { variables: [...variables.values()], objects: [...objects.values()], changed });
  }
  return held;
}

// What is held when a step begins: what the last choice before it saw, since nothing happens in between.
function lastHeld(held, at) {
  const before = [...held.keys()].filter((moment) => typeof moment === 'number' && moment <= at), last = Math.max(...before);
  return !before.length ? null : last === at ? held.get(last) : { ...held.get(last), changed: new Set() };
}

// The variables of a moment as a table; what has changed since the moment before is marked.
function heldTable(test, moment) {
  const inputs = (test.inputs || {}).objects || [];
  const row = (name, text, type) => el('tr', { class: moment.changed.has(name) ? 'changed' : null }, el('th', { scope: 'row' }, el('code', {}, name)), el('td', {}, el('code', {}, cut(text, 90)), moment.changed.has(name) ? el('span', { class: 'hidden' }, ' (changed)') : null), el('td', { class: 'soft' }, type));
  const rows = [...moment.variables.map((own) => row(own.name, pointeeText(test, own.value) || typedText(own.value, own.type), typeText(own.type || ''))),
    ...moment.objects.map((own) => { const type = (inputs.find((object) => object.name === own.name) || {}).type || ''; return row(own.name, memoryText({ ...own, type }), `memory of ${typeText(type)}`); })];
  return rows.length ? el('table', { class: 'held' }, el('caption', {}, 'Variables and memory at this step'), el('tbody', {}, rows)) : null;
}

// Lists that are longer are closed at first.
const SHORT_WAY = 14;
function wayView(fun, test, goal) {
  const steps = stepsOf(fun, test, goal), held = heldAt(test);
  if (steps.length < 2) return null;
  let at = -1;
  const now = el('div', { class: 'now-step', 'aria-live': 'polite' });
  const items = steps.map((step, index) => el('li', {}, el('button', { type: 'button', class: 'step-item', onclick: () => { stopPlaying(); show(index); } },
    el('span', { class: 'soft' }, step.line ? `line ${step.line}: ` : ''), step.what || lineSource(fun, step.line)),
  step.added.map((entry) => el('span', { class: entry.isInput ? 'adds input' : 'adds' }, entry.isInput ? `input: ${entry.text}` : `adds ${entry.text}`))));
  const list = el('ol', { class: 'steps way-steps' }, items);
  const button = (text, words, act) => el('button', { class: 'plain', type: 'button', title: words, 'aria-label': words, onclick: act }, text);
  const play = button('Play', 'Play the way', () => { if (playing) { stopPlaying(); return; } if (at >= steps.length - 1) show(-1); playing = { timer: setInterval(() => { if (!list.isConnected || at >= steps.length - 1) stopPlaying(); else show(at + 1); }, FRAME_MS), done: () => { play.textContent = 'Play'; play.setAttribute('aria-label', 'Play the way'); } }; play.textContent = 'Pause'; play.setAttribute('aria-label', 'Pause'); show(at + 1); });
  function show(index) {
    at = Math.max(-1, Math.min(steps.length - 1, index));
    const step = steps[at];
    items.forEach((item, position) => { if (position === at) item.setAttribute('aria-current', 'step'); else item.removeAttribute('aria-current'); item.classList.toggle('past', position < at); });
    document.querySelectorAll('.source li.now, svg .node.now').forEach((node) => node.classList.remove('now'));
    const moment = step && (step.isEnd ? held.get('end') || null : lastHeld(held, step.at));
    replace(now, at < 0 ? el('p', {}, `${steps.length} steps. Arrow keys ← → go through them.`) : [el('p', {}, el('b', {}, `Step ${at + 1} of ${steps.length}: `), step.line ? `line ${step.line}, ` : '', el('code', {}, step.what || lineSource(fun, step.line)), step.added.map((entry) => [', ', entry.isInput ? 'with input ' : 'adds ', el('code', {}, entry.text)])), moment ? attempt('The variables', () => heldTable(test, moment)) : null]);
    if (at < 0) return;
    const line = document.querySelector(`.source li[data-line="${step.line}"]`), node = document.querySelector(`svg [data-block="${step.block}"]`);
    if (line) line.classList.add('now');
    if (node) node.classList.add('now');
    // The source and the graph beside it scroll; the page stays where the reader left it.
    if (line) showLine(line, false);
    if (node) showNode(node);
  }
  const walk = (by) => { if (!list.isConnected) return false; stopPlaying(); show(at + by); return true; };
  // Of two tests, the keys lead through the first, or through the one that was touched last.
  if (!onArrow) onArrow = walk;
  show(-1);
  return el('div', { class: 'way', onclick: () => { onArrow = walk; } }, el('h3', {}, 'The way, step by step'),
    el('div', { class: 'way-controls', role: 'group', 'aria-label': 'Steps' }, button('|◀', 'To the start', () => { stopPlaying(); show(-1); }), button('◀', 'One step back (←)', () => { stopPlaying(); show(at - 1); }), play, button('▶', 'One step on (→)', () => { stopPlaying(); show(at + 1); }), button('▶|', 'To the end', () => { stopPlaying(); show(steps.length - 1); })),
    now, el('details', { open: steps.length <= SHORT_WAY }, el('summary', {}, `All ${steps.length} steps`), list));
}

// A text with a button that copies it.
function copyable(text, words) {
  const status = el('span', { class: 'note', role: 'status' });
  // Pages from disk may have no clipboard: then the text is selected, ready to be copied.
  const copy = (event) => {
    const box = event.currentTarget.closest('.copyable').querySelector('pre, code');
    const selected = () => { const range = document.createRange(); range.selectNodeContents(box); const selection = getSelection(); selection.removeAllRanges(); selection.addRange(range); replace(status, 'selected: press Ctrl+C'); };
    if (navigator.clipboard && navigator.clipboard.writeText) navigator.clipboard.writeText(text).then(() => replace(status, 'copied'), selected); else selected();
  };
  return [el('button', { class: 'plain copy', type: 'button', 'aria-label': `Copy ${words}`, onclick: copy }, 'Copy'), ' ', status];
}

// The test as it stands in its file, and the command that runs it alone.
function testSource(test) {
  const own = test.source;
  if (!own) return null;
  const state = { inComment: false };
  return el('details', { class: 'testsource', open: own.text.split('\n').length < 24 }, el('summary', {}, 'Source of the test: ', el('code', {}, `${own.file}:${own.line}`)),
    el('div', { class: 'copyable' }, el('p', { class: 'tools' }, el('a', { href: encodeURI(`../${own.file}`) }, 'Open the file'), ' ', copyable(own.text, 'the test')), el('pre', { class: 'listing', tabindex: 0 }, own.text.replace(/\n$/, '').split('\n').map((line) => [tinted(line, state), '\n']))),
    own.command ? el('div', { class: 'copyable' }, el('p', { class: 'tools' }, 'Run it alone: ', copyable(own.command, 'the command')), el('code', { class: 'shellline' }, unbroken(own.command))) : null);
}
