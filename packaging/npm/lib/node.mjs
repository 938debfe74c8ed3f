import { makeApi } from "./api.mjs";
import { BayplanError } from "./errors.mjs";
import { theEngine } from "./load.mjs";
import { NodeHost } from "./node-host.mjs";
import { toProgram } from "./paths.mjs";

const api = makeApi(theEngine, {
  host: (input, output, errors) => new NodeHost({
    output,
    errors,
    input: new TextEncoder().encode(input.stdin || ""),
    folder: input.folder,
    environment: input.environment || process.env,
  }),
  path: (path) => toProgram(path, process.platform),
});

export const lint = api.lint;
export const fit = api.fit;
export const place = api.place;
export const whatif = api.whatif;
export const fleet = api.fleet;
export const explain = api.explain;
export const run = api.run;
export { BayplanError };

/// Compiles the program now. Only browsers need this call; code that runs in both can make it in Node.js, too.
export async function load() {
  theEngine();
}
