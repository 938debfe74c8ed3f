'use strict';
// Findings: a filter by text and by severity.
(() => {
  const findings = [...document.querySelectorAll('.finding')];
  const place = viewsNamed('findings')[0];
  if (!place || findings.length === 0) return;
  // The lines that a fix writes, without the sign in front.
  for (const lines of document.querySelectorAll('.finding pre.source')) {
    const added = [...lines.querySelectorAll('ins')].map((line) => line.textContent.replace(/^\+ ?/, ''));
    if (added.length > 0) lines.previousElementSibling.append(copyButton(added.join('\n')));
  }
  const severities = ['error', 'warning', 'info', 'style'].filter((one) => findings.some((finding) => finding.dataset.severity === one));
  const shown = new Set(severities);
  const told = make('output', {class: 'told'});
  const input = make('input', {type: 'search', placeholder: 'file, code, text', oninput: () => filter()});
  function filter() {
    const wanted = input.value.trim().toLowerCase();
    let count = 0;
    for (const finding of findings) {
      finding.hidden = !shown.has(finding.dataset.severity) || !finding.textContent.toLowerCase().includes(wanted);
      if (!finding.hidden) ++count;
    }
    for (const file of document.querySelectorAll('.file')) file.hidden = ![...file.querySelectorAll('.finding')].some((one) => !one.hidden);
    told.textContent = `${number.format(count)} of ${number.format(findings.length)} findings`;
  }
  place.append(make('div', {class: 'bar'}, make('label', {}, 'Filter', input), ...severities.map((severity) => {
    const count = findings.filter((finding) => finding.dataset.severity === severity).length;
    const box = make('input', {type: 'checkbox', checked: true, onchange: () => { box.checked ? shown.add(severity) : shown.delete(severity); filter(); }});
    return make('label', {}, box, `${severity} (${number.format(count)})`);
  }), told));
  filter();
})();
