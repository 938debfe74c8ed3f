// Measures the npm package: size, start above bare Node, lint of one file against the native program.
// usage: node bench/wasm.mjs PACKAGE BAYPLAN     PACKAGE: an unpacked npm package; BAYPLAN: the native program
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import zlib from "node:zlib";

const [, , folder, native] = process.argv;
const project = path.resolve(import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname), "..");
const file = path.join(project, "examples", "broken-gpu", "train.json");
const program = path.resolve(folder, "bin", "bayplan.js");

/// The least milliseconds of `times` runs, and their median.
function timed(times, run) {
  const all = [];
  for (let i = 0; i < times; i++) {
    const began = process.hrtime.bigint();
    run();
    all.push(Number(process.hrtime.bigint() - began) / 1e6);
  }
  all.sort((a, b) => a - b);
  return { best: all[0], median: all[times >> 1] };
}

const shown = ({ best, median }) => `${best.toFixed(1)} | ${median.toFixed(1)}`;
const row = (what, value) => console.log(`| ${what} | ${value} |`);
const start = (...words) => timed(15, () => spawnSync(words[0], words.slice(1)));

const wasm = fs.readFileSync(path.join(folder, "lib", "bayplan.wasm"));
const glue = fs.readFileSync(path.join(folder, "lib", "glue.mjs"));
console.log("| size | bytes |\n| --- | --- |");
row("bayplan.wasm", wasm.length);
row("bayplan.wasm, gzip -9", zlib.gzipSync(wasm, { level: 9 }).length);
row("bayplan.wasm, brotli", zlib.brotliCompressSync(wasm).length);
row("its JavaScript", glue.length);

console.log("\n| process | best, ms | median, ms |\n| --- | --- | --- |");
row("node -e 0", shown(start("node", "-e", "0")));
row("bayplan --version, wasm", shown(start("node", program, "--version")));
row("bayplan lint of one file, wasm", shown(start("node", program, "lint", file)));
row("bayplan --version, native", shown(start(native, "--version")));
row("bayplan lint of one file, native", shown(start(native, "lint", file)));

const { lint } = await import(pathToFileURL(path.resolve(folder, "lib", "node.mjs")));
const text = fs.readFileSync(file, "utf8");
const first = timed(1, () => lint(text));
for (let i = 0; i < 50; i++) lint(text);
console.log("\n| in one process | best, ms | median, ms |\n| --- | --- | --- |");
row("first lint, with loading", shown(first));
row("each later lint", shown(timed(100, () => lint(text))));
