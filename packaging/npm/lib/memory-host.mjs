import { Descriptors, FLAGS, MODES } from "./descriptors.mjs";
import { systemError } from "./errors.mjs";

const FOLDER = "/project"; // The working folder. Not the root: no project is there.

/// Converts "a/./c/../b" to "/project/a/b".
function resolved(path) {
  const parts = [];
  for (const part of (path.startsWith("/") ? path : `${FOLDER}/${path}`).split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return "/" + parts.join("/");
}

/// Gives the program files in memory: those of the caller, and those that the program writes. `files`: texts or bytes by name.
export class MemoryHost {
  constructor({ files = {}, input = "", environment = {} } = {}) {
    this.contents = new Map();
    this.folders = new Set(["/", FOLDER]);
    this.variables = environment;
    this.output = [];
    this.errors = [];
    this.written = new Set();
    for (const [name, content] of Object.entries(files)) this.put(resolved(name), bytesOf(content));
    this.descriptors = new Descriptors([
      { bytes: bytesOf(input), position: 0 },
      { sink: this.output },
      { sink: this.errors },
    ]);
  }

  put(path, bytes) {
    this.contents.set(path, bytes);
    for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) this.folders.add(path.slice(0, at));
  }

  text(stream) {
    return new TextDecoder().decode(joined(this[stream]));
  }

  /// The files that the program wrote, by their names in the working folder.
  writtenFiles() {
    const names = [...this.written].filter((path) => this.contents.has(path));
    return Object.fromEntries(names.map((path) => [path.startsWith(FOLDER + "/") ? path.slice(FOLDER.length + 1) : path, this.contents.get(path)]));
  }

  // --- What the program calls.

  open(name, flags) {
    const path = resolved(name);
    if (flags & FLAGS.nameless) throw systemError("ENOTSUP", path);
    const writes = (flags & (FLAGS.write | FLAGS.readWrite)) !== 0;
    if (this.folders.has(path)) {
      if (writes) throw systemError("EISDIR", path);
      return this.descriptors.add({ folder: path });
    }
    let bytes = this.contents.get(path);
    if (bytes && flags & FLAGS.create && flags & FLAGS.exclusive) throw systemError("EEXIST", path);
    if (!bytes) {
      if (!(flags & FLAGS.create) || !this.folders.has(path.slice(0, path.lastIndexOf("/")) || "/")) throw systemError("ENOENT", path);
      bytes = new Uint8Array(0);
    }
    if (writes) {
      if (flags & FLAGS.truncate) bytes = new Uint8Array(0);
      this.put(path, bytes);
      this.written.add(path);
    }
    return this.descriptors.add({ path, position: flags & FLAGS.append ? bytes.length : 0 });
  }

  close(number) {
    this.descriptors.remove(number);
  }

  duplicate(number) {
    return this.descriptors.add(this.descriptors.get(number));
  }

  read(number, room) {
    const file = this.descriptors.get(number);
    if (file.folder) throw systemError("EISDIR");
    const bytes = file.bytes || this.contents.get(file.path) || new Uint8Array(0);
    const part = bytes.subarray(file.position, file.position + room.length);
    room.set(part);
    file.position += part.length;
    return part.length;
  }

  write(number, bytes) {
    const file = this.descriptors.get(number);
    if (file.sink) {
      file.sink.push(bytes.slice());
    } else {
      this.put(file.path, joined([(this.contents.get(file.path) || new Uint8Array(0)).subarray(0, file.position), bytes]));
      file.position += bytes.length;
    }
    return bytes.length;
  }

  seek(number, offset, whence) {
    const file = this.descriptors.get(number);
    if (file.sink || file.bytes) throw systemError("ESPIPE");
    const from = whence === 1 ? file.position : whence === 2 ? (this.contents.get(file.path) || []).length : 0;
    return (file.position = from + offset);
  }

  stat(name) {
    const path = resolved(name);
    if (this.folders.has(path)) return { mode: MODES.folder, size: 0, ino: 1 };
    const bytes = this.contents.get(path);
    if (!bytes) throw systemError("ENOENT", path);
    return { mode: MODES.file, size: bytes.length, ino: 1 };
  }

  statOpen(number) {
    const file = this.descriptors.get(number);
    if (file.folder) return { mode: MODES.folder, size: 0, ino: 1 };
    return file.path ? this.stat(file.path) : { mode: MODES.file, size: 0, ino: 1 };
  }

  list(number, most) {
    const file = this.descriptors.get(number);
    if (!file.names) {
      const beginning = file.folder === "/" ? "/" : file.folder + "/";
      const inside = [...this.contents.keys(), ...this.folders].filter((path) => path.startsWith(beginning) && path !== file.folder && path !== "/");
      file.names = [...new Set(inside.map((path) => path.slice(beginning.length).split("/")[0]))];
    }
    return file.names.splice(0, most);
  }

  readLink(name) {
    this.stat(name);
    throw systemError("EINVAL", name);
  }

  access(name) {
    this.stat(name);
  }

  rename(from, to) {
    const [old, fresh] = [resolved(from), resolved(to)];
    const bytes = this.contents.get(old);
    if (!bytes) throw systemError("ENOENT", from);
    this.contents.delete(old);
    this.put(fresh, bytes);
    this.written.delete(old);
    this.written.add(fresh);
  }

  remove(name) {
    if (!this.contents.delete(resolved(name))) throw systemError("ENOENT", name);
  }

  truncate(number, size) {
    const file = this.descriptors.get(number);
    this.put(file.path, (this.contents.get(file.path) || new Uint8Array(0)).slice(0, size));
  }

  chmodOpen() {}

  realPath(name) {
    this.stat(name);
    return resolved(name);
  }

  workingFolder() {
    return FOLDER;
  }

  isTerminal() {
    return false;
  }

  columns() {
    return 0;
  }

  interrupted() {
    return false;
  }

  environment(name) {
    return Object.prototype.hasOwnProperty.call(this.variables, name) ? this.variables[name] : null;
  }
}

function bytesOf(content) {
  return typeof content === "string" ? new TextEncoder().encode(content) : content;
}

function joined(parts) {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
