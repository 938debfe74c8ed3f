import nodePath from "node:path";

/// Converts a path of this system to one of the program, which uses those of Linux: "C:\project\web.json" becomes
/// "/C:/project/web.json".
export function toProgram(path, platform) {
  if (platform !== "win32") return path;
  return path.replaceAll("\\", "/").replace(/^\/\/\?\/(?=[A-Za-z]:\/)/, "").replace(/^(?=[A-Za-z]:(\/|$))/, "/");
}

/// Converts a path of the program to one of this system.
export function fromProgram(path, platform) {
  return platform === "win32" ? path.replace(/^\/(?=[A-Za-z]:(\/|$))/, "") : path;
}

/// Converts an argument of the command line for the program. On Windows, an argument that starts with a drive is a path. Elsewhere,
/// backslashes become slashes only if the argument names a file or folder that exists, so that those of a query
/// ('attribute:x =~ a\.b') stay. A path inside `folder`, the working folder, becomes relative to it, so that reports show it as
/// Windows does. `exists(path)`: whether there is such a file.
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
