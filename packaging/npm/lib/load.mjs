import fs from "node:fs";
import { fileURLToPath } from "node:url";
import { create } from "./glue.mjs";
import { Engine } from "./engine.mjs";

let engine = null;

function moduleOf(name) {
  return new WebAssembly.Module(fs.readFileSync(fileURLToPath(new URL(name, import.meta.url))));
}

/// The program, compiled when it is first wanted: what most runs need, and the rest at the first call into it.
export function theEngine() {
  if (engine === null) {
    let rest = null;
    engine = new Engine(create, moduleOf("./bayplan.wasm"), () => (rest ??= moduleOf("./bayplan-rest.wasm")));
  }
  return engine;
}
