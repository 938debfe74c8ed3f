'use strict';
// A run over time: charts of its figures, and a slider that moves the map of the cluster with them.
// `report.series`: width of a bucket in seconds, and columns of means over the buckets.
(() => {
  const kWidth = 320, kHeight = 140, kLeft = 44, kRight = 8, kTop = 8, kBottom = 22;
  const kDashes = ['', '5 3', '2 3'];
  const kLines = [1, 5, 6];  // of the palette: seen on light and on dark, and none of them green
  const series = report.series;
  if (!series) return;
  const end = report.cluster.end;
  const count = series.columns.tasksRunning.length;

  const share = (reserved, registered) => series.columns[reserved].map((value, at) => {
    const whole = series.columns[registered][at];
    return whole > 0 ? (100 * value) / whole : 0;
  });
  const charts = [
    {title: 'Reserved', most: 100, unit: '%', tell: (value) => percent(value, 100), lines: [['CPU', share('cpuReserved', 'cpuRegistered')], ['memory', share('memoryReserved', 'memoryRegistered')],
      ...(Math.max(0, ...series.columns.gpuRegistered) > 0 ? [['GPU', share('gpuReserved', 'gpuRegistered')]] : [])]},
    {title: 'Tasks', lines: [['running', series.columns.tasksRunning], ['waiting (most)', series.columns.mostWaiting]]},
    {title: 'Instances', lines: [['active', series.columns.instancesActive], ['booting', series.columns.instancesBooting], ['draining', series.columns.instancesDraining]]},
    {title: 'Price', unit: '/h', tell: (value) => `${money(value)}, ${monthly(value)}/month`, lines: [['per hour', series.columns.hourlyCost]]},
  ];

  const kNamespace = 'http://www.w3.org/2000/svg';
  function shape(name, attributes, text) {
    const element = document.createElementNS(kNamespace, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    if (text !== undefined) element.textContent = text;
    return element;
  }
  const xOf = (seconds) => kLeft + ((kWidth - kLeft - kRight) * seconds) / Math.max(1, end);

  function roundUp(value) {
    if (value <= 1) return 1;
    const power = 10 ** Math.floor(Math.log10(value));
    return [1, 2, 5, 10].map((step) => step * power).find((step) => step >= value);
  }

  // A step for each bucket; of thousands of buckets that is as fine as the picture.
  function path(values, most) {
    const y = (value) => (kHeight - kBottom - ((kHeight - kBottom - kTop) * Math.min(value, most)) / most).toFixed(1);
    let text = '';
    values.forEach((value, bucket) => {
      const from = xOf(bucket * series.width).toFixed(1);
      const to = xOf(Math.min(end, (bucket + 1) * series.width)).toFixed(1);
      text += `${bucket === 0 ? 'M' : 'L'}${from} ${y(value)}H${to}`;
    });
    return text;
  }

  // Events of the scenario by the time at which they happen.
  const marks = new Map();
  for (const event of report.events || []) marks.set(event.at, [...(marks.get(event.at) || []), event]);

  // A line an event; from the loss of a zone on the ground is shaded.
  function markEvents(svg) {
    for (const [at, events] of marks) {
      const x = xOf(at);
      const lost = events.find((event) => event.zone);
      if (lost) svg.append(shape('rect', {class: 'lost-area', x, y: kTop, width: Math.max(0, kWidth - kRight - x), height: kHeight - kBottom - kTop}));
      const group = shape('g', {class: lost ? 'event lost' : 'event'});
      const title = shape('title', {}, `${duration(at)}\n${events.slice(0, 12).map((event) => event.text).join('\n')}${events.length > 12 ? `\nand ${events.length - 12} more` : ''}`);
      group.append(title, shape('line', {x1: x, x2: x, y1: kTop, y2: kHeight - kBottom}), shape('rect', {x: x - 4, y: kTop, width: 8, height: kHeight - kBottom - kTop, fill: 'transparent', stroke: 'none'}));
      if (lost) group.append(shape('text', {class: 'event-name', x: x + (x > kWidth * 0.7 ? -4 : 4), y: kTop + 9, 'text-anchor': x > kWidth * 0.7 ? 'end' : 'start'}, `${lost.zone.slice(0, 40)} lost`));
      svg.append(group);
    }
  }

  const cursors = [];
  const told = [];
  function draw(chart) {
    const most = chart.most || roundUp(Math.max(0, ...chart.lines.map((line) => line[1].reduce((a, b) => Math.max(a, b), 0))));
    const svg = shape('svg', {viewBox: `0 0 ${kWidth} ${kHeight}`, role: 'img', 'aria-label': `${chart.title} over time`});
    for (const part of [0, 0.5, 1]) {
      const y = kHeight - kBottom - (kHeight - kBottom - kTop) * part;
      svg.append(shape('line', {x1: kLeft, x2: kWidth - kRight, y1: y, y2: y, stroke: 'currentColor', 'stroke-opacity': 0.2}));
      svg.append(shape('text', {x: kLeft - 5, y: y + 4, 'text-anchor': 'end'}, `${number.format(most * part)}${chart.most ? '%' : ''}`));
    }
    for (const part of [0, 0.5, 1]) {
      svg.append(shape('text', {x: xOf(end * part), y: kHeight - 6, 'text-anchor': ['start', 'middle', 'end'][part * 2]}, duration(Math.round(end * part))));
    }
    markEvents(svg);
    chart.lines.forEach((line, index) => svg.append(shape('path', {d: path(line[1], most), fill: 'none', stroke: kPalette[kLines[index]],
      'stroke-width': 2, 'stroke-dasharray': kDashes[index]})));
    const cursor = shape('line', {y1: kTop, y2: kHeight - kBottom, stroke: 'currentColor', 'stroke-width': 1});
    cursors.push(cursor);
    svg.append(cursor);
    const caption = make('figcaption', {});
    told.push((bucket) => caption.replaceChildren(`${chart.title}: `, ...chart.lines.flatMap((line, index) => {
      const sign = make('b', {'aria-hidden': 'true'}, ['━', '╍', '┅'][index]);
      sign.style.color = kPalette[kLines[index]];
      const tell = chart.tell || ((value) => number.format(Math.floor(value * 100 + 1e-9) / 100));
      return [index > 0 ? ', ' : '', sign, ` ${line[0]} ${tell(line[1][bucket])}`];
    })));
    return make('figure', {}, caption, svg);
  }

  const place = viewsNamed('timeline')[0];
  const step = Math.max(1, Math.floor(end / 2000));
  const slider = make('input', {type: 'range', min: 0, max: end, step, value: end, 'aria-label': 'time', oninput: () => show(Number(slider.value))});
  const time = make('output', {class: 'time'});
  const earlier = make('button', {type: 'button', onclick: () => jump(-1), 'aria-label': 'Previous change', title: 'Previous change'}, '◀');
  const later = make('button', {type: 'button', onclick: () => jump(1), 'aria-label': 'Next change', title: 'Next change'}, '▶');
  place.append(make('div', {class: 'bar'}, earlier, slider, later, time), make('div', {class: 'charts'}, ...charts.map(draw)));

  if (marks.size > 0) {
    const items = [...marks].flatMap(([at, events]) => events.map((event) => make('li', {},
      make('button', {type: 'button', onclick: () => { slider.value = at; show(at); }}, duration(at)), ` ${event.text}`)));
    place.append(make('details', {open: items.length <= 12}, make('summary', {}, `${items.length} event${items.length === 1 ? '' : 's'} marked on the charts`),
      make('ul', {class: 'events'}, ...items)));
  }

  // The moments at which something on the map changes.
  const moments = [...new Set([0, end, ...report.cluster.tasks.from, ...report.cluster.tasks.to, ...report.cluster.instances.from, ...report.cluster.instances.to])]
    .filter((at) => at >= 0 && at <= end).sort((a, b) => a - b);
  let now = end;
  function jump(by) {
    const next = by > 0 ? moments.find((at) => at > now) : moments.findLast((at) => at < now);
    if (next === undefined) return;
    slider.value = next;
    show(next);
  }

  const moveMap = onceAFrame(() => clusterView && clusterView.show(now));
  function show(at) {
    now = Math.min(end, at + step > end ? end : at);
    time.textContent = `at ${duration(now)} of ${duration(end)}`;
    slider.setAttribute('aria-valuetext', duration(now));
    const bucket = Math.max(0, Math.min(count - 1, Math.floor(now / series.width)));
    for (const cursor of cursors) { cursor.setAttribute('x1', xOf(now)); cursor.setAttribute('x2', xOf(now)); }
    if (count > 0) for (const tell of told) tell(bucket);
    moveMap();
  }

  // To begin with, the first moment with most tasks.
  function busiest() {
    const changes = new Map();
    const add = (at, by) => changes.set(at, (changes.get(at) || 0) + by);
    report.cluster.tasks.from.forEach((at) => add(at, 1));
    report.cluster.tasks.to.forEach((at) => { if (at >= 0) add(at, -1); });
    let [running, most, when] = [0, 0, 0];
    for (const at of [...changes.keys()].sort((a, b) => a - b)) {
      running += changes.get(at);
      if (running > most) [most, when] = [running, at];
    }
    return when;
  }
  slider.value = busiest();
  show(busiest());
})();
