// One goal: verdict, evidence, inputs of its tests, path, constraints; or why nothing reaches it.
function testDetail(fun, test) {
  const expected = test.expected || {};
  const ending = typeof expected.ending === 'string' ? expected.ending : JSON.stringify(expected.ending);
  const replay = test.replay || { state: 'not-run' };
  return el('section', { 'aria-label': `Test ${test.id}` },
    el('h3', {}, 'Test ', el('code', {}, test.id)),
    el('p', { class: 'note' }, { confirmed: 'Confirmed: compiled, run twice and followed by probes.', failed: `The real program disagrees: ${replay.story || ''}`, 'not-run': 'Not run on the real program.' }[replay.state] || replay.state),
    heapPicture(test),
    el('p', {}, `Expected: ${ending || 'returned'}`, expected.result !== null && expected.result !== undefined ? [' ', el('code', {}, valueText(expected.result))] : null),
    (test.path || []).length ? [el('h3', {}, 'Path'), el('ol', { class: 'steps' }, test.path.map((step) => el('li', {}, `line ${step}`)))] : null,
    (test.constraints || []).length ? [el('h3', {}, 'Path constraints'), el('ul', { class: 'steps' }, test.constraints.slice(0, 200).map((text) => el('li', {}, text)))]
      : el('p', { class: 'note' }, 'Found by a plain concrete run: no constraints were needed.'));
}

function closedWays(fun, goal) {
  const ways = (goal.refutations || []).map((index) => (fun.refutations || [])[index]).filter(Boolean);
  if (!ways.length) return null;
  return [el('h3', {}, 'Ways that lead there, and why each is closed'), ways.map((way) => {
    const block = blocksOf(fun)[way.edge[0]] || { lines: [], edges: [] }, edge = block.edges[way.edge[1]] || {};
    return el('div', {}, el('p', {}, `Line ${block.lines[block.lines.length - 1] || '?'}: on one way here, `, el('code', {}, block.text || block.kind), ` cannot be ${edge.label || 'taken'}`, way.core.length ? ', because these cannot hold together:' : '.'),
      el('ul', { class: 'steps' }, way.core.map((part) => el('li', {}, part.line ? `line ${part.line}: ` : 'inputs: ', part.text))));
  })];
}

// What holds on the lines before a goal, where some proof of the function rests on it.
function knownLines(fun, goal) {
  const known = (fun.invariants || []).filter((entry) => entry.line <= goal.line);
  if (!goal.proof || !known.length) return null;
  return [el('h3', {}, 'What holds at code on the lines before it, for every input'), el('ul', { class: 'steps' }, known.slice(-12).map((entry) => el('li', {}, `line ${entry.line}: ${entry.text}`)))];
}

function goalDetail(fun, goal) {
  if (!goal) return [el('h2', {}, 'Goals of this function'), el('p', {}, 'Choose a goal: a mark in the source, or a row of the table below. Its test, path and proof appear here.')];
  const tests = testsOf(fun, goal);
  return [
    el('h2', { id: 'goal-title', tabindex: -1 }, goal.text), el('p', {}, badge(goal.verdict), ` ${verdictOf(goal.verdict)[3]}. `, el('span', { class: 'note' }, `${goal.kind}, line ${goal.line}:${goal.column}`)),
    goal.proof ? el('p', {}, el('b', {}, 'Proof: '), proofText(goal.proof), '.') : null,
    (goal.bounds || []).length ? el('p', {}, el('b', {}, 'Bounds that mattered: '), goal.bounds.join(', '), '.') : null,
    goal.reason ? el('p', {}, el('b', {}, `Why (${goal.reason.code}): `), goal.reason.text) : null,
    goal.reached_after ? el('p', { class: 'note' }, `First reached after ${plural(goal.reached_after, 'run')}.`) : null,
    (fun.contract || []).filter((clause) => (clause.removes || []).includes(goal.id)).map((clause) => el('p', {}, el('b', {}, 'Removed by the contract: '), el('code', {}, clause.text), ` (${clause.place})`)),
    closedWays(fun, goal),
    knownLines(fun, goal),
    goal.at && typeof goal.at.decision === 'number' && fun.decisions && fun.decisions[goal.at.decision] ? truthTable(fun, goal.at.decision, goal) : null,
    tests.map((test) => testDetail(fun, test)),
    el('p', { class: 'note mono' }, goal.id),
  ];
}

function functionView(at, index) {
  const fun = functions[at], goal = index === null ? null : (fun.goals || [])[index], tests = goal ? testsOf(fun, goal) : [];
  const list = goals.filter((entry) => entry.at === at);
  return [
    totals(list, (fun.tests || []).length),
    el('div', { class: 'split' },
      el('div', {}, el('h2', {}, 'Source'),
        el('p', { class: 'legend' }, VERDICTS.filter(([name]) => list.some((entry) => entry.goal.verdict === name)).map(([name, title, sign]) => el('span', { class: name }, el('span', { style: 'color: var(--tone); font-weight: 700' }, sign), ` ${title.toLowerCase()}`))),
        sourceView(fun, at, goal, tests), el('h2', {}, 'Control flow'),
        el('p', { class: 'legend' }, 'Green: executed by tests. Blue: the way of the chosen goal’s test. Dashed: not executed, or proved unreachable.'), controlFlow(fun, goal, tests)),
      el('aside', { class: 'detail', 'aria-label': 'The chosen goal', tabindex: 0 }, goalDetail(fun, goal))),
    el('h2', {}, 'Goals'), goalTable(list, false),
    (fun.decisions || []).some((decision) => decision.conditions.length) ? [el('h2', {}, 'Decisions'), fun.decisions.map((decision, number) => truthTable(fun, number, null))] : null,
    (fun.contract || []).length ? [el('h2', {}, 'Contract'), el('ul', { class: 'plainlist' }, fun.contract.map((clause) => el('li', {}, el('code', {}, clause.text), ` (${clause.place})`, (clause.removes || []).length ? `: removes ${plural(clause.removes.length, 'goal')}` : '')))] : null,
    (fun.assumptions || []).length ? [el('h2', {}, 'Taken for granted'), el('ul', { class: 'plainlist' }, fun.assumptions.map((text) => el('li', {}, text)))] : null,
    el('h2', {}, 'The search'), el('div', { class: 'plots' }, reachedPlot(list), layerPlot([fun])),
  ];
}
