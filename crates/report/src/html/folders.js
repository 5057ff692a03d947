// Folders and files with what is in them, and a view of each.
const folderOf = (path) => path.slice(0, path.lastIndexOf('/') + 1);
const within = (path) => (fun) => path === '' || fun.file === path || (path.endsWith('/') && (fun.file || '').startsWith(path));
const pathLink = (path) => `#/in/${encodeURIComponent(path)}`;

// What lies directly in a folder: folders, with all that is below them, and files. Folders that hold a single folder are passed over.
function entriesOf(folder) {
  const entries = new Map();
  for (const fun of functions.filter(within(folder))) {
    const rest = (fun.file || '').slice(folder.length), slash = rest.indexOf('/', rest.startsWith('/') ? 1 : 0);
    const path = slash < 0 ? fun.file || '' : folder + rest.slice(0, slash + 1);
    if (!entries.has(path)) entries.set(path, { path, funs: [], goals: [] });
    const entry = entries.get(path);
    entry.funs.push(fun);
    for (const goal of fun.goals || []) entry.goals.push(goal);
  }
  const list = [...entries.values()];
  return list.length === 1 && list[0].path.endsWith('/') ? entriesOf(list[0].path) : list.sort((a, b) => (b.path.endsWith('/') - a.path.endsWith('/')) || (a.path < b.path ? -1 : 1));
}

function fileTable(folder) {
  const entries = entriesOf(folder);
  if (entries.length < 2) return null;
  const open = ({ goals: own }) => own.filter((goal) => ['unknown', 'violated'].includes(goal.verdict)).length;
  const isFolder = ({ path }) => path.endsWith('/');
  const columns = [
    { title: 'Folder or file', value: ({ path }) => path, show: (row) => el('a', { href: pathLink(row.path) }, el('code', { class: isFolder(row) ? 'folder' : null }, row.path)) },
    { title: 'Result', value: (row) => (row.goals.length ? 1 - open(row) / row.goals.length : 2), show: ({ goals: own }) => (own.length ? barOf(own, barWords(counts(own))) : el('span', { class: 'note' }, `no ${NOUNS}`)) },
    { title: 'Functions', numeric: true, value: ({ funs }) => funs.length },
    { title: isCheck ? 'Properties' : 'Goals', numeric: true, value: ({ goals: own }) => own.length },
    { title: 'Open', numeric: true, value: open, show: (row) => el('span', { class: open(row) ? 'count unknown' : 'zero' }, open(row)) },
  ];
  const n = (folders) => entries.filter((entry) => isFolder(entry) === folders).length;
  const words = [n(true) ? plural(n(true), 'folder') : '', n(false) ? plural(n(false), 'file') : ''].filter(Boolean).join(', ');
  const table = sortableTable('Folders and files', columns, entries, (count) => (count === entries.length ? words : `${count} of ${words}`));
  const search = el('input', { type: 'search', placeholder: 'folder or file', 'aria-label': 'Filter folders and files' });
  search.addEventListener('input', () => table.show(entries.filter(({ path }) => path.toLowerCase().includes(search.value.toLowerCase()))));
  return [el('h2', {}, 'Files'), entries.length < MANY ? null : el('div', { class: 'filters', role: 'search', 'aria-label': 'Folders and files' }, search), table.node];
}

// The way from all functions down to a folder or a file, as links.
function pathCrumbs(path, isLast) {
  const parts = path.split('/'), links = [];
  for (let at = 0, whole = ''; at < parts.length; at += 1) {
    const isFile = at === parts.length - 1;
    if (isFile && !parts[at]) break;
    whole += parts[at] + (isFile ? '' : '/');
    // Folders that everything is in lead nowhere.
    if (parts[at] && parts[at] !== '.' && (isFile || !functions.every(within(whole)))) links.push(' › ', isLast && whole === path ? `${parts[at]}${isFile ? '' : '/'}` : el('a', { href: pathLink(whole) }, `${parts[at]}${isFile ? '' : '/'}`));
  }
  return links;
}

function pathView(path) {
  const own = functions.filter(within(path)), set = new Set(own), list = goals.filter(({ fun }) => set.has(fun));
  return [el('h2', { class: 'hidden' }, 'Result'), totals(list, own.reduce((sum, fun) => sum + (fun.tests || []).length, 0)),
    path.endsWith('/') ? fileTable(path) : null,
    el('h2', {}, 'Functions'), functionTable(own),
    list.length ? [el('h2', {}, isCheck ? 'Properties' : 'Goals'), goalTable(list, true)] : null,
    attempt('The plots', () => searchPlots(list, own))];
}
