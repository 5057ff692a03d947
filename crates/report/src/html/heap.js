// The inputs of a test as a picture: parameters and globals on the left, memory on the right, pointers between.
const isPointer = (value) => value !== null && typeof value === 'object' && 'object' in value && 'offset' in value;

// Elements of C's memory may be plain numbers; objects of Java are records with their class.
const isRecordOfJava = (own) => typeof own === 'object' && own !== null && 'class number' in own;

// Strings and boxed numbers of Java as a person writes them; null for other objects.
function plainObject(objects, at) {
  const object = objects[at], own = object && (object.elements || [])[0];
  if (!isRecordOfJava(own)) return null;
  if (/^struct java\.lang\.(Integer|Long|Short|Byte|Character|Boolean|Float|Double)$/.test(object.type)) return valueText(own.value);
  if (object.type !== 'struct java.lang.String' || !isPointer(own.value)) return null;
  const chars = objects[own.value.object], bytes = ((chars && (chars.elements || [])[0]) || {}).elements;
  if (!Array.isArray(bytes)) return null;
  const codes = bytes.map((byte) => Number(byte) & 255), letters = [];
  for (let index = 0; index < codes.length; index += own.coder === '1' ? 2 : 1) letters.push(own.coder === '1' ? codes[index] | (codes[index + 1] << 8) : codes[index]);
  return JSON.stringify(String.fromCharCode(...letters));
}

// Rows of a value: one per scalar or pointer, with its name.
let memory = [];
function cells(value, name, limit, type) {
  if (value !== null && typeof value === 'object' && !isPointer(value) && !('decimal' in value) && !('int' in value) && !('global' in value) && !('function' in value)) {
    const parts = Array.isArray(value) ? value.map((part, at) => [`[${at}]`, part]) : Object.entries(value).map(([field, part]) => [`.${field}`, part]);
    const rows = [];
    for (const [suffix, part] of parts) {
      if (rows.length >= limit) { rows.push({ name: '…', text: `${parts.length} in all` }); break; }
      rows.push(...cells(part, name + suffix, limit - rows.length, Array.isArray(value) ? (type || '').replace(/\[\d*\]$/, '') : ''));
    }
    return rows.length ? rows : [{ name, text: '{}' }];
  }
  const plain = isPointer(value) ? plainObject(memory, value.object) : null;
  if (plain !== null) return [{ name, text: plain }];
  if (isPointer(value)) return [{ name, text: value.offset ? `+${value.offset}` : '', to: value.object }];
  return [{ name, text: typedText(value, type) }];
}

// Memory of C is a list of elements. A Java object is a record with its class and, for arrays, its length.
function objectGroup(object) {
  const own = (object.elements || []).length === 1 ? object.elements[0] : null;
  if (!isRecordOfJava(own)) return { title: `${object.name}: ${typeText(object.type)}[${object.length}]`, rows: cells(object.elements, '', 16, object.type) };
  const { 'class number': _, 'identity hash': __, length, elements, ...fields } = own;
  const rows = Array.isArray(elements) ? cells(elements, '', 16) : Object.keys(fields).length ? cells(fields, '', 16) : [];
  return { title: `${object.name}: ${Array.isArray(elements) || length !== undefined ? typeText(object.type).replace(/\[\]/, `[${length}]`) : typeText(object.type)}`, rows: rows.length ? rows : [{ name: 'empty', text: '' }] };
}

function heapPicture(test) {
  const inputs = test.inputs || {}, objects = inputs.objects || [];
  memory = objects;
  const left = [];
  const scalars = (title, list) => {
    const simple = list.filter((input) => cells(input.value, input.name, 2, input.type).length === 1);
    if (simple.length) left.push({ title, rows: simple.flatMap((input) => cells(input.value, input.name, 2, input.type)) });
    list.filter((input) => !simple.includes(input)).forEach((input) => left.push({ title: `${input.name}: ${typeText(input.type)}`, rows: cells(input.value, '', 12, input.type) }));
  };
  scalars('parameters', inputs.params || []);
  scalars('globals', inputs.globals || []);
  (inputs.stubs || []).slice(0, 12).forEach((stub, at) => left.push({ title: `call ${at + 1}`, rows: stub.result === undefined ? [{ name: `${stub.function}()`, text: '' }] : cells(stub.result, `${stub.function}()`, 6) }));
  if (!left.length && !objects.length) return el('p', { class: 'note' }, 'The function has no inputs.');
  const right = objects.map(objectGroup), isHidden = (at) => plainObject(objects, at) !== null || objects.some((other, of) => plainObject(objects, of) !== null && other.elements[0].value && other.elements[0].value.object === at);
  const row = 20, width = 216, gap = 56, font = 11.5;
  const box = (group, x, y) => { group.x = x; group.y = y; group.height = row + group.rows.length * row; return y + group.height + 14; };
  let y = 8, z = 8;
  left.forEach((group) => { y = box(group, 8, y); });
  // On a phone memory stands below.
  const isNarrow = window.innerWidth < 700, column = isNarrow ? 8 : 8 + width + gap;
  if (isNarrow) z = y;
  // Memory in the order in which pointers lead to it.
  const reached = [];
  const follow = (group) => group.rows.forEach((cell) => { if (cell.to !== undefined && right[cell.to] && !reached.includes(right[cell.to])) { reached.push(right[cell.to]); follow(right[cell.to]); } });
  left.forEach(follow);
  const visible = [...reached, ...right.filter((group) => !reached.includes(group))].filter((group) => !isHidden(right.indexOf(group)));
  visible.forEach((group) => { z = box(group, column, z); });
  const shapes = [], arrows = [];
  for (const group of [...left, ...visible]) {
    shapes.push(draw('text', { class: 'soft', x: group.x, y: group.y + 13, 'font-size': 10.5 }, cut(group.title, 36)));
    group.rows.forEach((cell, at) => {
      const top = group.y + row + at * row;
      shapes.push(draw('rect', { class: 'cell', x: group.x, y: top, width, height: row }));
      shapes.push(draw('text', { class: 'soft', x: group.x + 6, y: top + 14, 'font-size': font }, cut(cell.name, cell.text.length > 8 ? 14 : 20)));
      shapes.push(draw('text', { x: group.x + width - 8, y: top + 14, 'text-anchor': 'end', 'font-size': font }, cell.to === undefined ? cut(cell.text, 22) : cell.text));
      if (cell.to !== undefined && right[cell.to]) {
        const target = right[cell.to], x1 = group.x + width - 4, y1 = top + row / 2, x2 = target.x - 3, y2 = target.y + row + row / 2;
        shapes.push(draw('circle', { class: 'head', cx: x1, cy: y1, r: 3 }));
        const inside = group.x >= target.x, side = x1 + 16 + 7 * (arrows.length % 5);
        arrows.push(draw('path', { class: 'arrow', 'marker-end': 'url(#point)', d: inside
          ? `M${x1},${y1}C${side},${y1} ${side},${y1} ${side},${(y1 + y2) / 2}S${side},${y2} ${target.x + width + 3},${y2}`
          : `M${x1},${y1}C${x1 + gap / 2},${y1} ${x2 - gap / 2},${y2} ${x2},${y2}` }));
      }
    });
  }
  const total = { w: 16 + width + (!visible.length ? 0 : isNarrow ? 56 : gap + width + 56), h: Math.max(y, z) };
  const words = [...left, ...visible].map((group) => `${group.title}: ${group.rows.map((cell) => `${cell.name} ${cell.to === undefined ? cell.text : `points to ${right[cell.to] ? right[cell.to].title : 'nothing'}`}`).join(', ')}`).join('; ');
  return el('div', { class: 'picture', tabindex: 0, role: 'group', 'aria-label': 'Inputs of the test' },
    draw('svg', { width: total.w, height: total.h, viewBox: `0 0 ${total.w} ${total.h}`, role: 'img', 'aria-label': words },
      draw('defs', {}, draw('marker', { id: 'point', viewBox: '0 0 8 8', refX: 7, refY: 4, markerWidth: 8, markerHeight: 8, markerUnits: 'userSpaceOnUse', orient: 'auto' }, draw('path', { class: 'head', d: 'M0,0L8,4L0,8z' }))), shapes, arrows));
}
