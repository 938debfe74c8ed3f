'use strict';
// Tables that the page already holds: rows by any column, and a filter above long ones.
(() => {
  const kLong = 12;

  // "1,024", "$0.52/h", "-12 %": its number; nothing for texts.
  function figure(text) {
    const found = text.replace(/,/g, '').match(/^[+$~<]*(-?[$]?\d+(\.\d+)?)/);
    return found ? Number(found[1].replace('$', '')) : undefined;
  }

  function compare(a, b) {
    const [left, right] = [figure(a), figure(b)];
    if (left !== undefined && right !== undefined && left !== right) return left - right;
    return a.localeCompare(b, 'en', {numeric: true});
  }

  function sortBy(table, column, heading) {
    const down = heading.getAttribute('aria-sort') === 'ascending';
    for (const other of table.tHead.rows[0].cells) other.removeAttribute('aria-sort');
    heading.setAttribute('aria-sort', down ? 'descending' : 'ascending');
    const body = table.tBodies[0];
    const text = (row) => row.cells[column] ? row.cells[column].textContent : '';
    const isSum = (row) => row.cells[0] && row.cells[0].textContent === 'all';
    const sums = [...body.rows].filter(isSum);
    const rows = [...body.rows].filter((row) => !isSum(row)).map((row) => [text(row), row]).sort((a, b) => compare(a[0], b[0]));
    body.append(...(down ? rows.reverse() : rows).map((entry) => entry[1]), ...sums);
  }

  function addFilter(table) {
    const rows = [...table.tBodies[0].rows];
    const told = make('output', {});
    const tell = (count) => { told.textContent = `${number.format(count)} of ${number.format(rows.length)} rows`; };
    const filter = () => {
      const wanted = input.value.trim().toLowerCase();
      let count = 0;
      for (const row of rows) {
        row.hidden = !row.textContent.toLowerCase().includes(wanted);
        if (!row.hidden) ++count;
      }
      tell(count);
    };
    const input = make('input', {type: 'search', oninput: filter});
    tell(rows.length);
    table.parentElement.before(make('div', {class: 'bar'}, make('label', {}, 'Filter', input), told));
  }

  // On a narrow screen each row of sentences is a list, in which every cell says what it is.
  for (const table of document.querySelectorAll('.sentences table')) {
    const headings = [...table.tHead.rows[0].cells].map((one) => one.textContent);
    for (const row of table.tBodies[0].rows) [...row.cells].forEach((cell, column) => { cell.dataset.heading = headings[column]; });
  }

  for (const table of document.querySelectorAll('main table')) {
    if (table.tBodies[0].rows.length < 2) continue;
    [...table.tHead.rows[0].cells].forEach((heading, column) => {
      if (heading.textContent === '') return;
      const button = make('button', {type: 'button', onclick: () => sortBy(table, column, heading)}, ...heading.childNodes);
      heading.append(button);
    });
    if (table.tBodies[0].rows.length > kLong) addFilter(table);
  }
})();
