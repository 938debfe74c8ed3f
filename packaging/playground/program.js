// The program, in a worker that can be terminated.
import { compiled } from "./lib/compile.mjs";

const LIMIT = 10_000; // Milliseconds after which a run is stopped.

export class Program {
  /// `take(answer, question)` gets the answer of the newest question; those of older ones are dropped.
  constructor(take) {
    this.take = take;
    this.running = null; // The question that the worker is answering.
    this.next = null; // The newest question that waits. It replaces earlier ones.
    this.failure = null; // Why the worker cannot run.
    const main = compiled(new URL("./lib/bayplan.wasm", import.meta.url));
    this.modules = { main, rest: main.then(() => compiled(new URL("./lib/bayplan-rest.wasm", import.meta.url))) };
    this.begin();
  }

  begin() {
    const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    this.worker = worker;
    worker.onmessage = ({ data }) => (data.hasBegun ? this.begun(data) : this.answered(data));
    worker.onerror = (event) => {
      this.failure = `The program cannot run: ${event.message || "its worker ended"}`;
      if (this.running !== null) this.fail();
    };
    for (const [module, loading] of Object.entries(this.modules)) {
      loading.then((compiled) => worker.postMessage({ module, compiled }), (error) => worker.postMessage({ module, failure: error.message }));
    }
  }

  ask(question) {
    this.next = question;
    if (this.running === null) this.send();
  }

  send() {
    const question = this.next;
    this.next = null;
    this.running = question;
    if (this.failure) this.fail();
    else this.worker.postMessage(question);
  }

  fail() {
    this.answered({ id: this.running.id, failure: this.failure });
  }

  begun({ id }) {
    const question = this.running;
    if (question === null || id !== question.id) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.end(question), LIMIT);
  }

  answered(answer) {
    if (this.running === null || answer.id !== this.running.id) return;
    clearTimeout(this.timer);
    const question = this.running;
    this.running = null;
    if (this.next === null) this.take(answer, question);
    else this.send();
  }

  /// Terminating the worker is the only way to stop a run.
  end(question) {
    if (this.running !== question) return;
    this.worker.terminate();
    this.running = null;
    this.begin();
    this.take({ failure: `This run took more than ${LIMIT / 1000} seconds and was stopped. Try a smaller scenario, or use the command line, which is faster.` }, question);
    if (this.next !== null) this.send();
  }
}
