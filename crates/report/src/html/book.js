// The evidence of structural coverage on paper: every decision with its whole truth table, what is not executed and why.
const isMcdc = (goal) => Boolean(goal.at && goal.at.flavor);
const hasBook = () => functions.some((fun) => (fun.goals || []).some(isMcdc));

function bookCounts() {
  const list = goals.filter(({ goal }) => isMcdc(goal)), by = counts(list.map(({ goal }) => goal));
  const rows = functions.flatMap((fun) => (fun.decisions || []).map((decision, number) => ({ fun, decision, number })).filter(({ number }) => (fun.goals || []).some((goal) => isMcdc(goal) && goal.at.decision === number)));
  const conditions = rows.reduce((sum, { decision }) => sum + decision.conditions.length, 0);
  const line = (words, count) => el('tr', {}, el('th', { scope: 'row' }, words), el('td', { class: 'n' }, count));
  return el('table', { class: 'facts' }, el('caption', { class: 'hidden' }, 'Modified condition/decision coverage'), el('tbody', {},
    line('Decisions', rows.length), line('Conditions', conditions), line('Conditions shown to act independently, by a pair of executed tests', by.covered || 0),
    line('Conditions proved unable to act independently', by.infeasible || 0), by['infeasible-within'] ? line('The same, within the printed bounds', by['infeasible-within']) : null, line('Open: neither pair nor proof', by.unknown || 0)));
}

// Code that no test executes, with the reason that an auditor asks for.
function notExecuted() {
  const removed = (fun, goal) => (fun.contract || []).filter((clause) => (clause.removes || []).includes(goal.id));
  const row = (entry) => {
    const { goal, fun } = entry, clauses = removed(fun, goal);
    return el('tr', {}, el('td', {}, el('code', {}, titleOf(fun)), ` ${goal.file}:${goal.line}`), el('td', {}, el('a', { href: goalLink(entry) }, rich(goal.text))),
      el('td', {}, badge(goal.verdict)), el('td', {}, clauses.length ? ['excluded by the contract: ', clauses.map((clause) => el('code', {}, `${clause.text} `))] : goal.proof || (goal.bounds || []).join(', ')));
  };
  const table = (title, list, words) => (list.length ? [el('h3', {}, title), el('p', { class: 'note' }, words), el('div', { class: 'scroll' }, el('table', {}, el('thead', {}, el('tr', {}, ['Place', 'Goal', 'Verdict', 'Justification'].map((head) => el('th', { scope: 'col' }, head)))), el('tbody', {}, list.map(row))))] : []);
  // Independence is a matter of the tables below.
  const list = goals.filter(({ goal }) => goal.verdict.startsWith('infeasible') && !isMcdc(goal)), byContract = list.filter(({ fun, goal }) => removed(fun, goal).length);
  const open = goals.filter(({ goal }) => goal.verdict === 'unknown');
  return [el('h2', {}, 'Code that is not executed'), list.length || open.length ? null : el('p', {}, 'None that the criteria of this run see.'),
    table('Unreachable code', list.filter((entry) => !byContract.includes(entry)), 'Proved: no input leads there. Extraneous code, or protection against what cannot happen: justify or remove it.'),
    table('Deactivated by contract', byContract, 'No input that the contract allows leads there.'),
    table('Open', open, 'Neither a test nor a proof: to be reviewed by hand.')];
}

// Requirements that contracts name, with the functions and tests that trace to them.
function requirementTable() {
  const byName = new Map();
  functions.forEach((fun, at) => (fun.requirements || []).forEach((name) => byName.set(name, [...(byName.get(name) || []), { fun, at }])));
  if (!byName.size) return null;
  const row = ([name, list]) => list.map(({ fun, at }, index) => el('tr', {}, el('td', {}, index ? '' : el('b', {}, name)), el('td', {}, el('a', { href: `#/function/${at}` }, el('code', {}, titleOf(fun)))),
    el('td', {}, (fun.contract || []).length ? fun.contract.map((clause) => el('div', {}, el('code', {}, clause.text))) : 'no clause'), el('td', { class: 'n' }, (fun.tests || []).length)));
  return [el('h2', {}, 'Requirements'), el('div', { class: 'scroll' }, el('table', {}, el('thead', {}, el('tr', {}, el('th', { scope: 'col' }, 'Requirement'), el('th', { scope: 'col' }, 'Function'), el('th', { scope: 'col' }, 'Contract'), el('th', { scope: 'col', class: 'n' }, 'Tests'))), el('tbody', {}, [...byName].sort(([a], [b]) => (a < b ? -1 : 1)).map(row))))];
}

function bookView() {
  const chapters = functions.map((fun, at) => ({ fun, at })).filter(({ fun }) => (fun.goals || []).some(isMcdc));
  const chapter = ({ fun, at }) => el('section', { class: 'chapter' }, el('h2', {}, el('a', { href: `#/function/${at}` }, el('code', {}, titleOf(fun))), el('span', { class: 'note' }, ` ${fun.file}:${fun.line}`)),
    (fun.decisions || []).map((decision, number) => ((fun.goals || []).some((goal) => isMcdc(goal) && goal.at.decision === number) ? attempt(`Decision ${number + 1}`, () => truthTable(fun, number, null, true)) : null)),
    el('h3', {}, 'Tests'), attempt('The tests', () => el('ol', { class: 'testlist' }, (fun.tests || []).map((test) => el('li', {}, el('code', {}, test.id), el('span', { class: 'note' }, ` ${argumentsOf(test)} · ${endingText(test, fun)} · ${(test.replay || {}).state === 'confirmed' ? 'executed on the target program' : 'not executed'}`))))),
    (fun.assumptions || []).length ? [el('h3', {}, 'Taken for granted'), el('ul', { class: 'plainlist' }, fun.assumptions.map((text) => el('li', {}, text)))] : null);
  return [
    el('p', { class: 'bookhead' }, `Structural coverage analysis, modified condition/decision coverage. ${suite.tool.name} ${suite.tool.version}. `, el('button', { class: 'plain', type: 'button', onclick: () => window.print() }, 'Print or save as PDF')),
    el('p', { class: 'note' }, 'For structural coverage analysis and its resolution as in DO-178C 6.4.4.2 and 6.4.4.3 and for structural coverage at unit level as in ISO 26262-6. The tests are made from the code: they show what it does and which of it is executed. They do not replace tests made from requirements. Every row of a truth table is shown by a test, proved impossible, not needed for a pair, or said to be open.'),
    bookCounts(), requirementTable(), notExecuted(), chapters.map(chapter)];
}
