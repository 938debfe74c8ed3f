// The custom rule that packaging/cloudformation-validate makes of a report, in the engine itself: it must report what bayplan found, at the same lines.
// usage: node cloudformation_validate.mjs FOLDER PROJECT BAYPLAN     FOLDER: keeps the package from one run to the next
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const SKIPPED = 77;
const PACKAGE = "@aws/cloudformation-validate";
const [folder, project, bayplan] = process.argv.slice(2).map((name) => path.resolve(name));

fs.mkdirSync(folder, { recursive: true });
fs.writeFileSync(path.join(folder, "package.json"), '{"name": "client", "version": "1.0.0", "private": true}');
if (!fs.existsSync(path.join(folder, "node_modules", PACKAGE))) {
  const done = spawnSync("npm", ["install", PACKAGE, "--no-audit", "--no-fund", "--ignore-scripts", "--no-save"], { cwd: folder, encoding: "utf8" });
  if (done.status !== 0) {
    console.log(`skipped: npm cannot install ${PACKAGE} here: ${(done.stderr || String(done.error)).trim().split("\n")[0]}`);
    process.exit(SKIPPED);
  }
}
const { RegoEngine, RuleFile, TemplateFile, version } = createRequire(path.join(folder, "package.json"))(PACKAGE);
console.log(`${PACKAGE} ${version()}`);

function task(properties) {
  const container = { Name: 'web "1"', Image: "nginx:1.27", Essential: true, MemoryReservation: 128 };
  return { Type: "AWS::ECS::TaskDefinition", Properties: { Family: "web", ContainerDefinitions: [container], ...properties } };
}

function template(name, resources) {
  const file = path.join(folder, name);
  fs.writeFileSync(file, JSON.stringify({ AWSTemplateFormatVersion: "2010-09-09", Resources: resources }, null, 2));
  return file;
}

function ofBayplan(file) {
  return JSON.parse(spawnSync(bayplan, ["lint", "--format", "json", file], { encoding: "utf8", cwd: folder }).stdout);
}

/// What the engine reports with this rule alone: code, severity, line.
function ofEngine(file, report) {
  const rule = path.join(folder, "bayplan.rego");
  const made = spawnSync("node", [path.join(project, "packaging/cloudformation-validate/rules.mjs")], { input: JSON.stringify(report), encoding: "utf8" });
  assert.equal(made.status, 0, made.stderr);
  fs.writeFileSync(rule, made.stdout);
  const engine = new RegoEngine({ customRules: [new RuleFile(rule)] });
  const told = engine.validateStandard(new TemplateFile(file), { disableBuiltinRules: true });
  engine.free();
  return told.diagnostics.map((one) => `${one.ruleId} ${one.severity} ${one.entity.logicalId} ${one.startLine} ${one.message}`).sort();
}

const bad = template("bad.json", {
  Small: task({ RequiresCompatibilities: ["FARGATE"], NetworkMode: "awsvpc", Cpu: "256", Memory: "4096" }),
  Bridged: task({ RequiresCompatibilities: ["FARGATE"], NetworkMode: "bridge", Cpu: "256", Memory: "512" }),
});
const report = ofBayplan(bad);
const expected = report.findings.map((one) => `${one.code} ${{ error: "ERROR", warning: "WARN" }[one.severity]} ${one.pointer.split("/")[2]} ${one.line} ${one.message}`);
assert.ok(expected.length >= 2, "the template has mistakes");
assert.deepEqual(ofEngine(bad, report), expected.sort());

const good = template("good.json", { Plain: task({}) });
assert.deepEqual(ofEngine(good, { findings: [] }), []);
