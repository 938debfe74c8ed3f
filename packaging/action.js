// What action.yml runs. Beside it lies the npm package in a bundle (scripts/packages npm); in a clone of the sources there is none,
// and only the input `binary` works.
"use strict";
const { spawnSync } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");

const PACKAGE = path.join(__dirname, "..", "bin", "bayplan.js");
const UNUSABLE = 2; // the exit code of bayplan for settings that it cannot use

const input = (name) => (process.env[`INPUT_${name.toUpperCase()}`] || "").trim();
const lines = (text) => text.split(/\r?\n/).map((line) => line.trim()).filter((line) => line !== "");

function stop(message) {
  const escaped = message.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
  process.stdout.write(`::error::${escaped}\n`);
  process.exit(UNUSABLE);
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

function run(words, options) {
  const [program, ...first] = command();
  const done = spawnSync(program, [...first, ...words], options);
  if (done.error) stop(`cannot run ${program}: ${done.error.message}`);
  if (done.status === null) stop(`${program} was ended by ${done.signal}`);
  return done;
}

function requireVersion(version) {
  const [running] = run(["--version"], { encoding: "utf8" }).stdout.split("\n");
  if (!`${running} `.startsWith(`bayplan ${version} `)) stop(`expected bayplan ${version}, found ${running}`);
}

function writeOutputs(report) {
  if (!process.env.GITHUB_OUTPUT || !fs.existsSync(report)) return;
  const { summary } = JSON.parse(fs.readFileSync(report, "utf8"));
  fs.appendFileSync(process.env.GITHUB_OUTPUT, `errors=${summary.error}\nwarnings=${summary.warning}\nreport=${report}\n`);
}

if (input("version") !== "") requireVersion(input("version"));
const folder = fs.mkdtempSync(path.join(process.env.RUNNER_TEMP || os.tmpdir(), "bayplan-"));
const report = path.join(folder, "report.json");
const paths = lines(input("paths"));
const words = ["lint", "--output", "github", "--output", `json=${report}`, ...lines(input("args")), "--", ...(paths.length > 0 ? paths : ["."])];
process.exitCode = run(words, { stdio: "inherit" }).status;
writeOutputs(report);
