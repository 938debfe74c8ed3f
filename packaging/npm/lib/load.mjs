import fs from "node:fs";
import { fileURLToPath } from "node:url";
import { create } from "./glue.mjs";
import { Engine } from "./engine.mjs";

let engine = null;

/// The program, compiled when it is first wanted.
export function theEngine() {
  if (engine === null) {
    const file = fileURLToPath(new URL("./bayplan.wasm", import.meta.url));
    engine = new Engine(create, new WebAssembly.Module(fs.readFileSync(file)));
  }
  return engine;
}
