/** The text of one file; texts by name, of which `paths` are those that the command names; or paths on disk (Node alone), of which "-" is `stdin`. */
export type Input =
  | string
  | { files: Record<string, string | Uint8Array>; paths?: string | readonly string[] }
  | { paths: string | readonly string[]; folder?: string; stdin?: string };

/** Findings; that there are some is no error. */
export declare function lint(input: Input, options?: LintOptions): LintReport;
/** The EC2 instance types that hold the tasks. */
export declare function fit(input: Input, options?: FitOptions): FitReport;
/** Where ECS places the tasks of a scenario. */
export declare function place(input: Input, options?: PlaceOptions): PlaceReport;
/** What a change of a scenario does to its tasks. */
export declare function whatif(input: Input, options?: WhatifOptions): WhatifReport | WhatifTimelineReport;
/** The cheapest instances for the tasks of a scenario. */
export declare function fleet(input: Input, options?: FleetOptions): FleetReport;
/** What a rule, or a sentence of ECS, means. */
export declare function explain(words: string | readonly string[]): ExplainReport;

export interface RunInput {
  /** In memory: then nothing of the disk is read or written. */
  files?: Record<string, string | Uint8Array>;
  /** On disk: the working folder (Node alone). */
  folder?: string;
  stdin?: string;
  environment?: Record<string, string | undefined>;
}
export interface RunResult {
  exitCode: number;
  stdout: string;
  stderr: string;
  /** What was written in memory, by name. */
  files: Record<string, Uint8Array>;
}
/** Any command line: run(["place", "scenario.yaml", "--output", "html=report.html"], { files }). */
export declare function run(words: readonly string[], input?: RunInput): RunResult;

/**
 * Compiles the program. Browsers must wait for it first; in Node it may be left out. `source`: the address of bayplan.wasm, beside
 * which bayplan-rest.wasm lies; or the compiled modules of both. With `main` alone most files can be linted; other runs throw
 * "not-loaded" until load({ rest }).
 */
export declare function load(source?: string | URL | { main?: WebAssembly.Module; rest?: WebAssembly.Module }): Promise<void>;

export declare class BayplanError extends Error {
  readonly name: "BayplanError";
  /** "unusable": options or an input that are refused; `errors` says where. */
  readonly code: "unusable" | "memory" | "depth" | "internal" | "not-loaded";
  readonly exitCode?: number;
  readonly errors: ErrorReport["errors"];
  /** Where only some inputs could not be read: the report on the others. */
  readonly report?: unknown;
}
