'use strict';
// A run over time, or the steps from a cluster before a change to the one after it: a slider that moves the map of the
// cluster, buttons that play it, and charts. What the charts and the line of figures say of the cluster is computed from
// what the map shows, so that they agree at every moment. `series` of a run: width of a bucket in seconds, and what the
// map does not show, over the buckets. `steps`: the words of each step. Of two runs the page shows one, at one moment.

// A figure that changes at moments: `times[k]` and its value from there on.
class Steps {
  constructor() { this.changes = new Map(); }

  add(at, by) {
    if (at >= 0 && by !== 0) this.changes.set(at, (this.changes.get(at) || 0) + by);
  }
  // From `from` to before `to`; -1: to the end.
  hold(from, to, amount) {
    this.add(from, amount);
    this.add(to, -amount);
  }
  close() {
    this.times = [0, ...this.changes.keys()].sort((a, b) => a - b);
    let value = 0;
    this.values = this.times.map((at, index) => {
      if (index === 0 || this.times[index - 1] !== at) value += this.changes.get(at) || 0;
      return value;
    });
    return this;
  }
  at(time) {
    let [least, most] = [0, this.times.length - 1];
    while (least < most) {
      const middle = Math.ceil((least + most) / 2);
      if (this.times[middle] <= time) least = middle;
      else most = middle - 1;
    }
    return this.values[least];
  }
}

// Of a series of buckets.
class Buckets {
  constructor(width, values) {
    this.times = values.map((_, bucket) => bucket * width);
    this.values = values;
  }
  at(time) { return Steps.prototype.at.call(this, time); }
}

// One figure as a share of another, in percent.
class Share {
  constructor(part, whole) {
    [this.part, this.whole] = [part, whole];
    this.times = [...new Set([...part.times, ...whole.times])].sort((a, b) => a - b);
    this.values = this.times.map((time) => this.at(time));
  }
  at(time) {
    const whole = this.whole.at(time);
    return whole > 0 ? (100 * this.part.at(time)) / whole : 0;
  }
}

// The figures of a cluster over its run.
function figuresOf(cluster) {
  const steps = Object.fromEntries(['cpu', 'cpuOf', 'memory', 'memoryOf', 'gpu', 'gpuOf', 'tasks', 'active', 'draining'].map((name) => [name, new Steps()]));
  const devices = [];  // [time, instance and device, 1: taken, -1: released]
  const use = (instance, gpu, from, to) => {
    devices.push([from, `${instance} ${gpu}`, 1]);
    if (to >= 0) devices.push([to, `${instance} ${gpu}`, -1]);
  };
  const {instances, tasks} = cluster;
  for (let i = 0; i < cluster.size; ++i) {
    const profile = cluster.profile(i);
    const [from, to] = [instances.from[i], instances.to[i]];
    for (const resource of ['cpu', 'memory']) {
      steps[resource].hold(from, to, instances[resource][i]);
      steps[`${resource}Of`].hold(from, to, profile[resource]);
    }
    for (const gpu of instances.gpus[i] || []) use(i, gpu, from, to);
    steps.gpuOf.hold(from, to, profile.gpus);
    steps.tasks.hold(from, to, instances.tasks[i]);
    const draining = profile.state === 'DRAINING' ? from : instances.draining[i];
    steps.active.hold(from, draining >= 0 ? draining : to, 1);
    if (draining >= 0) steps.draining.hold(draining, to, 1);
  }
  for (let t = 0; t < cluster.count; ++t) {
    const kind = cluster.kinds[tasks.kind[t]];
    const [from, to] = [tasks.from[t], tasks.to[t]];
    steps.cpu.hold(from, to, kind.cpu);
    steps.memory.hold(from, to, kind.memory);
    steps.tasks.hold(from, to, 1);
    for (const gpu of cluster.gpusOf(t)) use(tasks.instance[t], gpu, from, to);
  }
  // Tasks that share a device take it once.
  const taken = new Map();
  for (const [at, device, by] of devices.sort((a, b) => a[0] - b[0])) {
    const before = taken.get(device) || 0;
    taken.set(device, before + by);
    steps.gpu.add(at, (before + by > 0 ? 1 : 0) - (before > 0 ? 1 : 0));
  }
  for (const one of Object.values(steps)) one.close();
  return steps;
}

function makeRunView(run, clusterView, place) {
  const kHeight = 116, kLeft = 52, kRight = 14, kTop = 10, kBottom = 24, kThumb = 16;
  const kDashes = ['', '6 3', '2 3'];
  const kLines = [1, 5, 6];  // of the palette: seen on light and on dark, and none of them green
  const kWholeRun = 20000;  // milliseconds in which a run is played
  const kStep = 1500;       // milliseconds for each step, or change where less motion is preferred
  const {end} = run.cluster;
  const {steps, series} = run;
  const figures = figuresOf(clusterView.cluster);
  const bucket = (name) => new Buckets(series.width, series.columns[name]);
  const whole = (value) => number.format(Math.round(value));  // a bucket has the mean of its seconds
  const device = deviceOfAll(clusterView.cluster);

  const charts = [
    {title: 'Reserved', most: 100, unit: '%', tell: (value) => percent(value, 100), lines: [['CPU', new Share(figures.cpu, figures.cpuOf)], ['memory', new Share(figures.memory, figures.memoryOf)],
      ...(Math.max(...figures.gpuOf.values) > 0 ? [[device, new Share(figures.gpu, figures.gpuOf)]] : [])]},
    {title: 'Tasks', tell: whole, isCount: true, lines: [['placed', figures.tasks], ...(series ? [['waiting', bucket('mostWaiting')]] : [])]},
    {title: 'Instances', tell: whole, isCount: true, lines: [['active', figures.active], ...(series ? [['booting', bucket('instancesBooting')]] : []), ['draining', figures.draining]]},
    ...(series ? [{title: 'Price', unit: '$/h', tell: money, lines: [['price', bucket('hourlyCost')]]}] : []),
  ];

  const kNamespace = 'http://www.w3.org/2000/svg';
  function shape(name, attributes, text) {
    const element = document.createElementNS(kNamespace, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    if (text !== undefined) element.textContent = text;
    return element;
  }

  let width = 600;  // of a chart, in pixels: its letters are as large as those of the page
  const xOf = (seconds) => kLeft + ((width - kLeft - kRight) * seconds) / end;

  // The top of a chart; half of it is named, too, and is a whole number in a chart of counts.
  function roundUp(value, isCount) {
    if (value <= 1) return isCount ? 2 : 1;
    const power = 10 ** Math.floor(Math.log10(value));
    return (isCount && power === 1 ? [2, 4, 6, 8, 10] : [1, 2, 4, 5, 10]).map((step) => step * power).find((step) => step >= value);
  }

  // Whole minutes, hours or days, with room for their words.
  function ticks() {
    const room = Math.max(2, Math.floor((width - kLeft - kRight) / 80));
    const lengths = [1, 5, 10, 30, 60, 300, 600, 1800, 3600, 7200, 10800, 21600, 43200, 86400, 172800, 604800];
    const length = steps ? Math.ceil(end / room) : lengths.find((one) => end / one <= room) || 604800 * Math.ceil(end / 604800 / room);
    return Array.from({length: Math.floor(end / length) + 1}, (_, index) => index * length);
  }

  // Moments that are on one pixel become one line from the least of them to the most.
  function path(line, most) {
    const y = (value) => (kHeight - kBottom - ((kHeight - kBottom - kTop) * Math.min(value, most)) / most).toFixed(1);
    let text = '';
    for (let k = 0; k < line.times.length && line.times[k] <= end;) {
      const x = xOf(line.times[k]).toFixed(1);
      let [least, last] = [line.values[k], line.values[k]];
      let top = least;
      for (; k < line.times.length && line.times[k] <= end && xOf(line.times[k]).toFixed(1) === x; ++k) {
        last = line.values[k];
        [least, top] = [Math.min(least, last), Math.max(top, last)];
      }
      text += text === '' ? `M${x} ${y(last)}` : `H${x}${least < last && top > last ? `V${y(least)}V${y(top)}` : ''}V${y(last)}`;
    }
    return `${text}H${xOf(end).toFixed(1)}`;
  }

  // Events of the scenario by the time at which they happen.
  const marks = new Map();
  for (const event of run.events || []) marks.set(event.at, [...(marks.get(event.at) || []), event]);

  // A line an event, of very many a stroke at the top; from the loss of a zone on the ground is shaded.
  const kMostLines = 60;
  function markEvents(svg, isNamed) {
    let namedTo = 0;  // where the last name ends
    for (const [at, events] of marks) {
      const x = xOf(at);
      const lost = events.find((event) => event.zone);
      if (lost) svg.append(shape('rect', {class: 'lost-area', x, y: kTop, width: Math.max(0, width - kRight - x), height: kHeight - kBottom - kTop}));
      const group = shape('g', {class: lost ? 'event lost' : 'event'});
      const title = shape('title', {}, `${duration(at)}\n${events.slice(0, 12).map((event) => event.text).join('\n')}${events.length > 12 ? `\nand ${events.length - 12} more` : ''}`);
      group.append(title, shape('line', {x1: x, x2: x, y1: kTop, y2: lost || marks.size <= kMostLines ? kHeight - kBottom : kTop + 6}), shape('rect', {x: x - 4, y: kTop, width: 8, height: kHeight - kBottom - kTop, fill: 'transparent', stroke: 'none'}));
      svg.append(group);
      if (!lost || !isNamed) continue;
      const words = `${lost.zone.slice(0, 40)} lost`;
      const length = words.length * 7;
      const isBefore = x > width * 0.6;
      if ((isBefore ? x - length : x) < namedTo) continue;  // its title says it
      group.append(shape('text', {class: 'event-name', x: x + (isBefore ? -5 : 5), y: kTop + 11, 'text-anchor': isBefore ? 'end' : 'start'}, words));
      namedTo = isBefore ? x : x + length;
    }
  }

  const sign = (index) => {
    const element = make('b', {'aria-hidden': 'true'}, ['━', '╍', '┅'][index]);
    element.style.color = kPalette[kLines[index]];
    return element;
  };

  let cursors = [];
  function draw(chart, isFirst) {
    const most = chart.most || roundUp(chart.lines.reduce((top, line) => line[1].values.reduce((a, b) => Math.max(a, b), top), 0), chart.isCount);
    const svg = shape('svg', {viewBox: `0 0 ${width} ${kHeight}`, role: 'img', 'aria-label': `${chart.title} over ${steps ? 'the steps' : 'time'}`});
    for (const part of [0, 0.5, 1]) {
      const y = kHeight - kBottom - (kHeight - kBottom - kTop) * part;
      svg.append(shape('line', {x1: kLeft, x2: width - kRight, y1: y, y2: y, stroke: 'currentColor', 'stroke-opacity': 0.2}));
      svg.append(shape('text', {x: kLeft - 6, y: y + 4, 'text-anchor': 'end'}, `${chart.unit === '$/h' ? '$' : ''}${number.format(most * part)}${chart.unit === '%' ? '%' : ''}`));
    }
    for (const at of ticks()) {
      svg.append(shape('line', {x1: xOf(at), x2: xOf(at), y1: kHeight - kBottom, y2: kHeight - kBottom + 4, stroke: 'currentColor', 'stroke-opacity': 0.5}));
      const isLast = xOf(at) > width - kRight - 24;
      svg.append(shape('text', {class: 'tick', x: isLast ? width - 1 : xOf(at), y: kHeight - 6, 'text-anchor': isLast ? 'end' : 'middle'}, steps ? number.format(at) : duration(at)));
    }
    markEvents(svg, isFirst);
    chart.lines.forEach((line, index) => svg.append(shape('path', {d: path(line[1], most), fill: 'none', stroke: kPalette[kLines[index]],
      'stroke-width': 2, 'stroke-dasharray': kDashes[index]})));
    const cursor = shape('line', {class: 'cursor', y1: kTop, y2: kHeight - kBottom, stroke: 'currentColor', 'stroke-width': 1});
    cursors.push(cursor);
    svg.append(cursor);
    return make('figure', {}, make('figcaption', {}, chart.title + (chart.unit === '$/h' ? ' in $/h' : '')), svg);
  }

  // The moments at which something on the map changes.
  const {tasks, instances} = clusterView.cluster;
  const moments = [...new Set([0, end, ...tasks.from, ...tasks.to, ...instances.from, ...instances.to, ...instances.draining, ...marks.keys()])]
    .filter((at) => at >= 0 && at <= end).sort((a, b) => a - b);

  const step = steps ? 1 : Math.max(1, Math.floor(end / 2000));
  const slider = make('input', {type: 'range', min: 0, max: end, step, value: 0, 'aria-label': steps ? 'step' : 'time', oninput: () => { pause(); show(Number(slider.value)); }});
  const time = make('output', {class: 'time'});
  const words = make('output', {class: 'step'});
  const keys = make('ul', {class: 'keys'});
  const earlier = make('button', {type: 'button', onclick: () => { pause(); jump(-1); }, 'aria-label': 'Previous change', title: 'Previous change'}, '◀');
  const later = make('button', {type: 'button', onclick: () => { pause(); jump(1); }, 'aria-label': 'Next change', title: 'Next change'}, '▶');
  const player = make('button', {type: 'button', class: 'play', 'aria-pressed': 'false', onclick: () => (isPlaying ? pause() : play())}, 'Play');
  const speed = make('select', {class: 'speed'}, ...[0.25, 0.5, 1, 2, 4].map((one) => make('option', {value: one, selected: one === 1}, `${one}×`)));
  const drawn = make('div', {});
  place.classList.add('run');
  place.append(make('div', {class: 'bar'}, player, make('label', {}, 'Speed', speed), earlier, later, time), ...(steps ? [words] : []), keys, slider, drawn);

  if (marks.size > 0) {
    const items = [...marks].flatMap(([at, events]) => events.map((event) => make('li', {},
      make('button', {type: 'button', onclick: () => { pause(); show(at); }}, duration(at)), ` ${event.text}`)));
    place.append(make('details', {open: items.length <= 12}, make('summary', {}, `${number.format(items.length)} event${items.length === 1 ? '' : 's'} marked on the charts`),
      make('ul', {class: 'events'}, ...items)));
  }

  let now = 0;
  function jump(by) {
    const next = by > 0 ? moments.find((at) => at > now) : moments.findLast((at) => at < now);
    if (next !== undefined) show(next);
    return next !== undefined;
  }

  let mapped;
  const moveMap = onceAFrame(() => {
    // Between two changes the map is the same.
    const moment = moments.findLast((at) => at <= now);
    if (mapped === moment && clusterView.cluster.time <= now) { clusterView.cluster.time = now; return; }
    mapped = moment;
    clusterView.show(now);
  });
  function show(at) {
    now = Math.min(end, !steps && at + step > end ? end : at);
    slider.value = now;
    const moment = steps ? `step ${number.format(Math.floor(now))} of ${number.format(end)}` : `at ${duration(Math.round(now))} of ${duration(end)}`;
    time.textContent = moment;
    words.textContent = steps ? steps[Math.floor(now)] : '';
    slider.setAttribute('aria-valuetext', steps ? `${moment}: ${words.textContent}` : moment);
    for (const cursor of cursors) { cursor.setAttribute('x1', xOf(now)); cursor.setAttribute('x2', xOf(now)); }
    keys.replaceChildren(...charts.flatMap((chart) => chart.lines.map((line, index) => make('li', {'data-line': line[0]}, sign(index), `${line[0]} ${chart.tell(line[1].at(now))}`))));
    moveMap();
  }

  // Playing goes through the run at one pace; where less motion is preferred, from change to change.
  let isPlaying = false, isAsked = 0, before;
  const wantsLessMotion = matchMedia('(prefers-reduced-motion: reduce)');
  function play() {
    if (now >= end) show(0);
    isPlaying = true;
    before = undefined;
    player.textContent = 'Pause';
    player.setAttribute('aria-pressed', 'true');
    isAsked = requestAnimationFrame(frame);
  }
  function pause() {
    isPlaying = false;
    cancelAnimationFrame(isAsked);
    player.textContent = 'Play';
    player.setAttribute('aria-pressed', 'false');
  }
  let rest = 0;  // milliseconds since the last step
  function advance(milliseconds) {
    const passed = milliseconds * Number(speed.value);
    if (steps || wantsLessMotion.matches) {
      rest += passed;
      if (rest < kStep) return;
      rest = 0;
      if (steps ? now < end && (show(now + 1), true) : jump(1)) return;
      return pause();
    }
    show(now + (passed * end) / kWholeRun);
    if (now >= end) pause();
  }
  function frame(at) {
    if (!isPlaying) return;
    if (before !== undefined) advance(at - before);
    before = at;
    if (isPlaying) isAsked = requestAnimationFrame(frame);
  }

  function drawCharts() {
    width = Math.max(240, place.clientWidth);
    cursors = [];
    // Of steps the map below says more than their charts would.
    if (!steps) drawn.replaceChildren(...charts.map((chart, index) => draw(chart, index === 0)));
    // Its thumb is over the cursor of the charts.
    slider.style.marginLeft = `${kLeft - kThumb / 2}px`;
    slider.style.width = `${width - kLeft - kRight + kThumb}px`;
    show(now);
  }
  whenLooksChange(drawCharts);

  // To begin with, what the user asked about: the first event; else the first moment with most tasks.
  function beginning() {
    if (steps) return 0;
    if (marks.size > 0) return Math.min(...marks.keys());
    const most = Math.max(...figures.tasks.values);
    return figures.tasks.times[figures.tasks.values.indexOf(most)];
  }
  now = beginning();
  drawCharts();
  return {place, advance, play, pause, show, drawCharts, get isPlaying() { return isPlaying; }, get now() { return now; }};
}

// A view for each run; `runView` is the one that the page shows.
const runViews = (() => {
  const place = viewsNamed('timeline')[0];
  if (!place || !runs.every((run) => run.cluster.end)) return [];
  return runs.map((run, index) => {
    const part = make('div', {});
    place.append(part);
    return makeRunView(run, clusterViews[index], part);
  });
})();
let runView = runViews[0] || null;

// Buttons that show one of two runs, at the moment that the other has shown. A run without a length has a map alone.
(() => {
  if (clusterViews.length < 2) return;
  const partsOf = (index) => [runViews[index], clusterViews[index]].filter(Boolean);
  const showRun = (chosen) => {
    const at = runView?.now;
    runView?.pause();
    runs.forEach((run, index) => partsOf(index).forEach((view) => { view.place.hidden = index !== chosen; }));
    buttons.forEach((button, index) => button.setAttribute('aria-pressed', index === chosen ? 'true' : 'false'));
    [runView, clusterView] = [runViews[chosen] || null, clusterViews[chosen]];
    runView?.drawCharts();
    runView?.show(at);
    clusterView.redraw();
  };
  const buttons = runs.map((run, index) => make('button', {type: 'button', onclick: () => showRun(index)}, run.name));
  partsOf(0)[0].place.before(make('div', {class: 'bar runs', role: 'group', 'aria-label': 'Which run'}, ...buttons));
  const after = runs.length - 1;
  runView = runViews[after] || null;  // its first moment is the first event of the user
  showRun(after);
})();
