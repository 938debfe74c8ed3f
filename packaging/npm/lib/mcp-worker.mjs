import { parentPort, workerData } from "node:worker_threads";
import { run } from "./cli.mjs";
import { RelayHost } from "./mcp-host.mjs";

parentPort.postMessage({ code: run(workerData.words, new RelayHost()) });
