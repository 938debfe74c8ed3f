// The system calls of the program, as calls of `Module.host`: files of a disk (Node) or of memory (browsers, texts given to the API).
// They take the place of emscripten's own, which bring a file system of 90 kB along.
//
// A host has: open(path, flags, mode) -> descriptor; close(fd); duplicate(fd); read(fd, bytes) -> count; write(fd, bytes) -> count;
// seek(fd, offset, whence) -> position; stat(path, followsLinks) and statOpen(fd) -> {mode, size, ino}; list(fd, count) -> up to `count`
// more names of an open folder; readLink(path); access(path, mode); rename(from, to); remove(path); truncate(fd, size);
// chmodOpen(fd, mode); realPath(path); workingFolder(); isTerminal(fd); columns(fd) -> width of the terminal, or 0; interrupted() ->
// whether the user wants the command to end; environment(name). A call that fails throws an error with a `code` such as "ENOENT".
// Flags are those of Linux.
mergeInto(LibraryManager["library"], {
  $bayplanErrno: {
    E2BIG: {{{ cDefine('E2BIG') }}}, EACCES: {{{ cDefine('EACCES') }}}, EAGAIN: {{{ cDefine('EAGAIN') }}}, EBADF: {{{ cDefine('EBADF') }}},
    EBUSY: {{{ cDefine('EBUSY') }}}, EEXIST: {{{ cDefine('EEXIST') }}}, EFBIG: {{{ cDefine('EFBIG') }}}, EINVAL: {{{ cDefine('EINVAL') }}},
    EIO: {{{ cDefine('EIO') }}}, EISDIR: {{{ cDefine('EISDIR') }}}, ELOOP: {{{ cDefine('ELOOP') }}}, EMFILE: {{{ cDefine('EMFILE') }}},
    ENAMETOOLONG: {{{ cDefine('ENAMETOOLONG') }}}, ENODEV: {{{ cDefine('ENODEV') }}}, ENOENT: {{{ cDefine('ENOENT') }}},
    ENOMEM: {{{ cDefine('ENOMEM') }}}, ENOSPC: {{{ cDefine('ENOSPC') }}}, ENOSYS: {{{ cDefine('ENOSYS') }}}, ENOTDIR: {{{ cDefine('ENOTDIR') }}},
    ENOTEMPTY: {{{ cDefine('ENOTEMPTY') }}}, ENOTSUP: {{{ cDefine('EOPNOTSUPP') }}}, ENXIO: {{{ cDefine('ENXIO') }}},
    EPERM: {{{ cDefine('EPERM') }}}, EPIPE: {{{ cDefine('EPIPE') }}}, EROFS: {{{ cDefine('EROFS') }}}, ESPIPE: {{{ cDefine('ESPIPE') }}},
    ETXTBSY: {{{ cDefine('ETXTBSY') }}}, EXDEV: {{{ cDefine('EXDEV') }}},
  },
  // What `call` returns, or the negative number of the error that it throws. An error without a code is a fault of the host's.
  $bayplanCall__deps: ['$bayplanErrno'],
  $bayplanCall: function(call) {
    try {
      return call(Module['host']) | 0;
    } catch (error) {
      if (!error || typeof error.code !== 'string') throw error;
      return -(bayplanErrno[error.code] || {{{ cDefine('EIO') }}});
    }
  },
  // A text as C has it, from malloc; 0 for null.
  $bayplanText__deps: ['malloc'],
  $bayplanText: function(text) {
    if (text === null || text === undefined) return 0;
    var size = lengthBytesUTF8(text) + 1;
    var at = _malloc(size);
    if (at) stringToUTF8(text, at, size);
    return at;
  },
  $bayplanStat__deps: ['$bayplanCall'],
  $bayplanStat: function(ask, buf) {
    return bayplanCall(function(host) {
      var found = ask(host);
      HEAPU8.fill(0, buf, buf + {{{ C_STRUCTS.stat.__size__ }}});
      {{{ makeSetValue('buf', C_STRUCTS.stat.st_mode, 'found.mode', 'i32') }}};
      {{{ makeSetValue('buf', C_STRUCTS.stat.st_nlink, '1', 'i32') }}};
      {{{ makeSetValue('buf', C_STRUCTS.stat.st_size, 'found.size', 'i64') }}};
      {{{ makeSetValue('buf', C_STRUCTS.stat.st_blksize, '4096', 'i32') }}};
      {{{ makeSetValue('buf', C_STRUCTS.stat.st_ino, 'found.ino', 'i64') }}};
      return 0;
    });
  },
  // Over the pieces of a vector; `move(fd, bytes)` returns how many bytes it moved.
  $bayplanMove__deps: ['$bayplanCall'],
  $bayplanMove: function(name, fd, iov, iovcnt, pnum) {
    var moved = 0;
    for (var i = 0; i < iovcnt; i++, iov += {{{ C_STRUCTS.iovec.__size__ }}}) {
      var at = {{{ makeGetValue('iov', C_STRUCTS.iovec.iov_base, 'i32') }}};
      var size = {{{ makeGetValue('iov', C_STRUCTS.iovec.iov_len, 'i32') }}};
      if (!size) continue;
      var count = bayplanCall(function(host) { return host[name](fd, HEAPU8.subarray(at, at + size)); });
      if (count < 0) {
        if (moved) break;
        return -count;
      }
      moved += count;
      if (count < size) break;
    }
    {{{ makeSetValue('pnum', 0, 'moved', 'i32') }}};
    return 0;
  },

  bayplan_host_environment__deps: ['$bayplanText'],
  bayplan_host_environment: function(name) {
    return bayplanText(Module['host'].environment(UTF8ToString(name)));
  },
  bayplan_host_real_path__deps: ['$bayplanText'],
  bayplan_host_real_path: function(path) {
    try {
      return bayplanText(Module['host'].realPath(UTF8ToString(path)));
    } catch (error) {
      return 0;
    }
  },

  // The program is two modules; the main one calls this before it first calls into the other.
  bayplan_host_load_rest: function() {
    Module['loadRest']();
  },
  bayplan_host_columns: function(fd) {
    return Module['host'].columns(fd);
  },
  bayplan_host_interrupted: function() {
    return Module['host'].interrupted() ? 1 : 0;
  },

  __syscall_open__deps: ['$bayplanCall'],
  __syscall_open: function(path, flags, varargs) {
    return bayplanCall(function(host) {
      return host.open(UTF8ToString(path), flags, varargs ? {{{ makeGetValue('varargs', 0, 'i32') }}} : 0);
    });
  },
  __syscall_openat__deps: ['__syscall_open'],
  __syscall_openat: function(folder, path, flags, varargs) {
    return ___syscall_open(path, flags, varargs);
  },
  __syscall_stat64__deps: ['$bayplanStat'],
  __syscall_stat64: function(path, buf) {
    return bayplanStat(function(host) { return host.stat(UTF8ToString(path), true); }, buf);
  },
  __syscall_lstat64__deps: ['$bayplanStat'],
  __syscall_lstat64: function(path, buf) {
    return bayplanStat(function(host) { return host.stat(UTF8ToString(path), false); }, buf);
  },
  __syscall_fstatat64__deps: ['$bayplanStat'],
  __syscall_fstatat64: function(folder, path, buf, flags) {
    return bayplanStat(function(host) {
      return host.stat(UTF8ToString(path), !(flags & {{{ cDefine('AT_SYMLINK_NOFOLLOW') }}}));
    }, buf);
  },
  __syscall_fstat64__deps: ['$bayplanStat'],
  __syscall_fstat64: function(fd, buf) {
    return bayplanStat(function(host) { return host.statOpen(fd); }, buf);
  },
  __syscall_getdents64__deps: ['$bayplanCall'],
  __syscall_getdents64: function(fd, dirp, count) {
    return bayplanCall(function(host) {
      var size = {{{ C_STRUCTS.dirent.__size__ }}};
      var entries = host.list(fd, Math.floor(count / size));
      entries.forEach(function(entry, i) {
        var at = dirp + i * size;
        {{{ makeSetValue('at', C_STRUCTS.dirent.d_ino, '1', 'i64') }}};
        {{{ makeSetValue('at', C_STRUCTS.dirent.d_off, '1', 'i64') }}};
        {{{ makeSetValue('at', C_STRUCTS.dirent.d_reclen, C_STRUCTS.dirent.__size__, 'i16') }}};
        {{{ makeSetValue('at', C_STRUCTS.dirent.d_type, '0', 'i8') }}};
        stringToUTF8(entry, at + {{{ C_STRUCTS.dirent.d_name }}}, 256);
      });
      return entries.length * size;
    });
  },
  __syscall_readlink__deps: ['$bayplanCall'],
  __syscall_readlink: function(path, buf, size) {
    return bayplanCall(function(host) {
      var target = host.readLink(UTF8ToString(path));
      var length = Math.min(lengthBytesUTF8(target), size);
      var after = HEAP8[buf + length];
      stringToUTF8(target, buf, size + 1);
      HEAP8[buf + length] = after;  // readlink puts no NUL
      return length;
    });
  },
  __syscall_readlinkat__deps: ['__syscall_readlink'],
  __syscall_readlinkat: function(folder, path, buf, size) {
    return ___syscall_readlink(path, buf, size);
  },
  __syscall_access__deps: ['$bayplanCall'],
  __syscall_access: function(path, mode) {
    return bayplanCall(function(host) { return host.access(UTF8ToString(path), mode); });
  },
  __syscall_faccessat__deps: ['__syscall_access'],
  __syscall_faccessat: function(folder, path, mode, flags) {
    return ___syscall_access(path, mode);
  },
  __syscall_rename__deps: ['$bayplanCall'],
  __syscall_rename: function(from, to) {
    return bayplanCall(function(host) { return host.rename(UTF8ToString(from), UTF8ToString(to)); });
  },
  __syscall_renameat__deps: ['__syscall_rename'],
  __syscall_renameat: function(fromFolder, from, toFolder, to) {
    return ___syscall_rename(from, to);
  },
  __syscall_unlink__deps: ['$bayplanCall'],
  __syscall_unlink: function(path) {
    return bayplanCall(function(host) { return host.remove(UTF8ToString(path)); });
  },
  __syscall_unlinkat__deps: ['__syscall_unlink'],
  __syscall_unlinkat: function(folder, path, flags) {
    return ___syscall_unlink(path);
  },
  // No file without a name can be made by way of a host, and so none need be named.
  __syscall_linkat: function(fromFolder, from, toFolder, to, flags) {
    return -{{{ cDefine('EOPNOTSUPP') }}};
  },
  __syscall_ftruncate64__deps: ['$bayplanCall'],
  __syscall_ftruncate64: function(fd, low, high) {
    return bayplanCall(function(host) { return host.truncate(fd, high * 0x100000000 + (low >>> 0)); });
  },
  __syscall_fchmod__deps: ['$bayplanCall'],
  __syscall_fchmod: function(fd, mode) {
    return bayplanCall(function(host) { return host.chmodOpen(fd, mode); });
  },
  __syscall_fcntl64__deps: ['$bayplanCall'],
  __syscall_fcntl64: function(fd, command, varargs) {
    if (command !== {{{ cDefine('F_DUPFD') }}} && command !== 1030 /* F_DUPFD_CLOEXEC */) return 0;
    return bayplanCall(function(host) { return host.duplicate(fd); });
  },
  __syscall_dup__deps: ['$bayplanCall'],
  __syscall_dup: function(fd) {
    return bayplanCall(function(host) { return host.duplicate(fd); });
  },
  __syscall_getcwd__deps: ['$bayplanCall'],
  __syscall_getcwd: function(buf, size) {
    return bayplanCall(function(host) {
      var folder = host.workingFolder();
      if (lengthBytesUTF8(folder) + 1 > size) return -68 /* ERANGE */;
      stringToUTF8(folder, buf, size);
      return lengthBytesUTF8(folder) + 1;
    });
  },
  // Hosts do not know whether more has come. The caller (the language server) then takes one message after the other.
  __syscall_poll: function(fds, count, timeout) {
    return 0;
  },

  fd_read__deps: ['$bayplanMove'],
  fd_read: function(fd, iov, iovcnt, pnum) {
    return bayplanMove('read', fd, iov, iovcnt, pnum);
  },
  fd_write__deps: ['$bayplanMove'],
  fd_write: function(fd, iov, iovcnt, pnum) {
    return bayplanMove('write', fd, iov, iovcnt, pnum);
  },
  fd_close__deps: ['$bayplanCall'],
  fd_close: function(fd) {
    return -bayplanCall(function(host) { return host.close(fd); });
  },
  fd_seek__deps: ['$bayplanCall'],
  fd_seek: function(fd, low, high, whence, result) {
    var position = 0;
    var error = bayplanCall(function(host) {
      position = host.seek(fd, high * 0x100000000 + (low >>> 0), whence);
      return 0;
    });
    {{{ makeSetValue('result', 0, 'position', 'i64') }}};
    return -error;
  },
  fd_fdstat_get: function(fd, buf) {
    var type = Module['host'].isTerminal(fd) ? {{{ cDefine('__WASI_FILETYPE_CHARACTER_DEVICE') }}} : {{{ cDefine('__WASI_FILETYPE_REGULAR_FILE') }}};
    {{{ makeSetValue('buf', C_STRUCTS.__wasi_fdstat_t.fs_filetype, 'type', 'i8') }}};
    return 0;
  },
});
