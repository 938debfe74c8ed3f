// The server of `bayplan mcp` with the client of @modelcontextprotocol/sdk, which checks each result with the output schema of its tool, as
// Claude, VS Code and Cursor start it. Every report must be what the command prints.
// usage: node mcp.mjs FOLDER PROJECT COMMAND...     FOLDER: keeps the SDK from one run to the next; COMMAND: what starts bayplan, also
//                                                   `node .../bin/bayplan.js` of the npm package
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";

const SKIPPED = 77;
const SDK = "@modelcontextprotocol/sdk";
const [folder, project] = process.argv.slice(2, 4).map((name) => path.resolve(name));
const command = process.argv.slice(4).map((word) => (fs.existsSync(word) ? path.resolve(word) : word));
const examples = path.join(project, "examples");
const installed = path.join(folder, "node_modules", SDK);
const isNpm = command.length > 1;
if (isNpm && !fs.existsSync(command[1])) {
  console.log(`skipped: ${command[1]} is not there; scripts/npm makes it`);
  process.exit(SKIPPED);
}

fs.mkdirSync(folder, { recursive: true });
if (!fs.existsSync(path.join(installed, "package.json"))) {
  fs.writeFileSync(path.join(folder, "package.json"), '{"name": "client", "version": "1.0.0", "private": true}');
  const done = spawnSync("npm", ["install", `${SDK}@1`, "--no-audit", "--no-fund", "--ignore-scripts", "--no-save"], { cwd: folder, encoding: "utf8" });
  if (done.status !== 0) {
    console.log(`skipped: npm cannot install ${SDK} here: ${(done.stderr || String(done.error)).trim().split("\n")[0]}`);
    process.exit(SKIPPED);
  }
}
const load = (file) => import(pathToFileURL(path.join(installed, "dist", "esm", file)));
const { Client } = await load("client/index.js");
const { StdioClientTransport } = await load("client/stdio.js");
const { ListRootsRequestSchema, LATEST_PROTOCOL_VERSION } = await load("types.js");
console.log(`${SDK} ${JSON.parse(fs.readFileSync(path.join(installed, "package.json"))).version}, protocol ${LATEST_PROTOCOL_VERSION}`);

/// A session. `roots`: the folders of the client; without them it cannot list any.
async function connect(cwd, roots) {
  const client = new Client({ name: "test", version: "1.0.0" }, { capabilities: roots ? { roots: { listChanged: true } } : {} });
  if (roots) client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: roots.map((root) => ({ uri: pathToFileURL(root).href })) }));
  client.onerror = (error) => assert.fail(error);
  await client.connect(new StdioClientTransport({ command: command[0], args: [...command.slice(1), "mcp"], cwd, stderr: "inherit" }));
  return client;
}

/// The report of the command line itself.
function printed(words, input) {
  const done = spawnSync(command[0], [...command.slice(1), ...words, "--output", "json"], { cwd: examples, encoding: "utf8", input });
  assert.ok(done.status === 0 || done.status === 1, done.stderr);
  return JSON.parse(done.stdout);
}

const BROKEN = fs.readFileSync(path.join(examples, "broken-gpu", "train.json"), "utf8");
const P3 = ["--instances=p3.8xlarge=2@us-east-2a"];
/// Tool, arguments, and the command line of the same question.
const CALLS = [
  ["lint", { files: ["broken-gpu/train.json"], strict: true }, ["lint", "broken-gpu/train.json", "--strict"]],
  ["lint", { text: BROKEN, stdinFilename: "train.json", launchType: "EC2" }, ["lint", "-", "--stdin-filename=train.json", "--launch-type=EC2"], BROKEN],
  ["fit", { files: ["two-p3-16xlarge/defs/train-8-gpu.json"], types: ["p3.*"], gpuOnly: true }, ["fit", "two-p3-16xlarge/defs/train-8-gpu.json", "--types=p3.*", "--gpu-only"]],
  ["place", { scenario: "two-p3-16xlarge/scenario.yaml", seed: 7 }, ["place", "two-p3-16xlarge/scenario.yaml", "--seed=7"]],
  ["why", { task: "big", scenario: "why-not/scenario.yaml" }, ["why", "big", "why-not/scenario.yaml"]],
  ["whatif", { scenario: "lose-a-zone/scenario.yaml", eachAz: true }, ["whatif", "lose-a-zone/scenario.yaml", "--each-az"]],
  ["whatif", { cluster: "lose-a-zone/live/cluster", loseAz: ["us-east-2a"] }, ["whatif", "--cluster=lose-a-zone/live/cluster", "--lose-az=us-east-2a"]],
  ["fleet", { scenario: "cheapest-fleet/scenario.yaml", types: ["g4dn.*"] }, ["fleet", "cheapest-fleet/scenario.yaml", "--types=g4dn.*"]],
  ["diff", { old: "broken-gpu/train.json", new: "two-p3-16xlarge/defs/train-8-gpu.json" }, ["diff", "broken-gpu/train.json", "two-p3-16xlarge/defs/train-8-gpu.json"]],
  ["dry_run", { instances: ["p3.8xlarge=2@us-east-2a"], definition: ["two-p3-16xlarge/defs/train-4-gpu.json"], command: ["aws", "ecs", "run-task", "--task-definition", "train-4-gpu"] },
    ["dry-run", ...P3, "--definition=two-p3-16xlarge/defs/train-4-gpu.json", "--", "aws", "ecs", "run-task", "--task-definition", "train-4-gpu"]],
  ["explain", { messages: ["BAY113"] }, ["explain", "BAY113"]],
  ["explain", { messages: ["RESOURCE:GPU"] }, ["explain", "RESOURCE:GPU"]],
  ["catalog", { types: ["g4dn.*", "p3.*"], sort: "gpu-price" }, ["catalog", "g4dn.*", "p3.*", "--sort=gpu-price"]],
];

/// The same report: how long a search took may differ.
const withoutTimes = (report) => JSON.parse(JSON.stringify(report, (key, value) => (/seconds|milliseconds|elapsed/i.test(key) ? 0 : value)));

const client = await connect(os.tmpdir(), [examples, path.join(project, "data")]);
const { tools } = await client.listTools();
assert.deepEqual(new Set(tools.map((tool) => tool.name)), new Set(CALLS.map(([name]) => name)));
console.log(`${tools.length} tools in ${Buffer.byteLength(JSON.stringify(tools))} bytes`);
for (const [name, given, words, input] of CALLS) {
  const started = performance.now();
  const result = await client.callTool({ name, arguments: given });
  assert.ok(!result.isError, result.content[0].text);
  const rest = words.indexOf("--");
  const line = rest < 0 ? [words, []] : [words.slice(0, rest), words.slice(rest)];
  const shown = spawnSync(command[0], [...command.slice(1), ...line[0], "--output=json", ...line[1]], { cwd: examples, encoding: "utf8", input });
  assert.deepEqual(withoutTimes(result.structuredContent), withoutTimes(JSON.parse(shown.stdout)), `${name} is not what '${words.join(" ")}' prints`);
  assert.ok(result.content[0].text.length > 40 && !result.content[0].text.includes("\u001b"));
  console.log(`${name}: ${Math.round(performance.now() - started)} ms`);
}
assert.deepEqual((await client.callTool({ name: "catalog", arguments: { types: ["p3.*"] } })).structuredContent, printed(["catalog", "p3.*"]));

// Errors: of a call a result, of a message an error of the protocol.
for (const [name, given, says] of [
  ["lint", { files: ["missing.json"] }, /missing\.json/],
  ["lint", { files: ["/etc/passwd"] }, /\/etc\/passwd: outside of the folders/],
  ["lint", { files: ["../README.md"] }, /outside of the folders/],
  ["lint", { fix: true }, /unknown argument 'fix'/],
  ["place", {}, /scenario|cluster/],
]) {
  const result = await client.callTool({ name, arguments: given });
  assert.equal(result.isError, true);
  assert.match(result.content[0].text, says);
}
await assert.rejects(client.callTool({ name: "moon", arguments: {} }), { code: -32602 });
await assert.rejects(client.readResource({ uri: "bayplan://rules/BAY99999" }), { code: -32002 });

// The second folder of the client, by its whole path; then only that one.
const types = path.join(project, "data", "rules.json");
assert.match((await client.callTool({ name: "lint", arguments: { files: [types] } })).content[0].text, /rules\.json/);
client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri: pathToFileURL(path.join(project, "data")).href }] }));
await client.sendRootsListChanged();
const moved = await client.callTool({ name: "lint", arguments: { files: [path.join(examples, "broken-gpu", "train.json")] } });
assert.match(moved.content[0].text, /outside of the folders/);

const { resources } = await client.listResources();
assert.ok(resources.length > 350);
assert.match((await client.readResource({ uri: "bayplan://rules/BAY113" })).contents[0].text, /^BAY113/);
assert.equal((await client.listResourceTemplates()).resourceTemplates.length, 4);
assert.match((await client.readResource({ uri: "bayplan://docs/house-rules" })).contents[0].text, /^# House rules/);

// While a search runs, pings are answered, and it ends when it is canceled. The server from npm answers pings only between two calls, and a
// canceled call ends at once.
const controller = new AbortController();
let progress = 0;
let tellsProgress;
const begun = new Promise((resolve) => (tellsProgress = () => resolve((progress += 1))));
const search = client.callTool({ name: "fleet", arguments: { text: "tasks: []" } }, undefined, { signal: controller.signal });
await search.catch(() => {});
const long = { instances: ["m5.large=1"], task: ["-=40000"], text: '{"family": "web", "containerDefinitions": [{"name": "web", "image": "nginx:1.27.2", "memory": 512}]}' };
const running = client.callTool({ name: "place", arguments: { ...long, runs: 2000 } }, undefined, { signal: controller.signal, onprogress: tellsProgress });
if (!isNpm) await client.ping();
await begun;
client.onerror = () => {}; // Progress that the server sent before it read the cancellation is of no request any more.
controller.abort("enough");
await assert.rejects(running, /enough/);
assert.ok(progress > 0);
if (isNpm) {
  const next = await client.callTool({ name: "lint", arguments: { files: [types] } });
  assert.match(next.content[0].text, /rules\.json/, "the next call is of the same session, with its folders");
}
await client.close();

// Without roots: the working folder.
const local = await connect(path.join(examples, "broken-gpu"));
assert.equal((await local.callTool({ name: "lint", arguments: { files: ["train.json"] } })).structuredContent.files.length, 1);
assert.match((await local.callTool({ name: "lint", arguments: { files: ["../first-look/train.json"] } })).content[0].text, /outside of the folders/);
await local.close();

// A client that goes: no stack trace, and an end.
const left = spawn(command[0], [...command.slice(1), "mcp"], { cwd: examples, stdio: ["pipe", "pipe", "pipe"] });
let complaints = "";
left.stderr.on("data", (data) => (complaints += data));
left.stdout.destroy();
left.stdin.on("error", () => {});
left.stdin.end('{"jsonrpc":"2.0","id":1,"method":"ping"}\n{"jsonrpc":"2.0","id":2,"met');
await new Promise((resolve) => left.on("close", resolve));
assert.equal(complaints, "");
console.log("passed");
