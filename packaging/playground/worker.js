// Runs the program beside the page, so that typing never waits. The page ends it when it takes too long.
import { BayplanError, lint, load, run } from "./lib/browser.mjs";

let loaded = null;

function answer({ command, files, path, words }) {
  if (command === "lint") return { report: lint({ files, paths: path }) };
  const [text, picture] = command === "place" ? ["--output", "svg=picture.svg"] : [];
  const done = run([command, "--output", "text", ...(text ? [text, picture] : []), ...words, "--", path], { files });
  const drawn = done.files["picture.svg"];
  return { ...done, files: undefined, picture: drawn && new TextDecoder().decode(drawn) };
}

onmessage = async ({ data }) => {
  if (data.module) {
    loaded = load(data.module);
    return;
  }
  try {
    await loaded;
    postMessage({ id: data.id, ...answer(data) });
  } catch (error) {
    postMessage({ id: data.id, error: { message: error.message, code: error instanceof BayplanError ? error.code : "internal", errors: error.errors || [] } });
  }
};
