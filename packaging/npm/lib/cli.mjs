import fs from "node:fs";
import v8 from "node:v8";
import { theEngine } from "./load.mjs";
import { NodeHost } from "./node-host.mjs";
import { argument } from "./paths.mjs";

/// The command line: prints, and returns the exit code.
export function main(words) {
  // Functions are compiled when they are called: of the whole program a run wants a small part.
  v8.setFlagsFromString("--wasm-lazy-compilation");
  const given = words.map((word) => argument(word, process.platform, fs.existsSync));
  try {
    return theEngine().run(given, new NodeHost());
  } catch (error) {
    if (error.name !== "BayplanError") throw error;
    fs.writeSync(2, `bayplan: ${error.message}\n`);
    return error.code === "internal" ? 3 : 2;
  }
}
