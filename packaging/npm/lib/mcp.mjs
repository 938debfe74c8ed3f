import { Worker } from "node:worker_threads";
import { complain } from "./complain.mjs";

const LONGEST_LINE = 33 * 1024 * 1024; // The server takes messages of 32 MiB and counts the bytes of longer ones.
const MOST_WAITING = 64 * 1024 * 1024;
const RESTARTED = "bayplan-restarted"; // ID of the request that ends a replay.
const NEW_LINE = 10;

/// Runs `bayplan mcp` in a worker and relays its messages. The server has one thread and reads nothing while a call runs, so only this thread
/// sees a cancellation: it ends the worker, and a new one gets the messages that make the state of the session (initialization,
/// notifications, folders of the client) and the calls that were not answered yet. `worker`: the module that runs the server.
export function serve(words, worker = new URL("./mcp-worker.mjs", import.meta.url)) {
  const relay = new Relay(words, worker);
  process.exitCode = 3; // until the server says otherwise
  process.stdin.on("data", (bytes) => relay.read(bytes));
  process.stdin.on("end", () => relay.end());
  process.stdout.on("error", () => process.exit(1)); // The client is gone.
}

class Relay {
  constructor(words, module) {
    this.words = words;
    this.module = module;
    this.line = []; // parts of a line that is not complete
    this.size = 0;
    this.isLong = false; // the line goes to the server as it comes
    this.queue = []; // what the server has not read yet: { bytes, message }
    this.waiting = 0; // bytes of these
    this.isOver = false;
    this.state = []; // messages that the server needs again after a restart
    this.unanswered = new Map(); // requests that the server has read, by ID
    this.start();
  }

  start() {
    this.arrived = new Int32Array(new SharedArrayBuffer(4));
    this.isBusy = true; // until it requests a message
    this.output = [];
    const server = new Worker(this.module, { workerData: { words: this.words, arrived: this.arrived } });
    this.server = server;
    const ofThis = (act) => (value) => server === this.server && act(value); // not of one that was ended
    server.on("message", ofThis((sent) => this.hear(sent)));
    server.on("error", ofThis((error) => complain(`bayplan: internal error: ${error.message}\n  Please report it.\n`)));
    server.on("exit", ofThis(() => process.stdin.destroy()));
  }

  // --- From the client.

  read(bytes) {
    for (let at = 0; at < bytes.length; ) {
      const end = bytes.indexOf(NEW_LINE, at) + 1;
      const part = bytes.subarray(at, end || bytes.length);
      at += part.length;
      this.line.push(part);
      this.size += part.length;
      if (end > 0) this.complete();
      else if (this.size > LONGEST_LINE) this.passOn();
    }
    if (this.waiting > MOST_WAITING) process.stdin.pause();
    this.deliver();
  }

  /// A part of a line that is too long for a message.
  passOn() {
    this.isLong = true;
    this.add({ bytes: this.taken(), message: null });
  }

  complete() {
    const isLong = this.isLong;
    this.isLong = false;
    const bytes = this.taken();
    const message = isLong ? null : parsed(bytes);
    if (message?.method === "notifications/cancelled" && this.cancel(message.params?.requestId)) return;
    this.add({ bytes, message });
  }

  taken() {
    const bytes = Buffer.concat(this.line);
    this.line = [];
    this.size = 0;
    return bytes;
  }

  add(sent) {
    this.queue.push(sent);
    this.waiting += sent.bytes.length;
  }

  end() {
    if (this.size > 0) this.complete();
    this.isOver = true;
    this.deliver();
  }

  /// Returns whether the request is gone, so that the server need not know.
  cancel(id) {
    const at = this.queue.findIndex(({ message }) => message?.method !== undefined && message.id !== undefined && message.id === id);
    if (at >= 0) {
      this.waiting -= this.queue.splice(at, 1)[0].bytes.length;
      return true;
    }
    if (!this.isBusy || !this.unanswered.delete(id)) return false;
    this.server.terminate();
    const again = [...this.unanswered.values()];
    this.unanswered.clear();
    const mark = { bytes: Buffer.from(`{"jsonrpc":"2.0","id":"${RESTARTED}","method":"ping"}\n`), message: null };
    const known = this.state.map((bytes) => ({ bytes, message: null }));
    this.queue.unshift(...known, mark, ...again);
    this.isMuted = true; // The client has had these answers.
    this.start();
    return true;
  }

  // --- To the server, one message per request.

  deliver() {
    if (this.isBusy || (this.queue.length === 0 && !this.isOver)) return;
    this.isBusy = true;
    const { bytes, message } = this.queue.shift() ?? { bytes: Buffer.alloc(0), message: null };
    this.waiting -= bytes.length;
    if (this.waiting <= MOST_WAITING) process.stdin.resume();
    if (message !== null) this.note(bytes, message);
    this.server.postMessage(bytes);
    Atomics.add(this.arrived, 0, 1);
    Atomics.notify(this.arrived, 0);
  }

  note(bytes, message) {
    const isRequest = message.method !== undefined && message.id !== undefined;
    if (isRequest) this.unanswered.set(message.id, { bytes, message });
    if ((!isRequest && message.method !== "notifications/cancelled") || message.method === "initialize") this.state.push(bytes);
  }

  // --- From the server.

  hear({ idle, output, code }) {
    if (code !== undefined) process.exitCode = code;
    if (output !== undefined) this.tell(output);
    if (idle) {
      this.isBusy = false;
      this.deliver();
    }
  }

  /// Passes whole lines on, because the server may be ended within one.
  tell(bytes) {
    this.output.push(bytes);
    if (bytes[bytes.length - 1] !== NEW_LINE) return;
    const text = Buffer.concat(this.output);
    this.output = [];
    for (let at = 0; at < text.length; ) {
      const end = text.indexOf(NEW_LINE, at) + 1;
      const line = text.subarray(at, end);
      at = end;
      const message = parsed(line);
      if (this.isMuted) {
        if (message?.id === RESTARTED) this.isMuted = false;
        continue;
      }
      if (message?.method === undefined) this.unanswered.delete(message?.id);
      process.stdout.write(line);
    }
  }
}

/// The message of a line, or null if it is none: then the server says what is wrong.
function parsed(bytes) {
  try {
    const message = JSON.parse(bytes.toString("utf8"));
    return message !== null && typeof message === "object" && !Array.isArray(message) ? message : null;
  } catch {
    return null;
  }
}
