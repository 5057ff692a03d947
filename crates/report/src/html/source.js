// The source of a function, each line with its state and one chip per goal that begins there.
function lineState(list, isExecuted) {
  const has = (...names) => list.some(({ goal }) => names.includes(goal.verdict));
  if (has('violated')) return ['bad', 'violated'];
  if (has('unknown')) return ['open', 'undecided'];
  if (isExecuted) return ['executed', 'executed'];
  if (list.length && has('infeasible', 'infeasible-within')) return ['never', 'proved unreachable'];
  return ['', 'not executed'];
}

function codeLine(text, line, goal) {
  if (!goal || goal.line !== line || !goal.column) return [text];
  const bytes = new TextEncoder().encode(text), decoder = new TextDecoder();
  const from = goal.column - 1, to = goal.end_line === line && goal.end_column > goal.column ? goal.end_column - 1 : bytes.length;
  if (from >= bytes.length) return [text];
  return [decoder.decode(bytes.slice(0, from)), el('mark', {}, decoder.decode(bytes.slice(from, to))), decoder.decode(bytes.slice(to))];
}

function sourceView(fun, at, selected, tests) {
  const text = sourceOf(fun.file);
  if (text === null) return el('p', { class: 'note' }, `The source of ${fun.file} was not readable when the suite was made.`);
  const all = text.split(/\r?\n/), known = blocksOf(fun).flatMap((block) => block.lines).concat((fun.goals || []).filter((goal) => goal.file === fun.file).map((goal) => goal.line));
  const first = Math.max(1, Math.min(fun.line, ...known)), last = Math.min(all.length, Math.max(fun.line, ...known) + 1);
  const executed = executedLines(fun, fun.tests || []), onPath = executedLines(fun, tests);
  const byLine = new Map();
  (fun.goals || []).forEach((goal, index) => { if (goal.file !== fun.file) return; const list = byLine.get(goal.line) || []; list.push({ goal, index }); byLine.set(goal.line, list); });
  const rows = [];
  for (let line = first; line <= last; line += 1) {
    const list = byLine.get(line) || [], [state, words] = lineState(list, executed.has(line));
    const isCode = list.length || known.includes(line);
    rows.push(el('li', { class: `${isCode ? state : ''} ${onPath.has(line) ? 'on-path' : ''}`, 'data-line': line },
      el('span', { class: 'number' }, isCode ? el('span', { class: 'hidden' }, `${words}, line `) : null, line),
      el('span', { class: 'chips' }, list.slice(0, 40).map(({ goal, index }) => el('a', {
        class: `chip ${goal.verdict}`, href: `#/function/${at}/goal/${index}`, title: `${goal.text}: ${verdictOf(goal.verdict)[1]}`,
        'aria-label': `${goal.text}: ${verdictOf(goal.verdict)[1]}`, 'aria-current': goal === selected ? 'true' : null, 'data-goal': index }, verdictOf(goal.verdict)[2])),
      list.length > 40 ? `+${list.length - 40}` : null),
      el('pre', {}, codeLine(all[line - 1], line, selected))));
  }
  return el('div', { class: 'source', tabindex: 0, role: 'region', 'aria-label': `Source of ${fun.name}` }, el('ol', {}, rows));
}
