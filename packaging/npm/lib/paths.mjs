import nodePath from "node:path";

/// The program knows paths as Linux has them: "C:\project\web.json" is "/C:/project/web.json" to it.
export function toProgram(path, platform) {
  if (platform !== "win32") return path;
  return path.replaceAll("\\", "/").replace(/^\/\/\?\/(?=[A-Za-z]:\/)/, "").replace(/^(?=[A-Za-z]:(\/|$))/, "/");
}

/// A path of the program's as the system has it.
export function fromProgram(path, platform) {
  return platform === "win32" ? path.replace(/^\/(?=[A-Za-z]:(\/|$))/, "") : path;
}

/// A word of the command line as the program wants it. On Windows what begins with a drive is a path; of other words the backslashes
/// become slashes when they name a file or a folder that is there: those of a query ('attribute:x =~ a\.b') stay. A path below `folder`, the
/// working folder, becomes relative to it, so that reports show it as Windows has it. `exists`: of a path.
export function argument(word, platform, exists, folder) {
  if (platform !== "win32") return word;
  const flags = /^(--?[A-Za-z][\w-]*=)?((?:json|yaml|html|markdown|sarif|text|csv|svg|junit|github|gitlab|oneline|jsonl)=)?/.exec(word)[0];
  const path = word.slice(flags.length);
  const isPath = () => {
    if (/^[A-Za-z]:[\\/]/.test(path)) return true;
    if (!path.includes("\\")) return false;
    const file = path.replace(/=[^=\\/]*$/, ""); // TASKDEF=COUNT
    return exists(path) || exists(file) || (!/\s/.test(path) && exists(path.slice(0, path.lastIndexOf("\\")) || "\\"));
  };
  return isPath() ? flags + toProgram(below(folder, path), platform) : word;
}

function below(folder, path) {
  const relative = nodePath.win32.relative(folder, path) || ".";
  return /^[A-Za-z]:[\\/]/.test(path) && !/^(\.\.([\\/]|$)|[A-Za-z]:|[\\/])/.test(relative) ? relative : path;
}
