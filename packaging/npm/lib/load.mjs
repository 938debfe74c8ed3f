import fs from "node:fs";
import { fileURLToPath } from "node:url";
import { create } from "./glue.mjs";
import { Engine } from "./engine.mjs";

let engine = null;

function compileModule(name) {
  return new WebAssembly.Module(fs.readFileSync(fileURLToPath(new URL(name, import.meta.url))));
}

/// The program. The first call compiles the module that most runs need; the other module is compiled when it is first called.
export function theEngine() {
  if (engine === null) {
    let rest = null;
    engine = new Engine(create, compileModule("./bayplan.wasm"), () => (rest ??= compileModule("./bayplan-rest.wasm")));
  }
  return engine;
}
