// Runs the program in a worker, so that typing never waits. The page terminates the worker if a run takes too long.
import { BayplanError, lint, load, run } from "./lib/browser.mjs";

/// The two modules of the program, which the page compiles: each is a promise with the functions that settle it.
function awaited() {
  const one = {};
  one.loaded = new Promise((resolve, reject) => Object.assign(one, { resolve, reject }));
  one.loaded.catch(() => {}); // Those that wait for it get the error.
  return one;
}
const modules = { main: awaited(), rest: awaited() };

function answer({ command, files, path, words }) {
  if (command === "lint") return { report: lint({ files, paths: path }) };
  const [text, picture] = command === "place" ? ["--output", "svg=picture.svg"] : [];
  const done = run([command, "--output", "text", ...(text ? [text, picture] : []), ...words, "--", path], { files });
  const drawn = done.files["picture.svg"];
  return { ...done, files: undefined, picture: drawn && new TextDecoder().decode(drawn) };
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
    postMessage({ id: data.id, error: { message: error.message, errors: error.errors || [] } });
  }
};
