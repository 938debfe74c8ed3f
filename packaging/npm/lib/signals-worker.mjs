import { parentPort, workerData } from "node:worker_threads";
import { run } from "./cli.mjs";
import { NodeHost } from "./node-host.mjs";
import { ASKED, WATCHING } from "./signals.mjs";

const { words, state, columns } = workerData;

function interrupted() {
  Atomics.store(state, WATCHING, 1);
  return Atomics.load(state, ASKED) === 1;
}

parentPort.postMessage(run(words, new NodeHost({ columns, interrupted })));
