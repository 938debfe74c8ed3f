/**
 * What a command reads:
 * - the text of one file;
 * - `files`: texts by name. The command gets the names in `paths` (default: all files for `lint` and `fit`, one for the others);
 * - `paths`: files on disk, in Node.js only. They are relative to `folder` (default: the working folder). The path "-" is the text in
 *   `stdin`.
 */
export type Input =
  | string
  | { files: Record<string, string | Uint8Array>; paths?: string | readonly string[] }
  | { paths: string | readonly string[]; folder?: string; stdin?: string };

/** Checks ECS task definitions and services. Findings are part of the report; they do not throw. */
export declare function lint(input: Input, options?: LintOptions): LintReport;
/** Finds the EC2 instance types that fit task definitions. */
export declare function fit(input: Input, options?: FitOptions): FitReport;
/** Simulates where ECS places the tasks of a scenario. */
export declare function place(input: Input, options?: PlaceOptions): PlaceReport;
/** Simulates changes to a scenario, such as the loss of a zone. A scenario that runs over time gives a WhatifTimelineReport. */
export declare function whatif(input: Input, options?: WhatifOptions): WhatifReport | WhatifTimelineReport;
/** Finds the cheapest instances for the tasks of a scenario. */
export declare function fleet(input: Input, options?: FleetOptions): FleetReport;
/** Explains a rule ("BAY113"), a group of rules, or an error message of ECS. */
export declare function explain(words: string | readonly string[]): ExplainReport;

export interface RunInput {
  /** Texts or bytes by name. With `files`, the command cannot read or write files on disk. */
  files?: Record<string, string | Uint8Array>;
  /** The working folder on disk, in Node.js only. */
  folder?: string;
  /** Standard input. */
  stdin?: string;
  /** Environment variables (default: those of the process if `folder` is set, else none). */
  environment?: Record<string, string | undefined>;
}
export interface RunResult {
  exitCode: number;
  stdout: string;
  stderr: string;
  /** The files that the command wrote to memory, by name. Empty with `folder`. */
  files: Record<string, Uint8Array>;
}
/** Runs any command line: run(["place", "scenario.yaml", "--output", "html=report.html"], { files }). */
export declare function run(words: readonly string[], input?: RunInput): RunResult;

/** WebAssembly.Module if the compiler knows it (lib "dom" or the types of Node.js), else any object. */
export type WasmModule = typeof globalThis extends { WebAssembly: { Module: { prototype: infer Module } } } ? Module & object : object;
/** The address of a module, as a string or a URL. */
export type ModuleAddress = string | { readonly href: string };

/**
 * Compiles the program. Browsers must await it before the first call; in Node.js it is optional.
 *
 * `source` is the address of bayplan.wasm, with bayplan-rest.wasm in the same folder, or the two compiled modules. With only `main`, most
 * files can be linted; other calls throw "not-loaded" until load({ rest }).
 */
export declare function load(source?: ModuleAddress | { main?: WasmModule; rest?: WasmModule }): Promise<void>;

/** Thrown by all functions for bad options and for input that cannot be read. */
export declare class BayplanError extends Error {
  readonly name: "BayplanError";
  /**
   * - "unusable": bad options or input; `errors` has the positions
   * - "memory": the input needs more memory than WebAssembly has
   * - "depth": the input is nested too deeply
   * - "internal": a bug in bayplan
   * - "not-loaded": load() has not finished, or was not given the module that this call needs
   */
  readonly code: "unusable" | "memory" | "depth" | "internal" | "not-loaded";
  /** Exit code of the command line for the same input. */
  readonly exitCode?: number;
  readonly errors: ErrorReport["errors"];
  /** If only some of the inputs could not be read: the report on the others. */
  readonly report?: unknown;
}
