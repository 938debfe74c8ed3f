import type { ModuleAddress, WasmModule } from "./index.js";

export * from "./index.js";
/** Fetches and compiles one of the two modules of the program (default: bayplan.wasm), so that a page can pass it to load() in a worker. */
export declare function compiled(source?: ModuleAddress): Promise<WasmModule>;
