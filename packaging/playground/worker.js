// Runs the program in a worker, so that typing never waits. The page terminates the worker if a run takes too long.
import { BayplanError, load, run } from "./lib/browser.mjs";

/// The two modules of the program, which the page compiles: each is a promise with the functions that settle it.
function awaited() {
  const one = {};
  one.loaded = new Promise((resolve, reject) => Object.assign(one, { resolve, reject }));
  one.loaded.catch(() => {}); // Those that wait for it get the error.
  return one;
}
const modules = { main: awaited(), rest: awaited() };

const decoded = (bytes) => new TextDecoder().decode(bytes);

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null; // There is no report if the command line is rejected.
  }
}

/// The report of `lint` of all definitions, which every command shows in the editor; its refusal if nothing could be linted.
function lintReport({ files, definitions, flags }) {
  if (definitions.length === 0) return { report: null };
  const done = run(["lint", "--format", "json", ...flags.lint, "--", ...definitions], { files });
  const report = parsed(done.stdout);
  return Array.isArray(report?.findings) && report.files.length > 0 ? { report } : { report: null, refusal: done.stderr };
}

function fixed({ files, definitions }) {
  const done = run(["lint", "--fix", "--", ...definitions], { files });
  return { fixed: Object.fromEntries(Object.entries(done.files).map(([name, bytes]) => [name, decoded(bytes)])) };
}

/// The page of a command, or the errors that prevent it, with their places in the files.
function page({ command, files, path, flags }) {
  const named = path.startsWith("-") ? `./${path}` : path; // The page shows the command line, which people paste.
  const words = (output) => [command, named, ...flags[command], "--output", output];
  const done = run(words("html=page.html"), { files });
  if (done.files["page.html"]) return { page: decoded(done.files["page.html"]) };
  const errors = parsed(run(words("json"), { files }).stdout)?.errors;
  return errors?.length > 0 ? { errors } : { refusal: done.stderr || `bayplan ended with ${done.exitCode}` };
}

function answer(question) {
  if (question.command === "fix") return fixed(question);
  const { report, refusal } = lintReport(question);
  return question.command === "lint" ? { report, refusal } : { report, ...page(question) };
}

/// Most files can be linted with only the main module, without waiting for the other one. The page stops a run that takes too long, but not
/// one that waits for a module.
async function answerWith(question) {
  const begin = () => {
    postMessage({ id: question.id, hasBegun: true });
    return answer(question);
  };
  await modules.main.loaded;
  try {
    return begin();
  } catch (error) {
    if (error.code !== "not-loaded") throw error;
    await modules.rest.loaded;
    return begin();
  }
}

onmessage = async ({ data }) => {
  if (data.module) {
    const one = modules[data.module];
    if (data.failure) one.reject(new BayplanError("not-loaded", `The program cannot be loaded: ${data.failure}`));
    else load({ [data.module]: data.compiled }).then(one.resolve, one.reject);
    return;
  }
  try {
    postMessage({ id: data.id, ...(await answerWith(data)) });
  } catch (error) {
    postMessage({ id: data.id, failure: error.message });
  }
};
