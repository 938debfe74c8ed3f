// Puts files before a validator of npm and prints its version and what it rejected, as JSON: validators.py for Node.js.
//
// usage: node validators.cjs NAME PACKAGES SCHEMA FILE...     PACKAGES: the folder of node_modules; FILE of "-": paths from standard input
//
// ajv                            on SCHEMA, as an editor would
// ecs-task-definition-validator  a task definition, by the JSON Schema of the package
// cloudformation-validate        templates, with the package of this name
// cdk                            templates, with the copy and the engine that `cdk synth` runs
// cdk-preflight                  templates, with the ECS rules of that package alone, in the engine of CDK
const fs = require("node:fs");
const path = require("node:path");
const { createRequire } = require("node:module");

const [name, packages, schema, ...named] = process.argv.slice(2);
const required = createRequire(path.join(path.resolve(packages), "package.json"));
const files = named[0] === "-" ? fs.readFileSync(0, "utf8").split("\n").filter(Boolean) : named;
const ofJson = (fault) => (file) => fault(JSON.parse(fs.readFileSync(file, "utf8")));

function ajv() {
  const validate = new (required("ajv/dist/2020"))({ strict: false, logger: false }).compile(JSON.parse(fs.readFileSync(schema, "utf8")));
  return {
    version: required("ajv/package.json").version,
    fault: ofJson((value) => (validate(value) ? null : `${validate.errors[0].instancePath} ${validate.errors[0].message}`)),
  };
}

function definitionValidator() {
  const validate = required("ecs-task-definition-validator");
  return {
    version: required("ecs-task-definition-validator/package.json").version,
    fault: ofJson((value) => validate(value).errors[0]?.stack ?? null),
  };
}

/// What stops a deployment: errors, and what the engine cannot read.
function errorOf(report) {
  const worst = report.diagnostics.find((one) => one.severity === "FATAL" || one.severity === "ERROR");
  return worst ? `${worst.ruleId} ${worst.propertyPath ?? ""}: ${worst.message}` : report.status === "ERROR" ? "not read" : null;
}

function cloudFormationValidate() {
  const { RegoEngine, TemplateFile, version } = required("@aws/cloudformation-validate");
  const engine = new RegoEngine();
  return { version: version(), fault: (file) => errorOf(engine.validateStandard(new TemplateFile(file))) };
}

/// The copy inside of aws-cdk-lib, and the version that its plugin reports.
function insideCdk() {
  const inner = createRequire(required.resolve("aws-cdk-lib/package.json"));
  const { TemplateFile, ...engines } = inner("@aws/cloudformation-validate");
  const version = `${engines.version()} in aws-cdk-lib ${inner("./package.json").version}`;
  return { engines, version, errorIn: (engine, file, config) => errorOf(engine.validateTemplate(new TemplateFile(file), { detailLevel: "STANDARD", ...config })) };
}

function cdk() {
  const { engines, version, errorIn } = insideCdk();
  const engine = new engines.CompositeEngine();
  return { version, fault: (file) => errorIn(engine, file) };
}

function cdkPreflight() {
  const { engines, version, errorIn } = insideCdk();
  const { BUNDLED_LIBS, BUNDLED_RULES } = required("cdk-preflight/lib/rules.generated.js");
  const rules = BUNDLED_RULES.filter(({ service }) => service === "ecs");
  const customRules = [...BUNDLED_LIBS, ...rules].map((rule) => ({ name: rule.name ?? rule.id, content: rule.rego }));
  const engine = new engines.RegoEngine({ customRules });
  return {
    version: `${required("cdk-preflight/package.json").version}, ${rules.length} rules of ECS, engine ${version}`,
    fault: (file) => errorIn(engine, file, { disableBuiltinRules: true }),
  };
}

const known = {
  ajv,
  "ecs-task-definition-validator": definitionValidator,
  "cloudformation-validate": cloudFormationValidate,
  cdk,
  "cdk-preflight": cdkPreflight,
};

const { version, fault } = known[name]();
const refused = {};
const crashed = {};
for (const file of files) {
  try {
    const told = fault(file);
    if (told !== null) refused[file] = told;
  } catch (error) { // a text that does not parse is rejected, in whatever way the library reports it
    (error instanceof WebAssembly.RuntimeError ? crashed : refused)[file] = String(error);
  }
}
process.stdout.write(JSON.stringify({ version, refused, crashed }));
