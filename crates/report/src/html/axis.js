// Conditions that contradict each other, drawn as intervals of one variable on one axis.
const COMPARISON = /^(.+?) (<|<=|>|>=|==|!=) (-?\d+|'(?:\\.|[^'\\])')$/;
const ESCAPES = { '\\n': 10, '\\t': 9, '\\r': 13, '\\0': 0, "\\'": 39, '\\\\': 92 };
const constant = (text) => (text[0] !== "'" ? Number(text) : ESCAPES[text.slice(1, -1)] !== undefined ? ESCAPES[text.slice(1, -1)] : text.charCodeAt(1));

const BETWEEN = /^([A-Za-z_][\w.>\[\]-]*) (<|<=|>|>=|==) ([A-Za-z_][\w.>\[\]-]*)$/;

// `n < 5` as { name, from, to } of whole numbers, `a < b` as one about the difference of the two, whose end may be left out;
// null for what is neither.
function intervalOf(text) {
  const between = BETWEEN.exec(text);
  if (between) {
    const isTurned = between[1] > between[3], [first, second] = isTurned ? [between[3], between[1]] : [between[1], between[3]];
    const sign = isTurned ? { '<': '>', '<=': '>=', '>': '<', '>=': '<=', '==': '==' }[between[2]] : between[2];
    return { name: `${first} − ${second}`, text, from: sign[0] === '<' ? -Infinity : 0, to: sign[0] === '>' ? Infinity : 0, isOpen: sign === '<' || sign === '>' };
  }
  const match = COMPARISON.exec(text);
  if (!match || /&&|\|\||[<>=]=? /.test(match[1]) || match[2] === '!=') return null;
  const number = constant(match[3]);
  if (!Number.isSafeInteger(number)) return null;
  const [from, to] = { '<': [-Infinity, number - 1], '<=': [-Infinity, number], '>': [number + 1, Infinity], '>=': [number, Infinity], '==': [number, number] }[match[2]];
  return { name: match[1], from, to, text };
}

// The core as rows over one axis; null where it is not about one variable or nothing is to be seen.
function axisOf(core) {
  const parts = core.map((part) => ({ part, interval: intervalOf(part.text) }));
  if (parts.length < 2 || parts.length > 6 || parts.some(({ interval }) => !interval) || new Set(parts.map(({ interval }) => interval.name)).size > 1) return null;
  // Whether they exclude each other is shown only where it is seen.
  const lowest = Math.max(...parts.map(({ interval }) => interval.from)), highest = Math.min(...parts.map(({ interval }) => interval.to));
  const isOpenAt = (end) => parts.some(({ interval }) => interval.isOpen && (interval.from === end || interval.to === end));
  if (lowest < highest || (lowest === highest && !isOpenAt(lowest))) return null;
  const ends = parts.flatMap(({ interval }) => [interval.from, interval.to]).filter(Number.isFinite), least = Math.min(...ends), most = Math.max(...ends);
  const room = Math.max(1, (most - least) * 0.35), low = least - room, high = most + room;
  const width = 420, left = 12, row = 30, top = 22, height = top + parts.length * row + 26;
  const x = (value) => left + (width - 2 * left) * ((value === -Infinity ? low : value === Infinity ? high : value) - low) / (high - low);
  const name = parts[0].interval.name;
  const bars = parts.map(({ part, interval }, at) => {
    const y = top + at * row, from = x(interval.from), to = Math.max(from + 5, x(interval.to));
    return [draw('rect', { class: `bar${at % 2}`, x: from, y: y + 13, width: to - from, height: 8, rx: 3 }),
      Number.isFinite(interval.from) ? draw('circle', { class: `bar${at % 2}${interval.isOpen ? ' open-end' : ''}`, cx: from, cy: y + 17, r: 5 }) : null,
      Number.isFinite(interval.to) ? draw('circle', { class: `bar${at % 2}${interval.isOpen ? ' open-end' : ''}`, cx: to, cy: y + 17, r: 5 }) : null,
      draw('text', { x: from > width / 2 ? width - left : left, y: y + 8, 'text-anchor': from > width / 2 ? 'end' : 'start', 'font-size': 11 }, `${part.line ? `line ${part.line}: ` : ''}${cut(interval.text, 44)}`)];
  });
  const floor = top + parts.length * row + 2;
  const ticks = [...new Set(ends)].sort((a, b) => a - b).slice(0, 4).map((value, at, all) => (at && x(value) - x(all[at - 1]) < 30 ? null : [draw('line', { class: 'axis', x1: x(value), x2: x(value), y1: top, y2: floor + 4 }), draw('text', { class: 'soft', x: x(value), y: floor + 16, 'text-anchor': 'middle', 'font-size': 10.5 }, value)]));
  const words = `No value of ${name} is in all of: ${parts.map(({ interval }) => interval.text).join('; ')}.`;
  return el('figure', { class: 'axisbox' }, el('figcaption', {}, 'No value of ', el('code', {}, name), ' is in all of these intervals:'),
    draw('svg', { viewBox: `0 0 ${width} ${height}`, width, height, role: 'img', 'aria-label': words }, draw('line', { class: 'axis', x1: left, x2: width - left, y1: floor, y2: floor }), ticks, bars));
}
