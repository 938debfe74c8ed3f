// The relay of `bayplan mcp` (packaging/npm/lib/mcp.mjs) with a server of this test in place of the program: a call that never ends is canceled,
// the session goes on, and the client sees nothing of the new server. clients.mcp runs sessions with the program.
// usage: node mcp.mjs
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { isMainThread, parentPort } from "node:worker_threads";
import { serve } from "../../packaging/npm/lib/mcp.mjs";

const SELF = fileURLToPath(import.meta.url);
const TOO_LONG = 34 * 1024 * 1024;

/// In the worker: asks for the folders after the initialization, answers each call with what it knows of the session, and never ends the
/// call `spin`.
async function runServer() {
  const { RelayHost } = await import("../../packaging/npm/lib/mcp-host.mjs");
  const host = new RelayHost();
  const room = Buffer.alloc(1 << 16);
  const send = (message) => host.write(1, Buffer.from(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\n"));
  const known = { initialized: 0, folders: [] };
  const answer = (line) => {
    if (line.length > TOO_LONG) return send({ id: null, error: { code: -32600, message: `${line.length} bytes` } });
    const { id, method, params, result } = JSON.parse(line);
    if (method === "initialize") send({ id, result: { initialized: ++known.initialized } });
    else if (method === "notifications/initialized") send({ id: 1, method: "roots/list" });
    else if (method === undefined) known.folders.push(result);
    else if (method === "spin") for (send({ method: "notifications/progress", params }); ; );
    else if (id !== undefined) send({ id, result: { ...known, method } });
  };
  let rest = [];
  for (let count = host.read(0, room); count > 0; count = host.read(0, room)) {
    const lines = room.toString("utf8", 0, count).split("\n");
    rest.push(lines.shift());
    for (const line of lines) {
      answer(rest.join(""));
      rest = [line];
    }
  }
  parentPort.postMessage({ code: 7 });
}

/// A session with the relay in a process of its own.
class Client {
  constructor() {
    this.process = spawn(process.execPath, [SELF, "--serve"], { stdio: ["pipe", "pipe", "inherit"] });
    this.heard = [];
    this.waiting = [];
    let rest = "";
    this.process.stdout.on("data", (data) => {
      const lines = (rest + data).split("\n");
      rest = lines.pop();
      this.heard.push(...lines.map((line) => JSON.parse(line)));
      this.waiting.forEach((look) => look());
    });
  }

  send(message) {
    this.process.stdin.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\n");
  }

  until(is) {
    return new Promise((resolve) => {
      const look = () => this.heard.find(is) && resolve(this.heard.find(is));
      this.waiting.push(look);
      look();
    });
  }

  ask(id, method) {
    this.send({ id, method, params: { of: id } });
    return this.until((message) => message.id === id && message.method === undefined);
  }
}

async function testCancellation() {
  const client = new Client();
  await client.ask("first", "initialize");
  client.send({ method: "notifications/initialized" });
  await client.until((message) => message.method === "roots/list");
  client.send({ id: 1, result: "folder" });
  assert.deepEqual((await client.ask(2, "tell")).result, { initialized: 1, folders: ["folder"], method: "tell" });

  // A call that runs is canceled, one that waits behind it too, and the one behind that is answered in the same session.
  client.send({ id: 3, method: "spin", params: { of: 3 } });
  await client.until((message) => message.method === "notifications/progress");
  client.send({ id: 4, method: "spin", params: { of: 4 } });
  client.send({ id: 5, method: "tell" });
  client.send({ method: "notifications/cancelled", params: { requestId: 4 } });
  client.send({ method: "notifications/cancelled", params: { requestId: 3 } });
  const { result } = await client.until((message) => message.id === 5);
  assert.deepEqual([result.initialized, result.folders], [1, ["folder"]]);

  // What is canceled too late has its answer, and a call that was never made is none.
  client.send({ method: "notifications/cancelled", params: { requestId: 5 } });
  client.send({ method: "notifications/cancelled", params: { requestId: "moon" } });
  assert.equal((await client.ask(6, "tell")).result.method, "tell");

  client.process.stdin.write("x".repeat(TOO_LONG) + "y\n");
  assert.equal((await client.until((message) => message.error)).error.message, `${TOO_LONG + 1} bytes`);

  // After the end of the input, everything that arrived is answered.
  client.send({ id: 7, method: "tell" });
  client.process.stdin.end('{"jsonrpc":"2.0","id":8,"method":"tell"}\n');
  assert.equal(await new Promise((resolve) => client.process.on("close", resolve)), 7);
  const ids = client.heard.filter((message) => message.method === undefined).map((message) => message.id);
  assert.deepEqual(ids, ["first", 2, 5, 6, null, 7, 8], "each answer once, none of a canceled call");
  assert.equal(client.heard.filter((message) => message.method === "roots/list").length, 1);
}

async function testClientThatGoes() {
  const client = new Client();
  client.process.stdout.destroy();
  client.send({ id: 1, method: "initialize" });
  assert.equal(await new Promise((resolve) => client.process.on("exit", resolve)), 1);
}

if (!isMainThread) {
  await runServer();
} else if (process.argv[2] === "--serve") {
  serve(["mcp"], new URL(import.meta.url));
} else {
  await testCancellation();
  await testClientThatGoes();
  console.log("passed");
}
