export * from "./index.js";
/** The module alone, for load() of another worker. */
export declare function compiled(source?: string | URL): Promise<WebAssembly.Module>;
