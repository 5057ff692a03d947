// The source of a function, each line with its state and a chip per goal, or per verdict where there are many.
function lineState(list, isExecuted) {
  const has = (...names) => list.some(({ goal }) => names.includes(goal.verdict));
  if (has('violated')) return ['bad', 'violated'];
  if (has('unknown')) return ['open', 'undecided'];
  if (isExecuted || has('holds', 'holds-within')) return ['executed', isExecuted ? 'executed' : 'proved'];
  if (list.length && has('infeasible', 'infeasible-within')) return ['never', 'proved unreachable'];
  return ['', 'not executed'];
}

// Comments, strings, numbers and keywords of C and Java get a tint; state: inside a comment of several lines.
const KEYWORDS = new Set('auto break case catch char class const continue default do double else enum extends extern final finally float for goto if implements import inline instanceof int interface long new null package private protected public register restrict return short signed sizeof static struct super switch synchronized this throw throws try typedef union unsigned void volatile while boolean byte true false _Bool bool var record'.split(' '));
const TOKENS = /\/\*[\s\S]*?(?:\*\/|$)|\/\/.*|"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?|^\s*#\s*\w+|\b(?:0[xX][\da-fA-F.pP+-]+|\d[\w.]*)|[A-Za-z_]\w*|[^\w"'/#]+|[\s\S]/g;
function tinted(text, state) {
  const parts = [];
  let rest = text;
  if (state.inComment) {
    const end = rest.indexOf('*/'), own = end < 0 ? rest : rest.slice(0, end + 2);
    parts.push(el('span', { class: 'k-comment' }, own));
    rest = rest.slice(own.length);
    if (end >= 0) state.inComment = false;
  }
  for (const token of rest.match(TOKENS) || []) {
    const kind = /^\/[*/]/.test(token) ? 'k-comment' : /^["']/.test(token) ? 'k-string' : /^\d/.test(token) ? 'k-number' : /^\s*#/.test(token) || KEYWORDS.has(token) ? 'k-word' : '';
    if (token.startsWith('/*') && !token.endsWith('*/')) state.inComment = true;
    parts.push(kind ? el('span', { class: kind }, token) : token);
  }
  return parts;
}

function codeLine(text, line, goal, state) {
  if (!goal || goal.line !== line || !goal.column || IS_JAVA) return tinted(text, state);
  const bytes = new TextEncoder().encode(text), decoder = new TextDecoder();
  const from = goal.column - 1, to = goal.end_line === line && goal.end_column > goal.column ? goal.end_column - 1 : bytes.length;
  if (from >= bytes.length) return tinted(text, state);
  const part = (start, end) => tinted(decoder.decode(bytes.slice(start, end)), state);
  return [part(0, from), el('mark', {}, part(from, to)), part(to, bytes.length)];
}

// Chips in a line: one per goal, or one per verdict that leads to its first goal.
const FEW = 4;
function chips(list, at, selected) {
  const chip = (goal, index, words, text, isCurrent) => el('a', {
    class: `chip ${goal.verdict}`, href: `#/function/${at}/goal/${index}`, title: words, 'aria-label': words, 'aria-current': isCurrent ? 'true' : null, 'data-goal': index }, text);
  if (list.length <= FEW) return list.map(({ goal, index }) => chip(goal, index, `${goal.text}: ${verdictOf(goal.verdict)[1]}`, verdictOf(goal.verdict)[2], goal === selected));
  return VERDICTS.map(([name, title, sign]) => {
    const own = list.filter(({ goal }) => goal.verdict === name);
    if (!own.length) return null;
    const isCurrent = own.some(({ goal }) => goal === selected);
    return chip(own[0].goal, own[0].index, `${many(own.length)} in line ${own[0].goal.line}: ${title}`, `${sign}${own.length > 1 ? own.length : ''}`, isCurrent);
  });
}

// Programs know the lines of code only: the brace below and, for class files, the declaration above are looked for.
function extent(fun, all, known) {
  let first = Math.max(1, Math.min(fun.line, ...known)), last = Math.min(all.length, Math.max(fun.line, fun.end_line || 0, ...known));
  const name = /([\w$]+)(?:\(|$)/.exec(titleOf(fun).replace(/^new /, ''));
  for (let line = first; IS_JAVA && name && line > Math.max(1, first - 12); line -= 1) if (new RegExp(`\\b${name[1].replace(/\$/g, '\\$')}\\s*\\(`).test(all[line - 1]) && /[{,(]\s*$/.test(all[line - 1])) { first = line; break; }
  while (last < all.length && /^\s*\}?\s*$/.test(all[last]) && last < Math.max(...known) + 3) { last += 1; if (/^\s*\}/.test(all[last - 1]) && all[last - 1].search(/\S/) <= all[first - 1].search(/\S/)) break; }
  return [first, last];
}

// What holds at a line for every input, where a proof has shown it.
const factsOf = (fun, line) => { const facts = (fun.invariants || []).filter((entry) => entry.line === line && entry.known !== 'dead').flatMap((entry) => entry.known.facts || []); return facts.length ? `for every input: ${[...new Set(facts)].slice(0, 8).join('; ')}` : null; };

function sourceView(fun, at, selected, tests) {
  const text = sourceOf(fun.file);
  if (text === null) return el('p', { class: 'note' }, `The source of ${fun.file} was not readable when the suite was made.`);
  const all = text.split(/\r?\n/), known = new Set(blocksOf(fun).flatMap((block) => block.lines).concat((fun.goals || []).filter((goal) => goal.file === fun.file).map((goal) => goal.line)));
  const [first, last] = extent(fun, all, known);
  const executed = executedLines(fun, fun.tests || []), onPath = executedLines(fun, tests);
  const byLine = new Map();
  (fun.goals || []).forEach((goal, index) => { if (goal.file !== fun.file) return; const list = byLine.get(goal.line) || []; list.push({ goal, index }); byLine.set(goal.line, list); });
  const rows = [], state = { inComment: false };
  for (let line = first; line <= last; line += 1) {
    const list = byLine.get(line) || [], [tone, words] = lineState(list, executed.has(line)), isCode = known.has(line);
    rows.push(el('li', { class: `${isCode ? tone : ''} ${onPath.has(line) ? 'on-path' : ''}`, 'data-line': line, title: isCode ? factsOf(fun, line) : null },
      el('span', { class: 'number' }, isCode ? el('span', { class: 'hidden' }, `${words}, line `) : null, line),
      el('span', { class: 'chips' }, chips(list, at, selected)),
      el('pre', {}, codeLine(all[line - 1], line, selected, state))));
  }
  return el('div', { class: 'source', tabindex: 0, role: 'region', 'aria-label': `Source of ${titleOf(fun)}` }, el('ol', {}, rows));
}
