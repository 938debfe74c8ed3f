import fs from "node:fs";
import tty from "node:tty";
import v8 from "node:v8";
import { complain } from "./complain.mjs";
import { theEngine } from "./load.mjs";
import { serve } from "./mcp.mjs";
import { NodeHost } from "./node-host.mjs";
import { argument } from "./paths.mjs";
import { runWithSignals } from "./signals.mjs";

/// Commands that can run for long, of which fleet and sweep report their result so far when the user presses Ctrl-C. The others start
/// faster without a second thread.
const LONG = ["place", "why", "whatif", "fleet", "repack", "replay", "sweep"];

/// The command line: runs the command and sets the exit code of the process.
export function main(words) {
  tuneCompiler();
  closeLostTerminals();
  const given = words.map((word) => argument(word, process.platform, fs.existsSync, process.cwd()));
  if (given.length === 1 && given[0] === "mcp") {
    serve(given);
  } else if (LONG.includes(given[0])) {
    runWithSignals(given);
  } else {
    process.exitCode = run(given, new NodeHost());
  }
}

/// Runs the command and returns its exit code, also if the engine fails: never an exception, which Node.js would show as a stack
/// trace with exit code 1.
export function run(words, host) {
  try {
    return theEngine().run(words, host);
  } catch (error) {
    const isOurs = error.name === "BayplanError";
    const message = isOurs ? error.message : `internal error: ${error.message ?? error}\n  Please report it with the command line and the input.`;
    complain(`bayplan: ${message}\n`);
    return isOurs && error.code !== "internal" ? 2 : 3;
  }
}

/// Closes terminals that are gone when the process ends. Node.js restores the modes of its terminals then, and version 20 aborts with a stack
/// trace if it cannot.
function closeLostTerminals() {
  const terminals = [0, 1, 2].filter((descriptor) => tty.isatty(descriptor));
  process.on("exit", () => {
    for (const descriptor of terminals) {
      if (!tty.isatty(descriptor)) fs.closeSync(descriptor);
    }
  });
}

/// A run needs few of the program's functions, so V8 compiles each when it is first called. The optimizing compiler starts as late as in
/// V8 12 and later: earlier, it costs more processor time than it saves. Versions of V8 that do not know these flags would print a
/// warning, so only those that were tested get them.
function tuneCompiler() {
  const version = Number(process.versions.v8.split(".")[0]);
  if (version < 10 || version > 13) return;
  v8.setFlagsFromString("--wasm-lazy-compilation");
  v8.setFlagsFromString("--wasm-lazy-validation");
  v8.setFlagsFromString("--wasm-tiering-budget=13000000");
}
