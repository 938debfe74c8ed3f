import type { LintOptions, LintReport } from "./index.js";

export interface BayplanOptions extends LintOptions {
  /** Lowest severity to report (default "warning"). Only errors fail the synthesis. */
  minSeverity?: "style" | "info" | "warning" | "error" | undefined;
  /** Path of a .bayplan.yaml (default: the nearest one in the working folder or above). */
  config?: string | undefined;
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

/** A template of aws-cdk-lib/assertions (Template.fromStack(stack)), or the template as an object. */
export type TemplateLike = { toJSON(): unknown } | { Resources?: unknown };

/** Lints a template in a unit test. */
export declare function lintTemplate(template: TemplateLike, options?: LintOptions): LintReport;
/** Errors of a template, one line each: expect(findingsIn(Template.fromStack(stack))).toEqual([]). */
export declare function findingsIn(template: TemplateLike, options?: LintOptions & { minSeverity?: "style" | "info" | "warning" | "error" | undefined }): string[];
