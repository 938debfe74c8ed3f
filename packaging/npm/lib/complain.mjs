import fs from "node:fs";

/// Writes to standard error, or nowhere if it is closed or its terminal is gone: the exit code says the rest.
export function complain(text) {
  try {
    fs.writeSync(2, text);
  } catch {
    // No one is left to read it.
  }
}
