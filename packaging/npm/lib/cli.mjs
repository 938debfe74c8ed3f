import fs from "node:fs";
import tty from "node:tty";
import v8 from "node:v8";
import { theEngine } from "./load.mjs";
import { NodeHost } from "./node-host.mjs";
import { argument } from "./paths.mjs";
import { runWithSignals } from "./signals.mjs";

/// Commands that report their best result so far when the user presses Ctrl-C.
const INTERRUPTIBLE = ["fleet", "sweep"];

/// The command line: runs the command and sets the exit code of the process.
export function main(words) {
  tuneCompiler();
  closeLostTerminals();
  const given = words.map((word) => argument(word, process.platform, fs.existsSync, process.cwd()));
  if (given.some((word) => INTERRUPTIBLE.includes(word))) {
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
    complain(isOurs ? error.message : `internal error: ${error.message ?? error}\n  Please report it with the command line and the input.`);
    return isOurs && error.code !== "internal" ? 2 : 3;
  }
}

/// Writes to standard error, or nowhere if it is closed.
function complain(text) {
  try {
    fs.writeSync(2, `bayplan: ${text}\n`);
  } catch {
    // There is no one left to tell; the exit code says the rest.
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
