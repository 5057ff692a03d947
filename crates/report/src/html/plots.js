// Plots of the search: goals decided over time, where the time went, what each solver layer was asked and answered.
// Times are measured; without them (SOURCE_DATE_EPOCH) runs and steps, which are the same every time, take their place.
const NO_TIMES = { search: 0, replay: 0, points: [], layers: [] };
const timesOf = (fun) => (times && (times.functions[numberOf.get(fun)] || {}).name !== undefined ? times.functions[numberOf.get(fun)] : NO_TIMES);
const duration = (micros) => (micros < 1000 ? '<1 ms' : micros < 999500 ? `${Math.round(micros / 1000)} ms` : `${(micros / 1e6).toFixed(micros < 1e7 ? 1 : 0)} s`);

// Steps of a count that only grows. events: [x, growth of each series].
function staircase(events, series, axis) {
  if (!events.length) return null;
  events.sort((a, b) => a[0] - b[0]);
  const width = 460, height = 200, left = 40, right = 14, top = 12, bottom = 36;
  const low = Math.max(axis.least, Math.min(...events.map((event) => event[0]))), high = Math.max(low * 2, ...events.map((event) => event[0]));
  const x = (value) => left + (width - left - right) * Math.log(Math.max(low, value) / low) / Math.log(high / low);
  const y = (count) => height - bottom - (height - top - bottom) * count / axis.total;
  const sums = series.map(() => 0), areas = series.map(() => [`M${x(low)},${y(0)}`]);
  for (const event of events) {
    let sum = 0;
    series.forEach((_, at) => { sums[at] += event[1][at]; sum += sums[at]; areas[at].push(`H${x(event[0]).toFixed(1)}V${y(sum).toFixed(1)}`); });
  }
  const ticks = [];
  for (let tick = 10 ** Math.floor(Math.log10(low)); tick <= high; tick *= 10) if (tick >= low) ticks.push(tick);
  if (!ticks.length || high / ticks[ticks.length - 1] > 3) ticks.push(high);
  const marks = [0, Math.round(axis.total / 2), axis.total].filter((count, at, list) => list.indexOf(count) === at);
  const label = `${axis.caption}: ${series.map(([, title], at) => `${sums[at]} ${title}`).join(', ')} of ${many(axis.total)}; the last after ${axis.words(events[events.length - 1][0])}.`;
  return el('figure', {}, el('figcaption', {}, axis.caption),
    draw('svg', { viewBox: `0 0 ${width} ${height}`, width, height, role: 'img', 'aria-label': label, 'font-size': 11 },
      series.map((_, at) => areas.length - 1 - at).map((at) => draw('path', { class: `area ${series[at][0]}`, d: `${areas[at].join('')}H${width - right}V${y(0)}Z` })),
      marks.map((count) => [
        draw('line', { class: 'axis', x1: left, x2: width - right, y1: y(count), y2: y(count) }),
        draw('text', { class: 'soft', x: left - 6, y: y(count) + 4, 'text-anchor': 'end' }, count)]),
      ticks.map((tick) => draw('text', { class: 'soft', x: x(tick), y: height - bottom + 16, 'text-anchor': x(tick) > width - 40 ? 'end' : 'middle' }, axis.words(tick))),
      draw('text', { class: 'soft', x: (left + width - right) / 2, y: height - 4, 'text-anchor': 'middle' }, axis.name)),
    el('p', { class: 'legend' }, series.map(([name, title], at) => el('span', { class: name }, el('span', { class: 'key', 'aria-hidden': 'true' }, '■ '), `${sums[at]} ${title}`)), sums.reduce((a, b) => a + b, 0) < axis.total ? el('span', {}, `${axis.total} ${NOUNS} in all`) : null));
}

function decidedPlot(list, funs) {
  const series = isCheck ? [['violated', 'violated']] : [['covered', 'covered'], ['infeasible', 'proved infeasible before the end']];
  if (times) {
    const events = [];
    for (const fun of funs) {
      let reached = 0, refuted = 0;
      for (const [after, nowReached, nowRefuted] of timesOf(fun).points || []) {
        if (nowReached > reached || nowRefuted > refuted) events.push([after, [Math.max(0, nowReached - reached), Math.max(0, nowRefuted - refuted)].slice(0, series.length)]);
        reached = nowReached; refuted = nowRefuted;
      }
    }
    const used = series.filter((_, at) => at === 0 || events.some((event) => event[1][at]));
    return staircase(events, used, { least: 10, total: list.length, caption: `${isCheck ? 'Violations found' : 'Goals decided'} over time${funs.length > 1 ? ', from the start of each function' : ''}`, name: 'time (logarithmic)', words: (micros) => (micros < 1000 ? `${Math.round(micros)} µs` : duration(micros)) });
  }
  const events = list.filter(({ goal }) => goal.reached_after).map(({ goal }) => [goal.reached_after, [1]]);
  return staircase(events, series.slice(0, 1), { least: 1, total: list.length, caption: `${isCheck ? 'Violations found' : 'Goals reached'} after so many runs of their function`, name: 'runs (logarithmic)', words: (runs) => `${Math.round(runs)}` });
}

// Horizontal bars. rows: {name, parts: [[class, amount]], note}.
function bars(caption, rows, words) {
  const most = Math.max(0, ...rows.map((row) => row.parts.reduce((sum, [, amount]) => sum + amount, 0)));
  if (!most) return null;
  const width = 460, step = 22, left = 150, right = 84, scale = (amount) => (width - left - right) * amount / most;
  return el('figure', {}, el('figcaption', {}, caption),
    draw('svg', { viewBox: `0 0 ${width} ${rows.length * step + 4}`, width, height: rows.length * step + 4, role: 'img', 'aria-label': `${caption}: ${rows.map((row) => `${row.name} ${row.words || row.note}`).join('; ')}`, 'font-size': 11 },
      rows.map((row, at) => {
        const y = at * step + 4;
        let x = left;
        const rects = row.parts.map(([name, amount]) => { const rect = draw('rect', { class: name, x, y, width: amount > 0 ? Math.max(1, scale(amount)) : 0, height: step - 7, rx: 2 }); x += scale(amount); return rect; });
        return [draw('text', { x: left - 8, y: y + 12, 'text-anchor': 'end' }, cut(row.name, 19)), rects, draw('text', { class: 'soft', x: x + 6, y: y + 12 }, row.note)];
      })), words);
}

function layerSums(funs, read) {
  const sums = new Map();
  for (const fun of funs) for (const layer of read(fun) || []) {
    const sum = sums.get(layer.name) || { name: layer.name };
    for (const [key, value] of Object.entries(layer)) if (typeof value === 'number') sum[key] = (sum[key] || 0) + value;
    sums.set(layer.name, sum);
  }
  return [...sums.values()];
}

function timePlot(funs) {
  if (!times) {
    const rows = layerSums(funs, (fun) => (fun.statistics || {}).layers).filter((row) => row.steps).map((row) => ({ name: row.name, parts: [['fill-time', Math.log2(1 + row.steps)]], note: `${row.steps} steps` }));
    return bars('Steps of each layer of the solver, each in its own measure (bars are logarithmic)', rows, null);
  }
  const layers = layerSums(funs, (fun) => timesOf(fun).layers), inLayers = layers.reduce((sum, row) => sum + row.micros, 0);
  const all = funs.reduce((sum, fun) => ({ search: sum.search + timesOf(fun).search, replay: sum.replay + timesOf(fun).replay }), { search: 0, replay: 0 });
  const row = (name, tone, micros) => ({ name, parts: [[tone, micros]], note: duration(micros) });
  const rows = [...layers.filter((layer) => layer.micros).map((layer) => row(`solver: ${layer.name}`, 'fill-time', layer.micros)),
    row('runs, paths, proofs', 'fill-rest', Math.max(0, all.search - inLayers)), ...(all.replay ? [row('compile and replay', 'fill-replay', all.replay)] : [])];
  return bars(`Where the time went${funs.length > 1 ? ', all functions together' : ''}`, rows, null);
}

function layerPlot(funs) {
  const rows = layerSums(funs, (fun) => (fun.statistics || {}).layers).filter((row) => row.asked).map((row) => {
    const sat = row.sat || 0, unsat = row.unsat || 0;
    return { name: row.name, parts: [['fill-sat', sat], ['fill-unsat', unsat], ['fill-open', Math.max(0, row.asked - sat - unsat)]], note: `${row.asked}`, words: `asked ${row.asked}, satisfiable ${sat}, unsatisfiable ${unsat}` };
  });
  return bars('Questions to each layer of the solver, and its answers', rows, el('p', { class: 'legend' },
    [['covered', 'satisfiable'], ['infeasible', 'unsatisfiable'], ['open', 'handed on']].map(([tone, title]) => el('span', { class: tone }, el('span', { class: 'key', 'aria-hidden': 'true' }, '■ '), title))));
}

// The goals that took the most runs until a test reached them: where a contract or a simpler function would help most.
const HARDEST = 8;
function hardestGoals(list) {
  const hard = list.filter(({ goal }) => goal.test && goal.reached_after > 1).sort((a, b) => b.goal.reached_after - a.goal.reached_after).slice(0, HARDEST);
  return hard.length < 3 ? null : el('figure', { class: 'broad' }, el('figcaption', {}, `The hardest ${NOUNS}: runs until a test reached them`), el('ol', { class: 'hardest' }, hard.map((entry) => el('li', {}, el('a', { href: goalLink(entry) }, headline(entry.goal)), el('span', { class: 'note' }, ` ${titleOf(entry.fun)}, line ${entry.goal.line}: `), entry.goal.reached_after))));
}

function searchPlots(list, funs) {
  const plots = [decidedPlot(list, funs), timePlot(funs), layerPlot(funs), hardestGoals(list)].filter(Boolean);
  return plots.length ? [el('h2', {}, 'The search'), el('div', { class: 'plots' }, plots)] : null;
}
