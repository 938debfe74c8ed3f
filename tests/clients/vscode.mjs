// The VS Code extension as scripts/vscode packs it: its server, started as the extension starts it, with the protocol of VS Code's client.
// usage: node vscode.mjs FOLDER PROJECT     FOLDER: keeps the extension and what npm downloads from one run to the next
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";

const SKIPPED = 77;
const [folder, project] = process.argv.slice(2, 4).map((name) => path.resolve(name));
const packed = spawnSync(path.join(project, "scripts", "vscode"), [path.join(project, "build", "npm", "package"), folder], { encoding: "utf8" });
if (packed.status !== 0) {
  console.log(packed.stdout || packed.stderr || String(packed.error));
  process.exit(packed.status === SKIPPED ? SKIPPED : 1);
}

// What is tried is what is packed.
const work = fs.mkdtempSync(path.join(os.tmpdir(), "bayplan-vscode-"));
assert.equal(spawnSync("python3", ["-m", "zipfile", "-e", packed.stdout.trim(), work]).status, 0);
const extension = path.join(work, "extension");
const about = JSON.parse(fs.readFileSync(path.join(extension, "package.json"), "utf8"));
const named = [about.main, about.icon, ...[...about.contributes.jsonValidation, ...about.contributes.yamlValidation].map((one) => one.url)];
for (const name of named) assert(fs.existsSync(path.join(extension, name)), `${name} is not in the package`);

const require = createRequire(path.join(extension, "extension.js"));
const { languages, command } = require("./server.js");
assert.deepEqual(about.activationEvents, languages.map((one) => `onLanguage:${one}`));
assert.deepEqual(command("/usr/bin/bayplan"), { command: "/usr/bin/bayplan", args: ["lsp"] });

const clientModule = createRequire(require.resolve("vscode-languageclient/package.json"));
const { createProtocolConnection, StreamMessageReader, StreamMessageWriter } = clientModule("vscode-languageserver-protocol/node");
const { module, args } = command("");
const server = spawn(process.execPath, [module, ...args, "--stdio"], { cwd: work, stdio: ["pipe", "pipe", "inherit"] });
const connection = createProtocolConnection(new StreamMessageReader(server.stdout), new StreamMessageWriter(server.stdin));
connection.listen();

const uri = pathToFileURL(path.join(work, "task-definition.json")).href;
const text = '{"family": "my app", "containerDefinitions": [{"name": "a", "image": "nginx:1.27", "memory": 64, "essential": "true"}]}';
const published = new Promise((resolve) => {
  connection.onNotification("textDocument/publishDiagnostics", (params) => params.uri === uri && resolve(params.diagnostics));
});
const capabilities = { textDocument: { codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: ["quickfix"] } } } } };
const begun = await connection.sendRequest("initialize", { processId: process.pid, rootUri: pathToFileURL(work).href, capabilities });
assert.equal(begun.serverInfo.version, about.version);
await connection.sendNotification("initialized", {});
await connection.sendNotification("textDocument/didOpen", { textDocument: { uri, languageId: "json", version: 1, text } });
const diagnostics = await published;
assert(diagnostics.some((one) => one.code === "BAY102"), JSON.stringify(diagnostics));
const range = diagnostics.find((one) => one.code === "BAY016").range;
const actions = await connection.sendRequest("textDocument/codeAction", { textDocument: { uri }, range, context: { diagnostics } });
assert(actions.some((one) => one.kind === "quickfix" && one.edit.changes[uri][0].newText === "true"), JSON.stringify(actions));
const said = await connection.sendRequest("workspace/executeCommand", { command: "bayplan.explain", arguments: ["BAY102"] });
assert(said.value.includes("BAY102"), JSON.stringify(said));
await connection.sendRequest("shutdown");
const left = new Promise((resolve) => server.on("exit", resolve));
await connection.sendNotification("exit");
const code = await left;
assert.equal(code, 0);
fs.rmSync(work, { recursive: true });
console.log("the extension starts its server, which lints, fixes and explains");
