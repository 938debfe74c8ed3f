'use strict';
// What all views share. User texts go into the page by textContent only.
const report = (() => {
  const element = document.getElementById('data');
  return element ? JSON.parse(element.textContent) : {};
})();

// make('td', {class: 'figure'}, 'text', node ...)
function make(name, attributes, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else if (value !== undefined && value !== false) element.setAttribute(key, value === true ? '' : value);
  }
  element.append(...children);
  return element;
}

function viewsNamed(name) { return document.querySelectorAll(`[data-view="${name}"]`); }

function color(name) { return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim(); }

// Okabe and Ito's palette for all kinds of sight ("Color Universal Design", 2008), without its black; what comes
// after its seven colors differs by stripes and by letters. The order is that of src/report/svg/kind_marks.cpp,
// so that a family has one color in the page, the picture and the terminal.
const kPalette = ['#e69f00', '#56b4e9', '#009e73', '#f0e442', '#0072b2', '#d55e00', '#cc79a7'];
const kInks = ['#000000', '#000000', '#000000', '#000000', '#ffffff', '#000000', '#000000'];

function letterOf(kind) {
  let text = '';
  for (let rest = kind; rest >= 0; rest = Math.floor(rest / 26) - 1) text = String.fromCharCode(65 + (rest % 26)) + text;
  return text;
}

// Fills a rectangle with the looks of a kind of task.
function fillKind(context, kind, x, y, width, height, otherColor) {
  if (kind < 0) {
    context.fillStyle = otherColor;
    context.fillRect(x, y, width, height);
    return;
  }
  context.fillStyle = kPalette[kind % kPalette.length];
  context.fillRect(x, y, width, height);
  const round = Math.floor(kind / kPalette.length) % 3;
  if (round === 0 || width < 3) return;
  context.fillStyle = kInks[kind % kPalette.length];
  for (let at = 2; at < (round === 1 ? width : height); at += 5) {
    round === 1 ? context.fillRect(x + at, y, 1, height) : context.fillRect(x, y + at, width, 1);
  }
}

// A name in a sentence, whichever way its script runs.
function isolated(name) { return `\u2068${name}\u2069`; }

// Figures as all reports show them: src/report/document/figures.cpp.
const number = new Intl.NumberFormat('en-US');
function percent(part, whole) {
  if (whole <= 0) return '-';
  const share = (100 * part) / whole + 1e-9;
  return part > 0 && share < 1 ? '<1%' : `${Math.floor(share)}%`;
}
function memory(mib) {
  if (mib < 1024) return `${mib} MiB`;
  const tenths = Math.floor((mib * 10) / 1024);
  return tenths < 1000 && tenths % 10 !== 0 ? `${Math.floor(tenths / 10)}.${tenths % 10} GiB` : `${Math.floor(tenths / 10)} GiB`;
}
function vcpus(units) {
  return units !== 0 && units < 128 ? `${units} CPU units` : `${Math.floor((units * 100) / 1024) / 100} vCPU`;
}
function money(usd) { return usd === null ? '-' : `$${usd.toLocaleString('en-US', {minimumFractionDigits: 2, maximumFractionDigits: 4})}/h`; }
// Of 730 hours, as AWS counts a month.
function monthly(usd) {
  if (usd === null || usd === undefined) return '-';
  const month = usd * 730;
  const digits = month < 10 ? 2 : 0;
  return `$${month.toLocaleString('en-US', {minimumFractionDigits: digits, maximumFractionDigits: digits})}`;
}

// "1h30m", exact, as the text report says it.
function duration(seconds) {
  if (seconds === 0) return '0s';
  let text = '';
  let rest = seconds;
  for (const [unit, size] of [['d', 86400], ['h', 3600], ['m', 60], ['s', 1]]) {
    const count = Math.floor(rest / size);
    if (count > 0) text += count + unit;
    rest -= count * size;
  }
  return text;
}

// Calls `draw` once for many calls before the next frame.
function onceAFrame(draw) {
  let asked = false;
  return () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => { asked = false; draw(); });
  };
}

function whenLooksChange(draw) {
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
  addEventListener('beforeprint', draw);
  let width = innerWidth;
  addEventListener('resize', () => { if (innerWidth !== width) { width = innerWidth; draw(); } });
}

// A button that puts `text` on the clipboard and says so.
function copyButton(text) {
  const button = make('button', {type: 'button', class: 'copy', 'aria-label': `Copy: ${text}`, onclick: () => {
    const tell = (word) => { button.textContent = word; setTimeout(() => { button.textContent = 'Copy'; }, 1500); };
    const byHand = () => {
      const area = make('textarea', {});
      area.value = text;
      document.body.append(area);
      area.select();
      tell(document.execCommand('copy') ? 'Copied' : 'Press Ctrl+C');
      area.remove();
    };
    if (navigator.clipboard) navigator.clipboard.writeText(text).then(() => tell('Copied'), byHand);
    else byHand();
  }}, 'Copy');
  return button;
}

// The command that made the page, and each flag that one would paste.
for (const code of document.querySelectorAll('.command code, code.copied')) code.after(copyButton(code.textContent));

// What is wider than the page says that it scrolls.
const tellScroll = () => {
  for (const wide of document.querySelectorAll('.wide, .rows')) {
    wide.classList.toggle('scrolls', wide.scrollWidth > wide.clientWidth + 1);
    wide.classList.toggle('at-end', wide.scrollLeft + wide.clientWidth >= wide.scrollWidth - 1);
  }
};
addEventListener('resize', onceAFrame(tellScroll));
addEventListener('load', () => {
  for (const wide of document.querySelectorAll('.wide, .rows')) wide.addEventListener('scroll', onceAFrame(tellScroll), {passive: true});
  tellScroll();
});
