'use strict';
// Tables that the page already holds: rows by any column, and a filter above long ones.
(() => {
  const kLong = 12;
  const kShown = 300;

  // "1,024", "$0.52/h", "-12 %": its number; nothing for texts.
  function figure(text) {
    const found = text.replace(/,/g, '').match(/^[+$~<]*(-?[$]?\d+(\.\d+)?)/);
    return found ? Number(found[1].replace('$', '')) : undefined;
  }

  // Figures in order, other texts as a person would sort them.
  const collator = new Intl.Collator('en', {numeric: true});
  function compare(a, b) {
    if (a.figure !== undefined && b.figure !== undefined && a.figure !== b.figure) return a.figure - b.figure;
    return collator.compare(a.text, b.text);
  }

  function sortBy(table, column, heading) {
    const down = heading.getAttribute('aria-sort') === 'ascending';
    for (const other of table.tHead.rows[0].cells) other.removeAttribute('aria-sort');
    heading.setAttribute('aria-sort', down ? 'descending' : 'ascending');
    const body = table.tBodies[0];
    const isSum = (row) => row.cells[0] && row.cells[0].textContent === 'all';
    const sums = [...body.rows].filter(isSum);
    const rows = [...body.rows].filter((row) => !isSum(row)).map((row) => {
      const text = row.cells[column] ? row.cells[column].textContent : '';
      return {row, text, figure: figure(text)};
    }).sort(compare);
    body.append(...(down ? rows.reverse() : rows).map((entry) => entry.row), ...sums);
  }

  // Returns what is to be done after rows have moved. A browser takes most of a second to lay out a thousand rows, at each letter: of many that
  // match, the first are shown until all are asked for, and on paper.
  function addFilter(table) {
    const body = table.tBodies[0];
    const texts = new Map([...body.rows].map((row) => [row, row.textContent.toLowerCase()]));
    const told = make('output', {});
    let most = kShown;
    const filter = () => {
      const wanted = input.value.trim().toLowerCase();
      let count = 0;
      for (const row of body.rows) {
        const matches = texts.get(row).includes(wanted);
        if (matches) ++count;
        row.hidden = !matches || count > most;
      }
      const isCut = count > most;
      told.textContent = `${isCut ? `first ${number.format(most)} of ` : ''}${number.format(count)} of ${number.format(texts.size)} rows`;
      all.hidden = !isCut;
    };
    const showAll = () => { most = Infinity; filter(); };
    const input = make('input', {type: 'search', oninput: filter});
    const all = make('button', {type: 'button', onclick: showAll}, 'Show all');
    addEventListener('beforeprint', showAll);
    input.value = new URLSearchParams(location.search).get('filter') ?? '';  // page.html?filter=g4dn.xlarge
    filter();
    table.parentElement.before(make('div', {class: 'bar'}, make('label', {}, 'Filter', input), told, all));
    return filter;
  }

  // On a narrow screen each row of sentences is a list, in which every cell says what it is.
  for (const table of document.querySelectorAll('.sentences table')) {
    const headings = [...table.tHead.rows[0].cells].map((one) => one.textContent);
    for (const row of table.tBodies[0].rows) [...row.cells].forEach((cell, column) => { cell.dataset.heading = headings[column]; });
  }

  // A row that leaves the first cell empty goes on with the row above it, and has to stay there.
  const hasGroups = (table) => table.tHead.rows[0].cells[0].textContent !== '' &&
    [...table.tBodies[0].rows].some((row, index) => index > 0 && row.cells[0] && row.cells[0].textContent === '');

  for (const table of document.querySelectorAll('main table')) {
    if (table.tBodies[0].rows.length < 2 || hasGroups(table)) continue;
    const update = table.tBodies[0].rows.length > kLong ? addFilter(table) : () => {};
    [...table.tHead.rows[0].cells].forEach((heading, column) => {
      if (heading.textContent === '') return;
      const button = make('button', {type: 'button', onclick: () => { sortBy(table, column, heading); update(); }}, ...heading.childNodes);
      heading.append(button);
    });
  }
})();
