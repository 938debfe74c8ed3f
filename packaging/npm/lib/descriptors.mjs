import { systemError } from "./errors.mjs";

const FIRST = 1000; // Above the descriptors of the process: /dev/fd/3 is one that it inherited.

/// Open files by descriptor, the number that the program knows them by. Several descriptors can refer to one file.
export class Descriptors {
  constructor(standard) {
    this.files = new Map(standard.map((file, number) => [number, file]));
    this.next = FIRST;
  }

  add(file) {
    const number = this.next++;
    file.uses = (file.uses || 0) + 1;
    this.files.set(number, file);
    return number;
  }

  has(number) {
    return this.files.has(number);
  }

  get(number) {
    const file = this.files.get(number);
    if (!file) throw systemError("EBADF");
    return file;
  }

  /// Closes the descriptor. Returns the file if no other descriptor refers to it, else null.
  remove(number) {
    const file = this.get(number);
    this.files.delete(number);
    file.uses = (file.uses || 1) - 1;
    return file.uses === 0 ? file : null;
  }
}

/// Flags and modes of Linux, which the program uses on every system.
export const FLAGS = { write: 1, readWrite: 2, create: 0o100, exclusive: 0o200, truncate: 0o1000, append: 0o2000, nonBlocking: 0o4000, nameless: 0o20000000 };
export const MODES = { folder: 0o040755, file: 0o100644 };
