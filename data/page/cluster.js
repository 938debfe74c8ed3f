'use strict';
// The map of a cluster, the list of its instances and the fragmentation of its resources, at one time.
// `cluster` holds columns: instances.name[i], tasks.kind[t] ... Times are seconds; -1: never.

// What a page shows of a cluster or a run of it. A page that compares two runs has them in `report.runs`, each with a
// name; any other is one run itself.
const runs = report.runs || (report.cluster ? [report] : []);

// Everything about the cluster that changes with the time shown, in one array a resource.
class Cluster {
  constructor(run) {
    Object.assign(this, run.cluster);
    this.events = run.events || [];
    this.size = this.instances.name.length;
    this.count = this.tasks.kind.length;
    this.gpuBegin = new Uint32Array(this.count + 1);
    for (let t = 0; t < this.count; ++t) this.gpuBegin[t + 1] = this.gpuBegin[t] + (this.tasks.gpus ? this.tasks.gpus[t] : 0);
    // The tasks of instance i: order[begin[i]] .. order[begin[i + 1]].
    this.begin = new Uint32Array(this.size + 1);
    for (const instance of this.tasks.instance) ++this.begin[instance + 1];
    for (let i = 0; i < this.size; ++i) this.begin[i + 1] += this.begin[i];
    this.order = new Uint32Array(this.count);
    const next = this.begin.slice();
    for (let t = 0; t < this.count; ++t) this.order[next[this.tasks.instance[t]]++] = t;
    this.cpu = new Float64Array(this.size);
    this.memory = new Float64Array(this.size);
    this.networkInterfaces = new Int32Array(this.size);
    this.gpus = new Int32Array(this.size);
    this.running = new Int32Array(this.size);
    this.byKind = new Int32Array(this.kinds.length);
    this.matches = new Uint8Array(this.size).fill(1);
    this.at(this.end);
  }

  profile(i) { return this.profiles[this.instances.profile[i]]; }
  isThere(i) {
    const {from, to} = this.instances;
    return !from || (from[i] <= this.time && (to[i] < 0 || to[i] > this.time || this.time === this.end && to[i] > this.end));
  }
  isDraining(i) {
    const draining = this.instances.draining;
    return this.profile(i).state === 'DRAINING' || Boolean(draining) && draining[i] >= 0 && draining[i] <= this.time;
  }
  holds(t) {
    const {from, to} = this.tasks;
    return !from || (from[t] <= this.time && (to[t] < 0 || to[t] > this.time));
  }
  gpusOf(t) { return this.tasks.gpu ? this.tasks.gpu.slice(this.gpuBegin[t], this.gpuBegin[t + 1]) : []; }

  at(time) {
    this.time = time;
    this.byKind.fill(0);
    for (let i = 0; i < this.size; ++i) {
      this.cpu[i] = this.instances.cpu[i];
      this.memory[i] = this.instances.memory[i];
      this.networkInterfaces[i] = this.instances.networkInterfaces[i];
      this.running[i] = this.instances.tasks[i];
      this.gpus[i] = (this.instances.gpus[i] || []).length;
    }
    for (let t = 0; t < this.count; ++t) {
      if (!this.holds(t)) continue;
      const i = this.tasks.instance[t];
      const kind = this.kinds[this.tasks.kind[t]];
      this.cpu[i] += kind.cpu;
      this.memory[i] += kind.memory;
      this.networkInterfaces[i] += kind.networkInterfaces;
      ++this.running[i];
      ++this.byKind[this.tasks.kind[t]];
      if (!kind.sharesGpu) this.gpus[i] += this.gpuBegin[t + 1] - this.gpuBegin[t];
    }
    for (let i = 0; i < this.size; ++i) {
      if (this.profile(i).gpus > 0 && this.sharesGpus) this.gpus[i] = this.slots(i).filter((kind) => kind !== undefined).length;
    }
  }

  get sharesGpus() { return this.kinds.some((kind) => kind.sharesGpu); }

  // The kind on each GPU of an instance: undefined is free, -1 is used by a task that the page does not list.
  slots(i) {
    const slots = new Array(this.profile(i).gpus).fill(undefined);
    for (const gpu of this.instances.gpus[i] || []) slots[gpu] = -1;
    for (const t of this.tasksOn(i)) for (const gpu of this.gpusOf(t)) slots[gpu] = this.tasks.kind[t];
    return slots;
  }

  tasksOn(i) { return [...this.order.subarray(this.begin[i], this.begin[i + 1])].filter((t) => this.holds(t)); }

  // Count of tasks by kind, in order of kinds.
  kindsOn(i) {
    const counts = new Map();
    for (const t of this.tasksOn(i)) counts.set(this.tasks.kind[t], (counts.get(this.tasks.kind[t]) || 0) + 1);
    return [...counts].sort((a, b) => a[0] - b[0]);
  }

  filter(text, kind) {
    const wanted = text.trim().toLowerCase();
    let count = 0;
    for (let i = 0; i < this.size; ++i) {
      const {type, zone, provider} = this.profile(i);
      const own = [this.instances.name[i], type, zone, provider].some((one) => one.toLowerCase().includes(wanted));
      const kinds = wanted === '' && kind < 0 ? [] : this.kindsOn(i);
      const named = own || kinds.some(([one]) => this.kinds[one].name.toLowerCase().includes(wanted));
      this.matches[i] = this.isThere(i) && named && (kind < 0 || kinds.some(([one]) => one === kind)) ? 1 : 0;
      count += this.matches[i];
    }
    return count;
  }

  there() {
    let count = 0;
    for (let i = 0; i < this.size; ++i) count += this.isThere(i) ? 1 : 0;
    return count;
  }

  // What each task of a kind needs.
  needs(kind) {
    const {cpu, memory: mib, networkInterfaces} = this.kinds[kind];
    return [vcpus(cpu), memory(mib), networkInterfaces > 0 ? `${networkInterfaces} ENI` : ''].filter(Boolean).join(', ');
  }

  // "3, 5, 8 to 11": which tasks of a kind an instance holds.
  numbersOn(i, kind) {
    const numbers = this.tasksOn(i).filter((t) => this.tasks.kind[t] === kind).map((t) => this.tasks.number[t]).sort((a, b) => a - b);
    const parts = [];
    for (let at = 0; at < numbers.length;) {
      let last = at;
      while (last + 1 < numbers.length && numbers[last + 1] === numbers[last] + 1) ++last;
      parts.push(last > at ? `${numbers[at]}-${numbers[last]}` : `${numbers[at]}`);
      at = last + 1;
    }
    return parts.length > 6 ? `${parts.slice(0, 6).join(',')} and ${parts.length - 6} more` : parts.join(',');
  }

  // Why tasks that are not placed are not placed here.
  rejections(i) {
    return (report.rejections || []).map((one) => [one.task, one.reasons[one.why[i]]]).filter((one) => one[1]);
  }

  // What the map says of an instance, in lines.
  tip(i) {
    const profile = this.profile(i);
    const lines = [isolated(this.instances.name[i]), [profile.type, profile.zone, profile.provider].filter(Boolean).join(', '),
      `CPU ${vcpus(this.cpu[i])} of ${vcpus(profile.cpu)}, memory ${memory(this.memory[i])} of ${memory(profile.memory)}`,
      [profile.gpus > 0 ? `${deviceOf(profile)} ${this.gpus[i]} of ${profile.gpus}` : '',
        profile.networkInterfaces !== null ? `task ENIs ${this.networkInterfaces[i]} of ${profile.networkInterfaces}` : ''].filter(Boolean).join(', ')];
    if (this.isDraining(i) || profile.state) lines.push(`${this.isDraining(i) ? 'DRAINING' : profile.state}: takes no new tasks`);
    const kinds = this.kindsOn(i);
    for (const [kind, count] of kinds.slice(0, 6))
      lines.push(`${letterOf(kind)} ${isolated(this.kinds[kind].name)}#${this.numbersOn(i, kind)}: ${count > 1 ? `${count} tasks, each ` : ''}${this.needs(kind)}`);
    if (kinds.length > 6) lines.push(`and ${kinds.length - 6} more kinds of tasks`);
    if (this.instances.tasks[i] > 0) lines.push(`${this.instances.tasks[i]} that ran before`);
    if (kinds.length === 0 && this.instances.tasks[i] === 0) lines.push('no task');
    for (const [task, why] of this.rejections(i)) lines.push(`${isolated(task)} not placed here: ${why}`);
    return lines.filter(Boolean).join('\n');
  }
}

// Instances as boxes; zones as columns, one below the other where the page is narrow.
class ClusterMap {
  constructor(cluster, canvas) {
    this.cluster = cluster;
    this.canvas = canvas;
    this.chosen = -1;
    this.zones = [...new Set(cluster.profiles.map((profile) => profile.zone))].sort();
  }

  // How large a box is: the more instances, the less of each.
  sizes() {
    const count = this.cluster.size;
    const gpus = this.cluster.profiles.some((profile) => profile.gpus > 0);
    if (count <= 60) return {width: 148, height: gpus ? 76 : 54, named: true, label: 12};
    if (count <= 600) return {width: 92, height: gpus ? 52 : 42, named: false, label: 9};
    if (count <= 6000) return {width: 24, height: 20, named: false, label: 0};
    return {width: 9, height: 9, named: false, label: 0};
  }

  layOut(width) {
    const {cluster, zones} = this;
    const box = this.sizes();
    const gap = box.width > 30 ? 6 : box.width > 10 ? 3 : 1;
    const isNarrow = width < 40 + zones.length * (box.width + gap + 12);
    const columns = isNarrow ? 1 : zones.length;
    const zoneWidth = Math.floor(width / columns);
    const perRow = Math.max(1, Math.floor((zoneWidth - 12) / (box.width + gap)));
    // A few instances share the width of their zone.
    const inZone = new Map();
    for (let i = 0; i < cluster.size; ++i) inZone.set(cluster.profile(i).zone, (inZone.get(cluster.profile(i).zone) || 0) + 1);
    const side = Math.min(perRow, Math.max(1, ...inZone.values()));
    if (box.named) box.width = Math.min(240, Math.max(box.width, Math.floor((zoneWidth - 16) / side) - gap));
    const members = zones.map(() => []);
    const zoneIndex = new Map(zones.map((zone, index) => [zone, index]));
    for (let i = 0; i < cluster.size; ++i) members[zoneIndex.get(cluster.profile(i).zone)].push(i);
    this.box = box;
    this.x = new Float32Array(cluster.size);
    this.y = new Float32Array(cluster.size);
    this.headings = [];
    this.sequence = members.flat();
    this.perRow = perRow;
    let top = 0;
    let tallest = 0;
    members.forEach((all, z) => {
      const left = isNarrow ? 0 : z * zoneWidth;
      const lost = cluster.events.some((event) => event.zone === zones[z] && event.at <= cluster.time);
      this.headings.push({text: `${zones[z] || 'no zone'} (${number.format(all.filter((i) => cluster.isThere(i)).length)})${lost ? ' LOST' : ''}`, lost,
        x: left + 8, y: top + 16, width: zoneWidth, height: 26 + Math.ceil(all.length / perRow) * (box.height + gap)});
      all.forEach((i, place) => {
        this.x[i] = left + 8 + (place % perRow) * (box.width + gap);
        this.y[i] = top + 26 + Math.floor(place / perRow) * (box.height + gap);
      });
      const height = 26 + Math.ceil(all.length / perRow) * (box.height + gap) + 8;
      tallest = Math.max(tallest, top + height);
      if (isNarrow) top += height;
    });
    return Math.max(tallest, 60);
  }

  draw() {
    const {canvas} = this;
    const width = canvas.parentElement.clientWidth - 2 || 300;
    const height = this.layOut(width);
    const ratio = Math.min(devicePixelRatio || 1, Math.sqrt(6e7 / (width * height)));
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    canvas.style.height = `${height}px`;
    const context = canvas.getContext('2d');
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.looks = Object.fromEntries(['ground', 'raised', 'text', 'soft', 'line', 'empty', 'mark', 'bad'].map((name) => [name, color(name)]));
    context.fillStyle = this.looks.ground;
    context.fillRect(0, 0, width, height);
    context.textBaseline = 'alphabetic';
    context.font = '600 13px system-ui, sans-serif';
    context.fillStyle = this.looks.soft;
    for (const heading of this.headings) {
      context.fillStyle = heading.lost ? this.looks.bad : this.looks.soft;
      context.fillText(fitted(context, heading.text, heading.width - 16), heading.x, heading.y);
      if (!heading.lost) continue;
      context.strokeStyle = this.looks.bad;
      context.lineWidth = 1;
      context.setLineDash([6, 4]);
      context.strokeRect(heading.x - 3.5, heading.y - 13.5, heading.width - 10, heading.height);
      context.setLineDash([]);
    }
    for (let i = 0; i < this.cluster.size; ++i) if (this.cluster.isThere(i)) this.drawInstance(context, i);
    if (this.chosen >= 0) {
      context.strokeStyle = this.looks.mark;
      context.lineWidth = 3;
      context.strokeRect(this.x[this.chosen] - 2, this.y[this.chosen] - 2, this.box.width + 4, this.box.height + 4);
    }
  }

  drawInstance(context, i) {
    const {cluster, box, looks} = this;
    const [x, y, profile] = [this.x[i], this.y[i], cluster.profile(i)];
    context.globalAlpha = cluster.matches[i] ? 1 : 0.18;
    context.fillStyle = looks.raised;
    context.fillRect(x, y, box.width, box.height);
    if (box.width > 10) {
      context.strokeStyle = looks.line;
      context.lineWidth = 1;
      context.setLineDash(cluster.isDraining(i) || profile.state ? [3, 2] : []);
      context.strokeRect(x + 0.5, y + 0.5, box.width - 1, box.height - 1);
      context.setLineDash([]);
    }
    const kinds = cluster.kindsOn(i);
    const inner = box.width - 2 * (box.named ? 6 : 2);
    const left = x + (box.named ? 6 : 2);
    if (box.width <= 10) {
      this.drawFill(context, kinds, i, x, y);
    } else if (box.named) {
      context.font = '12px system-ui, sans-serif';
      context.fillStyle = looks.text;
      context.fillText(fitted(context, cluster.instances.name[i], inner), left, y + 15);
      this.drawBar(context, i, kinds, 'cpu', left, y + 21, inner, 11);
      this.drawBar(context, i, kinds, 'memory', left, y + 35, inner, 11);
      this.drawSlots(context, i, left, y + 51, inner, 19, true);
    } else {
      const head = box.label > 0 ? box.label + 3 : 0;
      if (head > 0) {
        context.font = `${box.label}px system-ui, sans-serif`;
        context.fillStyle = looks.text;
        context.fillText(fittedEnd(context, cluster.instances.name[i], inner), left, y + box.label + 1);
      }
      const room = box.height - head;
      const bar = profile.gpus > 0 ? Math.floor(room / 4) : Math.floor(room / 2.6);
      this.drawBar(context, i, kinds, 'cpu', left, y + head + 2, inner, bar);
      this.drawBar(context, i, kinds, 'memory', left, y + head + 3 + bar, inner, bar);
      this.drawSlots(context, i, left, y + head + 5 + 2 * bar, inner, room - 2 * bar - 7, box.width > 30);
    }
    context.globalAlpha = 1;
  }

  // One color for a box too small for bars: of the kind that takes the most CPU; as high as the instance is full.
  drawFill(context, kinds, i, x, y) {
    const {cluster, box, looks} = this;
    const profile = cluster.profile(i);
    context.fillStyle = looks.empty;
    context.fillRect(x, y, box.width, box.height);
    const full = Math.max(cluster.cpu[i] / (profile.cpu || 1), cluster.memory[i] / (profile.memory || 1));
    const height = Math.min(box.height, Math.ceil(full * box.height));
    const most = kinds.reduce((best, one) => one[1] * cluster.kinds[one[0]].memory > best[1] ? [one[0], one[1] * cluster.kinds[one[0]].memory] : best, [-1, -1]);
    if (height > 0) fillKind(context, most[0], x, y + box.height - height, box.width, height, looks.soft);
  }

  drawBar(context, i, kinds, resource, x, y, width, height) {
    const {cluster, looks} = this;
    const whole = cluster.profile(i)[resource];
    context.fillStyle = looks.empty;
    context.fillRect(x, y, width, height);
    if (whole <= 0) return;
    let used = cluster.instances[resource][i];
    if (used > 0) fillKind(context, -1, x, y, (width * used) / whole, height, looks.soft);
    for (const [kind, count] of kinds) {
      const amount = cluster.kinds[kind][resource] * count;
      if (amount <= 0) continue;
      const from = Math.min(width, (width * used) / whole);
      used += amount;
      const part = Math.max(0, Math.min(width, (width * used) / whole) - from);
      fillKind(context, kind, x + from, y, part, height, looks.soft);
      if (part < 10 || height < 9) continue;
      context.font = `600 ${Math.min(10, height - 1)}px system-ui, sans-serif`;
      context.textAlign = 'center';
      context.fillStyle = kInks[kind % kInks.length];
      context.fillText(letterOf(kind), x + from + part / 2, y + height - 2);
      context.textAlign = 'left';
    }
    if (!this.box.named) return;
    context.font = '9px system-ui, sans-serif';
    context.fillStyle = looks.text;
    const text = resource === 'cpu' ? 'CPU' : 'MEM';
    if (used < whole * 0.8) context.fillText(text, x + width - 22, y + height - 2);
  }

  drawSlots(context, i, x, y, width, height, lettered) {
    const slots = this.cluster.profile(i).gpus > 0 ? this.cluster.slots(i) : [];
    if (slots.length === 0 || height < 2) return;
    const gap = lettered ? 2 : 1;
    const size = Math.min(height, (width + gap) / slots.length - gap);
    slots.forEach((kind, slot) => {
      const at = x + slot * (size + gap);
      if (kind === undefined) {
        context.strokeStyle = this.looks.soft;
        context.lineWidth = 1;
        context.strokeRect(at + 0.5, y + 0.5, Math.max(1, size - 1), Math.max(1, size - 1));
        return;
      }
      fillKind(context, kind, at, y, size, size, this.looks.soft);
      if (!lettered || kind < 0 || size < 9) return;
      context.font = `${Math.floor(size * 0.7)}px system-ui, sans-serif`;
      context.textAlign = 'center';
      context.fillStyle = kInks[kind % kInks.length];
      context.fillText(letterOf(kind), at + size / 2, y + size * 0.75);
      context.textAlign = 'left';
    });
  }

  hit(x, y) {
    for (let i = 0; i < this.cluster.size; ++i) {
      if (x >= this.x[i] && x < this.x[i] + this.box.width && y >= this.y[i] && y < this.y[i] + this.box.height && this.cluster.isThere(i)) return i;
    }
    return -1;
  }

  // The instance that an arrow key leads to.
  next(key) {
    const step = {ArrowLeft: -1, ArrowRight: 1, ArrowUp: -this.perRow, ArrowDown: this.perRow, Home: -Infinity, End: Infinity}[key];
    if (step === undefined) return undefined;
    const there = this.sequence.filter((i) => this.cluster.isThere(i));
    if (there.length === 0) return -1;
    const place = this.chosen < 0 ? (step < 0 ? there.length : -1) : there.indexOf(this.chosen);
    return there[Math.max(0, Math.min(there.length - 1, place + step))];
  }
}

// Cut at the front, because names of instances differ at the end.
function fittedEnd(context, text, width) {
  if (context.measureText(text).width <= width) return text;
  const points = [...text.slice(-200)];
  while (points.length > 1 && context.measureText('…' + points.join('')).width > width) points.shift();
  return '…' + points.join('');
}

function fitted(context, text, width) {
  if (context.measureText(text).width <= width) return text;
  const points = [...text.slice(0, 200)];
  let [least, most] = [0, points.length];
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (context.measureText(points.slice(0, middle).join('') + '…').width <= width) least = middle;
    else most = middle - 1;
  }
  return points.slice(0, least).join('') + '…';
}

// A table of any number of rows, of which those in sight exist.
class Rows {
  constructor(columns, label, onChoose) {
    this.columns = columns;
    this.onChoose = onChoose;
    this.rows = [];
    this.chosen = -1;
    this.sorted = {column: 0, down: false};
    const template = columns.map((column) => column.width).join(' ');
    this.template = template;
    this.head = make('div', {role: 'row', class: 'head', 'aria-rowindex': 1});
    this.head.style.gridTemplateColumns = template;
    columns.forEach((column, index) => this.head.append(make('span', {role: 'columnheader', class: column.figure ? 'figure' : ''},
      make('button', {type: 'button', onclick: () => this.sortBy(index)}, column.heading))));
    this.body = make('div', {class: 'body', role: 'rowgroup'});
    this.element = make('div', {class: 'rows', role: 'grid', tabindex: 0, 'aria-label': label}, make('div', {role: 'rowgroup'}, this.head), this.body);
    this.element.addEventListener('scroll', onceAFrame(() => this.draw()));
    this.element.addEventListener('keydown', (event) => this.key(event));
    addEventListener('beforeprint', () => this.draw(500));
    addEventListener('afterprint', () => this.draw());
  }

  show(rows) {
    this.rows = rows.slice();
    this.element.setAttribute('aria-rowcount', rows.length + 1);
    this.element.style.height = `calc(${Math.min(13, Math.max(2, rows.length + 1)) * this.height + 4}px + var(--scroll-mark, 0px))`;
    this.sort();
    this.draw();
  }

  sortBy(column) {
    this.sorted = {column, down: this.sorted.column === column ? !this.sorted.down : Boolean(this.columns[column].figure)};
    this.sort();
    this.draw();
  }

  sort() {
    const {column, down} = this.sorted;
    const {value} = this.columns[column];
    const collator = new Intl.Collator('en', {numeric: true});
    const keyed = this.rows.map((row) => [value(row), row]);
    keyed.sort((a, b) => typeof a[0] === 'number' ? a[0] - b[0] : collator.compare(a[0], b[0]));
    this.rows = keyed.map((entry) => entry[1]);
    if (down) this.rows.reverse();
    this.head.childNodes.forEach((heading, index) => index === column ?
      heading.setAttribute('aria-sort', down ? 'descending' : 'ascending') : heading.removeAttribute('aria-sort'));
  }

  get height() { return parseFloat(getComputedStyle(document.documentElement).fontSize) * 1.9; }

  draw(all) {
    const height = this.height;
    const first = all ? 0 : Math.max(0, Math.floor(this.element.scrollTop / height) - 5);
    const last = Math.min(this.rows.length, all || first + Math.ceil(this.element.clientHeight / height) + 12);
    this.body.style.height = `${(all ? last : this.rows.length) * height}px`;
    const rows = [];
    for (let place = first; place < last; ++place) {
      const row = this.rows[place];
      const element = make('div', {role: 'row', 'aria-rowindex': place + 2, class: row === this.chosen ? 'chosen' : '',
        'aria-selected': row === this.chosen ? 'true' : 'false', onclick: () => this.choose(row)},
      ...this.columns.map((column) => make('span', {role: 'gridcell', class: column.figure ? 'figure' : '', title: column.text(row)}, column.text(row))));
      element.style.top = `${place * height}px`;
      element.style.gridTemplateColumns = this.template;
      rows.push(element);
    }
    this.body.replaceChildren(...rows);
  }

  choose(row) {
    this.chosen = row;
    this.draw();
    this.onChoose(row);
  }

  key(event) {
    const step = {ArrowUp: -1, ArrowDown: 1, PageUp: -10, PageDown: 10, Home: -Infinity, End: Infinity}[event.key];
    if (step === undefined || this.rows.length === 0) return;
    event.preventDefault();
    const place = Math.max(0, Math.min(this.rows.length - 1, this.rows.indexOf(this.chosen) + step));
    const [top, height] = [place * this.height, this.height];
    const room = this.element.clientHeight - 2 * height;
    if (top < this.element.scrollTop) this.element.scrollTop = top;
    else if (top > this.element.scrollTop + room) this.element.scrollTop = top - room;
    this.choose(this.rows[place]);
  }
}

// Rows of a histogram: [label, count] ...; bars against the largest.
function histogram(rows) {
  const most = Math.max(1, ...rows.map((row) => row[1]));
  return make('div', {class: 'histogram'}, ...rows.flatMap(([label, count]) => [make('span', {}, label),
    make('meter', {min: 0, max: most, value: count, 'aria-label': label}), make('span', {class: 'figure'}, number.format(count))]));
}

// What an instance has of what counts as GPUs here: an instance of Neuron devices says so.
function deviceOf(profile) {
  return profile.device || 'GPU';
}

function deviceOfAll(cluster) {
  const names = new Set(cluster.profiles.filter((profile) => profile.gpus > 0).map(deviceOf));
  return names.size === 1 ? [...names][0] : names.size > 1 ? 'device' : 'GPU';
}

function freeGpuRows(cluster) {
  const counts = new Map();
  for (let i = 0; i < cluster.size; ++i) {
    if (!cluster.isThere(i) || cluster.profile(i).gpus === 0) continue;
    const free = cluster.profile(i).gpus - cluster.gpus[i];
    counts.set(free, (counts.get(free) || 0) + 1);
  }
  return [...counts].sort((a, b) => a[0] - b[0]).map(([free, count]) => [`${free} ${deviceOfAll(cluster)}${free === 1 ? '' : 's'} free`, count]);
}

function fullnessRows(cluster, resource) {
  const counts = new Array(5).fill(0);
  for (let i = 0; i < cluster.size; ++i) {
    const whole = cluster.profile(i)[resource];
    if (cluster.isThere(i) && whole > 0) ++counts[Math.min(4, Math.floor((5 * cluster[resource][i]) / whole))];
  }
  return counts.map((count, fifth) => [`${fifth * 20} to ${fifth * 20 + 20}% reserved`, count]);
}

// Everything that shows the cluster; `show(time)` moves all of it.
class ClusterView {
  constructor(cluster, place) {
    this.cluster = cluster;
    this.place = place;
    this.kind = -1;
    this.canvas = make('canvas', {tabindex: 0, role: 'img'});
    this.map = new ClusterMap(cluster, this.canvas);
    this.tip = make('output', {class: 'tip', hidden: true, 'aria-live': 'polite'});
    this.hint = make('span', {class: 'hint'});
    this.input = make('input', {type: 'search', oninput: () => this.filter(), placeholder: 'instance, type, zone, task'});
    this.told = make('output', {class: 'told'});
    this.legend = make('ul', {class: 'legend', 'aria-label': 'Kinds of tasks'});
    this.rows = new Rows(this.columns(), 'Instances', (i) => this.choose(i, true));
    this.redraw = onceAFrame(() => this.map.draw());
    place.append(make('div', {class: 'bar'}, make('label', {}, 'Filter', this.input), this.told, this.hint), this.legend,
      make('div', {class: 'map'}, this.canvas, this.tip), make('h3', {}, 'Instances'), this.rows.element);
    this.canvas.addEventListener('mousemove', (event) => this.point(event));
    this.canvas.addEventListener('mouseleave', () => this.tell(this.map.chosen));
    this.canvas.addEventListener('click', (event) => this.choose(this.map.hit(event.offsetX, event.offsetY)));
    this.canvas.addEventListener('keydown', (event) => this.key(event));
    whenLooksChange(() => { this.drawLegend(); this.map.draw(); });
    this.show(cluster.time);
  }

  columns() {
    const {cluster} = this;
    const share = (resource) => (i) => cluster.profile(i)[resource] > 0 ? cluster[resource][i] / cluster.profile(i)[resource] : -1;
    const all = [
      {heading: 'instance', width: 'minmax(9rem, 2fr)', value: (i) => cluster.instances.name[i], text: (i) => cluster.instances.name[i]},
      {heading: 'type', width: 'minmax(7rem, 1fr)', value: (i) => cluster.profile(i).type, text: (i) => cluster.profile(i).type || '-'},
      {heading: 'zone', width: 'minmax(6rem, 1fr)', value: (i) => cluster.profile(i).zone, text: (i) => cluster.profile(i).zone || '-'},
      {heading: 'CPU', width: '4.5rem', figure: true, value: share('cpu'), text: (i) => percent(cluster.cpu[i], cluster.profile(i).cpu)},
      {heading: 'memory', width: '5.5rem', figure: true, value: share('memory'), text: (i) => percent(cluster.memory[i], cluster.profile(i).memory)},
      {heading: deviceOfAll(cluster), device: true, width: deviceOfAll(cluster) === 'GPU' ? '4.5rem' : '8rem', figure: true, value: (i) => cluster.profile(i).gpus - cluster.gpus[i],
        text: (i) => cluster.profile(i).gpus > 0 ? `${cluster.gpus[i]}/${cluster.profile(i).gpus}` : '-'},
      {heading: 'ENI', width: '4.5rem', figure: true, value: (i) => cluster.networkInterfaces[i],
        text: (i) => cluster.profile(i).networkInterfaces !== null ? `${cluster.networkInterfaces[i]}/${cluster.profile(i).networkInterfaces}` : '-'},
      {heading: 'tasks', width: '5rem', figure: true, value: (i) => cluster.running[i], text: (i) => number.format(cluster.running[i])},
      {heading: 'price', width: '6rem', figure: true, value: (i) => cluster.profile(i).price ?? -1, text: (i) => money(cluster.profile(i).price)},
      {heading: 'per month', width: '7rem', figure: true, value: (i) => cluster.profile(i).price ?? -1, text: (i) => monthly(cluster.profile(i).price)}];
    return all.filter((column) => !column.device || cluster.profiles.some((profile) => profile.gpus > 0));
  }

  show(time) {
    this.cluster.at(time);
    this.drawLegend();
    this.filter();
    if (!this.tip.hidden) this.tell(this.toldOf);
    for (const place of viewsNamed('fragmentation')) this.drawFragmentation(place);
  }

  filter() {
    const count = this.cluster.filter(this.input.value, this.kind);
    const there = this.cluster.there();
    this.told.textContent = `${number.format(count)} of ${number.format(there)} instances`;
    const rows = [];
    for (let i = 0; i < this.cluster.size; ++i) if (this.cluster.matches[i]) rows.push(i);
    this.rows.show(rows);
    const tasks = this.cluster.running.reduce((sum, one) => sum + one, 0);
    this.canvas.setAttribute('aria-label', `Map of ${number.format(there)} instances with ${number.format(tasks)} tasks; the table of instances below says the same. Arrow keys go from instance to instance.`);
    this.hint.textContent = this.cluster.size > 0 ? 'Point at an instance, or use the arrow keys on the map.' : 'There is no instance.';
    this.redraw();
  }

  drawLegend() {
    const items = [];
    this.cluster.kinds.forEach((kind, index) => {
      if (this.cluster.byKind[index] === 0 && this.kind !== index) return;
      const swatch = make('canvas', {width: 16, height: 16});
      const context = swatch.getContext('2d');
      fillKind(context, index, 0, 0, 16, 16, '#888888');
      context.font = '11px system-ui, sans-serif';
      context.textAlign = 'center';
      context.fillStyle = kInks[index % kInks.length];
      context.fillText(letterOf(index), 8, 12);
      items.push(make('li', {}, make('button', {type: 'button', 'aria-pressed': this.kind === index ? 'true' : 'false', title: kind.name,
        onclick: () => { this.kind = this.kind === index ? -1 : index; this.drawLegend(); this.filter(); }},
      swatch, make('bdi', {}, kind.name), make('span', {}, `× ${number.format(this.cluster.byKind[index])}${kind.ranBefore ? ' (ran before)' : ''}`))));
    });
    const key = (paint, words) => {
      const swatch = make('canvas', {width: 16, height: 16});
      paint(swatch.getContext('2d'));
      items.push(make('li', {}, make('span', {class: 'key'}, swatch, words)));
    };
    const box = (context, style, dash) => {
      context.strokeStyle = style;
      context.setLineDash(dash);
      context.strokeRect(1.5, 1.5, 13, 13);
    };
    const {cluster} = this;
    if (cluster.instances.tasks.some((count) => count > 0)) key((context) => fillKind(context, -1, 0, 0, 16, 16, color('soft')), 'ran before');
    key((context) => { context.fillStyle = color('empty'); context.fillRect(0, 0, 16, 16); }, this.map.sizes().width > 10 ? 'available; upper bar CPU, lower bar memory' : 'available');
    if (cluster.profiles.some((profile) => profile.gpus > 0) && this.map.sizes().width > 10) key((context) => box(context, color('soft'), []), `free ${deviceOfAll(this.cluster)}`);
    if (cluster.profiles.some((profile) => profile.state) || (cluster.instances.draining || []).some((at) => at >= 0)) key((context) => box(context, color('soft'), [3, 2]), 'takes no new tasks');
    this.legend.replaceChildren(...items);
  }

  drawFragmentation(place) {
    const parts = [];
    const gpus = freeGpuRows(this.cluster);
    if (gpus.length > 0) parts.push(make('figure', {}, make('figcaption', {}, `Instances by free ${deviceOfAll(this.cluster)}s`), histogram(gpus)));
    for (const [resource, name] of [['cpu', 'CPU'], ['memory', 'memory']])
      parts.push(make('figure', {}, make('figcaption', {}, `Instances by ${name}`), histogram(fullnessRows(this.cluster, resource))));
    place.replaceChildren(make('div', {class: 'charts'}, ...parts));
  }

  // Says what an instance holds, below its box; nothing of none.
  tell(i) {
    const {map, cluster, tip, canvas} = this;
    if (!tip.hidden && this.toldOf === i && this.toldAt === cluster.time) return;
    [this.toldOf, this.toldAt] = [i, cluster.time];
    tip.hidden = i < 0 || !cluster.isThere(i);
    if (tip.hidden) return;
    tip.textContent = cluster.tip(i);
    tip.style.left = `${Math.max(0, Math.min(map.x[i], canvas.clientWidth - tip.offsetWidth - 4))}px`;
    tip.style.top = `${map.y[i] + map.box.height + 6}px`;
  }

  point(event) {
    const i = this.map.hit(event.offsetX, event.offsetY);
    this.canvas.style.cursor = i >= 0 ? 'pointer' : '';
    if (i >= 0) this.tell(i);
    else this.tell(this.map.chosen);
  }

  choose(i, isFromRows) {
    this.map.chosen = i;
    this.tell(i);
    if (!isFromRows) { this.rows.chosen = i; this.rows.draw(); }
    this.redraw();
  }

  key(event) {
    const i = this.map.next(event.key);
    if (i === undefined) return;
    event.preventDefault();
    this.choose(i);
  }
}

// A view for each run, each in its part of the place; `clusterView` is the one that the page shows.
const clusterViews = (() => {
  const place = viewsNamed('cluster')[0];
  if (!place) return [];
  return runs.map((run) => {
    const part = make('div', {});
    place.append(part);
    return new ClusterView(new Cluster(run), part);
  });
})();
let clusterView = clusterViews[0] || null;
