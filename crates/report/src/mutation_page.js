const boxes = [...document.querySelectorAll('input[type=checkbox]')];
const update = () => {
  const shown = new Set(boxes.filter((box) => box.checked).map((box) => box.value));
  let count = 0;
  for (const article of document.querySelectorAll('article')) {
    article.hidden = !shown.has(article.className);
    count += article.hidden ? 0 : 1;
  }
  document.getElementById('nothing').hidden = count > 0;
};
boxes.forEach((box) => box.addEventListener('change', update));
update();
