import { parentPort, receiveMessageOnPort, workerData } from "node:worker_threads";
import { NodeHost } from "./node-host.mjs";

/// Gives a server in a worker (mcp.mjs) its standard input, one message at a time, and takes its standard output.
export class RelayHost extends NodeHost {
  constructor() {
    super();
    this.rest = new Uint8Array(0);
  }

  read(number, room) {
    if (number !== 0) return super.read(number, room);
    if (this.rest.length === 0) this.rest = nextMessage();
    const part = this.rest.subarray(0, room.length);
    room.set(part);
    this.rest = this.rest.subarray(part.length);
    return part.length;
  }

  write(number, bytes) {
    if (number !== 1) return super.write(number, bytes);
    parentPort.postMessage({ output: bytes.slice() });
    return bytes.length;
  }
}

/// Waits for the next message; empty at the end of the input.
function nextMessage() {
  parentPort.postMessage({ idle: true });
  for (;;) {
    const seen = Atomics.load(workerData.arrived, 0);
    const arrived = receiveMessageOnPort(parentPort);
    if (arrived !== undefined) return arrived.message;
    Atomics.wait(workerData.arrived, 0, seen);
  }
}
