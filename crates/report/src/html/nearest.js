// Goals that are not decided: how near a test came, which layer of the solver gave up, and what to try next.
const isChoice = (block) => (block.kind === 'branch' && block.text) || block.kind === 'switch';

// The blocks that a goal is about.
function blocksOfGoal(fun, goal) {
  const at = goal.at || {};
  if (typeof at.block === 'number') return [at.block];
  if (at.edges) return [...new Set(at.edges.map(([block]) => block))];
  const decision = (fun.decisions || [])[at.decision];
  if (!decision) return [];
  const texts = decision.conditions.map((condition) => `${condition.line} ${condition.text}`);
  return blocksOf(fun).map((block, number) => number).filter((number) => { const { text, lines } = blocksOf(fun)[number]; return text && lines.some((line) => texts.includes(`${line} ${text}`)); });
}

// By block: how many choices have to be made from it until the goal, and the edge that leads there.
function distances(fun, goal) {
  const blocks = blocksOf(fun), found = new Map(blocksOfGoal(fun, goal).map((block) => [block, { choices: 0, edge: null }]));
  const before = blocks.map(() => []);
  blocks.forEach((block, from) => (block.edges || []).forEach((edge, position) => { if (before[edge.to]) before[edge.to].push([from, position]); }));
  // Few choices first: edges of other blocks cost nothing.
  const queue = [...found.keys()];
  while (queue.length) {
    const to = queue.shift();
    for (const [from, position] of before[to] || []) {
      const choices = found.get(to).choices + (isChoice(blocks[from]) ? 1 : 0);
      if (found.has(from) && found.get(from).choices <= choices) continue;
      found.set(from, { choices, edge: position });
      if (isChoice(blocks[from])) queue.push(from); else queue.unshift(from);
    }
  }
  return found;
}

// The test that comes nearest, and the block where it has to turn.
function nearestRun(fun, goal) {
  const to = distances(fun, goal);
  let best = null;
  for (const test of fun.tests || []) for (const block of test.blocks || []) {
    const here = to.get(block);
    if (here && (!best || here.choices < best.choices)) best = { test, block, ...here };
  }
  return best;
}

function nearestText(fun, goal) {
  const best = nearestRun(fun, goal);
  if (!best) return el('p', {}, el('b', {}, 'Nearest run: '), (fun.tests || []).length ? 'no test comes to a place from which it can be reached.' : 'none; this function has no test.');
  const { test, block, choices } = best, data = blocksOf(fun)[block], line = data.lines[data.lines.length - 1];
  const place = [line ? `line ${line}` : 'its start', data.text ? [', ', el('code', {}, data.text)] : null];
  const last = (test.trace || []).map(([from]) => from).lastIndexOf(block), moment = heldAt(test).get(last);
  const wanted = best.edge !== null ? (data.edges[best.edge] || {}).label : null;
  const taken = (data.edges || []).map((edge, position) => ((test.edges || []).some(([from, own]) => from === block && own === position) ? edge.label : null)).filter(Boolean);
  const numbers = moment ? moment.variables.filter((own) => typeof own.value === 'string').slice(0, 6).map((own) => `${own.name} = ${typedText(own.value, own.type)}`).join(', ') : '';
  return el('p', { class: 'nearest' }, el('b', {}, 'Nearest run: '), testLinks(fun, [test.id]), ' comes to ', place, numbers ? [' with ', el('code', {}, cut(numbers, 120))] : null,
    choices === 0 ? taken.length && data.text ? `, which is ${taken.join(' and ')} there.` : ' and does not do there what the goal asks.' : [`. From there ${plural(choices, 'more choice')} would lead to it`, wanted && data.text ? [': first, ', el('code', {}, data.text), ` has to be ${wanted}.`] : '.']);
}

// What a budget is of, by the words of its reason.
const RAN_OUT = [['time limit', 'the time'], ['memory limit', 'the memory']];

// Which layer of the solver left questions of this function open.
function layerText(fun, goal) {
  const layers = ((fun.statistics || {}).layers || []).filter((layer) => layer.asked), last = layers[layers.length - 1], { paths, runs } = fun.statistics || {};
  if (!last) return el('p', {}, el('b', {}, 'The solver: '), 'it was not asked about this function.');
  const open = Math.max(0, last.asked - (last.sat || 0) - (last.unsat || 0));
  return el('p', {}, el('b', {}, 'The solver: '), open ? [`its last layer, ${last.name}, gave up on ${open} of ${plural(last.asked, 'question')} about this function. Simpler inputs help more than more paths.`]
    : `it answered every question about this function; what ran out is ${RAN_OUT.filter(([words]) => goal.reason.text.includes(words)).map(([, what]) => what)[0] || 'the number of paths'} (${plural(paths, 'path')} followed, ${plural(runs, 'run')}).`);
}

// A clause that would narrow the inputs: the range of a number, or how many elements are behind a pointer.
function narrowed(fun) {
  const params = fun.params || [], isNumber = ({ type }) => /^(?:const )?(?:signed |unsigned )?(?:char|short|int|long|long long|unsigned|size_t|u?int\d+_t|byte)$/.test(type || ''), isMemory = ({ type }) => /\*$|\[\]$/.test(type || '') && !/\(/.test(type) && !/^(?:const )?void \*$/.test(type);
  const number = params.find(isNumber), memory = params.find(isMemory);
  return number ? `range.${number.name} = [0, 100]` : memory ? `length.${memory.name} = 4` : null;
}

// Something to try, ready to be copied: the same command for this function alone with more room, or a contract to fill in.
function nextSteps(fun, goal) {
  const quoted = (word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replace(/'/g, "'\\''")}'`);
  const limit = (name) => Number(((fun.limits || []).find((own) => own.name === name) || {}).value) || 0;
  const given = (suite.command || []).map((word, at) => (at ? word : 'glassbox')), command = given.slice();
  const put = (name, value) => { const at = command.indexOf(name); if (at >= 0) command[at + 1] = value; else command.splice(command.includes('--') ? command.indexOf('--') : command.length, 0, name, value); };
  const box = (text, words) => el('div', { class: 'copyable' }, el('p', { class: 'tools' }, words, ' ', copyable(text, 'it')), el('code', { class: 'shellline' }, unbroken(text)));
  if (goal.reason.code === 'budget') {
    put('--timeout', String(2 * limit('timeout') || 60));
    if (limit('memory') && goal.reason.text.includes('memory limit')) put('--memory', `${Math.ceil(limit('memory') / 2 ** 19)}M`);
    if (limit('max-paths')) put('--max-paths', String(4 * limit('max-paths')));
    if (!IS_JAVA && !command.includes('--function')) put('--function', fun.name);
    const clause = narrowed(fun);
    return [box(command.map(quoted).join(' '), 'More room for this function alone:'), clause ? box(`[function.${/^[\w-]+$/.test(fun.name) ? fun.name : JSON.stringify(fun.name)}]\n${clause}`, 'Or fewer inputs, in glassbox.toml, with limits of your own:') : null];
  }
  if (goal.reason.code === 'undefined-behavior') return box(command.map((word, at) => (at && word === 'gen' ? 'check' : word)).filter((word, at, all) => word !== '--criterion' && all[at - 1] !== '--criterion').map(quoted).join(' '), 'See the error itself:');
  return null;
}

// All of it for one goal.
const undecided = (fun, goal) => [attempt('The nearest run', () => nearestText(fun, goal)), goal.reason.code === 'budget' ? attempt('The layer', () => layerText(fun, goal)) : null, attempt('What to do', () => nextSteps(fun, goal))];
