import fs from "node:fs";
import nodePath from "node:path";
import { lint } from "./node.mjs";
import { fromProgram, toProgram } from "./paths.mjs";
import { version } from "./version.mjs";

const LEVELS = ["style", "info", "warning", "error"];

/// Lints the templates that `cdk synth` writes, and fails the synthesis on errors: Validations.of(app).addPlugins(new Bayplan()).
/// `minSeverity`: lowest severity to report (default "warning"). `config`: path of a .bayplan.yaml (default: the nearest one in the working
/// folder or above). All other options are those of `lint`.
export class Bayplan {
  constructor({ minSeverity = "warning", config, ...options } = {}) {
    if (!LEVELS.includes(minSeverity)) throw new TypeError(`minSeverity must be one of ${LEVELS.join(", ")}, not ${minSeverity}`);
    this.name = "bayplan"; // Part of the IDs in acknowledgments: bayplan::BAY113.
    this.version = version;
    this.least = LEVELS.indexOf(minSeverity);
    this.config = config;
    this.options = options;
  }

  validate(context) {
    const templates = withNested(context);
    if (templates.length === 0) return { success: true, violations: [], pluginVersion: version };
    const report = lint({ paths: templates }, { ...this.options, ...settings(this.config || nearestConfig(process.cwd())), skipUnrecognized: true, exitZero: true });
    const findings = report.findings.filter((finding) => !finding.suppressed && LEVELS.indexOf(finding.severity) >= this.least);
    return {
      success: findings.every((finding) => finding.severity !== "error"),
      violations: findings.map(violationOf),
      pluginVersion: version,
    };
  }
}

function violationOf(finding) {
  const [, section, resource, ...rest] = finding.pointer.split("/").map((part) => part.replace(/~1/g, "/").replace(/~0/g, "~"));
  const isOfResource = section === "Resources" && resource !== undefined;
  return {
    ruleName: finding.code,
    description: finding.container ? `container ${finding.container}: ${finding.message}` : finding.message,
    fix: finding.help || undefined,
    severity: finding.severity,
    ruleMetadata: { rule: finding.rule, evidence: finding.evidence, explain: `npx bayplan explain ${finding.code}` },
    violatingResources: [{
      resourceLogicalId: isOfResource ? resource : "",
      locations: [isOfResource ? rest.join(".") : `line ${finding.line}`],
      templatePath: nodePath.normalize(fromProgram(finding.file, process.platform)),
    }],
  };
}

/// The templates of the context, and those of nested stacks, which are in the same folders but which the context does not name.
function withNested({ templatePaths, appConstruct }) {
  const folders = new Set(templatePaths.map((file) => nodePath.dirname(file)));
  const names = appConstruct ? appConstruct.node.findAll().filter((one) => one.nestedStackParent).map((one) => one.templateFile) : [];
  const nested = [...folders].flatMap((folder) => names.map((name) => nodePath.join(folder, name)));
  return [...new Set([...templatePaths, ...nested])].filter((file) => fs.existsSync(file));
}

function nearestConfig(folder) {
  for (let at = folder; ; at = nodePath.dirname(at)) {
    const file = nodePath.join(at, ".bayplan.yaml");
    if (fs.existsSync(file)) return file;
    if (at === nodePath.dirname(at)) return undefined;
  }
}

function settings(config) {
  return config ? { config: toProgram(config, process.platform) } : {};
}

/// Lints a template in a unit test: Template.fromStack(stack), or an object. `options`: those of `lint`. Without `config`, the nearest
/// .bayplan.yaml in the working folder or above applies, as for the plugin.
export function lintTemplate(template, { config, ...options } = {}) {
  const value = typeof template.toJSON === "function" ? template.toJSON() : template;
  const input = { paths: "-", stdin: JSON.stringify(value, null, 1) };
  return lint(input, { skipUnrecognized: true, stdinFilename: "template.json", ...options, ...settings(config) });
}

/// Its errors, or its findings from another `minSeverity` on, one line each: expect(findingsIn(template)).toEqual([])
export function findingsIn(template, { minSeverity = "error", ...options } = {}) {
  const report = lintTemplate(template, options);
  return report.findings
    .filter((finding) => !finding.suppressed && LEVELS.indexOf(finding.severity) >= LEVELS.indexOf(minSeverity))
    .map((finding) => `${finding.code} ${finding.rule}: ${finding.pointer.split("/")[2] || "template"}: ${finding.message}`);
}
