// The first view: totals, what needs attention, functions, all goals with filters, plots.
const barOf = (list, label) => el('div', { class: 'bar', role: 'img', 'aria-label': label }, VERDICTS.map(([name]) => {
  const count = list.filter((goal) => goal.verdict === name).length;
  return count ? el('i', { class: name, style: `width: ${100 * count / list.length}%` }) : null;
}));
const barWords = (by) => VERDICTS.filter(([name]) => by[name]).map(([name, title]) => `${title}: ${by[name]}`).join(', ');

function totals(list, tests) {
  const by = counts(list.map((entry) => entry.goal));
  const present = VERDICTS.filter(([name]) => by[name] || ESSENTIAL.includes(name));
  return [
    el('ul', { class: 'cards' },
      el('li', {}, el('b', {}, list.length), el('span', {}, list.length === 1 ? NOUN : NOUNS)),
      present.map(([name, title]) => el('li', { class: by[name] ? name : `${name} none` }, el('b', {}, by[name] || 0), el('span', {}, title.toLowerCase()))),
      el('li', {}, el('b', {}, tests), el('span', {}, isCheck ? plural(tests, 'counter-example').replace(/^\d+ /, '') : plural(tests, 'test').replace(/^\d+ /, '')))),
    barOf(list.map((entry) => entry.goal), barWords(by) || 'nothing to decide'),
  ];
}

// Tests that no compiler or JVM has run show only what the interpreter says.
function notRun() {
  let all = 0, idle = 0;
  for (const fun of functions) for (const test of fun.tests || []) { all += 1; if (!test.replay || test.replay.state === 'not-run') idle += 1; }
  return idle ? el('p', { class: 'verdict warning' }, el('b', {}, idle === all ? 'No test was run on the real program.' : `${plural(idle, 'test')} of ${all} ${idle === 1 ? 'was' : 'were'} not run on the real program.`), ' What they reach is what the interpreter says; nothing has confirmed it.') : null;
}

// What a reader has to act on, before everything else.
const ATTENTION = 12, FEW_LINKS = 5;
function attention() {
  const list = ['violated', 'unknown'].flatMap((verdict) => goals.filter(({ goal }) => goal.verdict === verdict));
  if (!goals.length) return [el('p', { class: 'verdict note' }, `There is nothing to decide: no ${NOUN} of the chosen criterion in these functions.`)];
  if (!list.length) {
    const within = goals.some(({ goal }) => goal.verdict.endsWith('-within'));
    return [el('p', { class: 'verdict good' }, el('b', {}, `Every ${NOUN} is decided.`), isCheck ? ' Nothing can go wrong here' : goals.every(({ goal }) => goal.verdict === 'covered') ? ' A test reaches each' : ' What no test reaches is proved unreachable', within ? ', some of it within the printed bounds.' : '.')];
  }
  // One card for all that is unknown for the same reason.
  const cards = new Map();
  for (const entry of list) {
    const { goal } = entry, key = goal.reason ? `${goal.reason.code}: ${goal.reason.text.split('\n')[0].replace(/\d+ paths?/, '… paths')}` : goal.id;
    if (cards.has(key)) cards.get(key).push(entry); else cards.set(key, [entry]);
  }
  const link = (entry) => el('a', { href: goalLink(entry) }, headline(entry.goal));
  const place = ({ goal, fun }) => el('span', { class: 'note' }, ` ${titleOf(fun)}, line ${goal.line}`);
  const isOneFunction = (entries) => entries.every((entry) => entry.fun === entries[0].fun);
  const card = ([why, entries]) => {
    const [entry] = entries, { goal, fun } = entry;
    const inputs = () => { const shown = argumentsOf(testOf(fun, goal.test)); return shown ? el('span', { class: 'why' }, 'with ', el('code', {}, cut(shown, 160))) : null; };
    return el('li', { class: goal.verdict }, badge(goal.verdict), el('div', { class: 'what' },
      entries.length === 1 ? [link(entry), place(entry)] : [el('b', {}, many(entries.length)), isOneFunction(entries) ? [' in ', el('code', {}, titleOf(fun))] : '', ': ', entries.slice(0, FEW_LINKS).map((one, at) => [at ? ', ' : '', link(one), isOneFunction(entries) ? el('span', { class: 'note' }, ` (line ${one.goal.line})`) : place(one)]), entries.length > FEW_LINKS ? ` and ${entries.length - FEW_LINKS} more` : ''],
      goal.test ? attempt('The inputs', inputs) : null,
      goal.reason ? [el('span', { class: 'why' }, rich(cut(why, 200))), el('span', { class: 'why' }, rich(advice[goal.reason.code] || ''))] : null));
  };
  const all = [...cards];
  return [el('h2', {}, 'Needs attention'), el('ul', { class: 'attention' }, all.slice(0, ATTENTION).map(card)),
    all.length > ATTENTION ? el('p', { class: 'note' }, `and ${all.length - ATTENTION} more: see the table below.`) : null];
}

// From so many functions on, they can be filtered.
const MANY = 15;
function functionTable(own) {
  const number = (verdict) => (fun) => (fun.goals || []).filter((goal) => goal.verdict === verdict).length;
  const shown = VERDICTS.filter(([name]) => ESSENTIAL.includes(name) || own.some((fun) => (fun.goals || []).some((goal) => goal.verdict === name)));
  const share = (fun) => { const list = fun.goals || [], done = list.filter((goal) => !['unknown', 'violated'].includes(goal.verdict)).length; return list.length ? done / list.length : 2; };
  const columns = [
    { title: 'Function', value: titleOf, show: (fun) => [el('a', { href: `#/function/${numberOf.get(fun)}` }, el('code', {}, titleOf(fun))), el('span', { class: 'narrow' }, `${fun.file}:${fun.line}`)] },
    { title: 'Place', wide: true, value: (fun) => `${fun.file}:${String(fun.line).padStart(6, '0')}`, show: (fun) => el('span', { class: 'mono soft' }, `${fun.file}:${fun.line}`) },
    { title: 'Result', value: share, show: (fun) => ((fun.goals || []).length ? barOf(fun.goals, barWords(counts(fun.goals))) : el('span', { class: 'note' }, `no ${NOUNS}`)) },
    { title: isCheck ? 'Properties' : 'Goals', numeric: true, value: (fun) => (fun.goals || []).length },
    ...shown.map(([name, title]) => ({ title, numeric: true, wide: !['unknown', 'violated'].includes(name), value: number(name), show: (fun) => { const count = number(name)(fun); return el('span', { class: count ? `count ${name}` : 'zero' }, count); } })),
    { title: isCheck ? 'Examples' : 'Tests', numeric: true, wide: true, value: (fun) => (fun.tests || []).length, show: (fun) => el('span', { class: (fun.tests || []).length ? null : 'zero' }, (fun.tests || []).length) },
    ...(times ? [{ title: 'Time', numeric: true, wide: true, value: (fun) => timesOf(fun).search + timesOf(fun).replay, show: (fun) => duration(timesOf(fun).search + timesOf(fun).replay) }] : []),
  ];
  const table = sortableTable('Functions', columns, own, (count, shown) => `${plural(count, 'function')}${shown < count ? `, the first ${shown} shown` : ''}`);
  if (own.length < MANY) return table.node;
  const search = el('input', { type: 'search', placeholder: 'function or file', 'aria-label': 'Filter functions by name or file' });
  search.addEventListener('input', () => table.show(own.filter((fun) => `${titleOf(fun)} ${fun.file}`.toLowerCase().includes(search.value.toLowerCase()))));
  return [el('div', { class: 'filters', role: 'search', 'aria-label': 'Functions' }, search), table.node];
}

function goalTable(list, withFunction) {
  const evidence = ({ goal }) => goal.test || goal.proof || boundsOf(goal) || (goal.reason ? `${goal.reason.code}: ${goal.reason.text.split('\n')[0]}` : '');
  const columns = [
    { title: 'Verdict', value: ({ goal }) => goal.verdict, show: ({ goal }) => badge(goal.verdict) },
    { title: 'Line', numeric: true, value: ({ goal }) => goal.line },
    ...(withFunction ? [{ title: 'Function', wide: true, value: ({ fun }) => titleOf(fun), show: ({ fun }) => el('code', {}, titleOf(fun)) }] : []),
    { title: isCheck ? 'Property' : 'Goal', value: ({ goal }) => goal.text, show: (entry) => [el('a', { href: goalLink(entry) }, headline(entry.goal)), withFunction ? el('span', { class: 'narrow' }, titleOf(entry.fun)) : null] },
    { title: isCheck ? 'Kind' : 'Criterion', wide: true, value: ({ goal }) => goal.kind },
    { title: 'Evidence', wide: true, value: evidence, show: (entry) => el('span', { class: `evidence ${entry.goal.test ? 'mono' : 'soft'}` }, rich(cut(evidence(entry).replace(`test_${entry.fun.name}_`, '').replace(/^_/, ''), 60))) },
  ];
  const table = sortableTable(isCheck ? 'Properties' : 'Goals', columns, list, (count, shown) => `${many(count)}${shown < count ? `, the first ${shown} shown` : ''}`);
  const search = el('input', { type: 'search', placeholder: 'function, text, criterion, line', 'aria-label': `Filter ${NOUNS} by text` });
  const kinds = [...new Set(list.map(({ goal }) => goal.kind))].sort();
  const kind = el('select', { 'aria-label': isCheck ? 'Kind' : 'Criterion' }, el('option', { value: '' }, isCheck ? 'every kind' : 'every criterion'), kinds.map((name) => el('option', { value: name }, name)));
  const boxes = VERDICTS.filter(([name]) => list.some(({ goal }) => goal.verdict === name)).map(([name, title]) => {
    const box = el('input', { type: 'checkbox', checked: true, 'data-verdict': name });
    return [box, el('label', {}, box, el('span', { class: `badge ${name}` }, title))];
  });
  const words = list.map(({ goal, fun }) => `${titleOf(fun)} ${fun.name} ${goal.text} ${goal.kind} ${goal.line} ${goal.id} ${goal.verdict}`.toLowerCase());
  const apply = () => {
    const wanted = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const off = new Set(boxes.filter(([box]) => !box.checked).map(([box]) => box.dataset.verdict));
    table.show(list.filter(({ goal }, at) => !off.has(goal.verdict) && (!kind.value || goal.kind === kind.value) && wanted.every((word) => words[at].includes(word))));
  };
  search.addEventListener('input', apply);
  kind.addEventListener('change', apply);
  boxes.forEach(([box]) => box.addEventListener('change', apply));
  return [el('div', { class: 'filters', role: 'search', 'aria-label': isCheck ? 'Properties' : 'Goals' }, search, kinds.length > 1 ? kind : null, boxes.length > 1 ? boxes.map(([, label]) => label) : null), table.node];
}

function overview() {
  const tests = functions.reduce((sum, fun) => sum + (fun.tests || []).length, 0);
  return [
    el('h2', { class: 'hidden' }, 'Result'), totals(goals, tests), notRun(), attention(),
    hasBook() ? el('p', {}, el('a', { href: '#/evidence' }, 'MC/DC evidence book'), ': every decision with its whole truth table, to print.') : null,
    fileTable(''),
    el('h2', {}, 'Functions'), functionTable(functions),
    goals.length ? [el('h2', {}, isCheck ? 'Properties' : 'Goals'), goalTable(goals, true)] : null,
    searchPlots(goals, functions),
  ];
}
