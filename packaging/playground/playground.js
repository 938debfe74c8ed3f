// The page: files in an editor on the left, the result of a command on the right. The program runs in worker.js. scripts/playground bundles
// this file, and the editor apart from it: the first result does not wait for the editor.
import { askText, button, element, moveByArrows, one } from "./elements.js";
import { countWords, diagnostics, findingList } from "./findings.js";
import { Pages } from "./pages.js";
import { Places } from "./places.js";
import { Program } from "./program.js";
import { checked, keep, kept, linked, linkOf, normalized } from "./sets.js";

const EFFORT = "20000000"; // Search steps of `fleet`: seconds, not minutes.
const FILE_LIMIT = 16 * 1024 * 1024; // Bytes; the program reads no larger file.
const DEFINITION = /\.(json|jsonc|ya?ml|tf|template)$/i;
const PATIENCE = 1000; // Milliseconds that the editor waits for the first result; until then, its place shows the plain text.
const USUAL_FLAGS = { lint: "", fit: "", place: "", whatif: "--each-az", fleet: "" };
const isEmbedded = new URLSearchParams(location.search).has("embed");

const state = { files: { "task-definition.json": "" }, active: "task-definition.json", command: "lint", flags: {} };
const last = { report: null, errors: [], files: {} }; // What the editor marks, and the files that it is about.
let editor = null; // Loads after the first question is asked.
let asked = 0;

const program = new Program(show);
const pages = new Pages(one("page"));

// --- Questions.

function isScenario(name) {
  return /(^|[{,])[ \t]*["']?(cluster|tasks|services)["']?[ \t]*:/m.test(state.files[name]) && !/\.tf$/i.test(name);
}

function scenarioName() {
  return [state.active, ...Object.keys(state.files)].find(isScenario) ?? null;
}

/// Definitions and services; without them, all files.
function definitionNames() {
  const names = Object.keys(state.files).filter((name) => !isScenario(name));
  const usual = names.filter((name) => DEFINITION.test(name));
  return usual.length > 0 ? usual : names;
}

/// The file that the command line names last.
function subject() {
  if (["place", "whatif", "fleet"].includes(state.command)) return scenarioName();
  const names = definitionNames();
  return names.includes(state.active) ? state.active : names[0] ?? null;
}

/// Words of a command line, as a shell divides it.
function divided(line) {
  return (line.match(/(?:[^\s"']|"[^"]*"|'[^']*')+/g) ?? []).map((word) => word.replace(/"([^"]*)"|'([^']*)'/g, "$1$2"));
}

function flagsOf(command) {
  return divided(state.flags[command] ?? USUAL_FLAGS[command]);
}

function ask() {
  const path = subject();
  const { command, files } = state;
  drawCommandLine(path);
  if (path === null && command !== "lint") return show({ missing: command }, { id: ++asked, command, files, path });
  const flags = { lint: flagsOf("lint"), [command]: flagsOf(command) };
  if (command === "fleet" && !flags.fleet.some((word) => word.startsWith("--effort"))) flags.fleet.push("--effort", EFFORT);
  if (command !== shownCommand) showNothing();
  one("output").setAttribute("aria-busy", "true");
  program.ask({ id: ++asked, command, files: { ...files }, path, definitions: definitionNames(), flags });
}

function fixAll() {
  program.ask({ id: ++asked, command: "fix", files: { ...state.files }, definitions: definitionNames() });
}

// --- Answers.

async function show(answer, question) {
  if (answer.fixed) return replaceFiles(answer.fixed, "Fixed.");
  if (answer.report !== undefined || answer.errors) Object.assign(last, { report: answer.report ?? null, errors: answer.errors ?? [], files: question.files });
  drawTabs();
  drawCounts();
  mark();
  const said = one("state");
  const result = one("result");
  const isFailure = Boolean(answer.failure || answer.refusal || answer.errors || answer.missing);
  one("output").dataset.shows = answer.page ? "page" : "result";
  if (answer.page) {
    said.textContent = "";
    const isSame = question.command === shownCommand && question.path === shownPath;
    if (!(await pages.show(answer.page, `Report of ${question.command}`, isSame))) return;
  } else {
    pages.clear();
    said.textContent = stateOf(answer, question);
    result.replaceChildren(...shownParts(answer, question));
  }
  [shownCommand, shownPath] = [question.command, question.path];
  said.classList.toggle("failed", isFailure);
  one("output").removeAttribute("aria-busy");
  document.body.dataset.answered = question.id;
  firstAnswer();
  performance.mark("answered");
}
let [shownCommand, shownPath] = [null, null];
let firstAnswer;
const answered = new Promise((resolve) => (firstAnswer = resolve));

/// Until the first result of another command, in place of the result of the last one.
function showNothing() {
  if (shownCommand !== null) one("state").textContent = "Running…";
  one("state").classList.remove("failed");
  one("output").dataset.shows = "result";
  one("result").replaceChildren();
  pages.clear();
}

function stateOf({ failure, errors, missing, refusal, report }, { files }) {
  if (failure) return failure;
  if (missing) return `${missing} needs a scenario: the cluster, and the tasks and services on it.`;
  if (errors || refusal) return "No result.";
  const names = Object.keys(files).filter((name) => report?.files.some(({ file }) => file === name));
  return (report && countWords(report.summary)) || `No findings in ${names.length === 1 ? names[0] : `${names.length} files`}.`;
}

function shownParts({ failure, errors, missing, refusal, report }, question) {
  if (failure) return [];
  if (missing) return [button("Add a scenario", addScenario, "primary"), " ", button("Open an example", openGallery)];
  if (errors) return [element("ol", { className: "findings" }, ...errors.map(errorItem))];
  if (refusal) return [element("pre", { tabIndex: 0 }, refusal)];
  if (!report) return [];
  const findings = report.findings.filter(({ suppressed }) => !suppressed);
  const fixes = findings.filter(({ fix }) => fix?.safe);
  const places = new Map();
  const placesOf = (file) => places.get(file) ?? places.set(file, new Places(question.files[file] ?? "")).get(file);
  const all = fixes.length > 1 ? [button(`Fix all ${fixes.length}`, fixAll, "primary")] : [];
  return [...all, ...findingList(findings, state.active, placesOf, { go, fix })];
}

function errorItem({ file, line, column, message, help }) {
  const isPlace = file && file in state.files && line;
  return element("li", { className: "finding error" },
    isPlace ? element("p", { className: "head" }, element("span", { className: "severity" }, "error"), " ", button(`${file}:${line}:${column}`, () => go(file, { line, column }), "place")) : null,
    element("p", { className: "message" }, message), help ? element("p", { className: "help" }, help) : null);
}

/// Findings of lint and errors of the command in one file, as findings.
function foundIn(name) {
  const findings = (last.report?.findings ?? []).filter((finding) => finding.file === name && !finding.suppressed);
  const errors = last.errors.filter(({ file, line, message }) => file === name && line && !/^BAY\d/.test(message));
  return [...findings, ...errors.map((error) => ({ ...error, code: "", rule: "scenario", severity: "error", related: [], fix: null }))];
}

function mark() {
  const name = state.active;
  if (editor === null || last.files[name] !== state.files[name]) return;
  editor.mark(diagnostics(foundIn(name), new Places(state.files[name]), { go, fix }));
}

/// Opens the file at a place of the text that was checked.
function go(file, place) {
  if (!(file in state.files)) return;
  if (file !== state.active) openFile(file);
  editor?.select(new Places(state.files[file]).range(place));
}

function fix(finding) {
  if (last.files[finding.file] !== state.files[finding.file] || editor === null) return;
  if (finding.file !== state.active) openFile(finding.file);
  editor.apply(new Places(state.files[finding.file]).changes(finding.fix.edits));
}

/// Writes texts into the files, as one change of each that can be undone.
function replaceFiles(texts, words) {
  const active = state.active;
  for (const [name, text] of Object.entries(texts)) {
    if (!(name in state.files) || state.files[name] === text) continue;
    openFile(name);
    editor.replace(text);
  }
  openFile(active);
  tell(words);
}

// --- The head of both sides.

function tell(words, ...actions) {
  one("told").replaceChildren(words, ...actions);
}

function drawTabs() {
  const hadFocus = one("files").contains(document.activeElement);
  one("files").replaceChildren(...Object.keys(state.files).map((name) => {
    const isOpen = name === state.active;
    const count = foundIn(name).length;
    const tab = button(name, () => openFile(name));
    if (count > 0) {
      const isError = foundIn(name).some(({ severity }) => severity === "error");
      tab.append(" ", element("span", { className: `count ${isError ? "error" : ""}`, title: `${count} finding${count === 1 ? "" : "s"}` }, String(count)));
    }
    tab.setAttribute("role", "tab");
    tab.setAttribute("aria-selected", String(isOpen));
    tab.setAttribute("aria-controls", "editor");
    tab.dataset.name = name;
    tab.tabIndex = isOpen ? 0 : -1;
    return tab;
  }));
  const open = one("files").querySelector("[aria-selected=true]");
  if (hadFocus) open.focus();
  one("files").scrollLeft = open.offsetLeft - one("files").clientWidth / 2;
  one("remove").disabled = Object.keys(state.files).length === 1;
}

function drawCommands() {
  for (const tab of one("commands").children) {
    const isOn = tab.dataset.command === state.command;
    tab.setAttribute("aria-selected", String(isOn));
    tab.tabIndex = isOn ? 0 : -1;
    if (isOn) one("shown").setAttribute("aria-labelledby", tab.id);
  }
}

function drawCounts() {
  const summary = last.report?.summary;
  const count = summary ? summary.error + summary.warning : 0;
  one("lint-count").textContent = count > 0 ? String(count) : "";
  one("lint-count").className = `count ${summary?.error > 0 ? "error" : ""}`;
}

function drawCommandLine(path) {
  one("command").textContent = `bayplan ${state.command}`;
  const words = state.flags[state.command] ?? USUAL_FLAGS[state.command];
  if (one("flags").value !== words) one("flags").value = words;
  one("path").textContent = state.command === "lint" ? definitionNames().join(" ") : path ?? "";
}

// --- Files.

function changed() {
  if (isEmbedded) return;
  if (location.hash) history.replaceState(null, "", location.pathname + location.search);
  clearTimeout(changed.timer);
  changed.timer = setTimeout(() => keep(state), 300);
}

addEventListener("pagehide", () => {
  if (!isEmbedded && !location.hash) keep(state);
});

function typed(name, text) {
  state.files[name] = text;
  adjustExtension();
  changed();
  ask();
}

function openFile(name) {
  state.active = name;
  editor?.open(name, state.files[name]);
  drawTabs();
  mark();
  changed();
  ask();
}

function rename(name, fresh) {
  state.files = Object.fromEntries(Object.entries(state.files).map(([one, content]) => [one === name ? fresh : one, content]));
  state.active = fresh;
  editor?.rename(fresh);
  drawTabs();
  changed();
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

function refusedName(name) {
  if (name.replace(/^\/+/, "") === "") return "Give the file a name, such as service.json.";
  return name in state.files ? `A file named ${name} already exists.` : "";
}

async function addFile() {
  const name = await askText("Name of the new file", "", refusedName);
  if (name === null) return;
  addFiles({ [name.replace(/^\/+/, "")]: "" });
  editor?.focus();
}

function addFiles(files) {
  Object.assign(state.files, files);
  editor?.forget(Object.keys(files));
  openFile(Object.keys(files)[0]);
}

async function renameFile() {
  const before = state.active;
  const name = await askText("New name of this file", before, (text) => (text === before ? "" : refusedName(text)));
  if (name === null || name === before) return;
  rename(before, name.replace(/^\/+/, ""));
  ask();
}

function removeFile() {
  const before = structuredClone(state);
  const { [state.active]: _, ...left } = state.files;
  state.files = left;
  openFile(Object.keys(left)[0]);
  tell(`Removed ${before.active}. `, button("Undo", () => open(before)));
}

async function readFiles(list) {
  const small = [...list].filter((file) => file.size <= FILE_LIMIT);
  const texts = await Promise.all(small.map(async (file) => [file.name, normalized(await file.text())]));
  if (texts.length > 0) addFiles(Object.fromEntries(texts));
  if (small.length < list.length) tell("Files of more than 16 MiB are not opened.");
}

/// A scenario of the open definitions, to begin with.
function addScenario() {
  const families = (last.report?.files ?? []).filter(({ family }) => family);
  const names = families.length > 0 ? families.map(({ file }) => file) : definitionNames();
  const hasGpus = names.some((name) => state.files[name].includes('"GPU"'));
  const tasks = families.map(({ family }) => `  - {taskDefinition: ${JSON.stringify(family)}, count: 3}\n`).join("");
  addFiles({ "scenario.yaml": `region: us-east-1
cluster:
  containerInstances:
    - {instanceType: ${hasGpus ? "g4dn.xlarge" : "m5.xlarge"}, count: 3, availabilityZones: [us-east-1a, us-east-1b, us-east-1c]}
taskDefinitions: ${JSON.stringify([...new Set(names)])}
tasks:
${tasks}` });
}

// --- Sets of files: examples, links.

function open(set) {
  Object.assign(state, { files: { ...set.files }, active: set.active, command: set.command, flags: { ...set.flags } });
  Object.assign(last, { report: null, errors: [], files: {} });
  if (shownCommand !== null) shownCommand = "";
  if (editor === null) {
    one("editor").replaceChildren(element("pre", {}, state.files[state.active].slice(0, 10_000)));
  } else {
    editor.clear();
    editor.open(state.active, state.files[state.active]);
  }
  drawTabs();
  drawCommands();
  ask();
}

let examples = [];
const loading = fetch(new URL("./examples.json", import.meta.url)).then(async (response) => (examples = await response.json()));
loading.catch(() => {}); // Who waits for them gets the error.

async function openGallery() {
  await loading;
  one("gallery-list").replaceChildren(...examples.map((example) => element("li", {}, element("button", { type: "button", className: "card", onclick: () => openExample(example) },
    element("strong", {}, example.title), element("span", {}, example.about), element("code", {}, `bayplan ${example.command}`)))));
  one("gallery").showModal();
}

function openExample(example) {
  one("gallery").close();
  const before = structuredClone(state);
  open(example);
  changed();
  tell(`Opened “${example.title}”. `, button("Back to my files", () => open(before)));
}

async function openFragment() {
  const fragment = location.hash.slice(1);
  if (fragment.length < 3) return false;
  try {
    const name = fragment.startsWith("e.") ? fragment.slice(2) : null;
    const set = name === null ? await linked(fragment) : checked((await loading).find((example) => example.name === name));
    if (set !== null) open(set);
    else tell("This link is incomplete or damaged.");
    return set !== null;
  } catch {
    tell("This link is incomplete or damaged.");
    return false;
  }
}

async function share() {
  const fragment = await linkOf(state);
  if (fragment === null) return tell("These files are too long for a link.");
  history.replaceState(null, "", `#${fragment}`);
  try {
    await navigator.clipboard.writeText(location.href);
    tell("Link copied.");
  } catch {
    tell("Copy the link from the address bar.");
  }
}

// --- What the visitor does.

function choose(command) {
  state.command = command;
  drawCommands();
  changed();
  ask();
}

moveByArrows(one("files"), (tab) => openFile(tab.dataset.name));
moveByArrows(one("commands"), (tab) => choose(tab.dataset.command));
for (const tab of one("commands").children) tab.addEventListener("click", () => choose(tab.dataset.command));
one("files").addEventListener("dblclick", renameFile);
one("add").addEventListener("click", addFile);
one("rename").addEventListener("click", renameFile);
one("remove").addEventListener("click", removeFile);
one("upload").addEventListener("click", () => one("uploaded").click());
one("uploaded").addEventListener("change", ({ target }) => readFiles(target.files));
one("examples").addEventListener("click", openGallery);
one("share").addEventListener("click", share);
one("flags").addEventListener("input", ({ target }) => {
  state.flags[state.command] = target.value;
  changed();
  ask();
});
one("embedded").addEventListener("click", async (event) => {
  event.preventDefault();
  const fragment = await linkOf(state);
  window.open(fragment === null ? "index.html" : `index.html#${fragment}`, "_blank", "noopener");
});
addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => {
  event.preventDefault();
  readFiles(event.dataTransfer.files);
});
addEventListener("hashchange", openFragment);

// --- Start.

document.documentElement.classList.toggle("embedded", isEmbedded);
if (!(await openFragment())) {
  const before = isEmbedded ? null : kept();
  open(before ?? (await loading)[0]);
}
await Promise.race([answered, new Promise((resolve) => setTimeout(resolve, PATIENCE))]);
const { Editor } = await import("./editor.js");
editor = new Editor(one("editor"), typed);
editor.open(state.active, state.files[state.active]);
mark();
document.body.dataset.edits = "";
