// The conformance tests of the Model Context Protocol (@modelcontextprotocol/conformance) against `bayplan mcp`. They connect by HTTP only, so
// each of their sessions gets a process of its own here, and every message passes unchanged between the two transports of the SDK.
// usage: node mcp_conformance.mjs FOLDER NODES PROJECT COMMAND...
//        FOLDER: keeps the packages from one run to the next; NODES: where nodes.py puts Node.js; COMMAND: what starts bayplan
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import http from "node:http";
import path from "node:path";
import { pathToFileURL } from "node:url";

const SKIPPED = 77;
const SUITE = "@modelcontextprotocol/conformance";
const VERSION = "0.1.16"; // The scenarios below are those of this version.
const OLDEST_NODE = 22; // It imports fs.globSync.

/// Scenarios that cannot pass, by reason. A scenario that is listed here and passes is an error, too.
const EXPECTED_FAILURES = {
  "call tools that a server made for these tests has (test_simple_text, test_error_handling ...)": [
    "tools-call-simple-text", "tools-call-image", "tools-call-audio", "tools-call-embedded-resource", "tools-call-mixed-content",
    "tools-call-with-logging", "tools-call-error", "tools-call-with-progress", "tools-call-sampling", "tools-call-elicitation",
    "json-schema-2020-12", "elicitation-sep1034-defaults", "elicitation-sep1330-enums",
  ],
  "read resources that such a server has (test://static-text ...)": ["resources-read-text", "resources-read-binary", "resources-templates-read"],
  "require features that this server does not announce: logging, completion, subscriptions, prompts": [
    "logging-set-level", "completion-complete", "resources-subscribe", "resources-unsubscribe", "prompts-list", "prompts-get-simple",
    "prompts-get-with-args", "prompts-get-embedded-resource", "prompts-get-with-image",
  ],
  "are about HTTP itself, which is the bridge's": ["server-sse-polling", "dns-rebinding-protection"],
};

const [folder, nodes, project] = process.argv.slice(2, 5).map((name) => path.resolve(name));
const command = process.argv.slice(5).map((word) => (fs.existsSync(word) ? path.resolve(word) : word));
const skip = (why) => {
  console.log(`skipped: ${why}`);
  process.exit(SKIPPED);
};

const major = (node) => Number(spawnSync(node, ["--version"], { encoding: "utf8" }).stdout?.match(/^v(\d+)/)?.[1] ?? 0);
const node = [process.execPath, path.join(nodes, "newest", "bin", "node")].find((one) => major(one) >= OLDEST_NODE);
if (!node) skip(`${SUITE} requires Node.js ${OLDEST_NODE}`);

const modules = path.join(folder, "node_modules");
fs.mkdirSync(folder, { recursive: true });
if (!fs.existsSync(path.join(modules, SUITE, "package.json"))) {
  fs.writeFileSync(path.join(folder, "package.json"), '{"name": "conformance", "version": "1.0.0", "private": true}');
  const done = spawnSync("npm", ["install", `${SUITE}@${VERSION}`, "--no-audit", "--no-fund", "--ignore-scripts", "--no-save"], { cwd: folder, encoding: "utf8" });
  if (done.status !== 0) skip(`npm cannot install ${SUITE} here: ${(done.stderr || String(done.error)).trim().split("\n")[0]}`);
}
const load = (file) => import(pathToFileURL(path.join(modules, "@modelcontextprotocol", "sdk", "dist", "esm", file)));
const { StdioClientTransport } = await load("client/stdio.js");
const { StreamableHTTPServerTransport } = await load("server/streamableHttp.js");

/// A session by HTTP with its process. Messages from the process that answer nothing go where the client listens for them.
const sessions = new Map();
async function begin() {
  const client = new StreamableHTTPServerTransport({ sessionIdGenerator: randomUUID, onsessioninitialized: (id) => sessions.set(id, client) });
  const server = new StdioClientTransport({ command: command[0], args: [...command.slice(1), "mcp"], cwd: path.join(project, "examples"), stderr: "inherit" });
  client.onmessage = (message) => server.send(message);
  client.onclose = () => server.close();
  server.onmessage = (message) => client.send(message);
  await Promise.all([server.start(), client.start()]);
  return client;
}
const bridge = http.createServer(async (request, response) => {
  const session = sessions.get(request.headers["mcp-session-id"]) ?? (await begin());
  await session.handleRequest(request, response);
});
await new Promise((resolve) => bridge.listen(0, "127.0.0.1", resolve));

const expected = path.join(folder, "expected-failures.yml");
fs.writeFileSync(expected, "server:\n" + Object.values(EXPECTED_FAILURES).flat().map((scenario) => `  - ${scenario}\n`).join(""));
const suite = path.join(modules, SUITE, "dist", "index.js");
const url = `http://127.0.0.1:${bridge.address().port}/mcp`;
const run = spawn(node, [suite, "server", "--url", url, "--suite", "all", "--expected-failures", expected], { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
let printed = "";
run.stdout.on("data", (data) => (printed += data));
const code = await new Promise((resolve) => run.on("close", resolve));
for (const session of sessions.values()) await session.close();
bridge.close();
bridge.closeAllConnections();
console.log(printed);
for (const [reason, scenarios] of Object.entries(EXPECTED_FAILURES)) console.log(`${scenarios.length} ${reason}`);
assert.equal(code, 0, "a scenario fails that is not expected to, or one passes that is");
