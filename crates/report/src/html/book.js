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

// The other criteria of the run, one row each.
const STANDARD = { statement: 'statement coverage', branch: 'branch coverage', decision: 'decision coverage', condition: 'condition coverage', mcdc: 'modified condition/decision coverage (masking)', 'mcdc:unique-cause': 'modified condition/decision coverage (unique cause)' };
function criteriaTable() {
  const kinds = [...new Set(goals.map(({ goal }) => goal.kind))].sort();
  const row = (kind) => { const by = counts(goals.filter(({ goal }) => goal.kind === kind).map(({ goal }) => goal)), all = Object.values(by).reduce((sum, count) => sum + count, 0), never = (by.infeasible || 0) + (by['infeasible-within'] || 0);
    return el('tr', {}, el('th', { scope: 'row' }, STANDARD[kind] || kind), [all, by.covered || 0, never, by.unknown || 0].map((count) => el('td', { class: 'n' }, count)), el('td', { class: 'n' }, all > never ? `${(100 * (by.covered || 0) / (all - never)).toFixed(1)} %` : '–')); };
  return [el('h2', {}, 'Structural coverage'), el('div', { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': 'Structural coverage' }, el('table', { class: 'facts' }, el('thead', {}, el('tr', {}, ['Criterion', 'Goals', 'Covered by tests', 'Proved unreachable', 'Open', 'Covered, of what is reachable'].map((head, at) => el('th', { scope: 'col', class: at ? 'n' : null }, head)))), el('tbody', {}, kinds.map(row))))];
}

// What this is evidence about: tool, command and the exact inputs, so that a reader can tell whether it is theirs.
function identity() {
  const row = (name, value) => el('tr', {}, el('th', { scope: 'row' }, name), el('td', {}, value));
  return el('table', { class: 'identity' }, el('caption', { class: 'hidden' }, 'Identity'), el('tbody', {}, row('Tool', `${suite.tool.name} ${suite.tool.version}`), row('Command', el('code', {}, (suite.command || []).map((word, at) => (at ? word : word.split('/').pop())).join(' '))),
    row('suite.json, SHA-256', el('code', {}, digests.suite)), Object.entries(digests.sources).map(([path, sum]) => row(`${path}, SHA-256`, el('code', {}, sum)))));
}

// Code that no test executes, with the reason that an auditor asks for.
function notExecuted() {
  const removed = (fun, goal) => (fun.contract || []).filter((clause) => (clause.removes || []).includes(goal.id));
  const row = (entry) => {
    const { goal, fun } = entry, clauses = removed(fun, goal);
    return el('tr', {}, el('td', {}, el('code', {}, titleOf(fun)), ` ${goal.file}:${goal.line}`), el('td', {}, el('a', { href: goalLink(entry) }, rich(goal.text))),
      el('td', {}, badge(goal.verdict)), el('td', {}, clauses.length ? ['excluded by the contract: ', clauses.map((clause) => el('code', {}, `${clause.text} `))] : goal.reason ? rich(`${goal.reason.code}: ${goal.reason.text.split('\n')[0]}`) : goal.proof || boundsOf(goal, 12)));
  };
  const table = (title, list, words, last) => (list.length ? [el('h3', {}, title), el('p', { class: 'note' }, words), el('div', { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': title }, el('table', {}, el('thead', {}, el('tr', {}, ['Place', 'Goal', 'Verdict', last].map((head) => el('th', { scope: 'col' }, head)))), el('tbody', {}, list.map(row))))] : []);
  // Independence is a matter of the tables below.
  const list = goals.filter(({ goal }) => goal.verdict.startsWith('infeasible') && !isMcdc(goal)), byContract = list.filter(({ fun, goal }) => removed(fun, goal).length);
  const open = goals.filter(({ goal }) => goal.verdict === 'unknown');
  return [el('h2', {}, 'Code that is not executed: resolution'), list.length || open.length ? null : el('p', {}, 'None that the criteria of this run see.'),
    table('Unreachable code', list.filter((entry) => !byContract.includes(entry)), 'Proved: no input leads there. It is extraneous code (dead code), to be removed, or defensive code, to be justified.', 'Justification'),
    table('Deactivated code', byContract, 'No input that the contract of the function allows leads there. The clause is the justification; that callers keep to it has to be shown.', 'Justification'),
    table('Open', open, 'Neither a test nor a proof: to be reviewed by hand.', 'Why it is open')];
}

// Requirements that contracts name: which functions, clauses, goals and tests trace to each.
function requirementTable() {
  const byName = new Map();
  functions.forEach((fun, at) => (fun.requirements || []).forEach((name) => { if (!byName.has(name)) byName.set(name, []); byName.get(name).push({ fun, at }); }));
  if (!byName.size) return null;
  const state = (fun) => { const own = fun.goals || [], done = own.filter((goal) => !['unknown', 'violated'].includes(goal.verdict)).length; return `${done} of ${own.length} decided`; };
  const confirmed = (fun) => { const own = fun.tests || [], run = own.filter((test) => (test.replay || {}).state === 'confirmed').length; return own.length ? [testLinks(fun, own.map((test) => test.id)), `; ${run} of ${own.length} executed`] : 'none'; };
  const row = ([name, list]) => list.map(({ fun, at }, index) => el('tr', {}, index ? null : el('th', { scope: 'rowgroup', rowspan: list.length }, name), el('td', {}, el('a', { href: `#/function/${at}` }, el('code', {}, titleOf(fun))), el('span', { class: 'note' }, ` ${fun.file}:${fun.line}`)),
    el('td', {}, (fun.contract || []).length ? fun.contract.map((clause) => el('div', {}, el('code', {}, clause.text))) : 'no clause'), el('td', {}, state(fun)), el('td', {}, confirmed(fun))));
  const untraced = functions.filter((fun) => !(fun.requirements || []).length);
  return [el('h2', {}, 'Traceability to requirements'), el('div', { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': 'Traceability to requirements' }, el('table', {}, el('thead', {}, el('tr', {}, ['Requirement', 'Function', 'Contract', isCheck ? 'Properties' : 'Goals', 'Tests'].map((head) => el('th', { scope: 'col' }, head)))), [...byName].sort(([a], [b]) => (a < b ? -1 : 1)).map((entry) => el('tbody', {}, row(entry))))),
    untraced.length ? el('p', {}, el('b', {}, `${plural(untraced.length, 'function')} without a requirement: `), untraced.slice(0, 30).map((fun, at) => [at ? ', ' : '', el('a', { href: `#/function/${numberOf.get(fun)}` }, el('code', {}, titleOf(fun)))]), untraced.length > 30 ? ` and ${untraced.length - 30} more` : '', '.') : null];
}

function bookView() {
  const chapters = functions.map((fun, at) => ({ fun, at })).filter(({ fun }) => (fun.goals || []).some(isMcdc));
  const chapter = ({ fun, at }) => el('section', { class: 'chapter' }, el('h3', { class: 'function' }, el('a', { href: `#/function/${at}` }, el('code', {}, titleOf(fun))), el('span', { class: 'note' }, ` ${fun.file}:${fun.line}`)),
    (fun.decisions || []).map((decision, number) => ((fun.goals || []).some((goal) => isMcdc(goal) && goal.at.decision === number) ? attempt(`Decision ${number + 1}`, () => truthTable(fun, number, null, true)) : null)),
    el('h4', {}, 'Tests'), attempt('The tests', () => el('ol', { class: 'testlist' }, (fun.tests || []).map((test) => el('li', {}, el('code', {}, test.id), el('span', { class: 'note' }, ` ${argumentsOf(test)} · ${endingText(test, fun)} · ${(test.replay || {}).state === 'confirmed' ? 'executed' : 'not executed'}`))))),
    (fun.assumptions || []).length ? [el('h4', {}, 'Taken for granted'), el('ul', { class: 'plainlist' }, fun.assumptions.map((text) => el('li', {}, text)))] : null);
  return [
    el('p', { class: 'bookhead' }, 'Structural coverage analysis: modified condition/decision coverage. ', el('button', { class: 'plain', type: 'button', onclick: () => window.print() }, 'Print or save as PDF')),
    identity(),
    el('p', { class: 'note' }, 'Evidence for structural coverage analysis and its resolution as in DO-178C 6.4.4.2 and 6.4.4.3 (Table A-7, objectives 5 to 7) and for structural coverage at the software unit level as in ISO 26262-6. The tests are made from the code: they show what it does and which of it is executed, and do not replace tests made from requirements. Glassbox is not a qualified tool: use the evidence as your tool qualification (DO-330, ISO 26262-8) allows. Every row of a truth table is shown by a test, proved impossible, not needed for a pair, or said to be open.'),
    criteriaTable(), el('h2', {}, 'Independence of conditions'), bookCounts(), requirementTable(), notExecuted(), el('h2', {}, 'Decisions'), chapters.map(chapter)];
}
