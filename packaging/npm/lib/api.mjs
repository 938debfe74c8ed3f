import { BayplanError } from "./errors.mjs";
import { MemoryHost } from "./memory-host.mjs";

/// Makes the API. `engine()`: the program. `disk`: null in browsers; else `disk.host(input, output, errors)` makes a host with the files
/// of the disk, and `disk.path(path)` converts a path for the program.
export function makeApi(engine, disk) {
  /// Runs a command with files in memory, or with those of the disk.
  function run(words, input = {}) {
    if (!input.files && input.disk && disk) {
      const [output, errors] = [[], []];
      const exitCode = engine().run(words, disk.host(input, output, errors));
      return { exitCode, stdout: decoded(output), stderr: decoded(errors), files: {} };
    }
    const host = new MemoryHost({ files: input.files, input: input.stdin, environment: input.environment });
    const exitCode = engine().run(words, host);
    return { exitCode, stdout: host.text("output"), stderr: host.text("errors"), files: host.writtenFiles() };
  }

  /// Runs a command and returns its JSON report.
  function report(command, words, input) {
    const done = run([command, "--format", "json", ...words], input);
    let found = null;
    try {
      found = JSON.parse(done.stdout);
    } catch {
      // There is no report if the command line is rejected.
    }
    if (done.exitCode <= 1 && found !== null) return found;
    const message = done.stderr.trim().replace(/^bayplan: /, "") || `bayplan ended with ${done.exitCode}`;
    const code = done.exitCode === 3 ? "internal" : /^out of memory/.test(message) ? "memory" : "unusable";
    const errors = found && Array.isArray(found.errors) ? found.errors : [];
    throw new BayplanError(code, message, { exitCode: done.exitCode, errors, report: errors.length > 0 ? null : found });
  }

  function onFiles(command, nameOf, takesAll) {
    return (input, options = {}) => {
      const { files, names, folder, stdin } = inputOf(command, input, nameOf(options), takesAll);
      if (!files && !disk) throw new BayplanError("unusable", `${command} cannot read files here: pass their text`);
      return report(command, [...flagsOf(options), "--", ...(files ? names : names.map(disk.path))], { files, disk: !files, folder, stdin });
    };
  }

  return {
    lint: onFiles("lint", (options) => options.name, true),
    fit: onFiles("fit", (options) => options.name, true),
    place: onFiles("place", () => "scenario.yaml", false),
    whatif: onFiles("whatif", () => "scenario.yaml", false),
    fleet: onFiles("fleet", () => "scenario.yaml", false),
    explain: (words) => report("explain", ["--", ...[words].flat()], { files: {} }),
    run: (words, input = {}) => run(words, { ...input, disk: input.folder !== undefined }),
  };
}

/// The files of an input, and the names that the command line gets. A single text gets the name `name`, or one with the extension of its
/// format.
function inputOf(command, input, name, takesAll) {
  if (typeof input === "string") {
    const called = name || (/^\s*[{[]/.test(input) ? "task-definition.json" : "task-definition.yaml");
    return { files: { [called]: input }, names: [called] };
  }
  if (input === null || typeof input !== "object" || (!input.files && !input.paths)) {
    throw new BayplanError("unusable", `the input of ${command} must be a text, { files } or { paths }`);
  }
  if (!input.files) return { names: [input.paths].flat(), folder: input.folder, stdin: input.stdin };
  const all = Object.keys(input.files).filter((file) => !file.split("/").pop().startsWith("."));
  const names = input.paths ? [input.paths].flat() : takesAll ? all : all.filter((file) => file === name).concat(all).slice(0, 1);
  return { files: input.files, names };
}

/// Converts { launchType: "EC2", strict: true, types: ["g4dn.*"] } to --launch-type=EC2 --strict --types=g4dn.*
export function flagsOf(options) {
  const words = [];
  for (const [key, value] of Object.entries(options)) {
    if (key === "name" || value === undefined || value === null || value === false) continue;
    const flag = "--" + key.replace(/[A-Z]/g, (letter) => "-" + letter.toLowerCase());
    for (const one of [value].flat()) {
      if (one === true) words.push(flag);
      else words.push(`${flag}=${one}`);
    }
  }
  return words;
}

function decoded(parts) {
  const decoder = new TextDecoder();
  return parts.map((part) => decoder.decode(part, { stream: true })).join("") + decoder.decode();
}
