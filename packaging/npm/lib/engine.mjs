import { BayplanError } from "./errors.mjs";

const LARGE = 512 * 1024 * 1024; // The memory of WebAssembly never shrinks: a larger instance is not used again.

/// The program. `create` makes an instance (scripts/wasm writes it). The program consists of two modules: `compiled` is the
/// WebAssembly.Module with the functions that common runs call; `rest()` returns the module with all other functions, or null while it
/// is not loaded. The first call of such a function calls `rest`.
export class Engine {
  constructor(create, compiled, rest) {
    this.create = create;
    this.compiled = compiled;
    this.rest = rest;
    this.instance = null;
  }

  /// Runs `bayplan ARGUMENTS...` with the files and streams of `host` (system_calls.js lists its functions). Returns the exit code.
  run(words, host) {
    const instance = this.instance || this.started();
    this.instance = null; // If this run throws, the state of the instance is unknown.
    instance.host = host;
    const bytes = new TextEncoder().encode(words.map((word) => word.replaceAll("\0", "\ufffd") + "\0").join(""));
    const at = instance._malloc(Math.max(bytes.length, 1));
    if (at === 0) throw new BayplanError("memory", "out of memory for these arguments");
    instance.HEAPU8.set(bytes, at);
    let code;
    try {
      code = instance._bayplan_run(at, bytes.length);
    } catch (error) {
      throw instance.failure || engineError(error);
    }
    if (instance.failure) throw instance.failure; // The program may have caught the exception.
    instance._free(at);
    instance.host = null;
    if (instance.HEAPU8.length < LARGE) this.instance = instance;
    return code;
  }

  started() {
    try {
      return this.start();
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      throw new BayplanError("memory", `no memory for WebAssembly: ${error.message}`, { cause: error });
    }
  }

  /// Synchronous, because the module is compiled already.
  start() {
    const instance = {
      failure: null,
      instantiateWasm: (imports, receive) => {
        const main = new WebAssembly.Instance(this.compiled, imports);
        instance.loadRest = () => this.loadRest(instance, main);
        receive(main);
        return main.exports;
      },
    };
    this.create(instance);
    return instance;
  }

  /// The main module calls this before it first calls a function of the other module, which adds its functions to the table of the main
  /// module.
  loadRest(instance, main) {
    const rest = this.rest();
    if (rest === null) {
      instance.failure = new BayplanError("not-loaded", "the rest of the program is not loaded yet");
      throw instance.failure;
    }
    new WebAssembly.Instance(rest, { primary: main.exports });
  }
}

function engineError(error) {
  if (error instanceof RangeError) return new BayplanError("depth", "the input is nested too deeply for WebAssembly", { cause: error });
  if (error instanceof WebAssembly.RuntimeError) {
    return new BayplanError("internal", `internal error: ${error.message}\n  Please report it with the input.`, { cause: error });
  }
  return error;
}
