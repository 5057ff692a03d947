// The first view: totals, functions, all goals with filters, plots.
function totals(list, tests) {
  const by = counts(list.map((entry) => entry.goal));
  const present = VERDICTS.filter(([name]) => by[name] || ['covered', 'infeasible', 'unknown'].includes(name));
  return [
    el('ul', { class: 'cards' },
      el('li', {}, el('b', {}, list.length), el('span', {}, 'goals')),
      present.map(([name, title]) => el('li', { class: name }, el('b', {}, by[name] || 0), el('span', {}, title.toLowerCase()))),
      el('li', {}, el('b', {}, tests), el('span', {}, 'tests'))),
    el('div', { class: 'bar', role: 'img', 'aria-label': present.map(([name, title]) => `${title}: ${by[name] || 0}`).join(', ') },
      present.map(([name]) => el('i', { class: name, style: `width: ${list.length ? 100 * (by[name] || 0) / list.length : 0}%` }))),
  ];
}

function functionTable() {
  const number = (verdict) => (fun) => (fun.goals || []).filter((goal) => goal.verdict === verdict).length;
  const shown = VERDICTS.filter(([name]) => ['covered', 'infeasible', 'unknown'].includes(name) || goals.some((entry) => entry.goal.verdict === name));
  const columns = [
    { title: 'Function', value: (fun) => fun.name, show: (fun) => el('a', { href: `#/function/${functions.indexOf(fun)}` }, el('code', {}, fun.name)) },
    { title: 'Place', value: (fun) => `${fun.file}:${String(fun.line).padStart(6, '0')}`, show: (fun) => el('span', { class: 'mono' }, `${fun.file}:${fun.line}`) },
    { title: 'Goals', numeric: true, value: (fun) => (fun.goals || []).length },
    ...shown.map(([name, title]) => ({ title, numeric: true, value: number(name) })),
    { title: 'Tests', numeric: true, value: (fun) => (fun.tests || []).length },
    { title: 'Paths', numeric: true, value: (fun) => (fun.statistics || {}).paths || 0 },
  ];
  return sortableTable('Functions', columns, functions, (count) => plural(count, 'function')).node;
}

function goalTable(list, withFunction) {
  const evidence = ({ goal }) => goal.test || proofText(goal.proof) || (goal.bounds || []).join(', ') || (goal.reason ? `${goal.reason.code}: ${goal.reason.text.split('\n')[0]}` : '');
  const columns = [
    { title: 'Verdict', value: ({ goal }) => goal.verdict, show: ({ goal }) => badge(goal.verdict) },
    { title: 'Line', numeric: true, value: ({ goal }) => goal.line },
    ...(withFunction ? [{ title: 'Function', value: ({ fun }) => fun.name, show: ({ fun }) => el('code', {}, fun.name) }] : []),
    { title: 'Goal', value: ({ goal }) => goal.text, show: (entry) => el('a', { href: goalLink(entry) }, entry.goal.text) },
    { title: 'Criterion', value: ({ goal }) => goal.kind },
    { title: 'Evidence', value: evidence, show: (entry) => el('span', { class: 'mono evidence' }, cut(evidence(entry).replace(`test_${entry.fun.name}_`, ''), 60)) },
  ];
  const table = sortableTable('Goals', columns, list, (count, shown) => `${plural(count, 'goal')}${shown < count ? `, the first ${shown} shown` : ''}`);
  const search = el('input', { type: 'search', placeholder: 'function, text, criterion, line', 'aria-label': 'Filter goals by text' });
  const kinds = [...new Set(list.map(({ goal }) => goal.kind))].sort();
  const kind = el('select', { 'aria-label': 'Criterion' }, el('option', { value: '' }, 'every criterion'), kinds.map((name) => el('option', { value: name }, name)));
  const boxes = VERDICTS.filter(([name]) => list.some(({ goal }) => goal.verdict === name)).map(([name, title]) => {
    const box = el('input', { type: 'checkbox', checked: true, 'data-verdict': name });
    return [box, el('label', {}, box, el('span', { class: `badge ${name}` }, title))];
  });
  const words = list.map(({ goal, fun }) => `${fun.name} ${goal.text} ${goal.kind} ${goal.line} ${goal.id} ${goal.verdict}`.toLowerCase());
  const apply = () => {
    const wanted = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const off = new Set(boxes.filter(([box]) => !box.checked).map(([box]) => box.dataset.verdict));
    table.show(list.filter(({ goal }, at) => !off.has(goal.verdict) && (!kind.value || goal.kind === kind.value) && wanted.every((word) => words[at].includes(word))));
  };
  search.addEventListener('input', apply);
  kind.addEventListener('change', apply);
  boxes.forEach(([box]) => box.addEventListener('change', apply));
  return [el('div', { class: 'filters', role: 'search' }, search, kinds.length > 1 ? kind : null, boxes.map(([, label]) => label)), table.node];
}

function overview() {
  const tests = functions.reduce((sum, fun) => sum + (fun.tests || []).length, 0);
  return [
    el('h2', {}, 'Result'), totals(goals, tests),
    el('h2', {}, 'Functions'), functionTable(),
    el('h2', {}, 'Goals'), goalTable(goals, true),
    el('h2', {}, 'The search'), el('div', { class: 'plots' }, reachedPlot(goals), layerPlot(functions)),
  ];
}
