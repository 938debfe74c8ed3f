// Measures the npm package: its size, what it takes to start above bare Node, and a lint of one file against the native program.
// usage: node bench/wasm.mjs PACKAGE BAYPLAN [RUNS]     PACKAGE: an unpacked npm package; BAYPLAN: the native program
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import zlib from "node:zlib";

const [, , folder, native, given = "41"] = process.argv;
const project = path.resolve(path.dirname(new URL(import.meta.url).pathname), "..");
const file = path.join(project, "examples", "broken-gpu", "train.json");
const program = path.resolve(folder, "bin", "bayplan.js");

const row = (...cells) => console.log(`| ${cells.join(" | ")} |`);
const table = (...heads) => {
  console.log();
  row(...heads);
  row(...heads.map(() => "---"));
};

function milliseconds(run) {
  const began = process.hrtime.bigint();
  run();
  return Number(process.hrtime.bigint() - began) / 1e6;
}

/// The least and the median of each of `measured` (by name, a function that returns milliseconds): all of them in turn, `times` over,
/// so that what else the machine does falls on each alike.
function inTurn(times, measured) {
  const all = Object.fromEntries(Object.keys(measured).map((name) => [name, []]));
  for (let i = 0; i < times; i++) for (const [name, measure] of Object.entries(measured)) all[name].push(measure());
  return Object.fromEntries(Object.entries(all).map(([name, values]) => {
    values.sort((a, b) => a - b);
    return [name, { best: values[0], median: values[times >> 1] }];
  }));
}

const shown = ({ best, median }) => [best.toFixed(1), median.toFixed(1)];
/// Milliseconds of processor time of a command, those of its threads that compile in the background, too: what `times` of bash says.
const processor = (...words) => () => {
  const done = spawnSync("bash", ["-c", '"$@" >/dev/null 2>&1; times', "bash", ...words], { encoding: "utf8" });
  const [user, system] = done.stdout.split("\n")[1].split(" ").map((text) => /(\d+)m([\d.]+)s/.exec(text)).map(([, minutes, seconds]) => minutes * 60 + Number(seconds));
  return (user + system) * 1000;
};
const minus = (one, other) => ({ best: one.best - other.best, median: one.median - other.median });
const run = (...words) => () => milliseconds(() => {
  const done = spawnSync(words[0], words.slice(1));
  if (done.error || done.status > 1) throw new Error(`${words.join(" ")} ended with ${done.status}: ${done.error || done.stderr}`);
});

table("size", "bytes", "gzip -9", "brotli");
for (const name of ["bayplan.wasm", "bayplan-rest.wasm", "glue.mjs"]) {
  const bytes = fs.readFileSync(path.join(folder, "lib", name));
  row(name, bytes.length, zlib.gzipSync(bytes, { level: 9 }).length, zlib.brotliCompressSync(bytes).length);
}
for (const name of fs.readdirSync(path.dirname(path.resolve(folder))).filter((one) => one.endsWith(".tgz"))) {
  row(name, fs.statSync(path.join(path.dirname(path.resolve(folder)), name)).size, "", "");
}

const COMMANDS = {
  "`node -e 0`": ["node", "-e", "0"],
  "`bayplan --version`, WebAssembly": ["node", program, "--version"],
  "`bayplan lint` of one file, WebAssembly": ["node", program, "lint", file],
  "`bayplan --version`, native": [native, "--version"],
  "`bayplan lint` of one file, native": [native, "lint", file],
};
const ofAll = (measure) => inTurn(Number(given), Object.fromEntries(Object.entries(COMMANDS).map(([name, words]) => [name, measure(...words)])));
for (const [what, measure] of [["elapsed", run], ["processor time", processor]]) {
  table(what, "best, ms", "median, ms");
  const took = ofAll(measure);
  for (const [name, value] of Object.entries(took)) row(name, ...shown(value));
  const [bare, version, lintOne, nativeVersion, nativeLint] = Object.values(took);
  row("start above Node.js", ...shown(minus(version, bare)));
  row("lint above Node.js", ...shown(minus(lintOne, bare)));
  row("lint after the start, WebAssembly", ...shown(minus(lintOne, version)));
  row("lint after the start, native", ...shown(minus(nativeLint, nativeVersion)));
}

// In one process: the compiler of the engine has seen the functions, as in an editor, a CDK app or the playground.
const { lint } = await import(pathToFileURL(path.resolve(folder, "lib", "node.mjs")));
const text = fs.readFileSync(file, "utf8");
const once = () => milliseconds(() => lint(text));
table("in one process", "best, ms", "median, ms");
row("first lint, with loading", ...shown(inTurn(1, { once }).once));
for (let i = 0; i < 50; i++) lint(text);
row("each later lint", ...shown(inTurn(100, { once }).once));
