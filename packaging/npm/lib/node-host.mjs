import fs from "node:fs";
import nodePath from "node:path";
import tty from "node:tty";
import { Descriptors, FLAGS } from "./descriptors.mjs";
import { systemError } from "./errors.mjs";
import { fromProgram, toProgram } from "./paths.mjs";

/// The files of the disk. `output` and `errors`: lists that take what the program prints, in place of the process's own streams;
/// `input`: bytes in place of standard input; `folder`: in place of the working folder.
export class NodeHost {
  constructor({ output, errors, input, folder, environment = process.env, platform = process.platform } = {}) {
    this.folder = folder;
    this.variables = environment;
    this.platform = platform;
    const standard = (real, sink) => (sink ? { sink } : { real });
    this.open_ = new Descriptors([input === undefined ? { real: 0 } : { bytes: input, position: 0 }, standard(1, output), standard(2, errors)]);
  }

  at(path) {
    const own = fromProgram(path, this.platform);
    return this.folder === undefined ? own : nodePath.resolve(this.folder, own);
  }

  open(name, flags, mode) {
    if (flags & FLAGS.nameless) throw systemError("ENOTSUP", name);
    const path = this.at(name);
    let real;
    try {
      real = fs.openSync(path, nodeFlags(flags), mode);
    } catch (error) {
      // Folders cannot be opened on Windows.
      const isFolder = (error.code === "EISDIR" || error.code === "EPERM" || error.code === "EACCES") && !(flags & 3) &&
                       fs.statSync(path, { throwIfNoEntry: false })?.isDirectory();
      if (!isFolder) throw error;
    }
    return this.open_.add({ real, path, position: null });
  }

  close(number) {
    const file = this.open_.remove(number);
    if (file && file.real > 2) fs.closeSync(file.real);
  }

  duplicate(number) {
    return this.open_.add(this.open_.get(number));
  }

  read(number, room) {
    const file = this.open_.get(number);
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
        return count;
      } catch (error) {
        if (error.code === "EOF") return 0; // a pipe that Windows has closed
        throw error;
      }
    });
  }

  write(number, bytes) {
    const file = this.open_.get(number);
    if (file.sink) {
      file.sink.push(bytes.slice());
      return bytes.length;
    }
    return patiently(() => fs.writeSync(file.real, bytes, 0, bytes.length));
  }

  seek(number, offset, whence) {
    const file = this.open_.get(number);
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
    const file = this.open_.get(number);
    if (file.bytes || file.sink) return { mode: 0o100644, size: 0, ino: 1 };
    return file.real === undefined ? fs.statSync(file.path) : fs.fstatSync(file.real);
  }

  list(number, most) {
    const file = this.open_.get(number);
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
    fs.renameSync(this.at(from), this.at(to));
  }

  remove(name) {
    fs.unlinkSync(this.at(name));
  }

  truncate(number, size) {
    fs.ftruncateSync(this.open_.get(number).real, size);
  }

  chmodOpen(number, mode) {
    if (this.platform !== "win32") fs.fchmodSync(this.open_.get(number).real, mode);
  }

  realPath(name) {
    return toProgram(fs.realpathSync.native(this.at(name)), this.platform);
  }

  workingFolder() {
    return toProgram(this.folder === undefined ? process.cwd() : nodePath.resolve(this.folder), this.platform);
  }

  isTerminal(number) {
    const { real } = this.open_.get(number);
    return real !== undefined && tty.isatty(real);
  }

  columns() {
    return this.isTerminal(1) ? process.stdout.columns || 0 : 0;
  }

  environment(name) {
    const value = this.variables[name];
    return value === undefined ? null : value;
  }
}

/// Linux's flags as those of the system here.
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

/// Standard streams may be pipes that do not wait: they are asked again.
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
