// Runs the commands that start most often on the program as `wasm-split --instrument` writes it, and writes which functions they called.
// usage: node profile.mjs FOLDER PROJECT     FOLDER: has bayplan.js and instrumented.wasm; profile goes there
import fs from "node:fs";
import path from "node:path";
import vm from "node:vm";
import { makeApi } from "../../packaging/npm/lib/api.mjs";
import { Engine } from "../../packaging/npm/lib/engine.mjs";
import { NodeHost } from "../../packaging/npm/lib/node-host.mjs";

const [, , folder, project] = process.argv;
const create = vm.runInThisContext(`${fs.readFileSync(path.join(folder, "bayplan.js"), "utf8")}\ncreateBayplan;`);
const engine = new Engine(create, new WebAssembly.Module(fs.readFileSync(path.join(folder, "instrumented.wasm"))), () => null);

function run(...words) {
  const [output, errors] = [[], []];
  // Not the settings of this machine, and colors as a terminal has them.
  const host = new NodeHost({ output, errors, input: Buffer.alloc(0), folder: project, environment: { FORCE_COLOR: "1" } });
  const code = engine.run(words, host);
  if (code > 1) throw new Error(`${words.join(" ")} ended with ${code}: ${Buffer.concat(errors)}`);
}

run("--version");
run("--help");
run("lint", "--help");
for (const format of ["text", "json", "github", "sarif"]) run("lint", "tests/rules", "examples", "--format", format);
run("lint", "examples", "--fix", "--diff");
for (const format of ["text", "json"]) {
  run("explain", "BAY113", "--format", format);
  run("fit", "examples/hundred-gpu-tasks/infer.json", "--format", format);
}

// By way of the API, as the playground lints during typing. A text that is not a file of ECS throws an error.
const { lint } = makeApi(() => engine, null);
const json = ["", "{", '{"family": "w", "cpu": }', "\0", '{"family": "w", "containerDefinitions": [{"name": "w", "memory": "512"}]}'];
const yaml = ["a: [", "a: 1", "family: web", "family: w\ncontainerDefinitions:\n  - name: w\n"];
for (const [name, texts] of Object.entries({ "a.json": json, "a.yaml": yaml })) {
  for (const text of texts) {
    try {
      lint({ files: { [name]: text }, paths: name });
    } catch (error) {
      if (error.code !== "unusable") throw error;
    }
  }
}

// The instance was kept from run to run, so that its counters have seen all of them.
const { _malloc, asm, HEAPU8 } = engine.instance;
const size = asm.__write_profile(0, 0);
const at = _malloc(size);
asm.__write_profile(at, size);
fs.writeFileSync(path.join(folder, "profile"), HEAPU8.subarray(at, at + size));
