// Which view: from the address, so that links and the back button work.
const unescaped = (text) => { try { return decodeURIComponent(text); } catch { return text; } };
function route() {
  if (location.hash === '#/evidence') return { at: 'evidence', index: null };
  const place = /^#\/in\/(.+)$/.exec(location.hash);
  if (place) { const path = unescaped(place[1]); if (functions.some(within(path))) return { at: 'path', index: null, path }; }
  const match = /^#\/function\/(\d+)(?:\/goal\/(\d+))?$/.exec(location.hash);
  if (!match || !functions[Number(match[1])]) return { at: null, index: null };
  const index = match[2] === undefined || !functions[Number(match[1])].goals[Number(match[2])] ? null : Number(match[2]);
  return { at: Number(match[1]), index };
}

// The overview stays as it was left: filters, order and place.
let last = { at: undefined }, kept = null, keptScroll = 0;
function render() {
  if (location.hash === '#main') return;
  if (last.at === null) keptScroll = window.scrollY;
  const { at, index, path } = route(), fun = typeof at === 'number' ? functions[at] : null, isBook = at === 'evidence', title = fun ? titleOf(fun) : isBook ? 'MC/DC evidence' : path || 'Glassbox report', stays = last.at === at && fun !== null;
  const source = document.querySelector('.source'), keep = stays && source ? [window.scrollY, source.scrollLeft, source.scrollTop] : null;
  replace(document.getElementById('top'),
    el('h1', { class: 'brand' }, title), el('p', { class: 'command' }, unbroken((suite.command || []).map((word, at) => (at ? word : word.split('/').pop())).join(' '))),
    el('nav', { class: 'crumbs', 'aria-label': 'Where you are' }, at === null ? `${suite.tool.name} ${suite.tool.version}` : [el('a', { href: '#/' }, 'All functions'), fun ? [pathCrumbs(fun.file || '', false), ` › ${titleOf(fun)}, line ${fun.line}`] : path ? pathCrumbs(path, true) : null]));
  document.title = fun || path ? `${title} · Glassbox report` : title;
  stopPlaying();
  onArrow = null;
  if (at === null && !kept) kept = el('div', {}, attempt('The overview', overview));
  replace(document.getElementById('main'), fun ? attempt('This function', () => functionView(at, index)) : isBook ? attempt('The evidence', bookView) : path ? attempt('This folder', () => pathView(path)) : kept);
  const drawn = document.querySelector('.source'), split = document.querySelector('.split');
  // The next goal begins where the reader looks.
  if (keep && drawn) { window.scrollTo(0, Math.min(keep[0], split.offsetTop)); drawn.scrollLeft = keep[1]; drawn.scrollTop = keep[2]; } else window.scrollTo(0, at === null ? keptScroll : 0);
  if (index !== null) {
    const title = document.getElementById('goal-title');
    if (title) title.focus({ preventScroll: true });
    const line = document.querySelector(`.source li[data-line="${fun.goals[index].line}"]`);
    if (line) showLine(line, true);
  } else if (last.at !== undefined) document.getElementById('main').focus({ preventScroll: true });
  last = { at };
}

// A line is brought into view in the box of the source, a block in the box of its picture; the page does not move.
function showLine(line, isMiddle) {
  const view = line.closest('.source'), top = line.getBoundingClientRect().top - view.getBoundingClientRect().top;
  if (top < 0 || top > view.clientHeight - (isMiddle ? 80 : 40)) view.scrollTop += top - view.clientHeight / 2;
}
function showNode(node) {
  const view = node.closest('.picture'), own = node.getBoundingClientRect(), box = view.getBoundingClientRect();
  if (own.top < box.top || own.bottom > box.bottom) view.scrollTop += own.top - box.top - view.clientHeight / 2;
  if (own.left < box.left || own.right > box.right) view.scrollLeft += own.left - box.left - view.clientWidth / 2;
}

// What the keys do.
const KEYS = [['j', `the next ${NOUN}; from the overview, the first that needs attention`], ['k', `the previous ${NOUN}`], ['← →', 'back and on along the way of the test'], ['u', 'up to all functions'], ['/', 'search'], ['?', 'this list']];
function showKeys() {
  const open = document.querySelector('dialog.help');
  if (open) { open.remove(); return; }
  const box = el('dialog', { class: 'help', 'aria-label': 'Keys' }, el('h2', {}, 'Keys'), el('table', {}, el('tbody', {}, KEYS.map(([key, words]) => el('tr', {}, el('td', {}, el('kbd', {}, key)), el('td', {}, words))))), el('p', {}, el('button', { class: 'plain', type: 'button', onclick: () => box.remove() }, 'Close')));
  box.addEventListener('close', () => box.remove());
  document.body.append(box);
  box.showModal();
}

// j and k go to the next and the previous goal of the function.
document.addEventListener('keydown', (event) => {
  const { at, index } = route();
  if (event.ctrlKey || event.metaKey || event.altKey || /INPUT|SELECT|TEXTAREA/.test(event.target.tagName)) return;
  if (event.key === '?') { showKeys(); return; }
  const search = event.key === '/' ? [...document.querySelectorAll('input[type=search]')].pop() : null;
  if (search) { event.preventDefault(); search.focus(); return; }
  if (at === null) {
    if (event.key === 'j' && goals.length) location.hash = goalLink(goals.find(({ goal }) => ['violated', 'unknown'].includes(goal.verdict)) || goals[0]);
    return;
  }
  if (typeof at !== 'number') { if (event.key === 'u') location.hash = '#/'; return; }
  const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
  if (by && onArrow && !event.shiftKey && !event.target.closest('.picture, .source, .scroll, pre')) { if (onArrow(by)) event.preventDefault(); return; }
  if (event.key === 'u') { location.hash = '#/'; return; }
  const step = event.key === 'j' ? 1 : event.key === 'k' ? -1 : 0, next = (index === null ? -1 : index) + step;
  if (step && next >= 0 && next < functions[at].goals.length) location.hash = `#/function/${at}/goal/${next}`;
});
// Paper shows what is folded, too.
window.addEventListener('beforeprint', () => document.querySelectorAll('details').forEach((part) => { part.open = true; }));
window.addEventListener('hashchange', render);
render();
