import { Worker } from "node:worker_threads";
import { complain } from "./complain.mjs";
import { NodeHost } from "./node-host.mjs";

/// Places in the memory that both threads share.
export const ASKED = 0; // the user has asked the command to end
export const WATCHING = 1; // the command ends by itself when asked

/// Runs the command in a worker and sets the exit code of the process. Node.js delivers signals between two turns of its event loop, and
/// a command is one long turn: only another thread can receive Ctrl-C while it runs. As in the native program, the first signal asks a
/// command that can stop early for its result so far; another signal, or another command, ends the process.
export function runWithSignals(words) {
  const state = new Int32Array(new SharedArrayBuffer(8));
  const host = new NodeHost();
  const columns = [0, host.columns(1), host.columns(2)]; // a worker cannot ask the terminal
  const worker = new Worker(new URL("./signals-worker.mjs", import.meta.url), { workerData: { words, state, columns } });
  let caught = null;

  const onSignal = (signal) => {
    if (Atomics.load(state, WATCHING) === 0 || caught !== null) {
      if (signal === "SIGINT") complain("\nbayplan: interrupted; no file was left incomplete\n");
      endBy(signal);
    } else {
      caught = signal;
      Atomics.store(state, ASKED, 1);
    }
  };
  const endBy = (signal) => {
    process.off("SIGINT", onSignal);
    process.off("SIGTERM", onSignal);
    process.kill(process.pid, signal);
  };
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);

  process.exitCode = 3; // until the worker says otherwise
  worker.on("message", (code) => (process.exitCode = code));
  worker.on("error", (error) => complain(`bayplan: internal error: ${error.message}\n  Please report it with the command line and the input.\n`));
  worker.on("exit", () => {
    if (caught !== null) endBy(caught); // so that the shell sees the signal
    process.off("SIGINT", onSignal);
    process.off("SIGTERM", onSignal);
  });
}
