// The page: files on the left, the result of a command on the right. The program itself runs in worker.js.
import { compiled } from "./lib/compile.mjs";

const LIMIT = 10_000; // Milliseconds after which a run is stopped.
const EFFORT = 20_000_000; // Search steps of `fleet`: seconds, not minutes.
const LINK_LIMIT = 60_000; // Characters; chat and mail programs truncate longer addresses.
const UNPACKED_LIMIT = 16 * 1024 * 1024; // Bytes; the program reads no larger file.
const LINE_LIMIT = 100_000; // Lines of a file in a link: browsers lay out every line, and the page must not hang meanwhile.
const one = (id) => document.getElementById(id);
const text = one("text");

const state = { files: { "task-definition.json": "" }, active: "task-definition.json", command: "lint" };

// --- The program, in a worker that can be terminated.

class Program {
  constructor() {
    this.running = null; // The question that the worker is answering.
    this.next = null; // The newest question that waits. It replaces earlier ones.
    this.failure = null; // Why the worker cannot run.
    const main = compiled(new URL("./lib/bayplan.wasm", import.meta.url));
    this.modules = { main, rest: main.then(() => compiled(new URL("./lib/bayplan-rest.wasm", import.meta.url))) };
    this.begin();
  }

  begin() {
    const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    this.worker = worker;
    worker.onmessage = ({ data }) => (data.hasBegun ? this.begun(data) : this.answered(data));
    worker.onerror = (event) => {
      this.failure = `The program cannot run: ${event.message || "its worker ended"}`;
      if (this.running !== null) this.fail();
    };
    for (const [module, loading] of Object.entries(this.modules)) {
      loading.then((compiled) => worker.postMessage({ module, compiled }), (error) => worker.postMessage({ module, failure: error.message }));
    }
  }

  ask(question) {
    this.next = question;
    if (this.running === null) this.send();
  }

  send() {
    const question = this.next;
    this.next = null;
    this.running = question;
    if (this.failure) this.fail();
    else this.worker.postMessage(question);
  }

  fail() {
    this.answered({ id: this.running.id, error: { message: this.failure, errors: [] } });
  }

  begun({ id }) {
    const question = this.running;
    if (question === null || id !== question.id) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.end(question), LIMIT);
  }

  answered(answer) {
    if (this.running === null || answer.id !== this.running.id) return;
    clearTimeout(this.timer);
    const question = this.running;
    this.running = null;
    if (this.next === null) show(answer, question);
    else this.send();
  }

  /// Terminating the worker is the only way to stop a run.
  end(question) {
    if (this.running !== question) return;
    this.worker.terminate();
    this.running = null;
    this.begin();
    show({ error: { message: `This run took more than ${LIMIT / 1000} seconds and was stopped. Try a smaller scenario, or use the command line, which is faster.`, errors: [] } }, question);
    if (this.next !== null) this.send();
  }
}

const program = new Program();
let asked = 0;

function ask() {
  const { command, files } = state;
  const path = command === "place" || command === "fleet" ? scenarioName() : definitionName();
  if (path === null) return show({ error: { message: `${command} needs a scenario: select an example, or add a file with the keys "cluster" and "tasks".`, errors: [] } }, null);
  program.ask({ id: ++asked, command, files: { ...files }, path, words: command === "fleet" ? ["--effort", String(EFFORT)] : [] });
}

function isScenario(name) {
  return /(^|[{,])[ \t]*["']?(cluster|tasks|services)["']?[ \t]*:/m.test(state.files[name]);
}

function scenarioName() {
  return [state.active, ...Object.keys(state.files)].find(isScenario) ?? null;
}

/// The open file, or the first task definition if the open file is a scenario.
function definitionName() {
  return [state.active, ...Object.keys(state.files)].find((name) => !isScenario(name)) ?? state.active;
}

// --- Results.

function element(name, className, content) {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (content !== undefined) made.textContent = content;
  return made;
}

function show(answer, question) {
  const result = one("result");
  const said = one("state");
  said.classList.toggle("failed", Boolean(answer.error));
  result.replaceChildren();
  if (answer.error) {
    said.textContent = answer.error.errors.length > 0 ? "No result." : answer.error.message;
    for (const error of answer.error.errors) result.append(errorOf(error));
  } else if (answer.report) {
    showFindings(answer.report, question);
  } else {
    showText(answer, question);
  }
  document.body.dataset.answered = question ? question.id : asked;
  performance.mark("answered");
}

function errorOf(error) {
  const at = error.file ? `${error.file}${error.line ? `:${error.line}` : ""}: ` : "";
  const line = element("p", "", at + error.message);
  if (error.help) line.append(element("br"), element("small", "", error.help));
  return line;
}

function showFindings(report, question) {
  const { error, warning, info, style } = report.summary;
  const counted = [[error, "error"], [warning, "warning"], [info, "note"], [style, "style"]].filter(([count]) => count > 0);
  one("state").textContent = counted.length > 0
    ? counted.map(([count, word]) => `${count} ${count === 1 || word === "style" ? word : `${word}s`}`).join(", ")
    : `No findings in ${question.path}.`;
  const lines = question.files[question.path].split(/\r\n|\n|\r/);
  const shown = report.findings.filter((finding) => !finding.suppressed);
  one("result").append(...shown.slice(0, 200).flatMap((finding) => [findingOf(finding, lines), ruleOf(finding)]));
  if (shown.length > 200) one("result").append(element("p", "", `and ${shown.length - 200} more`));
}

function findingOf(finding, lines) {
  const made = element("button", `finding ${finding.severity}`);
  made.type = "button";
  made.append(element("span", "severity", finding.severity), ` ${finding.code} ${finding.rule}: ${finding.message}`, excerpt(finding, lines));
  if (finding.help) made.append(element("small", "", finding.help));
  made.addEventListener("click", () => select(finding, lines));
  return made;
}

/// Leads to the page of the rule if the build knows its address; otherwise to the output of `bayplan explain`, which needs no network.
function ruleOf(finding) {
  const isAddress = /^https?:/.test(finding.url);
  const made = element(isAddress ? "a" : "button", "rule", `Explain ${finding.code}`);
  if (isAddress) Object.assign(made, { href: finding.url, target: "_blank", rel: "noopener" });
  else Object.assign(made, { type: "button", onclick: () => program.ask({ id: ++asked, command: "explain", files: {}, path: finding.code, words: [] }) });
  return made;
}

/// Returns a line as a sequence of code points, which positions count. Keeps the last one: a single line can be a large file with hundreds of
/// findings.
const lettersOf = (() => {
  let [last, letters] = ["", ""];
  return (line) => {
    if (line !== last) [last, letters] = [line, /[\ud800-\udfff]/.test(line) ? [...line] : line];
    return letters;
  };
})();

/// The line with carets below it, cut to fit.
function excerpt(finding, lines) {
  const letters = lettersOf(lines[finding.line - 1] ?? "");
  const begin = finding.column - 1;
  const end = finding.endLine === finding.line ? Math.max(finding.endColumn - 1, begin + 1) : Math.max(letters.length, begin + 1);
  const from = begin > 60 ? begin - 40 : 0;
  const to = from + 110;
  const number = String(finding.line).padStart(4);
  const carets = "^".repeat(Math.max(1, Math.min(end, to) - begin));
  const made = element("pre", "", `${number} | ${[...letters.slice(from, to)].join("").replaceAll("\t", " ")}\n     | ${" ".repeat(begin - from)}`);
  made.append(element("mark", "", carets));
  return made;
}

/// Positions of findings count code points; those of a text area count UTF-16 code units.
function select(finding, lines) {
  const offset = (line, column) => {
    const before = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
    return before + [...lettersOf(lines[line - 1] ?? "").slice(0, column - 1)].join("").length;
  };
  text.focus();
  text.setSelectionRange(offset(finding.line, finding.column), offset(finding.endLine, finding.endColumn));
  const height = text.scrollHeight / Math.max(lines.length, 1);
  text.scrollTop = Math.max(0, (finding.line - 1) * height - text.clientHeight / 2);
}

/// The title above the text.
function titleOf(question) {
  if (question.command === "explain") return `Rule ${question.path}`;
  return { fleet: "Cheapest fleet found", place: "Where ECS places the tasks" }[question.command] ?? "Instance types that fit the task";
}

function showText(answer, question) {
  const result = one("result");
  const failed = answer.exitCode > 1;
  one("state").textContent = failed ? "No result." : titleOf(question);
  one("state").classList.toggle("failed", failed);
  if (answer.picture) {
    const picture = element("img");
    picture.alt = "The instances of the cluster and the tasks on them; the text below has the same information.";
    picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(answer.picture)}`;
    result.append(picture);
  }
  result.append(element("pre", "", failed ? answer.stderr : answer.stdout + answer.stderr));
}

// --- Files.

function tabs(list, buttons, choose) {
  list.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const all = buttons();
    const at = all.indexOf(document.activeElement);
    if (at < 0) return;
    const next = all[(at + step + all.length) % all.length];
    choose(next);
    // `choose` may have replaced the buttons.
    buttons().find((button) => button.textContent === next.textContent).focus();
  });
}

function drawTabs() {
  one("files").replaceChildren(...Object.keys(state.files).map((name) => {
    const tab = element("button", "", name);
    tab.type = "button";
    tab.setAttribute("role", "tab");
    tab.setAttribute("aria-selected", String(name === state.active));
    tab.tabIndex = name === state.active ? 0 : -1;
    tab.addEventListener("click", () => openFile(name));
    return tab;
  }));
  text.setAttribute("aria-label", state.active);
  one("remove").disabled = Object.keys(state.files).length === 1;
}

function drawFiles() {
  drawTabs();
  text.value = state.files[state.active];
}

function rename(name, fresh) {
  state.files = Object.fromEntries(Object.entries(state.files).map(([one, content]) => [one === name ? fresh : one, content]));
  state.active = fresh;
  drawTabs();
}

/// Adjusts the extension of the open file to its content, which may have been pasted, unless another file refers to it by name.
function adjustExtension() {
  const name = state.active;
  const [, stem, extension] = /^(.+)\.(json|ya?ml)$/.exec(name) ?? [];
  const begin = state.files[name].trimStart().slice(0, 200);
  const kind = /^[{[]/.test(begin) ? "json" : /^(---|#|- |[\w.-]+[ \t]*:)/.test(begin) ? "yaml" : null;
  if (!stem || kind === null || (extension === "json") === (kind === "json")) return;
  const fresh = `${stem}.${kind}`;
  const others = Object.entries(state.files).filter(([one]) => one !== name);
  if (others.every(([one, content]) => one !== fresh && !content.includes(name))) rename(name, fresh);
}

/// Asks the user for an unused file name. Returns null without one.
function askName(question, given) {
  const name = (prompt(question, given) ?? "").trim().replace(/^\/+/, "");
  if (name === "" || name === given) return null;
  if (!(name in state.files)) return name;
  one("told").textContent = `A file named ${name} already exists.`;
  return null;
}

one("add").addEventListener("click", () => {
  const name = askName("Name of the new file", "");
  if (name === null) return;
  state.files[name] = "";
  openFile(name);
  text.focus();
});

one("rename").addEventListener("click", () => {
  const name = askName("New name of this file", state.active);
  if (name === null) return;
  rename(state.active, name);
  ask();
});

one("remove").addEventListener("click", () => {
  const { [state.active]: _, ...left } = state.files;
  state.files = left;
  openFile(Object.keys(left)[0]);
});

function openFile(name) {
  state.active = name;
  drawFiles();
  ask();
}

function drawCommands() {
  for (const tab of one("commands").children) {
    const isOn = tab.dataset.command === state.command;
    tab.setAttribute("aria-selected", String(isOn));
    tab.tabIndex = isOn ? 0 : -1;
    if (isOn) one("result").setAttribute("aria-labelledby", tab.id);
  }
}

function choose(command) {
  state.command = command;
  drawCommands();
  ask();
}

tabs(one("files"), () => [...one("files").children], (tab) => openFile(tab.textContent));
tabs(one("commands"), () => [...one("commands").children], (tab) => choose(tab.dataset.command));
for (const tab of one("commands").children) tab.addEventListener("click", () => choose(tab.dataset.command));

text.addEventListener("input", () => {
  state.files[state.active] = text.value;
  adjustExtension();
  ask();
});

function open(set) {
  state.files = { ...set.files };
  state.active = set.active in set.files ? set.active : Object.keys(set.files)[0];
  state.command = set.command;
  drawFiles();
  drawCommands();
  ask();
}

// --- Links: the open files, compressed, after the #, which browsers do not send.

/// Compresses or decompresses the bytes with the stream. Rejects a short link that expands to gigabytes.
async function passed(bytes, stream) {
  const parts = [];
  let size = 0;
  for (const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) return new Uint8Array(await new Blob(parts).arrayBuffer());
    size += value.length;
    if (size > UNPACKED_LIMIT) throw new RangeError("too large");
    parts.push(value);
  }
}

function base64(bytes) {
  let letters = "";
  for (let at = 0; at < bytes.length; at += 8192) letters += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(letters).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

async function linkOf(set) {
  const bytes = new TextEncoder().encode(JSON.stringify(set));
  if (typeof CompressionStream === "undefined") return `j.${base64(bytes)}`;
  return `d.${base64(await passed(bytes, new CompressionStream("deflate-raw")))}`;
}

function isShown(content) {
  return typeof content === "string" && content.split("\n").length <= LINE_LIMIT;
}

async function setOf(fragment) {
  const [kind, letters] = [fragment.slice(0, 2), fragment.slice(2)];
  if (kind !== "j." && kind !== "d.") return null;
  const bytes = Uint8Array.from(atob(letters.replace(/-/g, "+").replace(/_/g, "/")), (letter) => letter.charCodeAt(0));
  const set = JSON.parse(new TextDecoder().decode(kind === "j." ? bytes : await passed(bytes, new DecompressionStream("deflate-raw"))));
  const isWhole = set && typeof set.files === "object" && Object.keys(set.files).length > 0 &&
                  Object.values(set.files).every(isShown) && ["lint", "fit", "place", "fleet"].includes(set.command);
  return isWhole ? set : null;
}

one("share").addEventListener("click", async () => {
  const fragment = await linkOf(state);
  if (fragment.length > LINK_LIMIT) {
    one("told").textContent = "These files are too long for a link.";
    return;
  }
  history.replaceState(null, "", `#${fragment}`);
  try {
    await navigator.clipboard.writeText(location.href);
    one("told").textContent = "Link copied.";
  } catch {
    one("told").textContent = "Copy the link from the address bar.";
  }
});

// --- Start.

const examples = [];

async function loadExamples() {
  examples.push(...(await (await fetch(new URL("./examples.json", import.meta.url))).json()));
  examples.forEach((example, number) => {
    const option = element("option", "", example.title);
    option.value = String(number);
    one("example").append(option);
  });
}

one("example").addEventListener("change", ({ target }) => {
  if (target.value !== "") open(examples[Number(target.value)]);
});

async function openFragment() {
  if (location.hash.length < 3) return false;
  try {
    const set = await setOf(location.hash.slice(1));
    if (set !== null) open(set);
    else one("told").textContent = "This link is incomplete or damaged.";
    return set !== null;
  } catch {
    one("told").textContent = "This link is incomplete or damaged.";
    return false;
  }
}

window.addEventListener("hashchange", openFragment);
const loading = loadExamples();
if (!(await openFragment())) {
  await loading;
  open(examples[0]);
}
