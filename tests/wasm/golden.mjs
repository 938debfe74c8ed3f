// Every golden case, and every example, by the program as WebAssembly: it prints the bytes that the native program prints.
// usage: node golden.mjs PACKAGE PROJECT [PATTERN]     PACKAGE: an unpacked npm package
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [, , packageFolder, project, pattern = ""] = process.argv;
if (!fs.existsSync(path.resolve(packageFolder, "lib", "bayplan.wasm"))) {
  console.log("skipped: scripts/npm build/npm --unpacked has not been run");
  process.exit(77);
}
const lib = (name) => import(pathToFileURL(path.resolve(packageFolder, "lib", name)));
const { NodeHost } = await lib("node-host.mjs");
const { theEngine } = await lib("load.mjs");

// What cannot be the same, and why.
const EXCEPTIONS = new Map([]);

/// As CMake's separate_arguments splits: quotes as a shell has them.
function words(text) {
  const found = [];
  let word = null;
  for (let at = 0, quote = ""; at < text.length; at++) {
    const letter = text[at];
    if (quote) {
      if (letter === quote) quote = "";
      else if (letter === "\\" && quote === '"') word += text[++at];
      else word += letter;
    } else if (/\s/.test(letter)) {
      if (word !== null) found.push(word);
      word = null;
    } else {
      word ??= "";
      if (letter === "'" || letter === '"') quote = letter;
      else if (letter === "\\") word += text[++at] ?? "";
      else word += letter;
    }
  }
  return word === null ? found : [...found, word];
}

function casesIn(folder) {
  return fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const inside = path.join(folder, entry.name);
    if (entry.isDirectory()) return casesIn(inside);
    return entry.name === "command" ? [folder] : [];
  });
}

function seen(folder) {
  const lines = fs.readFileSync(path.join(folder, "command"), "utf8").split("\n").filter((line) => line && !line.startsWith("#"));
  const input = path.join(folder, "stdin");
  const [output, errors] = [[], []];
  const environment = { ...process.env, LC_ALL: "C.UTF-8" };
  for (const name of ["NO_COLOR", "FORCE_COLOR", "COLUMNS"]) delete environment[name];
  process.chdir(folder);
  const host = new NodeHost({ output, errors, input: fs.existsSync(input) ? fs.readFileSync(input) : Buffer.alloc(0), environment });
  const code = theEngine().run(lines.flatMap(words), host);
  const [out, err] = [output, errors].map((parts) => Buffer.concat(parts).toString("utf8").replaceAll("\r\n", "\n")); // as CMake reads it
  const all = `${out}${err === "" ? "" : `--- stderr\n${err}`}--- exit ${code}\n`;
  return all.replace(/("schema": "bayplan\/[a-z-]+\/1",\n? *"version": ")[0-9.]+/g, "$1VERSION"); // as run.cmake does
}

const folders = [path.join(project, "tests/golden"), path.join(project, "examples")].map((folder) => path.resolve(folder)).flatMap(casesIn);
const root = path.resolve(project);
let [failed, ran] = [0, 0];
for (const folder of folders.sort()) {
  const name = path.relative(root, folder);
  if (!name.includes(pattern)) continue;
  const before = fs.readdirSync(folder);
  let found;
  try {
    found = seen(folder);
  } catch (error) {
    found = `threw ${error.stack}`;
  }
  for (const left of fs.readdirSync(folder)) {
    if (!before.includes(left)) fs.rmSync(path.join(folder, left), { recursive: true });
  }
  ran++;
  const isSame = found === fs.readFileSync(path.join(folder, "expected"), "utf8");
  const excuse = EXCEPTIONS.get(name);
  if (isSame && excuse) console.log(`${name}: is the same; it is an exception because ${excuse}`);
  if (isSame === !excuse) continue;
  failed++;
  const expected = fs.readFileSync(path.join(folder, "expected"), "utf8").split("\n");
  const lines = found.split("\n");
  const at = lines.findIndex((line, i) => line !== expected[i]);
  console.log(`${name}: line ${at + 1}\n  - ${expected[at]}\n  + ${lines[at]}`);
}
console.log(`${ran} cases, ${failed} differ`);
if (failed > 0 || ran === 0) process.exitCode = 1;
