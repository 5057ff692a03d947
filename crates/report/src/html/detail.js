// One goal: verdict, evidence, inputs of its tests, path, constraints; or why nothing reaches it.
function testDetail(fun, test, goal) {
  const replay = test.replay || { state: 'not-run' };
  return el('section', { 'aria-label': `Test ${test.id}` },
    el('h3', {}, isCheck ? 'Counter-example ' : 'Test ', el('code', {}, test.id)),
    el('p', { class: 'note' }, { confirmed: isCheck ? 'Confirmed: the compiled program shows the error.' : IS_JAVA ? 'Confirmed: run in a JVM with this result.' : 'Confirmed: compiled, run twice and followed by probes.', failed: `The real program disagrees: ${replay.message || ''}`, 'not-run': 'Not run on the real program.' }[replay.state] || replay.state),
    attempt('The picture of the inputs', () => heapPicture(test)),
    el('p', {}, 'Expected: ', el('code', {}, endingText(test, fun))),
    attempt('The way', () => wayView(fun, test, goal)) || ((test.path || []).length ? pathSteps(test.path) : null),
    attempt('The source of the test', () => testSource(test)),
    (test.constraints || []).length ? [el('details', {}, el('summary', {}, `What the path demands of the inputs: ${plural(new Set(test.constraints).size, 'condition')}`), el('ul', { class: 'steps' }, [...new Set(test.constraints)].slice(0, 200).map((text) => el('li', {}, text))))]
      : el('p', { class: 'note' }, 'Found by a plain concrete run: no constraints were needed.'));
}

// The conditions that a test evaluated; exceptions that were not thrown are counted, not listed.
function pathSteps(path) {
  const quiet = (step) => /(Exception|Error) is false$/.test(step), shown = path.filter((step) => !quiet(step)), n = path.length - shown.length;
  return [el('h3', {}, 'Path'), el('ol', { class: 'steps' }, shown.map((step) => el('li', {}, `line ${step}`))), n ? el('p', { class: 'note' }, `${plural(n, 'check')} on the way found nothing to throw.`) : null];
}

// The neighbors in the function's list.
function neighbors(fun, at, index) {
  const step = (to, text, words) => (fun.goals[to] ? el('a', { class: 'step', href: `#/function/${at}/goal/${to}`, 'aria-label': words, title: words }, text) : el('span', { class: 'step off', 'aria-hidden': 'true' }, text));
  return [el('p', { class: 'stepper' }, step(index - 1, '‹', `Previous ${NOUN} (k)`), ` ${index + 1} of ${fun.goals.length} `, step(index + 1, '›', `Next ${NOUN} (j)`), el('span', { class: 'keys' }, el('kbd', {}, 'j'), ' ', el('kbd', {}, 'k')))];
}

// The other goals of the same line, which may share one mark in the source.
function onSameLine(fun, at, index) {
  const goal = fun.goals[index], list = fun.goals.map((other, number) => ({ goal: other, index: number })).filter((other) => other.goal.line === goal.line && other.goal.file === goal.file);
  return list.length > 1 ? el('details', { class: 'online', open: list.length > FEW }, el('summary', {}, `${many(list.length)} in line ${goal.line}`), el('ul', { class: 'plainlist' }, list.map((other) => el('li', { 'aria-current': other.index === index ? 'true' : null }, el('span', { class: `sign ${other.goal.verdict}`, title: verdictOf(other.goal.verdict)[1] }, verdictOf(other.goal.verdict)[2]), ' ', other.index === index ? el('b', {}, rich(other.goal.text)) : el('a', { href: `#/function/${at}/goal/${other.index}` }, rich(other.goal.text)))))) : null;
}

function closedWays(fun, goal) {
  const ways = (goal.refutations || []).map((index) => (fun.refutations || [])[index]).filter(Boolean);
  if (!ways.length) return null;
  const byPaths = goal.verdict.endsWith('-within') || goal.method === 'path-enumeration';
  return [el('h3', {}, byPaths ? 'Ways that lead there, and why each is closed' : 'Single ways that lead there, as examples, and why each is closed'), (byPaths ? ways : ways.slice(0, 3)).map((way) => {
    const block = blocksOf(fun)[way.edge[0]] || { lines: [], edges: [] }, edge = block.edges[way.edge[1]] || {};
    return el('div', {}, el('p', {}, `Line ${block.lines[block.lines.length - 1] || '?'}: on one way here, `, el('code', {}, block.text || block.kind), ` cannot be ${edge.label || 'taken'}`, way.core.length ? ', because these cannot hold together:' : '.'),
      el('ul', { class: 'steps' }, way.core.map((part) => el('li', {}, part.line ? `line ${part.line}: ` : 'inputs: ', part.text, part.line && lineSource(fun, part.line) ? el('span', { class: 'from' }, lineSource(fun, part.line)) : null))),
      attempt('The intervals', () => axisOf(way.core)));
  })];
}

// What holds on the lines before a goal, where some proof of the function rests on it.
function knownLines(fun, goal) {
  const byLine = new Map();
  for (const entry of fun.invariants || []) if (entry.line <= goal.line && entry.known !== 'dead') byLine.set(entry.line, [...(byLine.get(entry.line) || []), ...entry.known.facts]);
  const known = [...byLine].map(([line, facts]) => [line, [...new Set(facts)]]).filter(([, facts]) => facts.length);
  if (!goal.proof || !known.length) return null;
  return [el('h3', {}, 'What holds at code on the lines before it, for every input'), el('ul', { class: 'steps' }, known.slice(-12).map(([line, facts]) => el('li', {}, `line ${line}: ${facts.join('; ')}`)))];
}

// Goals that are unknown for the same reason: what helps one of them helps all.
function sameCause(goal) {
  const others = goals.filter((entry) => entry.goal !== goal && entry.goal.reason && entry.goal.reason.code === goal.reason.code && entry.goal.reason.text === goal.reason.text);
  return others.length ? el('details', {}, el('summary', {}, `${others.length} more ${others.length === 1 ? NOUN : NOUNS} with the same cause`), el('ul', { class: 'plainlist' }, others.slice(0, 30).map((entry) => el('li', {}, el('a', { href: goalLink(entry) }, rich(entry.goal.text)), el('span', { class: 'note' }, ` ${titleOf(entry.fun)}, line ${entry.goal.line}`))))) : null;
}

function goalDetail(fun, at, index) {
  const goal = index === null ? null : fun.goals[index];
  if (!goal) return [el('h2', {}, isCheck ? 'Properties of this function' : 'Goals of this function'), (fun.goals || []).length ? el('p', {}, `Choose a ${NOUN}: a mark in the source, or a row of the table below. Its test, path and proof appear here. The keys `, el('kbd', {}, 'j'), ' and ', el('kbd', {}, 'k'), ' go through them.') : el('p', {}, `There is no ${NOUN} here.`)];
  const tests = testsOf(fun, goal);
  return [
    neighbors(fun, at, index),
    el('h2', { id: 'goal-title', tabindex: -1 }, headline(goal)), isWrong(goal) ? el('p', {}, 'What should hold: ', rich(goal.text), '.') : null, el('p', {}, badge(goal.verdict), ` ${verdictOf(goal.verdict)[3]}. `, el('span', { class: 'note' }, `${goal.kind}, line ${goal.line}${IS_JAVA ? '' : `:${goal.column}`}`)),
    onSameLine(fun, at, index),
    goal.proof ? el('p', {}, el('b', {}, 'Proof: '), goal.proof, '.') : null,
    (goal.bounds || []).length ? el(goal.bounds.length > 7 ? 'div' : 'p', {}, el('b', {}, 'Bounds that mattered: '), goal.bounds.length > 7 ? el('details', {}, el('summary', {}, boundsOf(goal)), goal.bounds.join(', '), '.') : `${boundsOf(goal)}.`) : null,
    goal.reason ? [el('p', {}, el('b', {}, `Why (${goal.reason.code}): `), rich(goal.reason.text)), el('p', {}, el('b', {}, 'What to do: '), rich(advice[goal.reason.code] || '')), undecided(fun, goal), sameCause(goal)] : null,
    goal.reached_after ? el('p', { class: 'note' }, `First reached after ${plural(goal.reached_after, 'run')}.`) : null,
    (fun.contract || []).filter((clause) => (clause.removes || []).includes(goal.id)).map((clause) => el('p', {}, el('b', {}, 'Removed by the contract: '), el('code', {}, clause.text), ` (${clause.place})`)),
    closedWays(fun, goal),
    knownLines(fun, goal),
    goal.at && typeof goal.at.decision === 'number' && fun.decisions && fun.decisions[goal.at.decision] ? truthTable(fun, goal.at.decision, goal) : null,
    tests.map((test) => testDetail(fun, test, goal)),
    el('p', { class: 'note mono' }, goal.id),
  ];
}

// What the verdicts rest on: how tests were confirmed, and what nothing has checked.
function granted(fun) {
  const list = fun.assumptions || [];
  return [fun.confirmation ? el('p', { class: 'note' }, `Tests of this function are ${fun.confirmation.text}`) : null,
    list.length ? [el('h2', {}, 'Taken for granted'), el('ul', { class: 'plainlist' }, list.map((text) => el('li', {}, text)))] : null];
}

const FLOW_LEGEND = isCheck ? 'Blue frame: where the chosen property is. Green: conditions on the way of its counter-example.' : 'Green: executed by tests. Blue: the way of the chosen goal’s test. Dashed: not executed, or proved unreachable.';
function functionView(at, index) {
  const fun = functions[at], goal = index === null ? null : (fun.goals || [])[index], tests = goal ? testsOf(fun, goal) : [];
  const list = goals.filter((entry) => entry.at === at), flow = attempt('The control flow', () => controlFlow(fun, goal, tests));
  return [
    totals(list, (fun.tests || []).length),
    el('div', { class: 'split' }, el('div', { class: 'left' },
      el('div', { class: 'area-source' }, el('h2', {}, 'Source'),
        el('p', { class: 'legend' }, VERDICTS.filter(([name]) => list.some((entry) => entry.goal.verdict === name)).map(([name, title, sign]) => el('span', { class: name }, el('span', { style: 'color: var(--tone); font-weight: 700' }, sign), ` ${title.toLowerCase()}`))),
        attempt('The source', () => sourceView(fun, at, goal, tests))),
      flow ? el('div', { class: 'area-flow' }, el('h2', {}, 'Control flow'), el('p', { class: 'legend' }, FLOW_LEGEND), flow) : null),
      el('aside', { class: 'detail', 'aria-label': `The chosen ${NOUN}` }, attempt(`This ${NOUN}`, () => goalDetail(fun, at, index)))),
    list.length ? [el('h2', {}, isCheck ? 'Properties' : 'Goals'), goalTable(list, false)] : null,
    attempt('The decisions', () => decisionsView(fun)),
    (fun.contract || []).length ? [el('h2', {}, 'Contract'), el('ul', { class: 'plainlist' }, fun.contract.map((clause) => el('li', {}, el('code', {}, clause.text), ` (${clause.place})`, (clause.removes || []).length ? `: removes ${plural(clause.removes.length, 'goal')}` : '')))] : null,
    (fun.requirements || []).length ? el('p', {}, el('b', {}, 'Requirements: '), fun.requirements.join(', ')) : null,
    granted(fun),
    attempt('The plots', () => searchPlots(list, [fun])),
  ];
}
