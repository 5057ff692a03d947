// Decisions as truth tables: one row per way to evaluate them, with the tests that did, pairs marked.

// All ways to evaluate a formula over c1, c2, …, with `!`, `&&`, `||` and brackets, left first and no further than needed:
// the value of each condition, null where it is not looked at, and the outcome. null where the formula is not read.
const MOST_CONDITIONS = 6;
function waysThrough(formula, count) {
  const tokens = formula.match(/c\d+|&&|\|\||[!()]|\S/g) || [];
  let at = 0;
  const primary = () => {
    const token = tokens[at];
    at += 1;
    if (token === '!') { const inner = primary(); return inner && ((look) => !inner(look)); }
    if (token === '(') { const inner = either(); if (tokens[at] !== ')') return null; at += 1; return inner; }
    const match = /^c(\d+)$/.exec(token || '');
    return match && ((look) => look(Number(match[1]) - 1));
  };
  const chain = (part, operator, join) => () => {
    let left = part();
    while (left && tokens[at] === operator) { at += 1; const first = left, second = part(); left = second && ((look) => join(first, second, look)); }
    return left;
  };
  const both = chain(primary, '&&', (first, second, look) => first(look) && second(look));
  const either = chain(both, '||', (first, second, look) => first(look) || second(look));
  const whole = either();
  if (!whole || at !== tokens.length || count > MOST_CONDITIONS) return null;
  const ways = new Map();
  for (let bits = 0; bits < 2 ** count; bits += 1) {
    const values = new Array(count).fill(null);
    const outcome = whole((condition) => { values[condition] = Boolean(bits >> condition & 1); return values[condition]; });
    ways.set(JSON.stringify(values), { values, outcome });
  }
  return [...ways.values()];
}

// The rows of the table: every way that there is, those that tests took first.
function rowsOf(decision) {
  const seen = decision.evaluations || [], key = (row) => JSON.stringify(row.values.map((value) => (value === undefined ? null : value)));
  const ways = decision.conditions.length > 1 ? waysThrough(decision.formula, decision.conditions.length) : null;
  const known = new Set(seen.map(key));
  return [...seen, ...(ways || []).filter((way) => !known.has(key(way))).map((way) => ({ ...way, tests: [] }))];
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

function truthTable(fun, index, selected) {
  const decision = fun.decisions[index], rows = rowsOf(decision);
  const marked = selected ? pairRows(decision, selected) : [];
  const own = (fun.goals || []).map((goal, at) => ({ goal, fun, at: functions.indexOf(fun), index: at }))
    .filter(({ goal }) => goal.at && goal.at.decision === index && goal.at.flavor);
  // Pairs of other rows, or proofs, decide every condition.
  const isAllDecided = own.length === decision.conditions.length && own.every(({ goal }) => goal.verdict !== 'unknown');
  return el('div', { class: 'decision' },
    el('h3', {}, `Line ${decision.line}: `, el('code', {}, decision.formula), ` (${decision.kind})`),
    el('p', { class: 'conditions' }, decision.conditions.map((condition, at) => el('span', {}, el('b', {}, `c${at + 1}`), ' ', el('code', {}, cut(condition.text, 70))))),
    el('div', { class: 'scroll' }, el('table', { class: 'truth' },
      el('caption', { class: 'hidden' }, `Evaluations of the decision in line ${decision.line}`),
      el('thead', {}, el('tr', {}, el('th', { scope: 'col' }, '#'),
        decision.conditions.map((condition, at) => el('th', { scope: 'col', title: condition.text, class: selected && selected.at && selected.at.condition === at ? 'chosen' : null }, `c${at + 1}`)),
        el('th', { scope: 'col' }, 'outcome'), el('th', { scope: 'col' }, 'tests'))),
      el('tbody', {}, rows.map((row, at) => el('tr', { class: marked.includes(at) ? 'pair' : row.tests.length ? null : 'unseen' }, el('td', {}, at + 1),
        row.values.map(truth), truth(row.outcome), el('td', { class: 'tests', title: row.tests.join(', ') }, row.tests.length ? plural(row.tests.length, 'test') : isAllDecided ? 'not needed' : 'no test'))),
      rows.length ? null : el('tr', {}, el('td', { colspan: decision.conditions.length + 3 }, 'No test evaluates this decision.'))))),
    own.length ? el('ul', { class: 'plainlist' }, own.map((entry) => {
      const pair = pairRows(decision, entry.goal);
      return el('li', {}, badge(entry.goal.verdict), ' ', el('a', { href: goalLink(entry) }, `c${entry.goal.at.condition + 1}`),
        ` ${entry.goal.at.flavor} MC/DC`, pair.length ? `: rows ${pair[0] + 1} and ${pair[1] + 1}` : '');
    })) : null);
}
