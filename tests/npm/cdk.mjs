// The plugin in a real CDK app: errors stop synth, tokens do not, settings and acknowledgments hold.
// usage: node cdk.mjs BAYPLAN-VERSION.tgz FOLDER     FOLDER: keeps aws-cdk-lib from one run to the next
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

const SKIPPED = 77;
const [, , packed, given] = process.argv;
const folder = path.resolve(given ?? ".");
function skip(why) {
  console.log(`skipped: ${why}`);
  process.exit(SKIPPED);
}
if (!packed || !fs.existsSync(packed)) skip(`${packed} is not there; scripts/npm makes it`);

fs.mkdirSync(folder, { recursive: true });
fs.writeFileSync(path.join(folder, "package.json"), '{"name": "app", "version": "1.0.0", "private": true}');
const npm = (...words) => spawnSync("npm", [...words, "--no-audit", "--no-fund", "--ignore-scripts", "--no-save"], { cwd: folder, encoding: "utf8" });
if (!fs.existsSync(path.join(folder, "node_modules", "aws-cdk-lib", "package.json"))) {
  const done = npm("install", "aws-cdk-lib@2", "constructs@10");
  if (done.status !== 0) skip(`npm cannot install aws-cdk-lib here: ${(done.stderr || String(done.error)).trim().split("\n")[0]}`);
}
// Beside it and not through npm, which would take away what no package.json names.
const installed = path.join(folder, "node_modules", "bayplan");
fs.rmSync(installed, { recursive: true, force: true });
fs.mkdirSync(installed);
assert.equal(spawnSync("tar", ["-xzf", path.resolve(packed), "-C", installed, "--strip-components=1"]).status, 0);
const version = JSON.parse(fs.readFileSync(path.join(folder, "node_modules", "aws-cdk-lib", "package.json"))).version;
console.log(`aws-cdk-lib ${version}`);

const HEAD = `
const { App, Stack, NestedStack, CfnParameter, Fn, Aws } = require("aws-cdk-lib");
const core = require("aws-cdk-lib");
const ecs = require("aws-cdk-lib/aws-ecs");
const { Template } = require("aws-cdk-lib/assertions");
const { Bayplan, findingsIn, lintTemplate } = require("bayplan/cdk");
const bad = (scope, id = "Bad") => new ecs.CfnTaskDefinition(scope, id, { family: "web", requiresCompatibilities: ["FARGATE"], networkMode: "awsvpc",
  cpu: "256", memory: "4096", executionRoleArn: "arn:aws:iam::111122223333:role/ecsTaskExecutionRole",
  containerDefinitions: [{ name: "web", image: "nginx:1.27.2", essential: true }] });
const good = (scope) => {
  const cpu = new CfnParameter(scope, "Cpu", { type: "String" });
  const definition = new ecs.FargateTaskDefinition(scope, "Good", { cpu: 256, memoryLimitMiB: 512 });
  definition.addContainer("web", { image: ecs.ContainerImage.fromRegistry(Fn.join(":", ["nginx", Fn.importValue("Tag")])),
    environment: { REGION: Aws.REGION }, logging: ecs.LogDrivers.awsLogs({ streamPrefix: "web" }) });
  new ecs.CfnTaskDefinition(scope, "Sized", { family: Aws.STACK_NAME, requiresCompatibilities: ["FARGATE"], networkMode: "awsvpc", cpu: cpu.valueAsString,
    memory: Fn.findInMap("Sizes", Aws.REGION, "memory"), executionRoleArn: definition.obtainExecutionRole().roleArn,
    containerDefinitions: [{ name: "web", image: Fn.sub("\${AWS::AccountId}.dkr.ecr.us-east-1.amazonaws.com/web:1.2"), essential: true }] });
};
`;

/// Runs an app; `stops`: what its synth says on standard error.
function app(name, body, { settings, builtIn = false } = {}) {
  const at = path.join(folder, name);
  fs.rmSync(at, { recursive: true, force: true });
  fs.mkdirSync(at);
  fs.writeFileSync(path.join(at, "app.js"), HEAD + body);
  if (settings) fs.writeFileSync(path.join(at, ".bayplan.yaml"), settings);
  const environment = { ...process.env, CDK_OUTDIR: path.join(at, "cdk.out"), NO_COLOR: "1" };
  delete environment.FORCE_COLOR;
  if (!builtIn) environment.CDK_VALIDATION = "false";
  const began = Date.now();
  const done = spawnSync("node", ["app.js"], { cwd: at, encoding: "utf8", env: environment });
  return { ...done, took: Date.now() - began, all: done.stdout + done.stderr };
}

const plain = (inside, plugin = "new Bayplan()") => `
const app = new App();
const stack = new Stack(app, "Web");
${inside}
core.Validations.of(app).addPlugins(${plugin});
app.synth();
console.log("synthesized");
`;

const TESTS = {
  "errors stop synth, with construct, rule and advice"() {
    const done = app("errors", plain("bad(stack);"));
    assert.notEqual(done.status, 0, done.all);
    assert.doesNotMatch(done.stdout, /synthesized/);
    assert.match(done.all, /BAY113/);
    assert.match(done.all, /Web\/Bad/);
    assert.match(done.all, /Suggested fix: .*allows memory 512/);
    const report = JSON.parse(fs.readFileSync(path.join(folder, "errors", "cdk.out", "validation-report.json"), "utf8"));
    const ours = report.pluginReports.find((one) => one.pluginName === "bayplan");
    assert.equal(ours.conclusion, "failure");
    const [violation] = ours.violations.filter((one) => one.severity === "error");
    assert.equal(violation.ruleName, "BAY113");
    assert.ok(violation.suggestedFix.length > 10);
    assert.equal(violation.violatingConstructs[0].constructPath, "Web/Bad");
    console.log(`synth with an error: ${done.took} ms`);
  },
  "a good app passes, tokens and all"() {
    const done = app("good", plain("good(stack);"));
    assert.equal(done.status, 0, done.all);
    assert.match(done.stdout, /synthesized/);
    console.log(`synth of a good app: ${done.took} ms`);
  },
  "beside the validator that CDK brings along"() {
    const done = app("beside", plain("good(stack);"), { builtIn: true });
    assert.equal(done.status, 0, done.all);
  },
  "the deprecated form"() {
    const done = app("beta", `const app = new App({ policyValidationBeta1: [new Bayplan()] });\nbad(new Stack(app, "Web"));\napp.synth();\nconsole.log("synthesized");`);
    assert.match(done.all, /BAY113/);
    assert.match(done.all, /Web\/Bad/);
    assert.notEqual(done.status, 0, done.all);
  },
  "settings of the project"() {
    const done = app("settings", plain("bad(stack);"), { settings: "ignore: [BAY113]\n" });
    assert.equal(done.status, 0, done.all);
    const broken = app("broken-settings", plain("good(stack);"), { settings: "ignore: [NOTHING999]\n" });
    assert.notEqual(broken.status, 0);
    assert.match(broken.all, /NOTHING999/);
  },
  "options of the plugin"() {
    assert.equal(app("options", plain("bad(stack);", 'new Bayplan({ ignore: ["BAY113"] })')).status, 0);
    assert.match(app("bad-options", plain("bad(stack);", 'new Bayplan({ minSeverity: "loud" })')).all, /minSeverity must be one of/);
  },
  "what is acknowledged passes"() {
    const done = app("acknowledged", plain('bad(stack); core.Validations.of(stack).acknowledge({ id: "bayplan::BAY113", reason: "known" });'));
    assert.equal(done.status, 0, done.all);
  },
  "nested stacks and stages"() {
    const nested = app("nested", plain('bad(new NestedStack(stack, "Inner"));'));
    assert.match(nested.all, /BAY113/, nested.all);
    assert.match(nested.all, /Web\/Inner/);
    assert.notEqual(nested.status, 0);
    const stage = app("stage", `const app = new App();\nconst stage = new core.Stage(app, "Prod");\nbad(new Stack(stage, "Web"));\n` +
      `core.Validations.of(app).addPlugins(new Bayplan());\napp.synth();`);
    assert.match(stage.all, /Prod\/Web\/Bad/);
  },
  "an app without ECS"() {
    const done = app("none", plain('new core.CfnOutput(stack, "Out", { value: "x" });'));
    assert.equal(done.status, 0, done.all);
  },
  "in a unit test"() {
    const done = app("unit", `
const { deepEqual, equal } = require("node:assert");
const app = new App();
const [wrong, right] = [new Stack(app, "Wrong"), new Stack(app, "Right")];
bad(wrong);
good(right);
deepEqual(findingsIn(Template.fromStack(right)), []);
equal(findingsIn(Template.fromStack(wrong)).length, 1);
equal(findingsIn(Template.fromStack(wrong))[0].startsWith("BAY113 fargate-cpu-memory-pair: Bad: "), true);
equal(lintTemplate(Template.fromStack(wrong)).findings.length > 0, true);
deepEqual(findingsIn(Template.fromStack(wrong), { ignore: ["BAY113"] }), []);
deepEqual(findingsIn({ Resources: {} }), []);
console.log("checked");`);
    assert.match(done.stdout, /checked/, done.all);
    const configured = app("unit-settings", `
const { deepEqual, equal } = require("node:assert");
const stack = new Stack(new App(), "Web");
bad(stack);
deepEqual(findingsIn(Template.fromStack(stack)), []);
require("node:fs").writeFileSync("other.yaml", "select: [ALL]");
equal(findingsIn(Template.fromStack(stack), { config: "other.yaml" }).length > 0, true);
console.log("checked");`, { settings: "ignore: [BAY113]\n" });
    assert.match(configured.stdout, /checked/, configured.all);
  },
};

let failed = 0;
for (const [name, test] of Object.entries(TESTS)) {
  try {
    test();
  } catch (error) {
    failed++;
    console.log(`FAILED: ${name}\n${error.stack}`);
  }
}
console.log(`${Object.keys(TESTS).length} tests, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
