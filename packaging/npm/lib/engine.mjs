import { BayplanError } from "./errors.mjs";

const LARGE = 512 * 1024 * 1024; // The memory of wasm never shrinks: what one run blew up is thrown away.

/// The program. `create` makes an instance (what scripts/wasm writes), `compiled` is its WebAssembly.Module.
export class Engine {
  constructor(create, compiled) {
    this.create = create;
    this.compiled = compiled;
    this.instance = null;
  }

  /// Runs `bayplan ARGUMENTS...` on what `host` has (system_calls.js says what that is), and returns the exit code.
  run(words, host) {
    const instance = this.instance || this.start();
    this.instance = null; // One that threw is in an unknown state.
    instance.host = host;
    const bytes = new TextEncoder().encode(words.map((word) => word.replaceAll("\0", "\ufffd") + "\0").join(""));
    const at = instance._malloc(Math.max(bytes.length, 1));
    if (at === 0) throw new BayplanError("memory", "the memory is not enough for these arguments");
    instance.HEAPU8.set(bytes, at);
    let code;
    try {
      code = instance._bayplan_run(at, bytes.length);
    } catch (error) {
      throw engineError(error);
    }
    instance._free(at);
    instance.host = null;
    if (instance.HEAPU8.length < LARGE) this.instance = instance;
    return code;
  }

  /// Synchronous: the module is compiled already.
  start() {
    const instance = {
      instantiateWasm: (imports, receive) => {
        const made = new WebAssembly.Instance(this.compiled, imports);
        receive(made);
        return made.exports;
      },
    };
    this.create(instance);
    return instance;
  }
}

function engineError(error) {
  if (error instanceof RangeError) return new BayplanError("depth", "the input is nested too deeply for WebAssembly", { cause: error });
  if (error instanceof WebAssembly.RuntimeError) {
    return new BayplanError("internal", `internal error: ${error.message}; please report it with the input`, { cause: error });
  }
  return error;
}
