/// The error that the API throws. `code` distinguishes the kinds.
export class BayplanError extends Error {
  constructor(code, message, details) {
    super(message);
    this.name = "BayplanError";
    this.code = code; // "unusable" (bad options or input), "memory", "depth", "internal" or "not-loaded"
    this.errors = [];
    Object.assign(this, details);
  }
}

/// An error like those of node:fs. The program uses its code only.
export function systemError(code, path) {
  const error = new Error(path === undefined ? code : `${code}: ${path}`);
  error.code = code;
  return error;
}
