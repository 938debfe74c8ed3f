// The entry point of action.yml. In a bundle (scripts/packages npm), the npm package is next to it; in a clone of the sources it is
// not, and only the input `binary` works.
"use strict";
const { spawnSync } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");

const PACKAGE = path.join(__dirname, "..", "bin", "bayplan.js");
const UNUSABLE = 2; // the exit code of bayplan for arguments and input that it cannot use
const LARGEST_OUTPUT = 64 * 1024 * 1024; // of a run in bytes; the JSON report is a file
const LONGEST_ANNOTATION = 4000; // GitHub shows about 4,000 characters of a message

const input = (name) => (process.env[`INPUT_${name.toUpperCase()}`] || "").trim();
const lines = (text) => text.split(/\r?\n/).map((line) => line.trim()).filter((line) => line !== "");

/// Prints an annotation without a position. GitHub shows it on the page of the run.
function annotate(message) {
  const shown = message.length > LONGEST_ANNOTATION ? `${message.slice(0, LONGEST_ANNOTATION)} ...` : message;
  const escaped = shown.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
  process.stdout.write(`::error::${escaped}\n`);
}

function stop(message) {
  annotate(message);
  process.exit(UNUSABLE);
}

/// Splits arguments as a POSIX shell does, without expansions: spaces and line breaks separate, quotes group, # begins a comment. A
/// backslash is literal unless it precedes a space, a quote or a backslash, so that paths of Windows need no quotes.
function splitArguments(text) {
  const found = [];
  const token = /'([^']*)'|"((?:\\[\s\S]|[^"\\])*)"|\\([\s"'\\])|(\s+)|(#[^\r\n]*)|(['"])|([\s\S])/g;
  let word = null;
  for (const [whole, single, double, escaped, space, comment, open] of text.matchAll(token)) {
    if (open !== undefined) stop(`the input "args" has a quote (${open}) that is not closed: ${text}`);
    if (space !== undefined || (comment !== undefined && word === null)) {
      if (word !== null) found.push(word);
      word = null;
    } else {
      word = (word ?? "") + (single ?? double?.replace(/\\(["\\])/g, "$1") ?? escaped ?? whole);
    }
  }
  return word === null ? found : [...found, word];
}

/// The files and folders of the input "paths". A line such as "deploy services" is more likely two paths than one.
function checkedPaths() {
  const paths = lines(input("paths"));
  for (const name of paths) {
    if (/\s/.test(name) && !/[*?[]/.test(name) && !fs.existsSync(name)) stop(`the input "paths" has one path per line, and "${name}" does not exist`);
  }
  return paths.length > 0 ? paths : ["."];
}

/// The command that runs bayplan, as a list of words.
function command() {
  const binary = input("binary");
  if (binary !== "") return [binary];
  if (!fs.existsSync(PACKAGE)) {
    stop("this version of the action contains the sources only: use a tag that begins with bundle-, or set the input \"binary\"");
  }
  return [process.execPath, PACKAGE];
}

function run(words) {
  const [program, ...first] = command();
  const done = spawnSync(program, [...first, ...words], { encoding: "utf8", maxBuffer: LARGEST_OUTPUT, stdio: ["ignore", "pipe", "pipe"] });
  if (done.error) stop(`cannot run ${program}: ${done.error.message}`);
  if (done.status === null) stop(`${program} was terminated by ${done.signal}`);
  return done;
}

function requireVersion(version) {
  const [running] = run(["--version"]).stdout.split("\n");
  if (!`${running} `.startsWith(`bayplan ${version} `)) stop(`expected bayplan ${version}, found ${running}`);
}

/// Annotates the errors on standard error, each with its help, except those that bayplan has annotated at their file.
function annotateErrors(done) {
  const annotated = [...done.stdout.matchAll(/^::error file=([^,]*),title=bayplan::(.*)$/gm)].map(([, file, message]) => `${file}: ${message}`);
  const errors = done.stderr.split(/^(?=bayplan: )/m).map((text) => text.replace(/^bayplan: /, "").trim()).filter((text) => text !== "" && !text.startsWith("wrote "));
  const others = errors.filter((text) => !annotated.some((known) => text.startsWith(known)));
  if (others.length > 0) annotate(others.join("\n"));
  else if (annotated.length === 0) annotate(`bayplan failed with exit code ${done.status}`);
}

function writeOutputs({ summary }, report) {
  if (!process.env.GITHUB_OUTPUT) return;
  fs.appendFileSync(process.env.GITHUB_OUTPUT, `errors=${summary.error}\nwarnings=${summary.warning}\nreport=${report}\n`);
}

if (input("version") !== "") requireVersion(input("version"));
const report = path.join(fs.mkdtempSync(path.join(process.env.RUNNER_TEMP || os.tmpdir(), "bayplan-")), "report.json");
const done = run(["lint", "--output", "github", "--output", `json=${report}`, ...splitArguments(input("args")), "--", ...checkedPaths()]);
process.stdout.write(done.stdout);
process.stderr.write(done.stderr);
if (done.status >= UNUSABLE) annotateErrors(done);
const results = fs.existsSync(report) ? JSON.parse(fs.readFileSync(report, "utf8")) : {};
if (results.summary) {
  if (done.status < UNUSABLE) process.stdout.write(`bayplan: ${results.answer}\n`);
  writeOutputs(results, report);
}
process.exitCode = done.status;
