// Clicks through the whole page as a person would, and writes down what happened.
(async function () {
  const told = [], wait = () => new Promise((done) => setTimeout(done, 0));
  const tell = (name, value) => told.push(`${name}=${value}`);
  const all = (selector) => [...document.querySelectorAll(selector)];
  const goTo = async (hash) => {
    const isNew = location.hash !== hash, drawn = new Promise((done) => window.addEventListener('hashchange', done, { once: true }));
    location.hash = hash;
    if (isNew) await Promise.race([drawn, new Promise((done) => setTimeout(done, 2000))]);
    await wait(); await wait();
  };
  const expect = (what, holds) => { if (!holds) window.problems.push(`expected: ${what}`); };
  const unnamed = () => all('button, a, input, select').filter((node) => !(node.getAttribute('aria-label') || node.textContent.trim() || (node.labels && node.labels.length))).length;
  try {
    const suite = JSON.parse(document.getElementById('suite').textContent);
    const goals = suite.functions.reduce((sum, fun) => sum + fun.goals.length, 0);
    tell('goals', goals);
    tell('rows', all('tbody tr').length);
    tell('attention', (document.querySelector('.attention') || { textContent: '' }).textContent);
    tell('warning', (document.querySelector('.warning') || { textContent: '' }).textContent);
    expect('every control has a name', unnamed() === 0);
    // Sorting: by every column, both ways.
    for (const button of all('th button')) { button.click(); button.click(); await wait(); }
    expect('a sorted column says so', all('th[aria-sort=descending]').length >= 2);
    // Filtering.
    const search = document.querySelector('input[type=search][aria-label*="by text"]'), status = all('[role=status]').pop();
    search.value = 'no such goal anywhere'; search.dispatchEvent(new Event('input')); await wait();
    expect('a filter removes rows', status.textContent.startsWith('0 '));
    search.value = ''; search.dispatchEvent(new Event('input')); await wait();
    expect('and brings them back', status.textContent.startsWith(`${goals} `));
    for (const box of all('input[type=checkbox]')) { box.click(); await wait(); box.click(); await wait(); }
    // Every function, some goals of every verdict and kind.
    const seen = new Set(), decisive = [], pictures = new Set(), failed = new Set();
    let visited = 0;
    for (let at = 0; at < suite.functions.length && at < 12; at += 1) {
      await goTo(`#/function/${at}`);
      expect(`the title of function ${at}`, document.querySelector('h1').textContent === (suite.functions[at].title || suite.functions[at].name));
      expect('one main heading', all('h1').length === 1);
      for (const [index, goal] of suite.functions[at].goals.entries()) {
        const key = `${at} ${goal.verdict} ${goal.kind}`;
        // Browsers refuse more than 200 changes of the address in a short time.
        if (visited >= 90 || (seen.has(key) && visited > 20)) continue;
        seen.add(key);
        visited += 1;
        await goTo(`#/function/${at}/goal/${index}`);
        const detail = document.querySelector('.detail');
        expect(`goal ${goal.id} is shown`, detail.textContent.includes(goal.text));
        all('.detail svg').forEach((svg) => pictures.add(svg.getAttribute('aria-label')));
        all('.failed').forEach((part) => failed.add(part.textContent));
        expect(`goal ${goal.id} needs no scrolling sideways`, document.documentElement.scrollWidth <= innerWidth);
        expect('focus is at the goal', document.activeElement.id === 'goal-title');
        expect('every control has a name', unnamed() === 0);
        if (goal.test) expect(`goal ${goal.id} shows its test`, detail.textContent.includes(goal.test));
      }
      expect('a graph is drawn', suite.functions[at].graph.blocks.length === 0 || all('svg .node').length > 0);
      const chip = document.querySelector('.chip');
      if (chip) { chip.click(); await wait(); expect('a chip leads to a goal', /goal/.test(location.hash)); }
      const before = location.hash;
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'j', bubbles: true })); await wait();
      expect('j goes on', suite.functions[at].goals.length < 2 || location.hash !== before);
    }
    // Every way to evaluate a decision is in its table, those that no test took included.
    const whole = (decision) => decision.conditions.length < 2 || decision.conditions.length > 6 || !/&&|\|\|/.test(decision.formula);
    suite.functions.slice(0, 12).forEach((fun, at) => { if ((fun.decisions || []).some((decision) => !whole(decision))) decisive.push(at); });
    for (const at of decisive) {
      await goTo(`#/function/${at}`);
      for (const table of all('.decisions table.truth')) {
        const outcomes = new Set([...table.querySelectorAll('tbody tr')].map((row) => row.cells[row.cells.length - 2].textContent));
        expect('a decision can be true and false', outcomes.size === 2);
      }
    }
    // The way of a test, and its source.
    const press = async (key) => { document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true })); await wait(); };
    const words = (node) => [...node.childNodes].map((child) => child.textContent.trim()).filter(Boolean).join(' ');
    const told_way = suite.functions[0].goals.findIndex((goal) => goal.test && (suite.functions[0].tests.find((test) => test.id === goal.test) || {}).source);
    if (told_way >= 0) {
      await goTo(`#/function/0/goal/${told_way}`);
      const current = () => all('.way-steps li').findIndex((item) => item.getAttribute('aria-current')) + 1;
      tell('steps', all('.way-steps li').map(words).join(' / '));
      const held = () => all('.held tr').map((row) => [...row.cells].map((cell) => cell.textContent).join(' ')).join(' / ');
      for (const step of [1, 2, 3, 4]) { await press('ArrowRight'); tell('held', `${step}: ${held()}`); }
      await press('ArrowLeft');
      tell('now', document.querySelector('.now-step').textContent);
      tell('marked', (document.querySelector('.source li.now') || { dataset: {} }).dataset.line);
      tell('node', (document.querySelector('svg .node.now') || { dataset: {} }).dataset.block);
      await press('ArrowLeft');
      tell('back', current());
      const play = all('.way-controls button')[2];
      play.click(); await new Promise((done) => setTimeout(done, 3000));
      tell('played', current() === all('.way-steps li').length ? 'yes' : 'no');
      Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText: async (text) => { window.copied = text; } } });
      all('.copy')[0].click(); await wait(); await wait();
      tell('copied', (window.copied || '').split('\n').find((line) => /void/.test(line)));
      all('.copy')[1].click(); await wait(); await wait();
      tell('alone', window.copied);
    }
    // Of two tests the keys lead through the first, and through the other once it was touched.
    const paired = suite.functions[0].goals.findIndex((goal) => goal.pair);
    if (paired >= 0) {
      await goTo(`#/function/0/goal/${paired}`);
      const ways = all('.way'), said = () => ways.map((way) => way.querySelector('.now-step').textContent.slice(0, 6)).join(' / ');
      await press('ArrowRight'); tell('keys', said());
      ways[1].querySelector('h3').click(); await press('ArrowRight'); tell('touched', said());
    }
    // What is not decided.
    const open = suite.functions[0].goals.findIndex((goal) => goal.verdict === 'unknown');
    if (open >= 0) { await goTo(`#/function/0/goal/${open}`); tell('open', document.querySelector('.detail').textContent); }
    // Folders.
    const rows = () => all('table')[0] && [...all('table')[0].tBodies[0].rows].map((row) => [0, 2, 3].map((at) => row.cells[at].textContent).join(' ')).join(' / ');
    if (new Set(suite.functions.map((fun) => fun.file)).size > 1) {
      await goTo('#/');
      const first = all('a').find((link) => /^#\/in\//.test(link.getAttribute('href')));
      tell('files', all('h2').some((head) => head.textContent === 'Files') ? [...first.closest('table').tBodies[0].rows].map((row) => [0, 2, 3].map((at) => row.cells[at].textContent).join(' ')).sort().join(' / ') : 'none');
      await goTo('#/in/src%2F');
      tell('inside', rows());
      tell('crumbs', document.querySelector('.crumbs').textContent);
      expect('a folder is a title', document.querySelector('h1').textContent === 'src/');
    }
    // Colors: 4.5 to 1 between text and what is behind it.
    const numbers = (color) => { const [r, g, b, a = 1] = (color.match(/[\d.]+/g) || []).map(Number); return { r, g, b, a: color.startsWith('color(') ? 1 : a, raw: color }; };
    const brightness = ({ r, g, b }) => { const part = (value) => { const v = value / 255; return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; }; return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b); };
    const behind = (node) => { for (let at = node; at; at = at.parentElement) { const color = numbers(getComputedStyle(at).backgroundColor); if (color.a > 0.99) return color; } return { r: 255, g: 255, b: 255, a: 1 }; };
    const contrasts = () => {
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) {
        const node = walker.currentNode.parentElement, style = getComputedStyle(node);
        if (!walker.currentNode.textContent.trim() || node.closest('svg, script, noscript, .hidden, .skip') || !node.getClientRects().length || style.visibility === 'hidden') continue;
        const [one, two] = [brightness(numbers(style.color)), brightness(behind(node))].sort((a, b) => b - a), ratio = (one + 0.05) / (two + 0.05);
        if (ratio < 4.5 || Number(style.opacity) < 1) expect(`contrast of "${walker.currentNode.textContent.trim().slice(0, 30)}" in .${node.className}: ${ratio.toFixed(2)}, opacity ${style.opacity}`, node.closest('[aria-hidden=true]'));
      }
    };
    tell('scheme', matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
    contrasts();
    for (let index = 0; index < Math.min(6, suite.functions[0].goals.length); index += 1) { await goTo(`#/function/0/goal/${index}`); contrasts(); }
    // The book.
    if (suite.functions.some((fun) => fun.goals.some((goal) => goal.at && goal.at.flavor))) {
      await goTo('#/evidence');
      expect('the book has its title', document.querySelector('h1').textContent === 'MC/DC evidence');
      expect('every control has a name', unnamed() === 0);
      expect('nothing of the book is cut', document.documentElement.scrollWidth <= innerWidth);
      contrasts();
      const first = document.querySelector('.chapter table.truth');
      [...first.querySelectorAll('tbody tr')].forEach((row) => tell('row', [...row.cells].map((cell) => cell.textContent).filter(Boolean).join(' ')));
      tell('book', document.querySelector('main').textContent.slice(0, 3000));
    }
    await goTo('#/'); contrasts();
    if (suite.functions.length) await goTo('#/function/0');
    // Keys.
    await press('?');
    expect('the keys are listed', document.querySelector('dialog.help'));
    await press('?');
    expect('and go again', !document.querySelector('dialog.help'));
    await press('u');
    expect('u goes up', !/function/.test(location.hash));
    for (const zoom of all('.zoom button')) zoom.click();
    tell('visited', visited);
    tell('failed', [...failed].join(' / '));
    tell('pictures', [...pictures].join(' / '));
    await goTo('#/');
    expect('back at the overview', document.querySelector('h1').textContent === 'Glassbox report');
    tell('window', innerWidth);
    tell('width', document.documentElement.scrollWidth);
    tell('plots', all('figure svg').length);
    tell('badges', [...new Set(all('.badge').map((node) => node.textContent))].join(' / '));
    expect('pictures have words', all('svg').every((svg) => svg.getAttribute('aria-label')));
    const started = performance.now();
    search.value = '';
    location.hash = '#/x'; await wait(); location.hash = '#/'; await wait();
    tell('milliseconds', Math.round(performance.now() - started));
  } catch (error) { window.problems.push(`${error}`); }
  document.body.replaceChildren();
  document.body.textContent = `RESULT ${told.join(' ')} PROBLEMS ${window.problems.length}: ${window.problems.join(' | ')} END`;
  if (parent !== window) parent.postMessage(document.body.textContent, '*');
})();
