// HiGHS of npm, in WebAssembly, as a solver with a command line: its log on standard output, and the result as JSON.
//
// usage: node highs.cjs PACKAGES [MODEL ANSWER SECONDS]     PACKAGES: the folder of node_modules; without a model: the version
const fs = require("node:fs");
const path = require("node:path");
const { createRequire } = require("node:module");

const [packages, model, answer, seconds] = process.argv.slice(2);
const required = createRequire(path.join(path.resolve(packages), "package.json"));
const GAP = 0.1; // of micro-USD, as cbc has it: the optimum itself

async function main() {
  const highs = await required("highs")({ print: console.log });
  if (!model) {
    const manifest = JSON.parse(fs.readFileSync(path.join(packages, "node_modules", "highs", "package.json"), "utf8")); // not among its exports
    console.log(`${highs.version.string}, in WebAssembly in highs ${manifest.version} of npm`);
    return;
  }
  const { Status, ObjectiveValue } = highs.solve(fs.readFileSync(model, "utf8"), { time_limit: Number(seconds), mip_rel_gap: 0, mip_abs_gap: GAP });
  fs.writeFileSync(answer, JSON.stringify({ status: Status, cost: ObjectiveValue }));
}

main();
