// Turns a report of bayplan about templates into a custom rule of cloudformation-validate, so that its findings are in the report of that tool.
//
// usage: bayplan lint --format json TEMPLATE | node rules.mjs > bayplan.rego
//
// The engine takes rules as text in Rego, CEL or Guard and runs no other code, so the rule states what bayplan found in this template.
// The findings keep their code, severity, message and fix; the engine adds the lines. docs/cdk.md says what else does not work.
import fs from "node:fs";

const SEVERITY = { error: "ERROR", warning: "WARN", info: "INFO", style: "INFO" };
const WITH_NONE = "violation := set()"; // a package without it does not load

/// "/Resources/Task/Properties/Memory": the resource, and its property with dots. Null: the engine reports on resources only.
function place(pointer) {
  const [section, resource, ...path] = (pointer ?? "").split("/").slice(1).map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  return section === "Resources" && resource ? { resource, property: path.join(".") } : null;
}

function statement({ code, severity, message, help, url, pointer }) {
  const { resource, property } = place(pointer);
  const words = [code, SEVERITY[severity], resource, property, message, help ?? "", url ?? ""].map((word) => JSON.stringify(word));
  return `violation contains make_diag_full(${words.join(", ")}) if { true }`;
}

function rule(report) {
  const statements = report.findings.filter((finding) => !finding.suppressed && place(finding.pointer)).map(statement);
  return ["package bayplan", "", "import rego.v1", "", ...(statements.length ? statements : [WITH_NONE]), ""].join("\n");
}

process.stdout.write(rule(JSON.parse(fs.readFileSync(0, "utf8"))));
