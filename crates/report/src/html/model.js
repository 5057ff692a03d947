// The suite as views need it: verdict names, goals with their function, lines and their state.
const suite = JSON.parse(document.getElementById('suite').textContent);
const advice = JSON.parse(document.getElementById('advice').textContent);
const digests = JSON.parse(document.getElementById('digests').textContent);
const times = JSON.parse(document.getElementById('times').textContent);
// Properties of `check` that no run comes to are no failure of a test.
const isCheck = suite.task === 'check';
const VERDICTS = [
  ['covered', 'Covered', '✓', 'a test reaches it'],
  ['infeasible', isCheck ? 'Unreachable' : 'Infeasible', '∅', isCheck ? 'holds because no run comes here' : 'proved that nothing reaches it'],
  ['infeasible-within', isCheck ? 'Unreachable within bounds' : 'Infeasible within bounds', '≤', 'nothing within the bounds reaches it'],
  ['holds', 'Holds', '✓', 'proved for every input'],
  ['holds-within', 'Holds within bounds', '≤', 'proved within the bounds'],
  ['unknown', 'Unknown', '?', 'neither test nor proof'],
  ['violated', 'Violated', '✗', 'a test makes it fail'],
];
const verdictOf = (name) => VERDICTS.find((entry) => entry[0] === name) || ['unknown', name, '?', ''];
const functions = suite.functions || [];
const ESSENTIAL = isCheck ? ['violated', 'holds', 'unknown'] : ['covered', 'infeasible', 'unknown'];
const NOUN = isCheck ? 'property' : 'goal', NOUNS = isCheck ? 'properties' : 'goals';
const many = (count) => `${count} ${count === 1 ? NOUN : NOUNS}`;
const IS_JAVA = suite.language === 'java';
const titleOf = (fun) => fun.title || fun.name;
const numberOf = new Map(functions.map((fun, at) => [fun, at]));
const goals = [];
functions.forEach((fun, at) => (fun.goals || []).forEach((goal, index) => goals.push({ goal, fun, at, index })));
const entryOf = new Map(goals.map((entry) => [entry.goal, entry]));

function counts(list) {
  const result = {};
  for (const entry of list) result[entry.verdict] = (result[entry.verdict] || 0) + 1;
  return result;
}
const badge = (verdict) => el('span', { class: `badge ${verdict}` }, el('span', { 'aria-hidden': 'true' }, verdictOf(verdict)[2] + ' '), verdictOf(verdict)[1]);
// What a verdict rests on; a function that calls many others may have hundreds.
const boundsOf = (goal, shown = 6) => { const all = goal.bounds || [], rest = all.length - shown; return rest < 2 ? all.join(', ') : `${all.slice(0, shown).join(', ')} and ${rest} more`; };
const goalLink = (entry) => `#/function/${entry.at}/goal/${entry.index}`;
const testOf = (fun, name) => (fun.tests || []).find((test) => test.id === name);
const testsOf = (fun, goal) => (goal.pair || [goal.test]).filter(Boolean).map((name) => testOf(fun, name)).filter(Boolean);
const blocksOf = (fun) => (fun.graph && fun.graph.blocks) || [];
const sourceOf = (path) => { const found = (suite.sources || []).find((source) => source.path === path); return found && found.text !== null && found.text !== undefined ? found.text : null; };

// What went wrong, where a property is violated: its name says what should hold.
const isWrong = (goal) => goal.verdict === 'violated' && goal.kind !== 'assertion';
// A call of the library goes wrong in the way that its test shows.
const failureOf = ({ goal, fun }) => { const ending = ((testOf(fun, goal.test) || {}).expected || {}).ending; return goal.kind === 'library-call' && ending && ending.failed ? String(ending.failed) : goal.kind; };
const errorOf = (goal) => failureOf(entryOf.get(goal)).replace(/-/g, ' ').replace(/^./, (letter) => letter.toUpperCase());
const codeOf = (goal) => (/^`([^`]*)`/.exec(goal.text) || [])[1];
const headline = (goal) => (!isWrong(goal) ? rich(goal.text) : codeOf(goal) ? [`${errorOf(goal)} in `, el('code', {}, codeOf(goal))] : errorOf(goal));
// The arguments of a test, and the globals that it sets, in one line.
function argumentsOf(test) {
  const inputs = (test && test.inputs) || {}, at = (value) => (value && typeof value === 'object' && 'object' in value ? (inputs.objects || [])[value.object] : null);
  const show = ({ name, type, value }) => { const object = at(value); return `${name} = ${object && object.elements ? memoryText(object) : typedText(value, type)}`; };
  return [...(inputs.params || []), ...(inputs.globals || [])].map(show).join(', ');
}

// Types of Java objects come as descriptors.
const PRIMITIVES = { Z: 'boolean', B: 'byte', C: 'char', S: 'short', I: 'int', J: 'long', F: 'float', D: 'double' };
function typeText(type) {
  const match = /^(?:struct )?(\[+)(?:L([^;]+);|([ZBCSIJFD]))$/.exec(type);
  if (match) return (match[2] ? match[2].split(/[./]/).pop() : PRIMITIVES[match[3]]) + '[]'.repeat(match[1].length);
  return IS_JAVA ? type.replace(/^struct /, '').split(/[./]/).pop() : type;
}

// Lines that some of the tests execute.
function executedLines(fun, tests) {
  const lines = new Set();
  for (const test of tests) for (const block of test.blocks || []) for (const line of (blocksOf(fun)[block] || { lines: [] }).lines) lines.add(line);
  return lines;
}

// `char` of C, whatever may not be done with it; numbers of it as a person writes them.
const isChar = (type) => !IS_JAVA && /^(?:const |volatile )*char(?: const)?$/.test(type || '');
const NAMED = { 0: '\\0', 9: '\\t', 10: '\\n', 13: '\\r', 39: "\\'", 92: '\\\\' };
const charText = (value) => { const code = Number(value); return NAMED[code] ? `'${NAMED[code]}'` : code >= 32 && code < 127 ? `'${String.fromCharCode(code)}'` : String(value); };
// An array of characters that is filled up with zeros is the text before them.
function arrayText(value, type) {
  const match = /^(.*\S) ?\[\d*\]$/.exec(type || '');
  if (!match || !isChar(match[1]) || !value.every((element) => typeof element === 'string')) return null;
  const end = value.indexOf('0');
  return end < 0 || value.slice(end).some((element) => element !== '0') ? memoryText({ type: match[1], elements: value }) : memoryText({ type: match[1], elements: value.slice(0, end + 1) });
}
const typedText = (value, type) => (Array.isArray(value) && arrayText(value, type)) || (isChar(type) && typeof value === 'string' ? charText(value) : /^(?:boolean|_Bool|bool)$/.test(type || '') && /^[01]$/.test(value) ? String(value === '1') : valueText(value));
// Memory of characters: a string where it ends like one.
function memoryText(object) {
  if (!isChar(object.type) || !object.elements.every((element) => typeof element === 'string')) return valueText(object.elements);
  const letters = object.elements.map(charText), last = letters.pop();
  if (last !== "'\\0'" || letters.some((letter) => letter[0] !== "'" || letter === last)) return `{${[...letters, last].filter(Boolean).join(', ')}}`;
  return `"${letters.map((letter) => letter.slice(1, -1).replace(/^"$/, '\\"').replace(/^\\'$/, "'")).join('')}"`;
}

// A value of suite.json as a person writes it.
function valueText(value) {
  if (value === null || value === undefined) return 'NULL';
  if (Array.isArray(value)) return `{${value.map(valueText).join(', ')}}`;
  if (typeof value === 'object') {
    if ('decimal' in value) return value.decimal;
    if ('int' in value) return value.int;
    if ('object' in value && 'offset' in value) return '→ object';
    if (typeof value.made === 'number') return `memory ${value.made + 1}`;
    if ('member' in value && typeof value.field === 'number') return `{.${value.member} = ${valueText(value.value)}}`;
    if ('global' in value) return value.global.endsWith('"') ? value.global : `&${value.global}`;
    if ('function' in value) return value.function;
    if ('pointer' in value) return value.pointer;
    if ('bytes' in value && Array.isArray(value.bytes)) return value.bytes.length === 8 ? 'an address' : value.bytes.length ? `bytes ${value.bytes.join(' ')}` : 'not set';
    return `{${Object.entries(value).map(([name, part]) => `.${name} = ${valueText(part)}`).join(', ')}}`;
  }
  return String(value);
}
