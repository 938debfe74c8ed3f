"use strict";
// How the language server is started. Without the API of VS Code, so that a test starts it in the same way.
const path = require("node:path");

/// Languages of the files that may hold something of ECS.
exports.languages = ["json", "jsonc", "yaml", "terraform"];

/// `program`: a program to run instead of the WebAssembly server inside the extension; empty for none.
exports.command = (program) =>
  program ? { command: program, args: ["lsp"] } : { module: path.join(__dirname, "server", "bin", "bayplan.js"), args: ["lsp"] };
