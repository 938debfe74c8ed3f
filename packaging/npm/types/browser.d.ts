export * from "./index.js";
/** Compiles one of the two files of the program, bayplan.wasm by default, for load() of a worker. */
export declare function compiled(source?: string | URL): Promise<WebAssembly.Module>;
