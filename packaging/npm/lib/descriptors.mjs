import { systemError } from "./errors.mjs";

/// Open files by the numbers that the program knows them by. Several numbers may stand for one file.
export class Descriptors {
  constructor(standard) {
    this.files = new Map(standard.map((file, number) => [number, file]));
    this.next = 3;
  }

  add(file) {
    const number = this.next++;
    file.uses = (file.uses || 0) + 1;
    this.files.set(number, file);
    return number;
  }

  get(number) {
    const file = this.files.get(number);
    if (!file) throw systemError("EBADF");
    return file;
  }

  /// The file, once no other number stands for it; else null.
  remove(number) {
    const file = this.get(number);
    this.files.delete(number);
    file.uses = (file.uses || 1) - 1;
    return file.uses === 0 ? file : null;
  }
}

/// Of Linux, as the program has them.
export const FLAGS = { write: 1, readWrite: 2, create: 0o100, exclusive: 0o200, truncate: 0o1000, append: 0o2000, nonBlocking: 0o4000, nameless: 0o20000000 };
export const MODES = { folder: 0o040755, file: 0o100644 };
