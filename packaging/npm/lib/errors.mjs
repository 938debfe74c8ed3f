/// What the API throws: `code` says which kind it is.
export class BayplanError extends Error {
  constructor(code, message, details) {
    super(message);
    this.name = "BayplanError";
    this.code = code; // "unusable": bad options or input; "memory", "depth", "internal", "not-loaded"
    this.errors = [];
    Object.assign(this, details);
  }
}

/// An error as the file system has it: the program asks for the code alone.
export function systemError(code, path) {
  const error = new Error(path === undefined ? code : `${code}: ${path}`);
  error.code = code;
  return error;
}
