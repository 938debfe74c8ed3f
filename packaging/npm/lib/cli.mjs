import fs from "node:fs";
import v8 from "node:v8";
import { theEngine } from "./load.mjs";
import { NodeHost } from "./node-host.mjs";
import { argument } from "./paths.mjs";

/// The command line: prints, and returns the exit code.
export function main(words) {
  // Functions are checked and compiled when they are called: of the whole program a run wants a small part. The optimizing compiler
  // begins as late as in V8 12 and later: before, it took more processor time than it saved. A V8 that does not know these flags
  // would say so on standard error; these versions do.
  const version = Number(process.versions.v8.split(".")[0]);
  if (version >= 10 && version <= 13) {
    v8.setFlagsFromString("--wasm-lazy-compilation");
    v8.setFlagsFromString("--wasm-lazy-validation");
    v8.setFlagsFromString("--wasm-tiering-budget=13000000");
  }
  const given = words.map((word) => argument(word, process.platform, fs.existsSync, process.cwd()));
  try {
    return theEngine().run(given, new NodeHost());
  } catch (error) {
    if (error.name !== "BayplanError") throw error;
    fs.writeSync(2, `bayplan: ${error.message}\n`);
    return error.code === "internal" ? 3 : 2;
  }
}
