import fs from "node:fs";
import nodePath from "node:path";
import tty from "node:tty";
import { Descriptors, FLAGS, MODES } from "./descriptors.mjs";
import { systemError } from "./errors.mjs";
import { fromProgram, toProgram } from "./paths.mjs";

/// Gives the program the files of the disk and the streams of the process. `output` and `errors`: lists that receive what the program
/// prints, instead of the streams of the process; `input`: bytes that replace standard input; `folder`: replaces the working folder;
/// `columns`: widths of the terminals by descriptor; `interrupted`: whether the user has asked the command to end.
export class NodeHost {
  constructor({ output, errors, input, folder, columns, interrupted = () => false, environment = process.env, platform = process.platform } = {}) {
    this.folder = folder;
    this.variables = environment;
    this.platform = platform;
    this.widths = columns;
    this.interrupted = interrupted;
    this.newFiles = new Map(); // by path: files that the program has not renamed yet
    // A position of null reads on where the last read ended, which is all that a pipe or a terminal can do.
    const standard = (real, sink) => (sink ? { sink } : { real, position: null });
    this.descriptors = new Descriptors([
      input === undefined ? { real: 0, position: null } : { bytes: input, position: 0 },
      standard(1, output),
      standard(2, errors),
    ]);
  }

  at(path) {
    const own = fromProgram(path, this.platform);
    return this.folder === undefined ? own : nodePath.resolve(this.folder, own);
  }

  open(name, flags, mode) {
    if (flags & FLAGS.nameless) throw systemError("ENOTSUP", name);
    const path = this.at(name);
    if (flags & FLAGS.create && flags & FLAGS.exclusive) return this.createNew(path, mode);
    let real;
    try {
      real = fs.openSync(path, nodeFlags(flags), mode);
    } catch (error) {
      // Windows cannot open a folder.
      const isFolder = (error.code === "EISDIR" || error.code === "EPERM" || error.code === "EACCES") && !(flags & 3) &&
                       fs.statSync(path, { throwIfNoEntry: false })?.isDirectory();
      if (!isFolder) throw error;
    }
    return this.descriptors.add({ real, path, position: null });
  }

  /// A new file stays in memory until the program gives it its final name. Ctrl-C ends Node.js at once, so that nothing could remove an
  /// incomplete file from the disk.
  createNew(path, mode) {
    if (this.newFiles.has(path) || fs.lstatSync(path, { throwIfNoEntry: false })) throw systemError("EEXIST", path);
    const folder = nodePath.dirname(path);
    if (!fs.statSync(folder).isDirectory()) throw systemError("ENOTDIR", path);
    fs.accessSync(folder, fs.constants.W_OK);
    const file = { path, parts: [], mode };
    this.newFiles.set(path, file);
    return this.descriptors.add(file);
  }

  /// Writes such a file to the disk under its final name, whole or not at all.
  writeNew({ path, parts, mode, changedMode }, final) {
    const temporary = `${path}-${process.pid}`; // the program does not know its process: WebAssembly has no such thing
    const real = fs.openSync(temporary, "wx", mode);
    let isOpen = true;
    try {
      for (const part of parts) {
        for (let at = 0; at < part.length; ) at += patiently(() => fs.writeSync(real, part, at, part.length - at));
      }
      if (changedMode !== undefined && this.platform !== "win32") fs.fchmodSync(real, changedMode);
      isOpen = false;
      fs.closeSync(real);
      fs.renameSync(temporary, final);
    } catch (error) {
      if (isOpen) fs.closeSync(real);
      fs.unlinkSync(temporary);
      throw error;
    }
  }

  close(number) {
    const file = this.descriptors.remove(number);
    if (file && file.real > 2 && !file.isInherited) fs.closeSync(file.real);
  }

  duplicate(number) {
    return this.descriptors.add(this.descriptors.has(number) ? this.descriptors.get(number) : this.inherited(number));
  }

  /// A descriptor that the process got from its shell, such as that of /dev/fd/63 in `--output json=>(jq .)`.
  inherited(number) {
    fs.fstatSync(number);
    return { real: number, position: null, isInherited: true };
  }

  read(number, room) {
    const file = this.descriptors.get(number);
    if (file.bytes) {
      const part = file.bytes.subarray(file.position, file.position + room.length);
      room.set(part);
      file.position += part.length;
      return part.length;
    }
    return patiently(() => {
      try {
        const count = fs.readSync(file.real, room, 0, room.length, file.position);
        if (file.position !== null) file.position += count;
        if (count === 0 && file.real === 0 && isReopened(0)) throw systemError("EBADF");
        return count;
      } catch (error) {
        if (error.code === "EOF") return 0; // how Windows reports the end of a pipe
        throw error;
      }
    });
  }

  write(number, bytes) {
    const file = this.descriptors.get(number);
    if (file.sink) {
      file.sink.push(bytes.slice());
      return bytes.length;
    }
    if (file.parts) {
      file.parts.push(bytes.slice());
      return bytes.length;
    }
    const count = patiently(() => fs.writeSync(file.real, bytes, 0, bytes.length, file.position));
    if (file.position !== null) file.position += count;
    return count;
  }

  seek(number, offset, whence) {
    const file = this.descriptors.get(number);
    if (file.real === undefined || file.real < 3) throw systemError("ESPIPE");
    const from = whence === 1 ? file.position || 0 : whence === 2 ? fs.fstatSync(file.real).size : 0;
    return (file.position = from + offset);
  }

  stat(name, followsLinks) {
    const found = (followsLinks ? fs.statSync : fs.lstatSync)(this.at(name), { throwIfNoEntry: false });
    if (!found) throw systemError("ENOENT", name);
    return found;
  }

  statOpen(number) {
    const file = this.descriptors.get(number);
    if (file.parts) return { mode: MODES.file, size: file.parts.reduce((sum, part) => sum + part.length, 0), ino: 1 };
    if (file.bytes || file.sink) return { mode: MODES.file, size: 0, ino: 1 };
    return file.real === undefined ? fs.statSync(file.path) : fs.fstatSync(file.real);
  }

  list(number, most) {
    const file = this.descriptors.get(number);
    if (!file.names) file.names = fs.readdirSync(file.path);
    return file.names.splice(0, most);
  }

  readLink(name) {
    return toProgram(fs.readlinkSync(this.at(name)), this.platform);
  }

  access(name, mode) {
    fs.accessSync(this.at(name), mode);
  }

  rename(from, to) {
    const [old, final] = [this.at(from), this.at(to)];
    const file = this.newFiles.get(old);
    if (file === undefined) return fs.renameSync(old, final);
    this.writeNew(file, final);
    this.newFiles.delete(old);
  }

  remove(name) {
    const path = this.at(name);
    if (!this.newFiles.delete(path)) fs.unlinkSync(path);
  }

  truncate(number, size) {
    fs.ftruncateSync(this.descriptors.get(number).real, size);
  }

  chmodOpen(number, mode) {
    const file = this.descriptors.get(number);
    if (file.parts) file.changedMode = mode;
    else if (this.platform !== "win32") fs.fchmodSync(file.real, mode);
  }

  realPath(name) {
    return toProgram(fs.realpathSync.native(this.at(name)), this.platform);
  }

  workingFolder() {
    return toProgram(this.folder === undefined ? process.cwd() : nodePath.resolve(this.folder), this.platform);
  }

  isTerminal(number) {
    const { real } = this.descriptors.get(number);
    return real !== undefined && tty.isatty(real);
  }

  columns(number) {
    if (!this.isTerminal(number)) return 0;
    const { real } = this.descriptors.get(number);
    return (this.widths ? this.widths[real] : (real === 2 ? process.stderr : process.stdout).columns) || 0;
  }

  environment(name) {
    const value = this.variables[name];
    return value === undefined ? null : value;
  }
}

/// Whether standard input was closed when the process started: Node.js has then opened /dev/null for reading and writing in its place.
function isReopened(real) {
  try {
    return fs.fstatSync(real).rdev === fs.statSync("/dev/null").rdev && fs.writeSync(real, "\0") === 1;
  } catch {
    return false;
  }
}

/// Converts the flags of Linux to those of this system.
function nodeFlags(flags) {
  const constants = fs.constants;
  let own = flags & FLAGS.readWrite ? constants.O_RDWR : flags & FLAGS.write ? constants.O_WRONLY : constants.O_RDONLY;
  if (flags & FLAGS.create) own |= constants.O_CREAT;
  if (flags & FLAGS.exclusive) own |= constants.O_EXCL;
  if (flags & FLAGS.truncate) own |= constants.O_TRUNC;
  if (flags & FLAGS.append) own |= constants.O_APPEND;
  if (flags & FLAGS.nonBlocking) own |= constants.O_NONBLOCK || 0;
  return own;
}

/// Standard streams can be pipes or terminals that do not block: tries again until they are ready.
function patiently(act) {
  for (;;) {
    try {
      return act();
    } catch (error) {
      if (error.code !== "EAGAIN") throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}
