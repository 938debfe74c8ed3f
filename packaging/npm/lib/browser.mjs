import { makeApi } from "./api.mjs";
import { compiled } from "./compile.mjs";
import { Engine } from "./engine.mjs";
import { BayplanError } from "./errors.mjs";
import { create } from "./glue.mjs";

const MAIN = new URL("./bayplan.wasm", import.meta.url); // Bundlers recognize an address in this form.
const REST = new URL("./bayplan-rest.wasm", import.meta.url);
const modules = { main: null, rest: null };
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
export { BayplanError, compiled };

/// Fetches and compiles the program once. `source`: the address of bayplan.wasm, with bayplan-rest.wasm in the same folder (default: the
/// folder of this file), or `{ main, rest }` from `compiled()`. With only `main`, a run that needs `rest` throws "not-loaded" until
/// `load({ rest })`; linting most files does not need it.
export async function load(source = MAIN) {
  const isAddress = typeof source === "string" || source instanceof URL;
  if (isAddress && modules.main !== null && modules.rest !== null) return;
  const found = isAddress ? await both(source) : source;
  modules.main ||= found.main ?? null;
  modules.rest ||= found.rest ?? null;
  if (engine === null && modules.main !== null) engine = new Engine(create, modules.main, () => modules.rest);
}

async function both(address) {
  const other = address === MAIN ? REST : new URL("bayplan-rest.wasm", new URL(address, globalThis.location.href));
  const [main, rest] = await Promise.all([compiled(address), compiled(other)]);
  return { main, rest };
}
