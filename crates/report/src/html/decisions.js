// Decisions as truth tables: one row per way to evaluate them, with the tests that did, pairs marked.

// The rows of the table: those that tests took first, then the others.
const rowsOf = (decision) => [...(decision.evaluations || []), ...(decision.unseen || []).map((row) => ({ ...row, tests: [] }))];

// A goal that a test is for, to link to.
function goalOfTest(fun, name) {
  const test = testOf(fun, name), wanted = (test && test.covers) || [];
  const index = (fun.goals || []).findIndex((goal) => goal.test === name || wanted.includes(goal.id));
  return index < 0 ? null : { at: numberOf.get(fun), index };
}
const FEW_TESTS = 3;
function testLinks(fun, names) {
  const link = (name) => { const to = goalOfTest(fun, name), number = (fun.tests || []).findIndex((test) => test.id === name) + 1; return to ? el('a', { href: goalLink(to), title: name }, `test ${number || name}`) : name; };
  return [names.slice(0, FEW_TESTS).map((name, at) => [at ? ', ' : '', link(name)]), names.length > FEW_TESTS ? ` and ${names.length - FEW_TESTS} more` : ''];
}

// What is known of a row: tests, a proof, or why there is neither.
function rowState(fun, row, isAllDecided) {
  if (row.tests.length) return ['tested', testLinks(fun, row.tests)];
  const why = row.impossible, goal = why && (fun.goals || [])[why.goal];
  if (goal) {
    const link = el('a', { href: goalLink({ at: numberOf.get(fun), index: why.goal }) }, verdictOf(goal.verdict)[1].toLowerCase());
    return [goal.verdict.endsWith('-within') ? 'impossible within bounds' : 'impossible', ['impossible: ', typeof why.with === 'number' ? [`with row ${why.with + 1} it would be a pair, which is `, link] : [rich(goal.text), ' is ', link]]];
  }
  return isAllDecided ? ['not needed', 'not needed'] : ['no test', 'no test'];
}

function truth(value) {
  return value === null || value === undefined ? el('td', { class: 'skip-mark' }, el('span', { role: 'img', 'aria-label': 'not evaluated' }, '·'))
    : el('td', { class: value ? 't' : 'f' }, value ? 'T' : 'F');
}

// The two rows that show a condition's independence.
function pairRows(decision, goal) {
  const rows = decision.evaluations || [], condition = goal.at && goal.at.condition;
  if (!goal.pair || condition === undefined || condition === null) return [];
  const [first, second] = goal.pair;
  for (let a = 0; a < rows.length; a += 1) {
    for (let b = 0; b < rows.length; b += 1) {
      const one = rows[a].values[condition], two = rows[b].values[condition];
      if (rows[a].tests.includes(first) && rows[b].tests.includes(second) && rows[a].outcome !== rows[b].outcome
        && typeof one === 'boolean' && typeof two === 'boolean' && one !== two) return [a, b];
    }
  }
  return [];
}

// Decisions with something to see: several conditions, or MC/DC goals.
function decisionsView(fun) {
  const isAsked = (number) => (fun.goals || []).some((goal) => goal.at && goal.at.decision === number && goal.at.flavor);
  const shown = (fun.decisions || []).map((decision, number) => number).filter((number) => isAsked(number) || (fun.decisions[number].conditions.length > 1 && !isCheck));
  return shown.length ? [el('h2', {}, 'Decisions'), el('div', { class: 'decisions' }, shown.map((number) => truthTable(fun, number, null)))] : null;
}

// Which row shows a condition together with which others.
const partners = (decision, row, condition) => (decision.pairs || []).filter((pair) => pair.condition === condition && (pair.first === row || pair.second === row)).map((pair) => (pair.first === row ? pair.second : pair.first) + 1);

function truthTable(fun, index, selected, isBook) {
  const decision = fun.decisions[index], rows = rowsOf(decision);
  const marked = selected ? pairRows(decision, selected) : [];
  const own = (fun.goals || []).map((goal, at) => ({ goal, fun, at: numberOf.get(fun), index: at }))
    .filter(({ goal }) => goal.at && goal.at.decision === index && goal.at.flavor);
  // Pairs of other rows, or proofs, decide every condition.
  const isAllDecided = own.length >= decision.conditions.length && own.every(({ goal }) => goal.verdict !== 'unknown');
  const matrix = isBook && (decision.pairs || []).length;
  const states = rows.map((row) => rowState(fun, row, isAllDecided));
  const columns = decision.conditions.length + 3 + (matrix ? decision.conditions.length : 0);
  return el('div', { class: 'decision' },
    el(isBook ? 'h4' : 'h3', {}, `Line ${decision.line}: `, el('code', {}, decision.formula), ` (${decision.kind})`),
    el('p', { class: 'conditions' }, decision.conditions.map((condition, at) => el('span', {}, el('b', {}, `c${at + 1}`), ' ', el('code', {}, isBook ? condition.text : cut(condition.text, 70))))),
    el('div', { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': `Truth table of line ${decision.line}` }, el('table', { class: 'truth' },
      el('caption', { class: 'hidden' }, `Evaluations of the decision in line ${decision.line}`),
      el('thead', {}, el('tr', {}, el('th', { scope: 'col' }, '#'),
        decision.conditions.map((condition, at) => el('th', { scope: 'col', title: condition.text, class: selected && selected.at && selected.at.condition === at ? 'chosen' : null }, `c${at + 1}`)),
        el('th', { scope: 'col' }, 'outcome'),
        matrix ? decision.conditions.map((condition, at) => el('th', { scope: 'col', class: 'pairhead', title: `rows that show c${at + 1} together with this one` }, `pairs of c${at + 1}`)) : null,
        el('th', { scope: 'col' }, 'shown by'))),
      el('tbody', {}, rows.map((row, at) => el('tr', { class: marked.includes(at) ? 'pair' : row.tests.length ? null : states[at][0].startsWith('impossible') ? 'impossible' : 'unseen' }, el('td', {}, at + 1),
        row.values.map(truth), truth(row.outcome),
        matrix ? decision.conditions.map((condition, number) => el('td', { class: 'pairs' }, partners(decision, at, number).join(', '))) : null,
        el('td', { class: 'tests' }, states[at][1]))),
      rows.length ? null : el('tr', {}, el('td', { colspan: columns }, 'No test evaluates this decision.'))))),
    own.length ? el('ul', { class: 'plainlist' }, own.map((entry) => {
      const pair = pairRows(decision, entry.goal);
      return el('li', {}, badge(entry.goal.verdict), ' ', el('a', { href: goalLink(entry) }, `c${entry.goal.at.condition + 1}`),
        ` ${entry.goal.at.flavor} MC/DC`, pair.length ? `: rows ${pair[0] + 1} and ${pair[1] + 1}` : '', isBook && entry.goal.proof ? `: ${entry.goal.proof}` : '', isBook && (entry.goal.bounds || []).length ? `: ${boundsOf(entry.goal, 12)}` : '');
    })) : null);
}
