// Asks axe-core about every kind of view, and writes down what it complains about.
(async function () {
  const found = [], wait = (time) => new Promise((done) => setTimeout(done, time));
  const suite = JSON.parse(document.getElementById('suite').textContent), hashes = ['#/'];
  suite.functions.slice(0, 2).forEach((fun, at) => {
    const seen = new Set();
    hashes.push(`#/function/${at}`);
    fun.goals.forEach((goal, index) => { if (!seen.has(goal.verdict + goal.kind)) { seen.add(goal.verdict + goal.kind); hashes.push(`#/function/${at}/goal/${index}`); } });
  });
  hashes.push(`#/in/${encodeURIComponent(suite.functions[0].file)}`, '#/evidence');
  let views = 0;
  for (const hash of hashes) {
    location.hash = hash;
    await wait(30);
    // The way of a test, at one of its steps; everything that is folded.
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }));
    document.querySelectorAll('details').forEach((part) => { part.open = true; });
    await wait(10);
    const result = await axe.run(document, { resultTypes: ['violations'] });
    views += 1;
    for (const { id, nodes } of result.violations) found.push(`${hash} ${id}: ${nodes.slice(0, 3).map((node) => node.html.slice(0, 120)).join(' ; ')}`);
  }
  document.body.replaceChildren();
  document.body.textContent = `RESULT views=${views} PROBLEMS ${found.length}: ${found.join(' | ')} END`;
  if (parent !== window) parent.postMessage(document.body.textContent, '*');
})();
