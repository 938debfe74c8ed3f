// The packed package as a user has it: installed into an empty folder, as a command, as a module of both kinds, with its types.
// usage: node package.mjs BAYPLAN-VERSION.tgz
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const SKIPPED = 77;
const packed = process.argv[2];
if (!packed || !fs.existsSync(packed)) {
  console.log(`skipped: ${packed} is not there; scripts/npm makes it`);
  process.exit(SKIPPED);
}
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "bayplan-npm-"));
process.on("exit", () => fs.rmSync(folder, { recursive: true, force: true }));
const npm = (...words) => execFileSync("npm", words, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });

const GOOD = `{"family": "web", "requiresCompatibilities": ["EC2"], "networkMode": "bridge",
 "containerDefinitions": [{"name": "web", "image": "nginx:1.27.2", "memory": 512, "essential": true}]}`;
const BAD = `{"family": "web", "requiresCompatibilities": ["FARGATE"], "networkMode": "awsvpc", "cpu": "256", "memory": "4096",
 "containerDefinitions": [{"name": "web", "image": "nginx:1.27.2", "essential": true}]}`;
const SCENARIO = `region: us-east-1
cluster:
  containerInstances:
    - {instanceType: m5.large, count: 2, availabilityZones: [us-east-1a]}
taskDefinitions: [task.json]
tasks:
  - {taskDefinition: web, count: 3}
`;

fs.writeFileSync(path.join(folder, "package.json"), '{"name": "user", "version": "1.0.0", "private": true}');
const began = Date.now();
npm("install", "--offline", "--no-audit", "--no-fund", "--ignore-scripts", path.resolve(packed));
console.log(`installed in ${Date.now() - began} ms`);
const installed = path.join(folder, "node_modules", "bayplan");
assert.deepEqual(fs.readdirSync(path.join(folder, "node_modules")).filter((name) => !name.startsWith(".")), ["bayplan"], "no dependency");

const program = path.join(folder, "node_modules", ".bin", "bayplan");
function run(words, options = {}) {
  const environment = { ...process.env, NO_COLOR: undefined, FORCE_COLOR: undefined, LC_ALL: "C.UTF-8", ...options.environment };
  return spawnSync(program, words, { cwd: options.cwd || folder, encoding: "utf8", input: options.input, env: environment });
}

/// The typed error that a call throws.
function refused(call) {
  try {
    call();
  } catch (error) {
    assert.equal(error.name, "BayplanError", String(error));
    assert.ok(error instanceof Error);
    return error;
  }
  return assert.fail("no error");
}

/// The module with at most `pages` of memory (64 KiB each), as little as some machines give.
function withMemory(bytes, pages) {
  const number = (at) => {
    for (let [value, shift] = [0, 0]; ; shift += 7) {
      const byte = bytes[at++];
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return [value, at];
    }
  };
  for (let at = 8; at < bytes.length; ) {
    const section = at;
    const [size, begin] = number(at + 1);
    at = begin + size;
    if (bytes[section] !== 5) continue;
    const [least, end] = number(begin + 2); // behind the count and the flags
    assert.ok(bytes[begin] === 1 && bytes[begin + 1] === 1 && least <= pages, "one memory with a limit");
    const limit = [(pages & 127) | 128, ((pages >> 7) & 127) | 128, pages >> 14];
    const payload = [...bytes.subarray(begin, end), ...limit];
    return Buffer.concat([bytes.subarray(0, section), Buffer.from([5, payload.length, ...payload]), bytes.subarray(at)]);
  }
  return assert.fail("no memory");
}

const TESTS = {
  "npx finds the command"() {
    const said = execFileSync("npx", ["--no-install", "bayplan", "--version"], { cwd: folder, encoding: "utf8" });
    assert.match(said, /^bayplan \d+\.\d+\.\d+\nECS model: /);
  },
  "exit codes are those of the program"() {
    fs.mkdirSync(path.join(folder, "tasks"));
    fs.writeFileSync(path.join(folder, "tasks", "good.json"), GOOD);
    assert.equal(run(["lint", "tasks"]).status, 0);
    fs.writeFileSync(path.join(folder, "tasks", "bad.json"), BAD);
    const bad = run(["lint", "tasks"]);
    assert.equal(bad.status, 1);
    assert.match(bad.stdout, /tasks\/bad\.json:1:\d+ error BAY113/);
    const missing = run(["lint", "none.json"]);
    assert.equal(missing.status, 2);
    assert.match(missing.stderr, /^bayplan: none\.json: /);
    assert.equal(run(["lint", "--no-such-flag"]).status, 2);
  },
  "standard input and output"() {
    const done = run(["lint", "-", "--stdin-filename", "web.json", "--format", "oneline"], { input: BAD });
    assert.equal(done.status, 1);
    assert.match(done.stdout, /^web\.json:1:\d+/);
    const half = spawnSync("sh", ["-c", `"${program}" explain --all | head -c 10`], { encoding: "utf8", cwd: folder });
    assert.equal(half.stderr, "", "a closed pipe is no failure");
  },
  "much through a pipe"() {
    const all = run(["explain", "--all", "--format", "json"]);
    assert.ok(JSON.parse(all.stdout).rules.length > 100);
    const large = `{"family": "web", "containerDefinitions": [${" ".repeat(3_000_000)}]}`;
    assert.equal(run(["lint", "-"], { input: large }).status, 1);
  },
  "colors"() {
    assert.match(run(["lint", "tasks/bad.json"], { environment: { FORCE_COLOR: "1" } }).stdout, /\x1b\[/);
    assert.doesNotMatch(run(["lint", "tasks/bad.json"]).stdout, /\x1b\[/);
  },
  "reports go to files, and fixes into them"() {
    assert.equal(run(["lint", "tasks/bad.json", "--output", "html=report.html", "--output", "json=/dev/stdout"]).status, 1);
    assert.match(fs.readFileSync(path.join(folder, "report.html"), "utf8"), /<html/);
    const long = path.join(folder, "tasks", "long.json");
    fs.writeFileSync(long, GOOD.replace('"memory": 512', '"memory": "512"'));
    fs.chmodSync(long, 0o640);
    run(["lint", "--fix", "tasks/long.json"]);
    assert.match(fs.readFileSync(long, "utf8"), /"memory": 512/);
    assert.equal(fs.statSync(long).mode & 0o777, 0o640);
    assert.deepEqual(fs.readdirSync(path.join(folder, "tasks")).sort(), ["bad.json", "good.json", "long.json"], "nothing is left behind");
  },
  "settings are found upwards"() {
    fs.writeFileSync(path.join(folder, ".bayplan.yaml"), "ignore: [BAY113]\n");
    assert.equal(run(["lint", "bad.json"], { cwd: path.join(folder, "tasks") }).status, 0);
    fs.rmSync(path.join(folder, ".bayplan.yaml"));
  },
  "what cannot be read or written is told"() {
    assert.match(run(["lint", "tasks/good.json", "--output", "json=none/report.json"]).stderr, /folder not found: none/);
    assert.match(run(["lint", "tasks/goood.json"]).stderr, /did you mean 'tasks\/good\.json'/);
    fs.symlinkSync("nowhere", path.join(folder, "link.json"));
    assert.match(run(["lint", "link.json"]).stderr, /is a broken link/);
    fs.rmSync(path.join(folder, "link.json"));
  },
  async "as an ECMAScript module"() {
    checkApi(await import(pathToFileURL(path.join(installed, "lib", "node.mjs"))));
    fs.writeFileSync(path.join(folder, "esm.mjs"), 'import { lint, BayplanError } from "bayplan";\nimport { Bayplan } from "bayplan/cdk";\n' +
      "console.log(lint('{}').schema, BayplanError.name, new Bayplan().name);");
    assert.equal(execFileSync("node", ["esm.mjs"], { cwd: folder, encoding: "utf8" }), "bayplan/lint-report/1 BayplanError bayplan\n");
  },
  "as a CommonJS module"() {
    const require = createRequire(path.join(folder, "user.js"));
    checkApi(require("bayplan"));
    assert.equal(new (require("bayplan/cdk").Bayplan)().name, "bayplan");
    assert.equal(require("bayplan/package.json").name, "bayplan");
    assert.equal(require("bayplan/schemas/lint-report.schema.json").properties.schema.const, "bayplan/lint-report/1");
  },
  async "too little memory is a typed error"() {
    const lib = (name) => import(pathToFileURL(path.join(installed, "lib", name)));
    const [{ makeApi }, { Engine }, { create }] = [await lib("api.mjs"), await lib("engine.mjs"), await lib("glue.mjs")];
    const module = new WebAssembly.Module(withMemory(fs.readFileSync(path.join(installed, "lib", "bayplan.wasm")), 40 * 16));
    const rest = new WebAssembly.Module(fs.readFileSync(path.join(installed, "lib", "bayplan-rest.wasm")));
    const engine = new Engine(create, module, () => rest);
    const { lint, fit } = makeApi(() => engine, null);
    const large = `{"containerDefinitions": [${'{"name": "web"},'.repeat(500_000)}{}]}`;
    for (const command of [lint, fit]) {
      const error = refused(() => command(large));
      assert.equal(error.code, "memory", error.message);
      assert.match(error.message, /^out of memory for these inputs: WebAssembly has at most 2 GB/);
    }
    assert.equal(lint(GOOD).summary.error, 0, "the next call");
  },
  async "the second module is loaded when it is needed"() {
    const lib = (name) => import(pathToFileURL(path.join(installed, "lib", name)));
    const [{ makeApi }, { Engine }, { create }] = [await lib("api.mjs"), await lib("engine.mjs"), await lib("glue.mjs")];
    const moduleOf = (name) => new WebAssembly.Module(fs.readFileSync(path.join(installed, "lib", name)));
    let rest = null;
    let asked = 0;
    const engine = new Engine(create, moduleOf("bayplan.wasm"), () => (asked++, rest));
    const { lint, place } = makeApi(() => engine, null);
    const files = { "scenario.yaml": SCENARIO, "task.json": GOOD };
    assert.ok(lint(BAD).summary.error === 1 && lint("[").summary.error > 0 && lint("family: web").summary.error > 0, "findings");
    assert.equal(refused(() => lint("a: 1")).code, "unusable", "a text of another kind");
    assert.equal(asked, 0, "lint needs the first alone");
    assert.equal(refused(() => place({ files })).code, "not-loaded");
    rest = moduleOf("bayplan-rest.wasm");
    assert.equal(place({ files }).summary.placed, 3);
    assert.equal(lint(BAD).summary.error, 1);
  },
  async "a file on a drive is read and reported"() {
    const lib = (name) => import(pathToFileURL(path.join(installed, "lib", name)));
    const [{ NodeHost }, { theEngine }, { argument }] = [await lib("node-host.mjs"), await lib("load.mjs"), await lib("paths.mjs")];
    // To Linux the drive is a folder in the working one.
    fs.mkdirSync(path.join(folder, "C:", "project", "tasks"), { recursive: true });
    fs.writeFileSync(path.join(folder, "C:", "project", "tasks", "bad.json"), BAD);
    const before = process.cwd();
    process.chdir(folder);
    try {
      const seen = (...words) => {
        const output = [];
        const host = new NodeHost({ output, errors: output, input: Buffer.alloc(0), environment: {}, platform: "win32" });
        const code = theEngine().run(words.map((word) => argument(word, "win32", () => true, "D:\\other")), host);
        return `${code} ${Buffer.concat(output)}`;
      };
      assert.match(seen("lint", "--format", "oneline", "C:\\project\\tasks\\bad.json"), /^1 \/C:\/project\/tasks\/bad\.json:1:\d+/);
      assert.match(seen("lint", "--format", "oneline", "C:\\project"), /^1 \/C:\/project\/tasks\/bad\.json:1:\d+/);
      fs.writeFileSync(path.join(folder, "C:", "project", ".bayplan.yaml"), "ignore: [BAY113]\n");
      assert.match(seen("lint", "--config", "C:\\project\\.bayplan.yaml", "C:\\project\\tasks"), /^0 /);
    } finally {
      process.chdir(before);
      fs.rmSync(path.join(folder, "C:"), { recursive: true });
    }
  },
  "backslashes and drives"() {
    return import(pathToFileURL(path.join(installed, "lib", "paths.mjs"))).then(({ argument, fromProgram, toProgram }) => {
      const there = new Set(["C:\\project\\web.json", "tasks", "tasks\\web.json", "C:\\project", "\\\\server\\share", "\\\\server\\share\\a.json"]);
      const given = (word, platform = "win32", at = "D:\\other") => argument(word, platform, (name) => there.has(name), at);
      assert.equal(given("C:\\project\\web.json"), "/C:/project/web.json");
      assert.equal(given("C:/new/web.json"), "/C:/new/web.json");
      assert.equal(given("tasks\\web.json=3"), "tasks/web.json=3");
      assert.equal(given("--config=tasks\\new.yaml"), "--config=tasks/new.yaml");
      assert.equal(given("html=tasks\\report.html"), "html=tasks/report.html");
      assert.equal(given("--output=html=C:\\project\\report.html"), "--output=html=/C:/project/report.html");
      assert.equal(given("\\\\server\\share\\a.json"), "//server/share/a.json");
      assert.equal(given("attribute:ecs.instance-type =~ p3\\..*"), "attribute:ecs.instance-type =~ p3\\..*");
      assert.equal(given("--where=attribute:x =~ a\\.b"), "--where=attribute:x =~ a\\.b");
      assert.equal(given("a\\b", "linux"), "a\\b");
      assert.equal(given("C:\\project\\tasks\\web.json", "win32", "c:\\Project"), "tasks/web.json");
      assert.equal(given("--config=C:/project/new.yaml", "win32", "C:\\project"), "--config=new.yaml");
      assert.equal(given("C:\\project", "win32", "C:\\project"), ".");
      assert.equal(given("C:\\projects\\web.json", "win32", "C:\\project"), "/C:/projects/web.json");
      assert.equal(given("C:\\web.json", "win32", "C:\\project"), "/C:/web.json");
      assert.equal(toProgram(path.win32.resolve("C:\\project", "..\\web.json"), "win32"), "/C:/web.json");
      for (const own of ["C:\\project\\web.json", "tasks\\web.json", "\\\\server\\share\\a.json", "D:\\"]) {
        assert.equal(path.win32.normalize(fromProgram(toProgram(own, "win32"), "win32")), own);
      }
      assert.equal(fromProgram("/C:/web.json", "linux"), "/C:/web.json");
    });
  },
  "types, without the DOM library and with those of other packages checked"() {
    for (const version of ["5", "latest"]) {
      const compiler = compilerIn(version);
      if (!compiler) continue;
      fs.writeFileSync(path.join(folder, "typed.mts"), TYPED);
      fs.writeFileSync(path.join(folder, "typed.cts"), TYPED.replace("await load();", "void load();"));
      fs.writeFileSync(path.join(folder, "page.mts"), TYPED_PAGE);
      const compile = (...words) => {
        const done = spawnSync("node", [compiler, "--noEmit", "--strict", "--exactOptionalPropertyTypes", "--skipLibCheck", "false", "--module", "nodenext",
          "--target", "es2022", ...words], { cwd: folder, encoding: "utf8" });
        assert.equal(done.status, 0, `TypeScript ${version}: ${done.stdout}${done.stderr}`);
      };
      compile("--lib", "es2022", "typed.mts", "typed.cts");
      compile("--lib", "es2022,dom", "typed.mts", "page.mts");
    }
  },
};

const TYPED = `import { lint, place, fleet, whatif, fit, explain, run, load, BayplanError, type LintOptions, type LintReport, type PlaceReport } from "bayplan";
import { Bayplan, findingsIn } from "bayplan/cdk";
const options: LintOptions = { types: ["g4dn.*"], launchType: "EC2", strict: true, failOn: undefined, ignore: "BAY113" };
const report: LintReport = lint("{}", options);
const line: number = report.findings[0].line;
const level: "error" | "warning" | "info" | "style" = report.findings[0].severity;
const placed: PlaceReport = place({ files: { "scenario.yaml": "" } }, { seed: 3, ties: "first", until: "1h30m" });
await load();
try {
  fit("{}", { reservedMemory: 256, trunking: "on" });
  fleet("", { headroom: "10%", spot: 70, zones: 3, types: ["m5.*"], surviveZoneLoss: true });
  fleet("", { zones: "us-east-2a,us-east-2b", task: ["web.json=3"] });
  whatif("", { terminate: "*", loseAz: ["us-east-1a"] });
  explain(["BAY113"]);
} catch (error) {
  if (error instanceof BayplanError) void [error.code, error.errors[0].line, error.message];
}
const done: number = run(["lint"], { files: {} }).exitCode;
const plugin = new Bayplan({ minSeverity: "error", ignore: ["BAY113"] });
const lines: string[] = findingsIn({ Resources: {} });
// @ts-expect-error
lint("{}", { launchType: "MAINFRAME" });
// @ts-expect-error
lint("{}", { strict: "yes" });
// @ts-expect-error
lint("{}", { types: 3 });
// @ts-expect-error
lint("{}", { noSuchOption: true });
// @ts-expect-error
place("", { seed: "3" });
// @ts-expect-error
fleet("", { headroom: "ten" });
// @ts-expect-error
fleet("", { surviveZoneLoss: 1 });
// @ts-expect-error
whatif("", { loseAz: true });
// @ts-expect-error
report.findings[0].nosuchkey;
// @ts-expect-error
place(3);
export { line, level, placed, done, plugin, lines };
`;

// A page that passes compiled modules to a worker.
const TYPED_PAGE = `import { compiled, load } from "bayplan/browser";
const main: WebAssembly.Module = await compiled(new URL("https://example.com/bayplan.wasm"));
await load({ main });
await load(new URL("https://example.com/bayplan.wasm"));
// @ts-expect-error
await load({ main: 3 });
`;

function compilerIn(version) {
  try {
    npm("install", "--no-audit", "--no-fund", "--ignore-scripts", "--no-save", `typescript@${version}`);
  } catch {
    console.log(`not run: the types, since npm cannot install typescript@${version} here`);
    return null;
  }
  return path.join(folder, "node_modules", "typescript", "lib", "tsc.js");
}

function checkApi(api) {
  const { lint, fit, place, whatif, fleet, explain, run: runs, load, BayplanError } = api;
  const bad = lint(BAD, { name: "web.json" });
  assert.deepEqual(bad.findings.filter((one) => one.severity === "error").map((one) => [one.code, one.file, one.line]), [["BAY113", "web.json", 1]]);
  assert.equal(lint(GOOD).summary.error, 0);
  assert.equal(lint({ files: { "web.json": BAD, ".bayplan.yaml": "ignore: [BAY113]" } }).summary.error, 0, "settings in memory");
  assert.equal(lint({ paths: "tasks", folder }).summary.error, 1, "files of the disk");
  assert.equal(lint(BAD, { ignore: ["BAY113"] }).summary.error, 0);
  assert.ok(fit(GOOD, { types: "m5.*" }).taskDefinitions[0].types.length > 3);
  const files = { "scenario.yaml": SCENARIO, "task.json": GOOD };
  assert.equal(place({ files }).summary.placed, 3);
  assert.ok(whatif({ files }, { terminate: "*" }).variants.length > 0);
  assert.ok(fleet({ files }, { types: "m5.*" }).recommended.hourlyCost > 0);
  assert.equal(explain("BAY113").rules[0].rule, "fargate-cpu-memory-pair");
  const done = runs(["place", "scenario.yaml", "--output", "html=out.html"], { files });
  assert.equal(done.exitCode, 0, done.stderr);
  assert.match(new TextDecoder().decode(done.files["out.html"]), /<html/);
  assert.equal(typeof load().then, "function");
  assert.ok(new BayplanError("unusable", "x") instanceof Error);
  const broken = refused(() => place("cluster: ["));
  assert.equal(broken.code, "unusable");
  assert.equal(broken.errors[0].file, "scenario.yaml");
  assert.equal(refused(() => lint("{}", { launchType: "MAINFRAME" })).code, "unusable");
  assert.equal(refused(() => lint(3)).code, "unusable");
  // Broken and huge texts have an answer, and leave the next call a good program.
  lint("[".repeat(200_000));
  lint(`a: ${"{b: ".repeat(100_000)}`);
  lint("\0\xff");
  const huge = lint(" ".repeat(40_000_000));
  assert.match(huge.findings[0].message, /the maximum is 16 MiB/);
  assert.equal(lint(GOOD).summary.error, 0);
}

let failed = 0;
for (const [name, test] of Object.entries(TESTS)) {
  try {
    await test();
  } catch (error) {
    failed++;
    console.log(`FAILED: ${name}\n${error.stack}`);
  }
}
console.log(`${Object.keys(TESTS).length} tests, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
