import type { LintOptions, LintReport } from "./index.js";

export interface BayplanOptions extends LintOptions {
  /** The least severe findings that are told: "warning" by default. Errors alone stop synth. */
  minSeverity?: "style" | "info" | "warning" | "error";
  /** A .bayplan.yaml; by default the nearest from the working folder upwards. */
  config?: string;
}

/** A policy validation plugin: Validations.of(app).addPlugins(new Bayplan()), or new App({ policyValidationBeta1: [new Bayplan()] }). */
export declare class Bayplan {
  constructor(options?: BayplanOptions);
  readonly name: "bayplan";
  readonly version: string;
  validate(context: { readonly templatePaths: string[]; readonly appConstruct: any }): {
    success: boolean;
    pluginVersion: string;
    violations: {
      ruleName: string;
      description: string;
      fix?: string;
      severity?: string;
      ruleMetadata?: { [key: string]: string };
      violatingResources: { resourceLogicalId: string; locations: string[]; templatePath: string }[];
    }[];
  };
}

/** Something with a template: Template.fromStack(stack) of aws-cdk-lib/assertions, or the template itself. */
export type TemplateLike = { toJSON(): unknown } | { Resources?: unknown };

/** The report on a template in a unit test. */
export declare function lintTemplate(template: TemplateLike, options?: LintOptions): LintReport;
/** Its errors as lines: expect(findingsIn(Template.fromStack(stack))).toEqual([]). */
export declare function findingsIn(template: TemplateLike, options?: LintOptions & { minSeverity?: "style" | "info" | "warning" | "error" }): string[];
