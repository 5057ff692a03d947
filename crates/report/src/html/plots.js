// Two plots: goals reached over runs, and what each solver layer was asked and answered.
function reachedPlot(list) {
  const reached = list.map((entry) => entry.goal.reached_after).filter((runs) => runs).sort((a, b) => a - b);
  if (!reached.length) return null;
  const width = 460, height = 190, left = 44, right = 12, top = 12, bottom = 34;
  const last = Math.max(2, ...reached), total = list.length;
  const x = (runs) => left + (width - left - right) * Math.log(Math.max(1, runs)) / Math.log(last);
  const y = (count) => height - bottom - (height - top - bottom) * count / total;
  let path = `M${x(1)},${y(0)}`;
  reached.forEach((runs, at) => { path += `H${x(runs).toFixed(1)}V${y(at + 1).toFixed(1)}`; });
  path += `H${width - right}`;
  const ticks = [];
  for (let tick = 1; tick <= last; tick *= 10) ticks.push(tick);
  if (last / ticks[ticks.length - 1] > 2) ticks.push(last);
  const label = `${reached.length} of ${total} goals reached; half of them after ${reached[Math.floor((reached.length - 1) / 2)]} runs, the last after ${reached[reached.length - 1]}.`;
  return el('figure', {}, el('figcaption', {}, 'Goals reached after so many runs of their function'),
    draw('svg', { viewBox: `0 0 ${width} ${height}`, width, height, role: 'img', 'aria-label': label, 'font-size': 11 },
      [0, total / 2, total].map((count) => [
        draw('line', { class: 'axis', x1: left, x2: width - right, y1: y(count), y2: y(count) }),
        draw('text', { class: 'soft', x: left - 6, y: y(count) + 4, 'text-anchor': 'end' }, Math.round(count))]),
      ticks.map((tick) => draw('text', { class: 'soft', x: x(tick), y: height - bottom + 16, 'text-anchor': 'middle' }, tick)),
      draw('text', { class: 'soft', x: (left + width - right) / 2, y: height - 4, 'text-anchor': 'middle' }, 'runs (logarithmic)'),
      draw('path', { class: 'curve', d: path })),
    el('p', { class: 'note' }, label));
}

function layerPlot(list) {
  const layers = new Map();
  for (const fun of list) {
    for (const layer of (fun.statistics && fun.statistics.layers) || []) {
      const sum = layers.get(layer.name) || { name: layer.name, asked: 0, sat: 0, unsat: 0, steps: 0 };
      for (const key of ['asked', 'sat', 'unsat', 'steps']) sum[key] += layer[key] || 0;
      layers.set(layer.name, sum);
    }
  }
  const rows = [...layers.values()];
  const most = Math.max(0, ...rows.map((row) => row.asked));
  if (!most) return null;
  const width = 460, step = 22, left = 84, right = 60;
  const scale = (count) => (width - left - right) * count / most;
  const label = rows.map((row) => `${row.name}: asked ${row.asked}, satisfiable ${row.sat}, unsatisfiable ${row.unsat}`).join('; ');
  return el('figure', {}, el('figcaption', {}, 'Questions to each layer of the solver, and its answers'),
    draw('svg', { viewBox: `0 0 ${width} ${rows.length * step + 4}`, width, height: rows.length * step + 4, role: 'img', 'aria-label': label, 'font-size': 11 },
      rows.map((row, at) => {
        const y = at * step + 4, sat = scale(row.sat), unsat = scale(row.unsat);
        return [draw('text', { x: left - 8, y: y + 12, 'text-anchor': 'end' }, row.name),
          draw('rect', { class: 'fill-open', x: left, y, width: scale(row.asked), height: step - 7, rx: 2 }),
          draw('rect', { class: 'fill-sat', x: left, y, width: sat, height: step - 7, rx: 2 }),
          draw('rect', { class: 'fill-unsat', x: left + sat, y, width: unsat, height: step - 7, rx: 2 }),
          draw('text', { class: 'soft', x: left + scale(row.asked) + 6, y: y + 12 }, row.asked)];
      })),
    el('p', { class: 'legend' },
      ['covered', 'infeasible'].map((tone, at) => el('span', { class: tone, style: 'color: var(--tone)' }, '■ ', ['satisfiable', 'unsatisfiable'][at])), el('span', {}, '■ handed on')));
}
