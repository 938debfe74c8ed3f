import { makeApi } from "./api.mjs";
import { Engine } from "./engine.mjs";
import { BayplanError } from "./errors.mjs";
import { create } from "./glue.mjs";

let engine = null;

function theEngine() {
  if (engine === null) throw new BayplanError("not-loaded", "await load() first");
  return engine;
}

const api = makeApi(theEngine, null);

export const lint = api.lint;
export const fit = api.fit;
export const place = api.place;
export const whatif = api.whatif;
export const fleet = api.fleet;
export const explain = api.explain;
export const run = api.run;
export { BayplanError };

/// Fetches and compiles the program, once. `source`: where bayplan.wasm is, or the compiled module; default: beside this file.
export async function load(source = new URL("./bayplan.wasm", import.meta.url)) {
  if (engine !== null) return;
  engine = new Engine(create, source instanceof WebAssembly.Module ? source : await compiled(source));
}

/// The module alone, for another worker to be given.
export async function compiled(source = new URL("./bayplan.wasm", import.meta.url)) {
  const response = await fetch(source);
  if (!response.ok) throw new BayplanError("not-loaded", `${source}: ${response.status} ${response.statusText}`);
  // Some servers do not know the type of .wasm, and compiling a stream wants it.
  const isKnown = (response.headers.get("content-type") || "").startsWith("application/wasm");
  return isKnown ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}
